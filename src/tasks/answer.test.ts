import { expect, test } from "vitest";
import { answer, NO_INFORMATION } from "./answer.ts";
import { runTask } from "./run-task.ts";

const local = { onBadReply: "throw" } as const;

test.each([
  ["Is Ann married?", "Ann moved to Rome last week.", NO_INFORMATION.en],
  ["Is Ann married?", "Ann got married in May.", "Yes"],
  ["Is Ann married?", "Ann is not married.", "No"],
  ["Is Ann married?", "Ann hopes to be married soon.", NO_INFORMATION.en],
  ["Is Ann married?", "At the party Ann told all of her old friends she is not married.", NO_INFORMATION.en],
  ["Does Ben like tea?", "Ben hates tea.", "No"],
  ["Does Ben like tea?", "Ben likes tea, not coffee.", "Yes"],
  ["Doesn't Ben like tea?", "Ben likes tea.", "Yes"],
  ["Has Mia ever been to Rome?", "Mia has been to Rome twice.", "Yes"],
  ["小红买车了吗？", "小红想买房", NO_INFORMATION.zh],
  ["小红买车了吗？", "小红想买车", NO_INFORMATION.zh],
  ["小红买车了吗？", "小红买了一辆车。", "是"],
  ["小红买车了吗？", "小红没有买车。", "不是"],
  ["小明是不是医生？", "小明是医生。", "是"],
  ["小明是不是医生？", "小明住在上海。", NO_INFORMATION.zh],
  ["大伟喜欢茶吗？", "大伟讨厌茶。", "不是"],
])("[S2-31] yes or no only where all is spoken of: %s %s → %s", async (question, text, expected) => {
  const { reply } = await runTask(answer, { question, memories: [{ text }] }, local);
  expect(reply.answer).toBe(expected);
});
