import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { manualClock } from "../base/clock.ts";
import { RECALLED_SPANS } from "../pipeline/heard-turns.ts";
import { openInMemory } from "../storage/memory.ts";
import type { Storage } from "../storage/storage.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { markRecalled } from "../text/recalled-marks.ts";
import { Memory } from "./memory.ts";
import type { MemoryOptions } from "./memory-options.ts";

let opened: Memory[] = [];
afterEach(async () => {
  for (const one of opened) await one.close();
  opened = [];
});

const clock = manualClock(Date.UTC(2026, 4, 1, 12));

async function open(options: Partial<MemoryOptions> = {}): Promise<{ memory: Memory; storage: Storage }> {
  const storage = await openInMemory({ clock });
  const memory = await Memory.open({
    storage,
    preset: "hybrid",
    scope: "mia",
    embedder: hashEmbedder(),
    clock,
    ...options,
  });
  opened.push(memory);
  return { memory, storage };
}

async function contents(memory: Memory): Promise<string[]> {
  return (await memory.list()).entries.map(({ content }) => content);
}

test("[S4-20] both sides are kept in order, with their roles and the session", async () => {
  const { memory, storage } = await open();
  await memory.record({
    user: { text: "I moved to Rome.", speaker: "Mia", session: undefined },
    assistant: "Nice!",
    session: "s1",
  });
  await memory.record({ assistant: "有什么可以帮您？" });
  const turns = await storage.turns(memory.scope, { limit: 10 });
  expect(turns.map(({ role, text, session, speaker }) => [role, text, session, speaker])).toEqual([
    ["user", "I moved to Rome.", "s1", "Mia"],
    ["assistant", "Nice!", "s1", ""],
    ["assistant", "有什么可以帮您？", "", ""],
  ]);
  expect(await contents(memory)).toEqual(["Mia: I moved to Rome.", "Nice!", "有什么可以帮您？"]);
});

test("what is not an exchange is refused with what is", async () => {
  const { memory } = await open();
  const record = (given: unknown) => memory.record(given as Parameters<typeof memory.record>[0]);
  await expect(record({})).rejects.toThrow("Valid: user, assistant, or both");
  for (const wrong of [
    { user: 1 },
    { usr: "x" },
    { user: "x", recalled: [1] },
    { user: { text: "x", role: "tool" } },
  ]) {
    await expect(record(wrong)).rejects.toMatchObject({ code: "input_invalid" });
  }
  await expect(record({ user: "" })).rejects.toMatchObject({ code: "text_invalid" });
  await expect(record({ assistant: "x", recalled: ["no id"] })).rejects.toMatchObject({
    code: "input_invalid",
  });
});

test("marked text stays in the journal and out of memory, in turns and in captions", async () => {
  const { memory, storage } = await open();
  const block = markRecalled("Mia lives in Rome.");
  await memory.remember([
    { text: `${block}\nMia likes tea.`, captions: [markRecalled("罗马"), "a cup"] },
    { text: block },
  ]);
  expect(await contents(memory)).toEqual(["Mia likes tea. [a cup]"]);
  const turns = await storage.turns(memory.scope, { limit: 10 });
  expect(turns.map(({ text }) => text)).toEqual([`${block}\nMia likes tea.`, block]);
});

test("no model is shown what was recalled as something said, neither as a new line nor as one before it", async () => {
  const { model, server, close } = await scriptedModel('{"facts":[]}');
  const { memory } = await open({ preset: "mem0", model });
  await memory.record({ user: "Where do I live?", assistant: `${markRecalled("米娅住在罗马。")} In Rome.` });
  await memory.record({ user: "谢谢。", assistant: markRecalled("Mia is a nurse.") });
  await memory.flush();
  const prompts = JSON.stringify(server.requests.map(({ body }) => body.messages));
  await close();
  expect(server.requests).toHaveLength(2);
  expect(prompts).toContain("In Rome.");
  expect(prompts).not.toContain("米娅住在罗马");
  expect(prompts).not.toContain("nurse");
});

test("an answer that repeats recalled memories, by itself or in a line, is no news; what it adds is", async () => {
  const { memory } = await open();
  await memory.remember(["Mia: I moved to Rome in May.", "米娅喜欢喝绿茶。"]);
  const { hits } = await memory.recall("Mia Rome 绿茶", { limit: 5 });
  expect(hits).toHaveLength(2);
  await memory.record({
    assistant: "1. [1 May 2026] Mia: I moved to Rome in May.\n米娅喜欢喝绿茶。",
    recalled: hits,
  });
  await memory.record({
    assistant: 'You told me: "I moved to Rome in May." Bring an umbrella.',
    recalled: hits.map(({ id }) => id),
  });
  expect(await contents(memory)).toEqual([
    "Mia: I moved to Rome in May.",
    "米娅喜欢喝绿茶。",
    "Bring an umbrella.",
  ]);
  // The same holds for whoever reads the journal anew.
  await memory.rebuild();
  expect(await contents(memory)).toHaveLength(3);
});

const TALKS = [
  ["neuromem", "I moved to Rome in May. I work as a nurse.", "Where do I live?"],
  ["neuromem", "我五月搬到了罗马。我是一名护士。", "我住在哪里？"],
  ["mem0", "I moved to Rome in May. I work as a nurse.", "Where do I live?"],
  ["mem0", "我五月搬到了罗马。我是一名护士。", "我住在哪里？"],
] as const;

test.each(TALKS)(
  "fifty rounds of recall, quotation and record leave %s as it was (%s)",
  async (preset, said, question) => {
    const { memory } = await open({ preset });
    await memory.record({ user: { text: said, speaker: "Mia" } });
    await memory.flush();
    const before = await contents(memory);
    expect(before.length).toBeGreaterThan(0);
    for (let round = 0; round < 50; round++) {
      const { text, recalled } = await memory.context(question);
      expect(recalled.hits.length).toBeGreaterThan(0);
      const assistant = round % 2 === 0 ? text : recalled.hits.map((hit) => hit.text).join("\n");
      await memory.record({ assistant, recalled: recalled.hits });
      if (round % 10 === 0) await memory.flush();
    }
    await memory.flush();
    expect(await contents(memory)).toEqual(before);
  },
  60_000,
);

test("an answer with a great gap in it is read as fast as any other", async () => {
  const { memory, storage } = await open();
  await memory.remember("I moved to Rome.");
  const { hits } = await memory.recall("Rome");
  const assistant = `Look${"\n".repeat(200_000)}x${" ".repeat(200_000)}\n1. I moved to Rome.\n新的一句。`;
  const recorded = await memory.record({ assistant, recalled: hits });
  const [turn] = await storage.turns(memory.scope, { ids: recorded.turns, limit: 1 });
  const [span] = z.array(z.tuple([z.int(), z.int()])).parse(turn?.metadata[RECALLED_SPANS]);
  expect(assistant.slice(...(span ?? []))).toBe("1. I moved to Rome.");
});
