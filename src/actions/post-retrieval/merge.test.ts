import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
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
      chosen(augment, { augment_type: "temporal", style: "day" }),
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
