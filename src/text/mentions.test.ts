import fc from "fast-check";
import { expect, test } from "vitest";
import { findMentions, mentions } from "./mentions.ts";

test("a Latin word is a whole word, a Han word stands anywhere, and case, width and script do not matter", () => {
  expect(mentions("The Cat sat.", "cat")).toBe(true);
  expect(mentions("concatenate, catalogue", "cat")).toBe(false);
  expect(mentions("concatenate a cat", "cat")).toBe(true);
  expect(mentions("我喜歡音樂會", "音乐")).toBe(true);
  expect(mentions("ＣＡＴ和狗", "cat")).toBe(true);
  expect(mentions("用C++写", "c++")).toBe(true);
  expect(mentions("anything", "  ")).toBe(false);
});

test("places are those of the text as it is written", () => {
  const shown = (text: string, ...words: string[]) =>
    findMentions(text, words).map(({ start, end }) => text.slice(start, end));
  expect(shown("ﬁrst a ＣＡＴ, then a cat", "cat")).toEqual(["ＣＡＴ", "cat"]);
  expect(shown("她的密碼和㈱", "密码", "株")).toEqual(["密碼", "㈱"]);
  expect(shown("New York City", "york city", "new york")).toEqual(["New York City"]);
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
