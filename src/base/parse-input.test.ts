import { expect, test } from "vitest";
import { z } from "zod";
import { MemoryError } from "./errors.ts";
import { parseInput } from "./parse-input.ts";

const schema = z.strictObject({ name: z.string(), list: z.array(z.number()) });

test("a good value becomes typed", () => {
  expect(parseInput(schema, { name: "a", list: [1] }, "thing")).toEqual({ name: "a", list: [1] });
});

test("a refusal names what, every wrong path, and keeps the cause", () => {
  const parse = () => parseInput(schema, { name: 7, list: [1, "x"], more: 1 }, "thing", "option_invalid");
  expect(parse).toThrowError(MemoryError);
  expect(parse).toThrowError(/^The thing is not valid\. name: .*; list\.1: .*more/);
  expect(parse).toThrowError(
    expect.objectContaining({ code: "option_invalid", cause: expect.any(z.ZodError) }),
  );
});

test("nesting beyond the stack is bad input; a schema's own failure is not hidden", () => {
  const tree: z.ZodType<unknown> = z.lazy(() => z.strictObject({ in: tree.optional() }));
  let value = {};
  for (let level = 0; level < 100_000; level++) value = { in: value };
  expect(() => parseInput(tree, value, "tree")).toThrowError(/^The tree is nested too deeply\. Valid:/);
  const broken = z.string().refine(() => {
    throw new TypeError("broken schema");
  });
  expect(() => parseInput(broken, "x", "text")).toThrowError(TypeError);
});
