import { expect, test } from "vitest";
import { judgeAnswer } from "./judge-answer.ts";
import { runTask } from "./run-task.ts";

const local = { onBadReply: "throw" } as const;

test.each([
  ["7 May 2023", "It was on 7 May 2023.", true],
  ["7 May 2023", "8 May 2023", false],
  ["She likes tea", "She does not like tea", false],
  ["上海", "她住在上海", true],
  ["2023年5月7日", "2023年6月1日", false],
  ["likes tea", "She no longer likes tea", false],
  ["likes tea", "She likes tea no longer", false],
  ["Paris", "She never lived in Paris.", false],
  ["Rome", "Not Paris but Rome.", true],
  ["Mia", "Mia, not Ben", true],
  ["art", "Her party was not about art", false],
  ["art", "A party about art, not music", true],
  ["She likes tea", "She likes tea but does not like coffee", true],
  ["No", "No, she does not.", true],
  ["Paris, France", "In Paris, France.", true],
  ["喜欢猫", "她不喜欢猫", false],
  ["不喜欢猫", "她不喜欢猫", true],
  ["是", "不是", false],
  ["是", "是的", true],
  ["是", "但是没有", false],
  ["有", "没有", false],
  ["上海", "她不住在上海", false],
  ["上海", "不是北京，是上海", true],
])("judge_answer: %s against %s → %s", async (reference, said, expected) => {
  const { reply } = await runTask(judgeAnswer, { question: "?", reference, answer: said }, local);
  expect(reply.correct).toBe(expected);
});

test("the published label of judges is taken", () => {
  expect(judgeAnswer.reply.parse({ label: "WRONG" })).toEqual({ correct: false, reasoning: "" });
  expect(judgeAnswer.reply.parse({ label: "CORRECT", reasoning: "x" })).toEqual({
    correct: true,
    reasoning: "x",
  });
});
