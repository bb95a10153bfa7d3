import fc from "fast-check";
import { expect, test } from "vitest";
import { endsInQuestion } from "./is-question.ts";

test.each([
  "How are you?",
  "I am well. And you?",
  "Really?!",
  "What!?",
  "Coming? 😀",
  "Coming? 👍🏽👨‍👩‍👧",
  "Coming? 🇨🇳",
  "Coming? :)",
  'He said "Are you coming?"',
  "(Are you coming?)",
  "*Are you coming?*",
  "Do you like it? [a photo of a dog]",
  "Do you like it? [a dog] [a cat] 🐶",
  "Do you like it?  \n",
  "?",
  "你好吗？",
  "你好吗",
  "你好嗎",
  "你好吗。",
  "你呢",
  "你呢？",
  "你在干什么呢",
  "为什么呢～",
  "她来不来？😊",
  "“你来吗？”",
  "喜欢这张照片吗？[一只狗]",
])("asks: %s", (text) => {
  expect(endsInQuestion(text)).toBe(true);
});

test.each([
  "",
  "   ",
  "I am well.",
  "How are you? I am well.",
  "Is it good? Let me know!",
  "What a day",
  "Why not",
  "😀",
  "[Is this a dog?]",
  "Look at this [is it a dog?]",
  "a ? b",
  "see https://example.com/?q=1",
  "Who knows? :) Not me",
  "]",
  "[",
  "我很好。",
  "你好吗？我很好。",
  "我在吃饭呢。",
  "我正在写呢",
  "他还没到呢",
  "外面冷着呢",
  "妈妈来了",
  "他骂吗啡贩子",
  "她说了什么。",
  "毛呢大衣",
])("does not ask: %s", (text) => {
  expect(endsInQuestion(text)).toBe(false);
});

test("whatever stands before the last sentence, and whatever unsaid stands behind it", () => {
  const before = fc.string({ unit: "grapheme" });
  const behind = fc.array(fc.constantFrom(" ", "😀", "❤️", "”", ")", "[a cat]", "\n"), { maxLength: 8 });
  fc.assert(
    fc.property(before, behind, (text, rest) => {
      expect(endsInQuestion(`${text}?${rest.join("")}`)).toBe(true);
      expect(endsInQuestion(`${text} yes.${rest.join("")}`)).toBe(false);
    }),
  );
  expect(endsInQuestion(`${"word ".repeat(2000)}?${" 😀".repeat(2000)}`)).toBe(true);
  expect(endsInQuestion("[".repeat(5000) + "]".repeat(5000))).toBe(false);
});
