import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { JsonObject } from "../../base/json.ts";
import { parseScope } from "../../base/scope.ts";
import { defineAction } from "../../pipeline/action.ts";
import type { Draft } from "../../pipeline/draft.ts";
import { indexNameOf } from "../../services/vector-fields.ts";
import { HASH_SPACE } from "../../testing/hash-embedder.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { openPreInsertWorld, type PreInsertSetup } from "../../testing/pre-insert-world.ts";
import { MEMORY_INSERT } from "./index.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const tier = (name: string) => ({
  name,
  capacity: null,
  membership: "exclusive",
  indexes: ["queue", "vector", "text"],
});
const TIERED = {
  name: "hierarchical_memory",
  options: {
    collection_name: "notes",
    top_k: 5,
    tiers: [tier("stm"), tier("mtm"), tier("ltm")],
    migration_policy: "auto",
    eviction: null,
    graph: null,
    vitality: null,
  },
};

/** Stores one draft, changed in this way before it is. */
async function insert(changes: Partial<Draft>, more: Partial<PreInsertSetup> = {}) {
  const change = defineAction({
    stage: "pre_insert",
    name: "change",
    summary: "Changes drafts for a test.",
    options: z.strictObject({}),
    run: ({ drafts }) => drafts.map((draft) => ({ ...draft, ...changes })),
  });
  const world = await openPreInsertWorld({ pre: [chosen(change, {})], ...more });
  closing.push(world.close);
  const { entries } = await world.keep([{ text: "小美 moved to Rome.", speaker: "Ada" }]);
  return { world, entry: entries[0] };
}

test("[S0-41] there is an action for every insert method a draft may name", () => {
  expect(MEMORY_INSERT.map(({ name }) => name)).toEqual([
    "default",
    "triple_insert",
    "chunk_insert",
    "summary_insert",
    "priority_insert",
    "multi_index_insert",
    "segment_insert",
    "fact_insert",
    "emotion_insert",
    "scm_insert",
  ]);
});

describe("[S0-42] what each insert method stores", () => {
  const triples = [{ subject: "小美", relation: "moved to", object: "Rome" }];
  const emotion = { category: "joy", intensity: 0.5 };

  test.each<[Draft["insertMethod"], Draft["insertParams"], string, JsonObject]>([
    ["default", {}, "memory", {}],
    ["triple_insert", { triples, originalText: "said" }, "triple", { triples, original_text: "said" }],
    ["chunk_insert", { chunkIndex: 0, totalChunks: 3 }, "chunk", { chunk_index: 0, total_chunks: 3 }],
    ["summary_insert", {}, "summary", {}],
    ["segment_insert", { segment: "s1", summary: "moving" }, "segment", { segment: "s1", summary: "moving" }],
    ["fact_insert", {}, "fact", {}],
    ["emotion_insert", { emotion }, "memory", { emotion }],
    ["scm_insert", { summary: "moved" }, "memory", { summary: "moved" }],
    ["priority_insert", { priority: 0.5 }, "memory", {}],
    ["multi_index_insert", {}, "memory", { vector_fields: ["content"] }],
  ])("%s", async (insertMethod, insertParams, kind, metadata) => {
    const { entry } = await insert({ insertMethod, insertParams });
    expect(entry).toMatchObject({ kind, content: "小美 moved to Rome." });
    expect(entry?.metadata).toEqual({ persons: ["Ada"], speaker: "Ada", ...metadata });
  });

  test.each<Draft["insertMethod"]>([
    "triple_insert",
    "chunk_insert",
    "segment_insert",
    "emotion_insert",
    "scm_insert",
  ])("%s refuses a draft without what it is for", async (insertMethod) => {
    await expect(insert({ insertMethod })).rejects.toMatchObject({ code: "input_invalid" });
  });

  test("what several actions worked out is kept, whichever came last", async () => {
    const insertParams = { triples, chunkIndex: 1, totalChunks: 2, emotion };
    const { entry } = await insert({ insertMethod: "emotion_insert", insertParams });
    expect(entry?.metadata).toMatchObject({ triples, chunk_index: 1, total_chunks: 2, emotion });
  });
});

describe("summary_insert", () => {
  const options = (target_tier: string | null) => ({ insertOptions: { summary_insert: { target_tier } } });

  test("[S0-42] forces the tier of summaries, or leaves it to the service", async () => {
    const changes = { insertMethod: "summary_insert" } as const;
    expect((await insert(changes, { service: TIERED, ...options("ltm") })).entry?.tier).toBe("ltm");
    expect((await insert(changes, { service: TIERED, ...options(null) })).entry?.tier).toBe("stm");
    expect((await insert(changes, options(null))).entry?.tier).toBeNull();
    const own = { ...changes, insertMode: "active", insertParams: { targetTier: "mtm" } } as const;
    expect((await insert(own, { service: TIERED, ...options(null) })).entry?.tier).toBe("mtm");
    expect((await insert(own, { service: TIERED, ...options("ltm") })).entry?.tier).toBe("ltm");
  });

  test("it claims the tier", () => {
    const action = MEMORY_INSERT.find(({ name }) => name === "summary_insert");
    expect(action?.claims?.({ target_tier: "ltm" })).toEqual({ abilities: ["tiers"], tiers: ["ltm"] });
    expect(action?.claims?.({ target_tier: null })).toEqual({});
  });
});

describe("priority_insert", () => {
  const tiers = [
    { min_importance: 0.5, tier: "mtm" },
    { min_importance: 0.8, tier: "ltm" },
  ];
  const insertOptions = { priority_insert: { tiers } };

  test.each([
    [0.9, "ltm"],
    [0.8, "ltm"],
    [0.6, "mtm"],
    [0.2, "stm"],
  ])("[S0-42][B.0.9-19] importance %d goes to %s", async (importance, name) => {
    const changes = { insertMethod: "priority_insert", importance } as const;
    const { entry } = await insert(changes, { service: TIERED, insertOptions });
    expect(entry).toMatchObject({ importance, tier: name });
  });

  test("a tier that was chosen stands; a priority is an importance; without either the service decides", async () => {
    const method = { insertMethod: "priority_insert" } as const;
    const chosenTier = {
      ...method,
      importance: 0.9,
      insertMode: "active",
      insertParams: { targetTier: "mtm" },
    } as const;
    expect((await insert(chosenTier, { service: TIERED, insertOptions })).entry?.tier).toBe("mtm");
    const prior = { ...method, insertParams: { priority: 0.9 } };
    expect((await insert(prior, { service: TIERED, insertOptions })).entry).toMatchObject({
      tier: "ltm",
      importance: 0.9,
    });
    expect((await insert(method, { service: TIERED, insertOptions })).entry?.tier).toBe("stm");
    const plain = await insert(
      { ...method, importance: 0.9 },
      { insertOptions: { priority_insert: { tiers: null } } },
    );
    expect(plain.entry).toMatchObject({ tier: null, importance: 0.9 });
  });
});

test("[S0-42] multi_index_insert joins the indexes that are named, or all that fit", async () => {
  const found = async (target_indexes: string[] | null) => {
    const { world } = await insert(
      { insertMethod: "multi_index_insert" },
      { insertOptions: { multi_index_insert: { target_indexes } } },
    );
    const hits = await world.service.retrieve(parseScope("alice"), {
      text: "Rome",
      hints: { strategy: "lexical" },
    });
    return hits.length;
  };
  expect(await found(null)).toBe(1);
  expect(await found(["text"])).toBe(1);
  expect(await found([indexNameOf(HASH_SPACE)])).toBe(0);
});
