import { afterEach, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import { openInMemory } from "../storage/memory.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { type ScriptedModel, scriptedModel } from "../testing/scripted-model.ts";
import { Memory } from "./memory.ts";
import type { MemoryOptions } from "./memory-options.ts";

let opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened) await one.close();
  opened = [];
});

const clock = manualClock(Date.UTC(2026, 4, 1, 12));

async function open(options: Partial<MemoryOptions> = {}): Promise<Memory> {
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
  return memory;
}

async function scripted(chat: Parameters<typeof scriptedModel>[0]): Promise<ScriptedModel> {
  const made = await scriptedModel(chat);
  opened.push(made);
  return made;
}

const SAID = [
  { speaker: "Mia", text: "I moved to Rome in May 2023." },
  { speaker: "Mia", text: "My sister is called Anna." },
  { speaker: "小明", text: "我上周在上海开了一家咖啡馆。" },
];

test("without a model the memory that answers is quoted, in the question's language", async () => {
  const memory = await open();
  await memory.remember(SAID);
  const english = await memory.ask("Where did Mia move in May 2023?");
  expect(english).toMatchObject({ path: "local", isUnknown: false });
  expect(english.answer).toContain("Rome");
  expect(english.evidence.map(({ content }) => content)).toEqual(["Mia: I moved to Rome in May 2023."]);
  const chinese = await memory.ask("小明在哪里开了咖啡馆？");
  expect(chinese).toMatchObject({ path: "local", isUnknown: false });
  expect(chinese.answer).toContain("上海");
});

test("who asked before gets no question for an answer, in both languages and by every way of looking", async () => {
  const asked = [
    { speaker: "Ben", text: "Where does Mia live?" },
    { speaker: "Mia", text: "I moved to Rome in May, to a flat near the station." },
    { speaker: "Ben", text: "Where does Mia live?" },
    { speaker: "李雷", text: "我养了什么宠物？" },
    { speaker: "李雷", text: "我养了一只叫豆豆的猫。" },
  ];
  for (const preset of ["hybrid", "neuromem"]) {
    const memory = await open({ preset });
    await memory.remember(asked);
    expect((await memory.ask("Where does Mia live?")).answer).toContain("Rome");
    expect((await memory.ask("我养了什么宠物？")).answer).toContain("豆豆");
  }
});

test("with a model the answer is its own, resting on the hits that it names", async () => {
  const { model, server } = await scripted('{"reasoning":"It says so.","answer":"Rome","evidence":[0]}');
  const memory = await open({ model });
  await memory.remember(SAID, { wait: "memory" });
  const asked = Date.UTC(2024, 0, 2, 3, 4);
  const found = await memory.ask("Where did Mia move?", { limit: 2, asked, zone: "+08:00" });
  expect(found).toMatchObject({ answer: "Rome", reasoning: "It says so.", path: "model", isUnknown: false });
  expect(found.evidence).toEqual([found.recalled.hits[0]]);
  const prompt = JSON.stringify(server.requests.at(-1)?.body.messages);
  expect(prompt).toContain("2024-01-02T11:04+08:00");
  expect(prompt).toContain("I moved to Rome");
  // Asked of the memory as it stood then, it is then.
  const knownAt = clock.now();
  clock.advance(86_400_000);
  await memory.ask("Where did Mia move?", { knownAt });
  expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toContain("2026-05-01T12:00");
});

test("[S2-31] where nothing is known nobody is asked, and a model may say so itself", async () => {
  const { model, server } = await scripted('{"reasoning":"","answer":"没有相关信息","evidence":[]}');
  const memory = await open({ model });
  expect(await memory.ask("Where does Mia live?")).toMatchObject({
    answer: "No information available.",
    isUnknown: true,
    evidence: [],
    path: "local",
  });
  expect(await memory.ask("米娅住在哪里？")).toMatchObject({ answer: "没有相关信息。", isUnknown: true });
  expect(server.requests).toHaveLength(0);
  await memory.remember(SAID, { wait: "memory" });
  expect(await memory.ask("米娅养狗吗？")).toMatchObject({ isUnknown: true, path: "model" });
});

test("a model that is down does not keep the answer back; unknown options are refused", async () => {
  const { model } = await scripted({ status: 503, body: {} });
  const memory = await open({ model });
  await memory.remember(SAID, { wait: "memory" });
  expect(await memory.ask("What is Mia's sister called?")).toMatchObject({ path: "local", isUnknown: false });
  const wrong = { lmit: 3 } as unknown as Parameters<typeof memory.ask>[1];
  await expect(memory.ask("Where?", wrong)).rejects.toMatchObject({ code: "input_invalid" });
});
