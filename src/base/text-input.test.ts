import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ErrorCode, MemoryError } from "./errors.ts";
import {
  checkContent,
  checkText,
  checkTexts,
  cleanText,
  labelSchema,
  MAX_TEXT_LENGTH,
  storableText,
} from "./text-input.ts";

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (MemoryError.is(error)) return error.code;
    throw error;
  }
  return "accepted";
}

describe("text as it enters", () => {
  test.each([
    ["English", "She moved to Berlin."],
    ["Chinese", "她搬到了柏林。"],
    ["both, with an emoji", "咖啡 ☕ coffee 👩‍🚀"],
    ["tab and line ends", "a\tb\r\nc"],
    ["the longest", "x".repeat(MAX_TEXT_LENGTH)],
    ["combining marks", "e\u0301"],
    ["right to left", "שלום"],
  ])("%s is accepted unchanged", (_, text) => {
    expect(checkContent(text, "text")).toBe(text);
  });

  test.each<[string, ErrorCode, string]>([
    ["too long", "text_too_large", "x".repeat(MAX_TEXT_LENGTH + 1)],
    ["10 MB", "text_too_large", "汉".repeat(10_000_000)],
    ["a high surrogate alone", "text_invalid", "a\ud83d"],
    ["a low surrogate alone", "text_invalid", "\ude00a"],
    ["a NUL", "text_invalid", "a\0b"],
    ["an escape character", "text_invalid", "\u001b[31mred"],
    ["delete", "text_invalid", "a\u007f"],
    ["a C1 control", "text_invalid", "a\u0085"],
  ])("%s is refused with %s and the reason", (_, code, text) => {
    expect(codeOf(() => checkText(text, "text"))).toBe(code);
    expect(() => checkText(text, "turn's text")).toThrowError(/^The turn's text .*Valid:/);
  });

  test("content needs something to see; other text may be empty", () => {
    for (const text of ["", " ", "\n\t", "\u3000"]) {
      expect(codeOf(() => checkContent(text, "content"))).toBe("text_invalid");
      expect(checkText(text, "note")).toBe(text);
    }
  });

  test("what is accepted survives a file: UTF-8 gives it back unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        if (codeOf(() => checkText(text, "text")) !== "accepted") return;
        expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text))).toBe(
          text,
        );
        expect(text).not.toContain("\0");
      }),
    );
  });

  test("texts within JSON are checked wherever they hide, keys too", () => {
    const fine = { a: ["b", { 城市: "北京" }], n: 1, t: true, z: null };
    expect(checkTexts(fine, "metadata")).toBe(fine);
    expect(codeOf(() => checkTexts({ a: [{ b: "\0" }] }, "metadata"))).toBe("text_invalid");
    expect(codeOf(() => checkTexts({ a: { "\ud800": 1 } }, "metadata"))).toBe("text_invalid");
  });

  test("labels are short, well-formed and free of control characters", () => {
    for (const label of ["x", "知识", "a b", "y".repeat(256)]) expect(labelSchema.parse(label)).toBe(label);
    for (const label of ["", "y".repeat(257), "a\nb", "\ud800", 7]) {
      expect(labelSchema.safeParse(label).success).toBe(false);
    }
  });
});

test("what can be stored of any text is stored, and what can be stored whole stays as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const stored = storableText(text);
      expect(checkText(stored, "text")).toBe(stored);
      expect(storableText(stored)).toBe(stored);
    }),
  );
  expect(storableText("\u001b[1m她搬到了\u0000柏林\ud800\t。\n")).toBe("[1m她搬到了柏林\ufffd\t。\n");
  expect(storableText("a\u0007b", " ")).toBe("a b");
  const long = `${"x".repeat(MAX_TEXT_LENGTH - 1)}🙂`;
  expect(storableText(long)).toBe(`${"x".repeat(MAX_TEXT_LENGTH - 1)}\ufffd`);
  expect(cleanText(`${long}\u0000`)).toBe(long);
});
