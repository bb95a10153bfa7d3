import fc from "fast-check";
import { expect, test } from "vitest";
import { leadingPart } from "./leading-part.ts";
import { countTokens } from "./token-count.ts";
import { splitWords } from "./words.ts";

const within = (most: number) => (text: string) => text.length <= most;

test("whole sentences, else whole words, else characters, in English and Chinese", () => {
  const text = "I met Ann. We had tea. It rained.";
  expect(leadingPart(text, within(99))).toBe(text);
  expect(leadingPart(text, within(24))).toBe("I met Ann. We had tea.");
  expect(leadingPart(text, within(7))).toBe("I met");
  expect(leadingPart("Llanfairpwllgwyngyll is far", within(5))).toBe("Llanf");
  expect(leadingPart("我见了小明。我们喝了茶。", within(8))).toBe("我见了小明。");
  expect(leadingPart("我们昨天在公园里散步", within(4))).toBe("我们昨天");
  expect(leadingPart("😀😀", within(3))).toBe("😀");
  expect(leadingPart(text, within(0))).toBe("");
});

test("it always fits, and is always a beginning", () => {
  const text = fc
    .array(
      fc.constantFrom("Ann came. ", "don't ", "下雨了。", "小提琴", "GetUserName", "1234567 ", "😀", "\n"),
    )
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, fc.nat(20), (given, room) => {
      for (const count of [countTokens, (part: string) => splitWords(part).length]) {
        const part = leadingPart(given, (one) => count(one) <= room);
        expect(count(part)).toBeLessThanOrEqual(room);
        expect(given.trim().startsWith(part)).toBe(true);
      }
    }),
  );
});
