import fc from "fast-check";
import { expect, test } from "vitest";
import { chooseSentences, rankSentences, summarize } from "./summary.ts";

const ENGLISH = [
  "The city council approved the new bicycle plan on Tuesday.",
  "My cat slept.",
  "The bicycle plan adds forty kilometres of lanes to the city.",
  "Critics of the plan say the new lanes cost the city too much.",
  "It rained.",
];

test("the sentences that share most with the others are chosen, in the order of the text", () => {
  expect(chooseSentences(ENGLISH, { sentences: 3 })).toEqual([0, 2, 3]);
  expect(summarize(ENGLISH.join(" "), { sentences: 2 }).split(". ").length).toBe(2);
});

test("Chinese", () => {
  const text =
    "市政府通过了新的自行车计划。今天下雨。自行车计划将在市区增加四十公里车道。反对自行车计划的人认为车道太贵。猫在睡觉。";
  const summary = summarize(text, { sentences: 2 });
  expect(summary).toContain("自行车计划");
  expect(summary).not.toContain("猫");
  expect(summary).not.toContain(" ");
});

test("a length limit is kept, but the best sentence is always there", () => {
  expect(summarize(ENGLISH.join(" "), { sentences: 5, maxLength: 70 }).length).toBeLessThanOrEqual(71);
  expect(summarize("One long sentence stands here alone.", { maxLength: 5 })).toBe(
    "One long sentence stands here alone.",
  );
  expect(summarize("")).toBe("");
});

test("laws: scores are positive and add up to 1; equal sentences have equal scores", () => {
  const sentence = fc
    .array(fc.constantFrom(..."apple pear plum 苹果 梨 tree".split(" ")))
    .map((words) => words.join(" "));
  fc.assert(
    fc.property(fc.array(sentence, { minLength: 1, maxLength: 12 }), (sentences) => {
      const scores = [...rankSentences(sentences), rankSentences(sentences.concat(sentences[0]!)).at(-1)!];
      const sum = scores.slice(0, -1).reduce((total, score) => total + score, 0);
      expect(sum).toBeCloseTo(1, 4);
      for (const score of scores) expect(score).toBeGreaterThan(0);
      const doubled = rankSentences(sentences.concat(sentences[0]!));
      expect(doubled.at(-1)).toBeCloseTo(doubled[0]!, 6);
    }),
  );
});
