import fc from "fast-check";
import { expect, test } from "vitest";
import { mentions } from "./mentions.ts";

test("a Latin word is a whole word, a Han word stands anywhere, and case, width and script do not matter", () => {
  expect(mentions("The Cat sat.", "cat")).toBe(true);
  expect(mentions("concatenate, catalogue", "cat")).toBe(false);
  expect(mentions("concatenate a cat", "cat")).toBe(true);
  expect(mentions("我喜歡音樂會", "音乐")).toBe(true);
  expect(mentions("ＣＡＴ和狗", "cat")).toBe(true);
  expect(mentions("用C++写", "c++")).toBe(true);
  expect(mentions("anything", "  ")).toBe(false);
});

test("a word between blanks is always found, whatever surrounds it", () => {
  const word = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 8 })
    .filter((text) => /^\S+$/u.test(text.normalize("NFKC")));
  fc.assert(
    fc.property(word, fc.string(), fc.string(), (wanted, before, after) => {
      expect(mentions(`${before} ${wanted} ${after}`, wanted)).toBe(true);
    }),
  );
});
