import { expect, test } from "vitest";
import type { DatasetKind } from "../dataset.ts";
import { scoreAnswer } from "./score-answer.ts";

const asked = (category: string, ...answers: string[]) => ({ category, answers, expects: "answer" as const });

test.each<[DatasetKind, string, string, string, number, number]>([
  // Category 1: each part of the reference by the part of the answer that fits it best.
  ["locomo", "1", "a cat, paris", "Paris", 0.5, 0],
  ["locomo", "2", "7 May 2023", "7 May 2023.", 1, 1],
  ["locomo", "3", "yes; because she likes it", "Yes", 1, 0],
  ["locomo", "4", "The cats and dogs", "cat, dog", 1, 0],
  // Elsewhere a number names no rule of LoCoMo: the text behind the ";" counts.
  ["multihop", "3", "yes; no", "yes", 2 / 3, 0],
  ["factconsolidation", "single", "Rome", "It is Rome now, not Paris.", 2 / 7, 1],
  ["factconsolidation", "single", "Rome", "Romeo", 0, 0],
  ["locomo", "1", "猫，巴黎", "巴黎", 0.5, 0],
  ["factconsolidation", "single", "上海", "她现在住在上海。", 2 / 5, 1],
  ["locomo", "3", "No", "No information available.", 0.5, 0],
])("%s category %s: %s against %s", (kind, category, answer, said, f1, contains) => {
  const score = scoreAnswer(kind, asked(category, answer), said);
  expect(score.f1).toBeCloseTo(f1, 10);
  expect(score.answer_contains).toBe(contains);
});

test("the best of several right answers counts", () => {
  expect(scoreAnswer("multihop", asked("2", "the UK", "Great Britain"), "Great Britain")).toEqual({
    f1: 1,
    answer_contains: 1,
  });
});

test.each([
  ["It is Not mentioned.", 1],
  ["No information available.", 1],
  ["没有相关信息。", 1],
  ["对话中没有提到。", 1],
  ["A red scarf", 0],
  ["她买了围巾", 0],
])("where nothing is told, %s is worth %d", (said, f1) => {
  const line = { category: "5", expects: "abstain" as const, answers: ["A red scarf"] };
  expect(scoreAnswer("locomo", line, said)).toEqual({ f1, answer_contains: null });
});

test("without a right answer nothing is measured", () => {
  expect(scoreAnswer("realmem", asked("x"), "anything")).toEqual({ f1: null, answer_contains: null });
});
