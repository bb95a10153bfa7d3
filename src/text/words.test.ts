import fc from "fast-check";
import { expect, test } from "vitest";
import { isStopWord } from "./stop-words.ts";
import { splitWords } from "./words.ts";

const texts = (text: string): string[] => splitWords(text).map((word) => word.text);

test("words as written, in order", () => {
  expect(texts("Don't re-read v1.5, Zoë!")).toEqual(["Don't", "re-read", "v1.5", "Zoë"]);
  expect(texts("大家的iPhone手机")).toEqual(["大家", "的", "iPhone", "手机"]);
  expect(texts("")).toEqual([]);
});

test("law: every word is a slice of the text", () => {
  const unit = fc.constantFrom(..."aB3'-. 我你们的手机ü".split(""));
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      for (const word of splitWords(text))
        expect(text.slice(word.index, word.index + word.text.length)).toBe(word.text);
    }),
  );
});

test("function words of both languages are known", () => {
  for (const word of ["the", "and", "的", "我们"]) expect(isStopWord(word)).toBe(true);
  for (const word of ["dog", "will-o", "北京"]) expect(isStopWord(word)).toBe(false);
});
