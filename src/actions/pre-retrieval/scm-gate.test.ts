import { afterEach, expect, test } from "vitest";
import { openRetrievalWorld, type RetrievalSetup } from "../../testing/retrieval-world.ts";
import { scmGate } from "./scm-gate.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
async function open(prompt: string, setup: Partial<RetrievalSetup> = {}) {
  const world = await openRetrievalWorld({ ...setup, pre: [{ action: scmGate, options: { prompt } }] });
  closers.push(world.close);
  await world.say(["Hello, Mia moved to Berlin.", "你好，小美搬到了上海。"]);
  return world;
}

test("[S0-37] [B.0.9-2] a question that needs no memory is not looked up", async () => {
  const world = await open("gate_memory");
  for (const text of ["Hello!", "你好！", "17 * 3 = ?"]) {
    const { hits, question } = await world.ask(text);
    expect(hits).toEqual([]);
    expect(question.skip).toMatch(/^scm_gate: no memory is needed/);
  }
  for (const text of ["Where did Mia move?", "小美之前搬到哪里了？"]) {
    const { hits, question } = await world.ask(text);
    expect(hits).not.toEqual([]);
    expect(question.skip).toBeNull();
  }
});

test("the prompt that is named is the one that is sent, and its reply decides", async () => {
  const world = await open("my_gate", {
    chat: JSON.stringify({ needs_memory: false, reason: "small talk" }),
    promptFiles: { my_gate: "REMEMBER or not?\n---\n{{question}}" },
  });
  const { question, stages } = await world.ask("Where did Mia move?");
  expect(question.skip).toBe("scm_gate: no memory is needed (small talk)");
  expect(stages[0]?.notes).toEqual({ needs_memory: false, reason: "small talk" });
  expect(world.asked()).toContain("REMEMBER or not?");
});
