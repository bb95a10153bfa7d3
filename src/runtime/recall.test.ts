import { afterEach, describe, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import { where } from "../base/filter.ts";
import type { NewTurn } from "../base/turn.ts";
import type { RetrieveResult } from "../pipeline/plan.ts";
import { openInMemory } from "../storage/memory.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { sharedEmbedder } from "../testing/preset-world.ts";
import { schemaReply } from "../testing/schema-reply.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { countTokens } from "../text/token-count.ts";
import { Memory } from "./memory.ts";
import type { MemoryOptions } from "./memory-options.ts";
import type { RecallOptions } from "./recall.ts";

const START = Date.UTC(2026, 4, 1, 9);
const DAY = 86_400_000;
const clock = manualClock(START);
const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close();
  clock.set(START);
});

async function open(options: Partial<MemoryOptions> = {}): Promise<Memory> {
  const storage = await openInMemory({ clock });
  const memory = await Memory.open({ storage, scope: "mia", embedder: hashEmbedder(), clock, ...options });
  closing.push(memory);
  return memory;
}

/** What an answer says: which memories, in which order, how much each counts. */
const told = ({ hits, context }: RetrieveResult) => ({
  hits: hits.map(({ id, score, text }) => [id, score, text]),
  context,
});

describe("limits", () => {
  const NOTES = [
    "Mia's violin teacher lives in Porto.",
    "Mia plays the violin on Fridays, and she has done so for more than twelve years in one and the same orchestra.",
    "The violin is red.",
    "米娅的小提琴是红色的。",
  ];

  async function filled(preset: string): Promise<Memory> {
    const memory = await open({ preset });
    for (const [day, text] of NOTES.entries())
      await memory.remember({ speaker: "Mia", text, happenedAt: START + day * DAY });
    return memory;
  }

  test("never more hits than asked for, the best first", async () => {
    const memory = await filled("hybrid");
    const all = await memory.recall("violin 小提琴");
    const one = await memory.recall("violin 小提琴", { limit: 1 });
    expect(one.hits.map(({ id }) => id)).toEqual([all.hits[0]?.id]);
  });

  test.each(["hybrid", "biem", "a_mem", "full_context"])(
    "%s: a budget holds for the hits and for the text that is made of them",
    async (preset) => {
      const memory = await filled(preset);
      const all = await memory.recall("violin 小提琴");
      const sizes = all.hits.map(({ text }) => countTokens(text));
      const budget = sizes.reduce((sum, size) => sum + size, 0) - Math.min(...sizes);
      const { hits, context } = await memory.recall("violin 小提琴", { budget });
      expect(hits.length).toBeGreaterThan(0);
      expect(hits.length).toBeLessThan(all.hits.length);
      expect(hits.reduce((sum, { text }) => sum + countTokens(text), 0)).toBeLessThanOrEqual(budget);
      const left = all.hits.filter(({ id }) => !hits.some((hit) => hit.id === id));
      for (const { text } of left) {
        expect(all.context).toContain(text);
        expect(context).not.toContain(text);
      }
      for (const { text } of hits) expect(context).toContain(text);
    },
  );

  test("a budget for nothing leaves nothing; what is too long is passed over for what fits", async () => {
    const memory = await filled("hybrid");
    expect((await memory.recall("violin", { budget: 0 })).hits).toEqual([]);
    const small = (await memory.recall("violin years orchestra", { budget: 12 })).hits;
    expect(small.length).toBeGreaterThan(0);
    expect(small.map(({ text }) => text).join()).not.toContain("twelve");
  });

  test("by filter and by when it happened, both ends in", async () => {
    const memory = await filled("hybrid");
    const span = { from: START + DAY, to: START + 2 * DAY };
    const days = async (options: RecallOptions) =>
      (await memory.recall("violin 小提琴", options)).hits
        .map(({ happenedAt }) => (happenedAt - START) / DAY)
        .sort();
    expect(await days(span)).toEqual([1, 2]);
    expect(await days({ from: START + 3 * DAY })).toEqual([3]);
    expect(await days({ to: START })).toEqual([0]);
    expect(await days({ ...span, filter: where.contains("content", "red") })).toEqual([2]);
  });

  test("options that are none are refused with what is valid", async () => {
    const memory = await open();
    const refused = (options: object) =>
      expect(memory.recall("?", options as RecallOptions)).rejects.toMatchObject({ code: "input_invalid" });
    await refused({ topK: 3 });
    await refused({ limit: 0 });
    await refused({ budget: -1 });
    await refused({ from: 2, to: 1 });
    await refused({ at: "yesterday" });
    await refused({ zone: "Mars" });
    await refused({ filter: { op: "is" } });
    await refused({ signal: true });
  });
});

describe("as of then in the world", () => {
  const moves: readonly (readonly [string, readonly NewTurn[], string, RegExp, RegExp])[] = [
    [
      "English",
      [
        { speaker: "Mia", text: "I live in Lisbon.", happenedAt: START - 300 * DAY },
        { speaker: "Mia", text: "I live in Porto now.", happenedAt: START - 100 * DAY },
      ],
      "Where does Mia live?",
      /Lisbon/,
      /Porto/,
    ],
    [
      "Chinese",
      [
        { speaker: "小美", text: "我住在上海。", happenedAt: START - 300 * DAY },
        { speaker: "小美", text: "我现在住在北京。", happenedAt: START - 100 * DAY },
      ],
      "小美住在哪里？",
      /上海/,
      /北京/,
    ],
  ];

  test.each(moves)("%s: what was replaced later stands again", async (_, turns, question, before, after) => {
    const memory = await open({ preset: "mem0", embedder: await sharedEmbedder() });
    for (const turn of turns) {
      await memory.remember(turn);
      await memory.flush();
      clock.advance(1000);
    }
    const said = async (options?: RecallOptions) =>
      (await memory.recall(question, options)).hits.map(({ text }) => text).join("\n");
    expect(await said()).toMatch(after);
    expect(await said()).not.toMatch(before);
    expect(await said({ at: START - 200 * DAY })).toMatch(before);
    expect(await said({ at: START - 200 * DAY })).not.toMatch(after);
    expect(await said({ at: START - 400 * DAY })).toBe("");
    expect(await said({ at: START })).toMatch(after);
    // The memory itself learned both today.
    expect(await said({ knownAt: START - DAY })).toBe("");
    expect(await said({ knownAt: START })).toMatch(before);
  });
});

describe("as the memory stood then", () => {
  const days: readonly (readonly string[])[] = [
    ["I live in Lisbon, in the old town.", "My sister Clara is a vet in Porto.", "我喜欢在周末喝绿茶。"],
    ["Important: the concert costs 45 euros, don't forget the tickets.", "我的女儿小雨今年八岁。"],
    ["I moved, I live in Porto now.", "我现在不喝绿茶了，我喜欢咖啡。", "Clara plays the violin."],
    ["Clara visits me on Friday.", "小雨喜欢画画。"],
  ];
  const questions = ["Where does Mia live?", "谁喜欢绿茶？", "What do you know about Clara?"];

  test.each([
    ["hybrid", false],
    ["mem0", false],
    ["mem0g", false],
    ["biem", false],
    ["memory_os", false],
    ["memorybank", false],
    ["memgpt", false],
    ["hipporag", false],
    ["generative_agents", false],
    ["mem0", true],
    ["biem", true],
  ])("%s (model: %s): every answer is given again, to the last digit", async (preset, isThinking) => {
    const scripted = isThinking ? await scriptedModel(schemaReply) : undefined;
    if (scripted !== undefined) closing.unshift(scripted);
    const memory = await open({ preset, model: scripted?.model });
    await memory.in("public").remember("Porto lies at the river Douro.");
    await memory.in("public").flush();
    const given: { at: number; question: string; answer: unknown }[] = [];
    for (const [day, said] of days.entries()) {
      clock.advance(DAY);
      await memory.remember(said.map((text) => ({ speaker: "Mia", text, session: `day ${day}` })));
      await memory.flush();
      for (const question of questions) {
        clock.advance(60_000);
        given.push({ at: clock.now(), question, answer: told(await memory.recall(question)) });
      }
    }
    expect(JSON.stringify(given)).toMatch(/Porto|Lisbon|绿茶/);
    clock.advance(30 * DAY);
    const { storage } = await memory.status();
    for (const { at, question, answer } of given.reverse())
      expect(told(await memory.recall(question, { knownAt: at }))).toEqual(answer);
    // Asking about the past changes nothing.
    expect((await memory.status()).storage.events).toBe(storage.events);
    expect((await memory.recall("Mia", { knownAt: START - 1 })).hits).toEqual([]);
  });

  test("what was forgotten is forgotten in every past", async () => {
    const memory = await open({ preset: "hybrid" });
    await memory.remember(["Mia lives in Rome.", "米娅喜欢绿茶。"]);
    const then = clock.now();
    clock.advance(DAY);
    const known = async () => {
      const { hits } = await memory.recall("Where does Mia live? 绿茶", { knownAt: then });
      return hits.map(({ content }) => content).sort();
    };
    expect(await known()).toEqual(["Mia lives in Rome.", "米娅喜欢绿茶。"]);
    const [rome] = (await memory.recall("Rome")).hits;
    expect(await known()).toHaveLength(2);
    await memory.forget({ id: rome?.id ?? "" });
    expect(await known()).toEqual(["米娅喜欢绿茶。"]);
    expect((await memory.recall("Rome", { at: then })).hits.map(({ content }) => content)).not.toContain(
      "Mia lives in Rome.",
    );
  });

  test("another scope's past stays its own, and what was removed since is there", async () => {
    const memory = await open({ preset: "hybrid" });
    await memory.in("bob").remember("Bob lives in Oslo.");
    await memory.remember("Mia lives in Rome.");
    const then = clock.now();
    clock.advance(DAY);
    await memory.rebuild();
    const { hits } = await memory.recall("Who lives where?", { knownAt: then });
    expect(hits.map(({ content }) => content)).toEqual(["Mia lives in Rome."]);
  });
});
