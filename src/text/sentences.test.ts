import fc from "fast-check";
import { expect, test } from "vitest";
import { splitSentences } from "./sentences.ts";

/** Any UTF-16 unit, halves of pairs among them. */
const CODE_UNIT = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));

test.each([
  ["I like tea. You like coffee!", ["I like tea.", "You like coffee!"]],
  [
    "Dr. Smith met Mr. J. R. Jones at 3 p.m. in St. Louis. They talked.",
    ["Dr. Smith met Mr. J. R. Jones at 3 p.m. in St. Louis.", "They talked."],
  ],
  ["It costs 3.50 at example.com. Cheap!", ["It costs 3.50 at example.com.", "Cheap!"]],
  ['She said "Stop!" and left. "Why?" he asked.', ['She said "Stop!" and left.', '"Why?" he asked.']],
  ["We met at 5 p.m. Then we ate.", ["We met at 5 p.m.", "Then we ate."]],
  ["Well... maybe. Wait... What?", ["Well... maybe.", "Wait...", "What?"]],
  [
    "Fruits, e.g. apples, are good. It was me and I. Yes.",
    ["Fruits, e.g. apples, are good.", "It was me and I.", "Yes."],
  ],
  ["First line\nSecond line\n\nThird", ["First line", "Second line", "Third"]],
  ["我喜欢茶。你呢？我也喜欢！", ["我喜欢茶。", "你呢？", "我也喜欢！"]],
  ["他说：“走吧！”然后就走了。", ["他说：“走吧！”", "然后就走了。"]],
  ["太好了……我们走。", ["太好了……", "我们走。"]],
  ["我用GPT-4.5写的. 很好!我喜欢.", ["我用GPT-4.5写的.", "很好!", "我喜欢."]],
  ["", []],
  ["   \n ", []],
])("%j", (text, expected) => {
  expect(splitSentences(text).map((sentence) => sentence.text)).toEqual(expected);
});

test("laws: sentences are slices in order and lose nothing but white space", () => {
  const unit = fc.constantFrom(...'ab A.!?。！？… \n"”)3Mr.我你'.split(""));
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit, maxLength: 40 }), fc.string({ unit: CODE_UNIT })), (text) => {
      const sentences = splitSentences(text);
      for (const { text: part, index } of sentences) {
        expect(text.slice(index, index + part.length)).toBe(part);
        expect(part.trim()).toBe(part);
      }
      expect(
        sentences
          .map(({ text: part }) => part)
          .join("")
          .replace(/\s/g, ""),
      ).toBe(text.replace(/\s/g, ""));
    }),
    { numRuns: 200 },
  );
});
