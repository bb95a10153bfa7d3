import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { parseScope } from "../../base/scope.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { direction, openRecallWorld, type RecallSetup } from "../../testing/recall-world.ts";
import { augment } from "./augment.ts";
import { filter } from "./filter.ts";
import { merge } from "./merge.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const tier = (name: string, capacity: number | null): JsonObject => ({
  name,
  capacity,
  membership: "exclusive",
  indexes: ["queue", "vector", "text"],
});
const TIERS = {
  service: {
    name: "hierarchical_memory",
    options: {
      collection_name: "memories",
      top_k: 10,
      vitality: null,
      tiers: [tier("core", 2), tier("recall", null)],
      migration_policy: "auto",
      eviction: null,
      graph: null,
    },
  },
};

async function open(options: JsonObject, setup: RecallSetup = {}) {
  const world = await openRecallWorld([chosen(merge, options)], setup);
  closing.push(world.close);
  return world;
}

/** The first three are in "recall" by then, the last two in "core". */
async function recall(options: JsonObject, setup: RecallSetup = {}) {
  const world = await open(options, { ...TIERS, ...setup });
  await world.add("recall best", 0);
  await world.add("旧的第二", 10);
  await world.add("recall third", 20);
  await world.add("core best 核心", 60);
  await world.add("core second", 70);
  return world.ask("?");
}

const texts = ({ hits }: { readonly hits: readonly { readonly text: string }[] }): string[] =>
  hits.map(({ text }) => text);
const RRF = { strategy: "rrf", rrf_k: 60, weights: null };

describe("multi_query", () => {
  const ALL = { merge_strategy: "multi_query", tiers: ["core", "recall"], fusion: RRF, top_k: 5 };

  test("[B.0.9-13] every tier is asked by itself, by the hint that the service reads", async () => {
    const found = await recall(ALL);
    expect(new Set(texts(found).slice(0, 2))).toEqual(new Set(["recall best", "core best 核心"]));
    expect(found.stages.at(-2)?.notes.lists).toEqual([
      { tier: "core", hits: 2 },
      { tier: "recall", hits: 3 },
    ]);
    expect(texts(await recall({ ...ALL, tiers: ["core"] }))).toEqual(["core best 核心", "core second"]);
    expect(texts(await recall({ ...ALL, tiers: ["recall"] }))).toEqual([
      "recall best",
      "旧的第二",
      "recall third",
    ]);
    await expect(recall({ ...ALL, tiers: ["attic"] })).rejects.toMatchObject({ code: "unknown_name" });
  });

  test("weights are by tier, top_k bounds lists and result", async () => {
    const fusion = { ...RRF, weights: { core: 5 } };
    expect(texts(await recall({ ...ALL, fusion })).slice(0, 2)).toEqual(["core best 核心", "core second"]);
    const first = await recall({ ...ALL, top_k: 1 });
    expect(texts(first)).toHaveLength(1);
    expect(first.stages.at(-2)?.notes.lists).toEqual([
      { tier: "core", hits: 1 },
      { tier: "recall", hits: 1 },
    ]);
    const wrong = { ...ALL, fusion: { ...RRF, weights: { attic: 1 } } };
    expect(merge.options.safeParse(wrong).success).toBe(false);
  });

  test("[C-33] without tiers the lists of the queries are fused in its own way, by the queries' weights", async () => {
    const run = async (strategy: string, weight: number) => {
      const queries = [
        { text: "a", vectors: [direction(0)], weight: 1 },
        { text: "b", vectors: [direction(90)], weight },
      ];
      const options = { ...ALL, tiers: null, fusion: strategy === "rrf" ? RRF : { strategy }, top_k: 3 };
      const { add, ask } = await open(options, { question: { queries } });
      await add("at 0", 0);
      await add("在中间", 45);
      await add("at 90", 90);
      return texts(await ask("?"));
    };
    expect(await run("rrf", 1)).toHaveLength(3);
    expect((await run("rrf", 9))[0]).toBe("at 90");
    expect(await run("union", 9)).toEqual(["at 0", "在中间", "at 90"]);
  });

  test("what was dropped before it stays dropped, what was added or rewritten stays so", async () => {
    const queries = [
      { text: "a", vectors: [direction(0)], weight: 1 },
      { text: "b", vectors: [direction(90)], weight: 1 },
    ];
    const before = [
      chosen(filter, { filter_type: "top_k", k: 1 }),
      chosen(augment, {
        augment_type: "neighbours",
        before: 1,
        after: 0,
        within_minutes: 10,
        derived_kinds: [],
        score_factor: 0.5,
      }),
      chosen(augment, { augment_type: "temporal", style: "day", form: "brackets" }),
    ];
    const fused = chosen(merge, { ...ALL, tiers: null, top_k: 5 });
    const options = { question: { queries: queries.map((one) => ({ ...one, topK: 2 })) } };
    const world = await openRecallWorld([...before, fused], options);
    closing.push(world.close);
    const at = (minutes: number) => ({ happenedAt: world.now - minutes * 60_000 });
    await world.add("far away", 45, at(2));
    await world.add("昨天的第一", 0, at(1));
    await world.add("at 5", 5, at(300));
    await world.add("at 90", 90, at(600));
    await world.add("at 85", 85, at(900));
    expect(texts(await world.ask("?"))).toEqual(["[2026年5月1日] 昨天的第一", "[1 May 2026] far away"]);
  });

  test("it claims tiers only where it asks them", () => {
    const options = {
      merge_strategy: "multi_query" as const,
      fusion: { strategy: "union" as const },
      top_k: 5,
    };
    expect(merge.claims?.({ ...options, tiers: null })).toEqual({});
    expect(merge.claims?.({ ...options, tiers: ["core"] })).toEqual({
      abilities: ["tiers"],
      tiers: ["core"],
      hints: [{ names: ["tiers"] }],
    });
  });
});

describe("multi_tier", () => {
  test("[B.0.8] each tier gives its quota, and no more, by reciprocal rank", async () => {
    const run = async (quotas: JsonObject, rrf_k = 60) =>
      recall({ merge_strategy: "multi_tier", quotas, rrf_k });
    const found = await run({ core: 1, recall: 2 });
    expect(new Set(texts(found))).toEqual(new Set(["core best 核心", "recall best", "旧的第二"]));
    expect(texts(found)[2]).toBe("旧的第二");
    expect(texts(await run({ core: 2 }))).toEqual(["core best 核心", "core second"]);
    expect(found.hits[0]?.score).toBeCloseTo(1 / 61, 9);
    expect((await run({ core: 1 }, 0)).hits[0]?.score).toBe(1);
  });

  test("several queries share the quota of a tier", async () => {
    const queries = [
      { text: "a", vectors: [direction(0)], weight: 1 },
      { text: "b", vectors: [direction(90)], weight: 1 },
    ];
    const found = await recall(
      { merge_strategy: "multi_tier", quotas: { recall: 2 }, rrf_k: 60 },
      { question: { queries } },
    );
    expect(texts(found)).toHaveLength(2);
  });
});

describe("segments", () => {
  const SEGMENTS: JsonObject = {
    merge_strategy: "segments",
    segment_tier: "mtm",
    top_segments: 2,
    min_segment_score: 0.1,
    min_page_score: 0.1,
    max_pages: 2,
    recent_tier: "stm",
    knowledge: { tier: "lpm", top_k: 1, min_score: 0.01 },
  };
  const service = {
    name: "hierarchical_memory",
    options: {
      collection_name: "memories",
      top_k: 10,
      vitality: null,
      tiers: [tier("stm", null), tier("mtm", null), tier("lpm", null)],
      migration_policy: "auto",
      eviction: null,
      graph: null,
    },
  };
  const into = (targetTier: string) => ({ insertMode: "active", insertParams: { targetTier } }) as const;

  async function found(change: JsonObject = {}, setup: RecallSetup = {}, asked = "?") {
    const world = await open({ ...SEGMENTS, ...change }, { service, ...setup });
    const { add } = world;
    const page = (text: string, degrees: number, more: JsonObject = {}) =>
      add(text, degrees, { metadata: { chain_id: "c", ...more }, ...into("mtm") });
    const near = await page("near page", 10, { chain_summary: "old" });
    const other = await page("另一页", 40, { chain_summary: "new" });
    const third = await page("third page", 50);
    const far = await page("far page", 89);
    const strayed = await page("page of a segment that is not near", 0);
    const segment = (text: string, degrees: number, sources: readonly string[]) =>
      add(text, degrees, { kind: "segment", sources: [...sources], ...into("mtm") });
    await segment("first segment", 20, [near, other, far]);
    await segment("second segment", 30, [near, third]);
    await segment("无关的段", 60, [strayed]);
    await add("recent page", 45);
    await add("最近的一页", 88);
    for (const [text, degrees] of [
      ["Mia drinks tea", 5],
      ["Mia is tall", 70],
    ] as const)
      await add(text, degrees, { kind: "user_knowledge", ...into("lpm") });
    await add("bot advice", 95, { kind: "assistant_knowledge", ...into("lpm") });
    return { ...(await world.ask(asked)), world };
  }

  test("[S0-74] the nearest segments, their near pages, the best of these; what is at hand; knowledge; visits last", async () => {
    const { hits, stages } = await found();
    expect(hits.map(({ text, kind }) => text || kind)).toEqual([
      "near page",
      "另一页",
      "recent page",
      "最近的一页",
      "Mia drinks tea",
      "segment",
      "segment",
    ]);
    expect(stages.at(-2)?.notes).toEqual({
      segments: { near: 2, visited: 2 },
      pages: { matched: 3, kept: 2, recent: 2 },
      knowledge: 1,
    });
    expect(hits[0]?.scoreParts.segment).toBeCloseTo(Math.cos(Math.PI / 9), 5);
    // Handed out, so counted: that is a segment's visit.
    const visited = hits.filter(({ kind }) => kind === "segment");
    expect(visited.map(({ content }) => content)).toEqual(["first segment", "second segment"]);
  });

  test("a visit of a segment is a counted look", async () => {
    const { world, hits } = await found();
    const segments = hits.filter(({ kind }) => kind === "segment").map(({ id }) => id);
    const entries = await world.storage.entries(parseScope("alice"), "memories", segments);
    expect(entries.map((entry) => entry?.accessCount)).toEqual([1, 1]);
  });

  test("every page of a chain has the chain's newest summary", async () => {
    const { hits } = await found();
    expect(hits[0]?.metadata.chain_summary).toBe("new");
  });

  test("every bound, and the parts that can be left out", async () => {
    const shown = async (change: JsonObject) =>
      (await found(change)).hits.map(({ text, kind }) => text || kind).sort();
    const all = await shown({});
    expect(await shown({ top_segments: 1 })).toHaveLength(all.length - 1);
    expect(await shown({ min_segment_score: 0.9 })).toHaveLength(all.length - 1);
    expect(await shown({ min_page_score: 0.7 })).toEqual(await shown({}));
    expect(await shown({ min_page_score: 0.9 })).not.toContain("另一页");
    expect(await shown({ min_page_score: 0, max_pages: 9 })).toContain("far page");
    expect(await shown({ max_pages: 1 })).not.toContain("另一页");
    expect(await shown({ recent_tier: null })).not.toContain("recent page");
    expect(await shown({ knowledge: null })).not.toContain("Mia drinks tea");
    expect(await shown({ knowledge: { tier: "lpm", top_k: 5, min_score: 0.01 } })).toContain("Mia is tall");
    expect(await shown({ knowledge: { tier: "lpm", top_k: 5, min_score: 0.9 } })).not.toContain(
      "Mia is tall",
    );
    expect(await shown({ segment_tier: "lpm" })).not.toContain("near page");
  });

  test("a question without a vector keeps what words found, segments apart", async () => {
    const { hits } = await found({}, { vectors: false }, "near page");
    expect(hits.length).toBeGreaterThan(0);
    expect(hits.every(({ kind }) => kind !== "segment")).toBe(true);
  });
});
