/** SimpleMem: windows of talk become restatements; questions are planned, searched three ways and reflected on. */
import { afterEach, describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import type { NewTurn } from "../../src/base/turn.ts";
import { loadPreset } from "../../src/preset/load.ts";
import { hashEmbedder } from "../../src/testing/hash-embedder.ts";
import type { SeenRequest } from "../../src/testing/model-server.ts";
import { openPresetWorld, type PresetWorldOptions, type Replies } from "../../src/testing/preset-world.ts";

const worlds: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of worlds.splice(0)) await close();
});

async function open(options: PresetWorldOptions = {}) {
  const world = await openPresetWorld("simplemem", options);
  worlds.push(world.close);
  return world;
}

const AT = Date.UTC(2025, 10, 15, 14, 30);
const said = (speaker: string, text: string): NewTurn => ({ speaker, text, happenedAt: AT, session: "one" });

const ENGLISH = [
  said("Alice", "Hi Bob! Shall we meet at the Starbucks on Main Street tomorrow at 2pm?"),
  said("Bob", "Sure. I will bring the report about the new phone."),
  said("Alice", "Great. I moved to Berlin last month, so I have to take the train."),
  said("Bob", "My sister Carol adopted a grey cat named Misty."),
  said("Alice", "How lovely!"),
  said("Bob", "See you!"),
];
const CHINESE = [
  said("小明", "明天下午两点我们在星巴克见面吧，讨论新产品。"),
  said("小红", "好的，我会带上市场报告。"),
  said("小明", "我上个月搬到了上海，要坐地铁过去。"),
  said("小红", "我姐姐养了一只灰色的猫。"),
];

const memory = (text: string, sources: readonly number[], more: JsonObject = {}): JsonObject => ({
  lossless_restatement: text,
  keywords: [],
  timestamp: null,
  location: null,
  persons: [],
  entities: [],
  topic: null,
  sources: [...sources],
  ...more,
});
const plan = (question_type = "fact"): JsonObject => ({
  question_type,
  key_entities: ["Alice"],
  required_info: [{ info_type: "home", description: "where Alice lives", priority: "high" }],
  relationships: [],
  minimal_queries_needed: 1,
});
const analysis = (more: JsonObject = {}): JsonObject => ({
  keywords: ["Berlin"],
  persons: ["Alice"],
  time_expression: null,
  location: null,
  entities: [],
  ...more,
});
const complete: JsonObject = {
  assessment: "complete",
  reasoning: "",
  missing_info_types: [],
  coverage_percentage: 100,
};
const incomplete: JsonObject = {
  assessment: "incomplete",
  reasoning: "",
  missing_info_types: ["pet"],
  coverage_percentage: 40,
};

const THREE = {
  entries: [
    memory("Alice and Bob will meet at Starbucks on Main Street on 16 November 2025 at 2 pm.", [0], {
      timestamp: "2025-11-16T14:00",
      location: "Starbucks, Main Street",
      persons: ["Alice", "Bob"],
      keywords: ["meeting"],
      topic: "a meeting",
    }),
    memory("Alice moved to Berlin in October 2025.", [2], {
      timestamp: "2025-10",
      location: "Berlin",
      persons: ["Alice"],
      topic: "moving",
    }),
    memory("Carol, Bob's sister, adopted a grey cat named Misty.", [3], {
      persons: ["Bob", "Carol"],
      entities: ["Misty"],
      topic: "a pet",
    }),
  ],
};
const READING: Replies = {
  compress_dialogue: THREE,
  plan_information: plan(),
  targeted_queries: { reasoning: "", queries: ["Alice's home", "Alice's city"] },
  analyse_query: analysis(),
  check_completeness: complete,
  missing_queries: { missing_analysis: "", targeted_queries: ["the cat of Bob's sister"] },
};

describe("with a model", () => {
  test("[S2-3][S2-13][S2-16][S2-17] one call per window; an entry has three layers and the turns it comes from", async () => {
    const world = await open({ replies: READING, embedder: hashEmbedder() });
    const waiting = await world.say(ENGLISH, { finish: false });
    expect([waiting.waiting, world.calls()]).toEqual([6, []]);
    await world.resume();
    expect(world.calls()).toEqual(["compress_dialogue"]);
    const entries = await world.entries();
    expect(entries).toHaveLength(3);
    expect(entries[0]).toMatchObject({
      content: "Alice and Bob will meet at Starbucks on Main Street on 16 November 2025 at 2 pm.",
      happenedAt: Date.UTC(2025, 10, 16, 14),
      metadata: { location: "Starbucks, Main Street", persons: ["Alice", "Bob"], topic: "a meeting" },
    });
    expect(entries[0]?.sources).toHaveLength(1);
  });

  test("[S2-24][S2-25][S2-27][S2-31] 4 to 8 calls per question, the answer among them", async () => {
    const world = await open({ replies: READING, embedder: hashEmbedder() });
    await world.say(ENGLISH);
    world.calls();
    await world.ask("Where does Alice live?");
    const least = world.calls();
    expect(least.toSorted()).toEqual([
      "analyse_query",
      "check_completeness",
      "plan_information",
      "targeted_queries",
    ]);
    const longer = await open({
      replies: { ...READING, check_completeness: incomplete },
      embedder: hashEmbedder(),
    });
    await longer.say(ENGLISH);
    longer.calls();
    await longer.ask("Where does Alice live?");
    expect(longer.calls().length).toBeLessThanOrEqual(7);
  });

  test("[P14-2][S2-28] the merged list has every entry once: by meaning first, then by words, then by facts", async () => {
    const world = await open({ replies: READING, embedder: hashEmbedder() });
    await world.say(ENGLISH);
    const { hits, lists, context } = await world.ask("Where does Alice live?");
    expect(lists.map(({ hints }) => hints.strategy)).toEqual([
      "semantic",
      "semantic",
      "semantic",
      "lexical",
      "structured",
    ]);
    expect(lists.map(({ query }) => query.topK)).toEqual([25, 25, 25, 5, 5]);
    const ids = hits.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const bySense = lists[0]?.hits.map(({ id }) => id) ?? [];
    expect(ids.slice(0, bySense.length)).toEqual(bySense);
    expect(context).toContain("Alice moved to Berlin in October 2025. (topic: moving)");
  });

  test("[P14-3] at most four targeted queries; the question is put before them if it is missing", async () => {
    const queries = ["one", "two", "three", "four", "five"];
    const replies = { ...READING, targeted_queries: { reasoning: "", queries } };
    const world = await open({ replies, embedder: hashEmbedder() });
    await world.say(ENGLISH);
    const { lists } = await world.ask("Where does Alice live?");
    const searched = lists
      .filter(({ hints }) => hints.strategy === "semantic")
      .map(({ query }) => query.text);
    expect(searched).toEqual(["Where does Alice live?", "one", "two", "three"]);
  });

  test("[P14-4][S2-22] without a condition there is no structured hit; with several all must hold", async () => {
    const structured = async (said: JsonObject) => {
      const world = await open({ replies: { ...READING, analyse_query: said }, embedder: hashEmbedder() });
      await world.say(ENGLISH);
      const { lists } = await world.ask({ text: "Where?", at: AT });
      const hits = lists.filter(({ hints }) => hints.strategy === "structured").flatMap((list) => list.hits);
      return hits.map(({ content }) => content.slice(0, 11));
    };
    expect(await structured(analysis({ persons: [] }))).toEqual([]);
    expect(await structured(analysis())).toEqual(["Alice and B", "Alice moved"]);
    expect(await structured(analysis({ persons: ["Bob", "Carol"] }))).toEqual(["Alice and B", "Carol, Bob'"]);
    expect(await structured(analysis({ location: "Main Street" }))).toEqual(["Alice and B"]);
    expect(await structured(analysis({ persons: ["Bob"], entities: ["Misty"] }))).toEqual(["Carol, Bob'"]);
    expect(await structured(analysis({ time_expression: "tomorrow" }))).toEqual(["Alice and B"]);
  });

  test("[P14-5][S2-30] reflection stops on complete; else it searches by meaning for what is missing, twice at most", async () => {
    const rounds = async (checks: readonly Json[]) => {
      const replies = { ...READING, check_completeness: checks };
      const world = await open({ replies, embedder: hashEmbedder() });
      await world.say(ENGLISH);
      world.calls();
      const { stages } = await world.ask({ text: "Where does Alice live?" });
      const looked = stages.find(({ stage }) => stage === "memory_retrieval");
      return { calls: world.calls().slice(3), rounds: looked?.notes.rounds };
    };
    expect((await rounds([complete])).calls).toEqual(["check_completeness"]);
    const twice = await rounds([incomplete, complete]);
    // All three entries were found at first, so a further search adds nothing and a further check would say the same.
    expect(twice.calls).toEqual(["check_completeness", "missing_queries"]);
    expect(twice.rounds).toEqual([
      { assessment: "incomplete", coverage: 40, queries: ["the cat of Bob's sister"], added: 0 },
    ]);
  });

  test("[S2-29] what a round finds joins behind what was found", async () => {
    const many = Array.from({ length: 30 }, (_, n) => memory(`Alice walked past house number ${n}.`, [0]));
    const replies: Replies = {
      ...READING,
      compress_dialogue: { entries: [...many, ...THREE.entries] },
      targeted_queries: { reasoning: "", queries: [] },
      analyse_query: analysis({ keywords: ["house"], persons: [] }),
      check_completeness: [incomplete, complete],
    };
    const world = await open({ replies, embedder: hashEmbedder() });
    await world.say(ENGLISH);
    world.calls();
    const { hits } = await world.ask("Alice walked past house number");
    expect(world.calls().slice(3)).toEqual(["check_completeness", "missing_queries", "check_completeness"]);
    const cat = hits.findIndex(({ content }) => content.includes("Misty"));
    expect(cat).toBeGreaterThanOrEqual(25);
  });

  test("[P14-1][S2-14][S2-15][S2-18] 100 turns are windows from 0, 38 and 76; the last one waits until all is said", async () => {
    const shown: number[][] = [];
    const read = ({ body }: SeenRequest): JsonObject => {
      const lines = JSON.stringify(body.messages).matchAll(/Line (\d+) here/g);
      shown.push([...new Set([...lines].map(([, number]) => Number(number)))]);
      return { entries: [] };
    };
    const world = await open({ replies: { compress_dialogue: read }, embedder: hashEmbedder() });
    const turns = Array.from({ length: 100 }, (_, n) => said(n % 2 ? "Ben" : "Ada", `Line ${n} here`));
    await world.say(turns, { finish: false });
    expect(world.calls()).toHaveLength(2);
    await world.resume();
    expect(shown.map((lines) => [lines[0], lines.length])).toEqual([
      [0, 40],
      [38, 40],
      [76, 24],
    ]);
  });

  test("[B.2] the next window sees what was stored last, and what only the overlap says is not stored again", async () => {
    const asked: string[] = [];
    const read = (request: SeenRequest): JsonObject => {
      const text = JSON.stringify(request.body.messages);
      asked.push(text);
      const last = text.includes("Line 41 here");
      return {
        entries: last
          ? [memory("Ada knows line 39.", [1]), memory("Ada knows line 40.", [2])]
          : [memory("Ada knows line 0.", [0]), memory("Ada knows line thirty-nine.", [39])],
      };
    };
    const world = await open({ replies: { compress_dialogue: read }, embedder: hashEmbedder() });
    const lines = Array.from({ length: 42 }, (_, n) => said("Ada", `Line ${n} here`));
    // Windows that come together do not see each other's.
    await world.say(lines.slice(0, 40), { finish: false });
    await world.say(lines.slice(40));
    expect(asked[1]).toContain("Ada knows line thirty-nine.");
    expect((await world.entries()).map(({ content }) => content)).toEqual([
      "Ada knows line 0.",
      "Ada knows line thirty-nine.",
      "Ada knows line 40.",
    ]);
  });

  test("[B.2] a window whose call fails is not lost: it is done again", async () => {
    const world = await open({ replies: { ...READING }, embedder: hashEmbedder() });
    world.setDown(true);
    await expect(world.say(ENGLISH)).rejects.toMatchObject({ code: "model_unavailable" });
    world.setDown(false);
    await world.restart();
    await world.resume();
    expect(await world.entries()).toHaveLength(3);
  });

  test("Chinese: asked in Chinese, stored and found in Chinese", async () => {
    const replies: Replies = {
      ...READING,
      compress_dialogue: {
        entries: [
          memory("小明在2025年10月搬到了上海。", [2], { location: "上海", persons: ["小明"], topic: "搬家" }),
          memory("小红的姐姐养了一只灰色的猫。", [3], { persons: ["小红"], topic: "宠物" }),
        ],
      },
      plan_information: { ...plan(), key_entities: ["小明"] },
      targeted_queries: { reasoning: "", queries: ["小明的住处"] },
      analyse_query: analysis({ keywords: ["上海"], persons: ["小明"] }),
    };
    const world = await open({ replies });
    await world.say(CHINESE);
    expect(JSON.stringify(world.requests[0]?.body.messages)).toContain("对话");
    const { hits, context } = await world.ask("小明住在哪里？");
    expect(hits[0]?.content).toBe("小明在2025年10月搬到了上海。");
    expect(context).toContain("小明在2025年10月搬到了上海。 (topic: 搬家)");
  });
});

describe("without a model", () => {
  test("[S2-6][S2-7][S2-8] English: names for pronouns, dates for relative times; found by place, person and words", async () => {
    const world = await open();
    await world.say(ENGLISH);
    const texts = (await world.entries()).map(({ content }) => content);
    expect(texts).toContain("Alice moved to Berlin in October 2025, so Alice has to take the train.");
    expect(texts.join(" ")).not.toMatch(/\b(?:tomorrow|last month|lovely)\b/);
    const { hits, context, stages } = await world.ask({ text: "Which cat did Bob's sister adopt?", at: AT });
    expect(hits[0]?.content).toContain("Misty");
    expect(context).toMatch(/^1\. \[/);
    const planned = stages.find(({ action }) => action === "plan");
    expect(planned?.tasks.every(({ path }) => path === "local")).toBe(true);
  });

  test("Chinese: 明天 becomes a date, 我 a name", async () => {
    const world = await open();
    await world.say(CHINESE);
    const texts = (await world.entries()).map(({ content }) => content);
    expect(texts.some((text) => text.includes("小明") && text.includes("上海"))).toBe(true);
    expect(texts.join("")).not.toMatch(/明天|上个月/);
    const { hits } = await world.ask({ text: "小明搬到了哪里？", at: AT });
    expect(hits[0]?.content).toContain("上海");
  });
});

test("[S2-23][S2-32] the switches are keys: without plan and reflection a question is one search by meaning", async () => {
  const base = await loadPreset("simplemem");
  const plain = (name: string) => ({ action: name, options: {}, claims: {}, path: [] });
  const dense = await loadPreset("dense");
  const stages = {
    ...base.stages,
    pre_retrieval: dense.stages.pre_retrieval,
    memory_retrieval: dense.stages.memory_retrieval,
    post_insert: [plain("none")],
  };
  const world = await openPresetWorld({ ...base, stages }, { replies: READING, embedder: hashEmbedder() });
  worlds.push(world.close);
  await world.say(ENGLISH);
  world.calls();
  const { lists } = await world.ask("Where does Alice live?");
  expect([lists.length, world.calls()]).toEqual([1, []]);
});
