/** A memory that does not know says so: how sure it is, and what it answers where that is too little. */
import { afterEach, describe, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import type { JsonObject } from "../base/json.ts";
import { loadPreset } from "../preset/load.ts";
import type { Preset } from "../preset/preset.ts";
import { openInMemory } from "../storage/memory.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { sharedEmbedder } from "../testing/preset-world.ts";
import { type ScriptedModel, scriptedModel } from "../testing/scripted-model.ts";
import { Memory } from "./memory.ts";
import type { MemoryOptions } from "./memory-options.ts";

let opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.toReversed()) await one.close();
  opened = [];
});

const clock = manualClock(Date.UTC(2026, 4, 1, 12));

async function blending(changes: JsonObject = {}): Promise<Preset> {
  const base = await loadPreset("neuromem");
  const memory_retrieval = base.stages.memory_retrieval.map((one) => ({
    ...one,
    options: { ...one.options, ...changes },
  }));
  return { ...base, stages: { ...base.stages, memory_retrieval } };
}

async function open(options: Partial<MemoryOptions> = {}): Promise<Memory> {
  const storage = await openInMemory({ clock });
  const memory = await Memory.open({
    ...{ storage, scope: "mia", clock, preset: await blending(), embedder: await sharedEmbedder() },
    ...options,
  });
  opened.push(memory);
  return memory;
}

const ENGLISH = [
  { speaker: "Mia", text: "I adopted a puppy last week and called him Bruno." },
  { speaker: "Tom", text: "That is lovely! I am more of a cat person myself." },
  { speaker: "Mia", text: "Bruno chewed my new running shoes this morning." },
  { speaker: "Tom", text: "I play the cello in an orchestra, we have a concert in Vienna on Sunday." },
  { speaker: "Mia", text: "Good luck with it! I will be running a marathon that day." },
  { speaker: "Tom", text: "My cello teacher will be in the audience, so I am nervous." },
].map((turn) => ({ ...turn, session: "one" }));

const CHINESE = [
  { speaker: "小红", text: "我上周领养了一只小狗，给它取名叫豆豆。" },
  { speaker: "李明", text: "真好！我更喜欢猫一些。" },
  { speaker: "小红", text: "豆豆今天早上咬坏了我的新跑鞋。" },
  { speaker: "李明", text: "我在乐团拉大提琴，周日在维也纳有一场音乐会。" },
  { speaker: "小红", text: "祝你顺利！那天我要跑马拉松。" },
  { speaker: "李明", text: "我的大提琴老师也会来听，所以我很紧张。" },
].map((turn) => ({ ...turn, session: "one" }));

const SURENESS = {
  ...{ base: 0, nearness: 1, missing: 1, behind: 1, lead: 0 },
  spaces: ["bge-small-en-v1.5", "bge-small-zh-v1.5"],
};

/** How sure a memory of these turns is of each question. */
async function sure(turns: typeof ENGLISH, questions: readonly string[]): Promise<number[]> {
  const memory = await open();
  await memory.remember(turns, { wait: "memory" });
  const found: number[] = [];
  for (const question of questions) found.push((await memory.recall(question)).confidence ?? Number.NaN);
  return found;
}

describe("how sure it is", () => {
  test("less where it was somebody else, and least where nobody said anything like it", async () => {
    const [told = 0, other = 1, never = 1] = await sure(ENGLISH, [
      "What instrument does Tom play in the orchestra?",
      "What instrument does Mia play in the orchestra?",
      "Which medicine does Mia take against her migraine?",
    ]);
    expect(told).toBeGreaterThan(0.5);
    expect(other).toBeLessThan(told / 2);
    expect(never).toBeLessThan(0.2);
  });

  test("in Chinese least where nobody said anything like it; who said it is not weighed there", async () => {
    const [told = 0, other = 0, never = 1] = await sure(CHINESE, [
      "李明在乐团拉什么乐器？",
      "小红在乐团拉什么乐器？",
      "小红偏头痛的时候吃什么药？",
    ]);
    expect(told).toBeGreaterThan(0.5);
    expect(other).toBeGreaterThan(0.5);
    expect(never).toBeLessThan(0.2);
  });

  test("stands in the record with its signs, and the hits are there all the same", async () => {
    const memory = await open();
    await memory.remember(ENGLISH, { wait: "memory" });
    const recalled = await memory.recall("What instrument does Mia play in the orchestra?");
    const { notes } = recalled.stages.find(({ action }) => action === "blend") ?? {};
    expect(notes).toMatchObject({
      confidence: { nearness: expect.any(Number), missing: expect.any(Number), behind: expect.any(Number) },
    });
    expect(recalled.isDoubtful).toBe(true);
    expect(recalled.hits).toHaveLength(ENGLISH.length);
  });

  test("a design that does not say, and an embedder whose cosines were never looked at, say nothing", async () => {
    for (const options of [{ preset: "hybrid" }, { embedder: hashEmbedder() }]) {
      const memory = await open(options);
      await memory.remember(ENGLISH, { wait: "memory" });
      const recalled = await memory.recall("Which medicine does Mia take against her migraine?");
      expect(recalled).toMatchObject({ confidence: null, isDoubtful: false });
    }
  });

  test("an empty memory knows nothing, and a blank question asks nothing", async () => {
    const memory = await open();
    expect(await memory.recall("Where does Mia live?")).toMatchObject({ hits: [], isDoubtful: true });
    expect(await memory.recall("  ")).toMatchObject({ confidence: null, isDoubtful: false });
  });
});

describe("what it answers", () => {
  test("without a model, that it is not known; in the question's language", async () => {
    const memory = await open();
    await memory.remember([...ENGLISH, ...CHINESE], { wait: "memory" });
    const english = await memory.ask("What instrument does Mia play in the orchestra?");
    expect(english).toMatchObject({ answer: "No information available.", isUnknown: true, evidence: [] });
    expect(english.recalled.hits.length).toBeGreaterThan(0);
    const chinese = await memory.ask("小红偏头痛的时候吃什么药？");
    expect(chinese).toMatchObject({ answer: "没有相关信息。", isUnknown: true, evidence: [] });
    expect(await memory.ask("What instrument does Tom play in the orchestra?")).toMatchObject({
      isUnknown: false,
      answer: expect.stringContaining("cello"),
    });
    expect(await memory.ask("李明在乐团拉什么乐器？")).toMatchObject({
      isUnknown: false,
      answer: expect.stringContaining("大提琴"),
    });
  });

  test("without a model, the best memory where no sentence stands out but the answer is likely there", async () => {
    const said = [
      { speaker: "Mia", text: "I look after the penguins at the zoo, six mornings a week.", session: "a" },
      { speaker: "小红", text: "我每周有六个早上在动物园照顾企鹅。", session: "b" },
    ];
    const told = async (base: number, question: string): Promise<string> => {
      const confidence = { ...SURENESS, base };
      const memory = await open({ preset: await blending({ confidence, abstain_below: 0 }) });
      await memory.remember(said, { wait: "memory" });
      return (await memory.ask(question)).answer;
    };
    expect(await told(50, "What is Mia's occupation?")).toContain("penguins");
    expect(await told(50, "她的职业是什么？")).toContain("企鹅");
    expect(await told(-50, "What is Mia's occupation?")).toBe("No information available.");
    expect(await told(-50, "她的职业是什么？")).toBe("没有相关信息。");
    // What is only near says neither yes nor no.
    expect(await told(50, "Does Mia own a boat?")).toBe("No information available.");
  });

  test("null never abstains, and 1 nearly always does", async () => {
    const never = await open({ preset: await blending({ abstain_below: null }) });
    await never.remember(ENGLISH, { wait: "memory" });
    const quoted = await never.ask("What instrument does Mia play in the orchestra?");
    expect(quoted).toMatchObject({ isUnknown: false, recalled: { isDoubtful: false } });
    expect(quoted.recalled.confidence).toBeLessThan(0.25);
    const always = await open({ preset: await blending({ abstain_below: 1 }) });
    await always.remember(ENGLISH, { wait: "memory" });
    expect(await always.ask("What instrument does Tom play in the orchestra?")).toMatchObject({
      isUnknown: true,
      recalled: { isDoubtful: true },
    });
  });

  test("a model judges for itself; where it is down, the doubt stands", async () => {
    const up = await scripted('{"reasoning":"","answer":"the cello","evidence":[0]}');
    const asked = await open({ model: up.model });
    await asked.remember(ENGLISH, { wait: "memory" });
    const question = "What instrument does Mia play in the orchestra?";
    expect(await asked.ask(question)).toMatchObject({ answer: "the cello", path: "model", isUnknown: false });
    const down = await scripted({ status: 503, body: {} });
    const alone = await open({ model: down.model });
    await alone.remember(ENGLISH, { wait: "memory" });
    expect(await alone.ask(question)).toMatchObject({ path: "local", isUnknown: true });
  });
});

async function scripted(chat: Parameters<typeof scriptedModel>[0]): Promise<ScriptedModel> {
  const made = await scriptedModel(chat);
  opened.push(made);
  return made;
}

test("what others tell of somebody who takes part is no reason to doubt it", async () => {
  const memory = await open();
  await memory.remember([
    { speaker: "Mia", text: "I moved to Rome in May." },
    { speaker: "Ben", text: "Mia is allergic to nuts." },
  ]);
  const { confidence, isDoubtful } = await memory.recall("What is Mia allergic to?");
  expect(isDoubtful).toBe(false);
  expect(confidence).toBeGreaterThan(0.5);
  expect((await memory.ask("What is Mia allergic to?")).answer).toContain("nuts");
  // What is asked of her and told of nobody stays unknown.
  expect((await memory.ask("What is the name of Mia's dog?")).isUnknown).toBe(true);
});
