import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { manualClock } from "../base/clock.ts";
import type { NewTurn } from "../base/turn.ts";
import { openInMemory } from "../storage/memory.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import type { SeenRequest } from "../testing/model-server.ts";
import { taskOf } from "../testing/preset-world.ts";
import { type ScriptedModel, scriptedModel } from "../testing/scripted-model.ts";
import { estimateTokens } from "../text/token-count.ts";
import { Memory } from "./memory.ts";
import type { MemoryOptions } from "./memory-options.ts";

let opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened) await one.close();
  opened = [];
});

const clock = manualClock(Date.UTC(2026, 4, 1, 12));

async function open(preset: string, options: Partial<MemoryOptions> = {}): Promise<Memory> {
  const storage = await openInMemory({ clock });
  const memory = await Memory.open({
    storage,
    preset,
    scope: "mia",
    embedder: hashEmbedder(),
    clock,
    ...options,
  });
  opened.push(memory);
  return memory;
}

const bodySchema = z.looseObject({
  messages: z.array(z.looseObject({ content: z.string() })),
  response_format: z.looseObject({ json_schema: z.looseObject({ schema: z.unknown() }) }),
});

/** What a server of the same prices would have counted. */
function tokensOf({ body }: SeenRequest): number {
  const { messages, response_format } = bodySchema.parse(body);
  const texts = [
    ...messages.map(({ content }) => content),
    JSON.stringify(response_format.json_schema.schema),
  ];
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}

const THINGS = ["tea", "chess", "hiking", "opera", "bread", "maps", "cats", "rain", "ships", "snow"];
const CHINESE_THINGS = ["绿茶", "象棋", "爬山", "歌剧", "面包", "地图", "小猫", "下雨", "轮船", "雪花"];
const TALKS: readonly (readonly [string, readonly NewTurn[]])[] = [
  ["English", THINGS.flatMap((thing) => exchange(`I like ${thing} very much.`, "I see."))],
  ["中文", CHINESE_THINGS.flatMap((thing) => exchange(`我非常喜欢${thing}。`, "明白了。"))],
];

function exchange(said: string, answer: string): NewTurn[] {
  return [
    { speaker: "Mia", text: said },
    { speaker: "Bot", text: answer, role: "assistant" },
  ];
}

/** A model that finds what the rules find: one fact in each exchange, and nothing that contradicts another. */
async function reader(): Promise<ScriptedModel> {
  const made = await scriptedModel((request) => {
    const shown = bodySchema.parse(request.body).messages.at(-1)?.content ?? "";
    const [, thing = "", chinese = ""] =
      [...shown.matchAll(/I like (\w+)|我非常喜欢([^。]+)/gu)].at(-1) ?? [];
    const text = thing === "" ? `Mia 非常喜欢${chinese}。` : `Mia likes ${thing} very much.`;
    const fact = /\[0\] (Mia[^\n]*)/u.exec(shown)?.[1] ?? "";
    return JSON.stringify(
      {
        extract_new_facts: { facts: [{ text, speaker: "Mia", sources: [0] }] },
        decide_crud: { decisions: [{ fact: 0, event: "ADD", id: null, text: fact }] },
        summarize: { summary: thing === "" ? "Mia 讲了自己喜欢的东西。" : "Mia told what she likes." },
        compress_dialogue: { entries: [] },
      }[taskOf(request)],
    );
  });
  opened.push(made);
  return made;
}

test.each(TALKS)("what is estimated is what is asked and paid, in %s", async (_, turns) => {
  for (const preset of ["mem0", "simplemem"]) {
    const { model, server } = await reader();
    const memory = await open(preset, { model });
    const cost = await memory.estimate(turns, { price: { input: 2, output: 10 } });
    expect(server.requests).toHaveLength(0);
    expect(await memory.status()).toMatchObject({ waiting: 0, storage: { turns: 0 } });

    await memory.remember(turns);
    await memory.flush();
    const byTask = Map.groupBy(server.requests, taskOf);
    expect(Object.fromEntries([...byTask].map(([task, { length }]) => [task, length]))).toEqual(
      Object.fromEntries(Object.entries(cost.byTask).map(([task, { calls }]) => [task, calls])),
    );
    const paid = server.requests.reduce((sum, request) => sum + tokensOf(request), 0);
    expect(Math.abs(cost.inputTokens / paid - 1)).toBeLessThan(0.2);
    expect(cost).toMatchObject({ turns: 20, sampled: 20, calls: server.requests.length });
    expect(cost.outputTokens).toBeGreaterThan(0);
    expect(cost.money).toBeCloseTo((cost.inputTokens * 2 + cost.outputTokens * 10) / 1e6, 10);
  }
});

test("a sample of whole windows stands for all", async () => {
  const memory = await open("simplemem");
  const turns = Array.from({ length: 200 }, (_, at) => ({
    speaker: "Mia",
    text: `I like number ${at} very much.`,
  }));
  const whole = await memory.estimate(turns, { sample: 200 });
  const part = await memory.estimate(turns);
  expect(whole).toMatchObject({ turns: 200, sampled: 200, money: null });
  // Two windows: 40 turns, and 38 more.
  expect(part.sampled).toBe(78);
  expect(Math.abs(part.inputTokens / whole.inputTokens - 1)).toBeLessThan(0.2);
  expect(Math.abs(part.calls - whole.calls)).toBeLessThanOrEqual(1);
  // Too few for a window: what is there is one.
  expect((await memory.estimate(turns, { sample: 10 })).sampled).toBe(10);
});

test("a design that asks nobody costs nothing; nothing costs nothing", async () => {
  const memory = await open("hybrid");
  const nothing = { calls: 0, inputTokens: 0, outputTokens: 0, byTask: {} };
  expect(await memory.estimate(["I moved to Rome.", "我搬家了。"])).toMatchObject({
    turns: 2,
    sampled: 2,
    ...nothing,
  });
  expect(await (await open("mem0")).estimate([])).toMatchObject({ turns: 0, sampled: 0, ...nothing });
});

test("it can be stopped, and refuses what it does not know", async () => {
  const memory = await open("mem0");
  const signal = AbortSignal.abort();
  await expect(memory.estimate(["x"], { signal })).rejects.toMatchObject({ code: "aborted" });
  const text: unknown = "no list";
  await expect(memory.estimate(text as string[])).rejects.toMatchObject({ code: "input_invalid" });
  for (const wrong of [{ smaple: 1 }, { sample: 0 }, { price: { input: 1 } }]) {
    const given = wrong as unknown as Parameters<typeof memory.estimate>[1];
    await expect(memory.estimate(["x"], given)).rejects.toMatchObject({ code: "input_invalid" });
  }
});
