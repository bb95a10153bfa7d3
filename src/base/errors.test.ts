import { describe, expect, test } from "vitest";
import { ERROR_KINDS, type ErrorCode, invariant, MemoryError } from "./errors.ts";

const codes = Object.keys(ERROR_KINDS).filter((code): code is ErrorCode => code in ERROR_KINDS);

describe("the table of errors", () => {
  test.each(codes)("%s says how a server, a shell and a retry should take it", (code) => {
    const { http, exit, retryable } = ERROR_KINDS[code];
    expect(http).toBeGreaterThanOrEqual(400);
    expect(http).toBeLessThan(600);
    expect(exit).toBeGreaterThan(0);
    expect(exit).toBeLessThan(256);
    expect(new MemoryError(code, "why").retryable).toBe(retryable);
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });

  test("the caller's mistakes are never retried, and are 4xx", () => {
    for (const code of codes.filter((name) => ERROR_KINDS[name].exit === 2)) {
      expect(ERROR_KINDS[code]).toMatchObject({ retryable: false });
      expect(ERROR_KINDS[code].http).toBeLessThan(500);
    }
  });

  test("what a second try may cure is retryable", () => {
    const retryable = codes.filter((code) => ERROR_KINDS[code].retryable);
    expect(retryable).toEqual([
      ...["locked", "storage_io"],
      ...["request_timeout", "rate_limited", "server_closing", "server_unreachable"],
      ...["model_unavailable", "model_rate_limited"],
    ]);
  });
});

describe("MemoryError", () => {
  test("keeps code, sentence, cause and details", () => {
    const cause = new Error("disk");
    const error = new MemoryError("storage_io", "The disk failed.", { cause, details: { path: "a" } });
    expect(error).toMatchObject({
      name: "MemoryError",
      code: "storage_io",
      message: "The disk failed.",
      cause,
    });
    expect(error.details).toEqual({ path: "a" });
    expect(error.stack).toContain("errors.test");
    expect("cause" in new MemoryError("aborted", "x")).toBe(false);
  });

  test("is known by its mark, also from a second copy of the package", () => {
    const foreign = Object.assign(new Error("x"), { [Symbol.for("neuromem.error")]: true, code: "locked" });
    expect(MemoryError.is(foreign)).toBe(true);
    expect(MemoryError.is(new MemoryError("locked", "x"))).toBe(true);
    for (const other of [new Error("x"), null, undefined, "text", {}])
      expect(MemoryError.is(other)).toBe(false);
  });

  test("a broken promise of our own asks for a report", () => {
    expect(() => invariant(false, "The heap is empty")).toThrowError(/defect in neuromem; please report/);
    expect(() => invariant(1, "fine")).not.toThrow();
  });
});
