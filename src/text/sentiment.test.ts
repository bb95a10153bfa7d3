import fc from "fast-check";
import { expect, test } from "vitest";
import { scoreSentiment } from "./sentiment.ts";

test.each([
  "I love this place, it is amazing!",
  "We had a great time and the food was delicious.",
  "Not bad at all.",
  "The first day was hard, but the trip was wonderful.",
  "我太喜欢这家店了！",
  "今天真开心，考试成功了。",
  "雖然很累，但是非常開心",
])("pleasant: %s", (text) => {
  expect(scoreSentiment(text)).toBeGreaterThan(0.2);
});

test.each([
  "I hate waiting, it is awful.",
  "She was sad because her dog died.",
  "I'm not happy about it.",
  "It looked nice, but it was a terrible experience.",
  "I don't like it.",
  "我很难过，狗去世了。",
  "我不开心。",
  "這次面試失敗了，我很失望",
])("unpleasant: %s", (text) => {
  expect(scoreSentiment(text)).toBeLessThan(-0.2);
});

test.each(["The meeting is on Monday.", "The train has six cars.", "会议在周一举行。", ""])(
  "neither: %s",
  (text) => {
    expect(Math.abs(scoreSentiment(text))).toBeLessThan(0.2);
  },
);

test("degree words strengthen and weaken", () => {
  const plain = scoreSentiment("I am happy");
  expect(scoreSentiment("I am extremely happy")).toBeGreaterThan(plain);
  expect(scoreSentiment("I am slightly happy")).toBeLessThan(plain);
  expect(scoreSentiment("我非常开心")).toBeGreaterThan(scoreSentiment("我开心"));
  expect(scoreSentiment("我有点开心")).toBeLessThan(scoreSentiment("我开心"));
});

test("law: always from −1 to 1", () => {
  const word = fc.constantFrom(..."love hate not very but 喜欢 讨厌 不 很 但是 ! . dog".split(" "));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), (words) => {
      const score = scoreSentiment(words.join(" "));
      expect(score).toBeGreaterThanOrEqual(-1);
      expect(score).toBeLessThanOrEqual(1);
    }),
  );
});
