import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MemoryError } from "./errors.ts";
import { canSee, PUBLIC, parseScope, visibleScopes } from "./scope.ts";

const names = fc
  .constantFrom("public", "alice", "bob", "王芳", "team:42", "user@example.org", "a/b", "Ω1")
  .map(parseScope);

describe("[C-31] who sees what", () => {
  test("[S3-22] public sees only public", () => {
    expect(visibleScopes(PUBLIC)).toEqual([PUBLIC]);
  });

  test("[S3-23] any other scope sees itself first, then public", () => {
    const alice = parseScope("alice");
    expect(visibleScopes(alice)).toEqual([alice, PUBLIC]);
  });

  test("[S3-22..S3-23] canSee and visibleScopes agree, and no private scope sees another", () => {
    fc.assert(
      fc.property(names, names, (from, owner) => {
        expect(canSee(from, owner)).toBe(visibleScopes(from).includes(owner));
        if (from !== owner && owner !== PUBLIC) expect(canSee(from, owner)).toBe(false);
      }),
    );
  });
});

describe("[S3-24] empty and illegal scopes are refused", () => {
  test.each([
    ["empty", ""],
    ["a space", " "],
    ["spaces around", " alice "],
    ["a line break at the end", "alice\n"],
    ["a leading sign", "_alice"],
    ["a quote", "alice'; --"],
    ["a NUL", "alice\0"],
    ["129 characters", "a".repeat(129)],
    ["not composed", "Zoe\u0308"],
    ["half a surrogate pair", "a\ud800"],
    ["undefined", undefined],
    ["null", null],
    ["a number", 7],
    ["a list", ["alice"]],
    ["an object without prototype", Object.create(null)],
    ["a symbol", Symbol("alice")],
  ])("%s", (_, value) => {
    const error = caught(() => parseScope(value));
    expect(error.code).toBe("scope_invalid");
    expect(error.message).toContain("Valid:");
  });

  test("what is accepted comes back unchanged", () => {
    for (const name of ["a", "A", "7", "a".repeat(128), "Zoë", "张伟", "ta\u0301\u0323i".normalize("NFC")]) {
      expect(parseScope(name)).toBe(name);
    }
  });

  test("any string is either a scope, unchanged, or refused with the code", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        try {
          expect(parseScope(text)).toBe(text);
        } catch (error) {
          expect(MemoryError.is(error) && error.code).toBe("scope_invalid");
        }
      }),
    );
  });
});

function caught(run: () => unknown): MemoryError {
  try {
    run();
  } catch (error) {
    if (MemoryError.is(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
