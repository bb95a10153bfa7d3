/** The paper features of seed 001 on a real collection, with the numbers that presets/features/seed_001.yaml ships. */
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { manualClock } from "../../base/clock.ts";
import { ARCHIVED } from "../../base/entry.ts";
import { PUBLIC, parseScope } from "../../base/scope.ts";
import type { Vector } from "../../base/vector.ts";
import { CollectionManager } from "../../collection/collection-manager.ts";
import { openInMemory } from "../../storage/memory.ts";
import { type AllFeatureOptions, allFeatureOptions, withAllFeatures } from "./all-features.ts";
import { createEbbinghaus } from "./ebbinghaus.ts";
import { createHeat } from "./heat.ts";

const ALICE = parseScope("alice");
const HOUR = 3_600_000;
const SPACE = "hand";

const SEED: AllFeatureOptions = {
  triples: { index_name: "triple_index", top_k: 5 },
  link_evolution: {
    similarity_threshold: 0.7,
    decay_factor: 0.95,
    drop_below: 0.1,
    strengthen_factor: 0.2,
    max_weight: 2,
    max_similar: 20,
    max_neighbours: 100,
    index_name: "default",
  },
  ebbinghaus: {
    strength_threshold: 0.3,
    initial_strength: 0.8,
    decay_per_hour: 0.1,
    reinforcement_factor: 0.2,
  },
  forgetting: { index_name: "default", archive_before_delete: false },
  heat: { cold_threshold: 0.3, hot_threshold: 0.8, decay_per_hour: 0.05 },
  budget: {
    index_name: "default",
    max_candidates: 50,
    token_budget: 2000,
    reserve: 0,
    mode: "stop",
    token_count: "length",
  },
  conflict: {
    index_name: "default",
    max_candidates: 10,
    resolution: "skip",
    detectors: ["attribute_key"],
    similarity_threshold: 0.8,
    require_attribute_key: true,
    min_confidence: 0.7,
  },
};

const at = (degrees: number): Vector => {
  const angle = (degrees * Math.PI) / 180;
  return { space: SPACE, values: Float32Array.of(Math.cos(angle), Math.sin(angle)) };
};

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(change: Partial<AllFeatureOptions> = {}) {
  const clock = manualClock(Date.UTC(2026, 4, 1));
  const manager = new CollectionManager(await openInMemory({ clock }), { clock });
  closing.push(() => manager.close());
  const flat = { kind: "vector_flat", options: { space: SPACE, dimension: 2 } };
  const collection = await manager.create({
    name: "notes",
    profile: "hybrid",
    indexes: [
      ...["default", "triple_index", "stm", "mtm", "ltm"].map((name) => ({ name, ...flat })),
      { name: "text", kind: "text_bm25" },
      { name: "graph", kind: "graph" },
    ],
  });
  const memory = withAllFeatures(
    collection,
    { ...SEED, ...change },
    { clock, conflict: { task: { onBadReply: "throw" } } },
  );
  const add = (
    content: string,
    degrees: number,
    indexes = ["default"],
    tier: string | null = null,
    scope = ALICE,
  ) => collection.insert(scope, { content, vectors: [at(degrees)], indexes, tier });
  return { clock, collection, memory, add };
}

test("[S1-11][S1-16][S1-23][C-30] the shipped file has exactly the seed's constants and nothing else", () => {
  const file = parse(readFileSync("presets/features/seed_001.yaml", "utf8"));
  expect(allFeatureOptions.parse(file)).toEqual(SEED);
  expect(() => allFeatureOptions.parse({ ...file, more: 1 })).toThrow();
  expect(() => allFeatureOptions.parse({ ...file, heat: {} })).toThrow();
});

describe("triples (TiM)", () => {
  test("[S1-6] the whole triple is the content, as it was written, with its hashes", async () => {
    const { memory, collection } = await open();
    const triple = { query: "谁养猫？", passage: "小美养了一只猫。", answer: "小美" };
    const id = await memory.insertTriple(ALICE, { ...triple, vector: at(0), metadata: { source: "chat" } });
    const entry = await collection.get(ALICE, id);
    expect(entry?.content).toBe(JSON.stringify(triple));
    expect(entry?.content).toContain("小美");
    expect(entry?.metadata).toEqual({
      source: "chat",
      type: "triple",
      query_hash: "6b6a7d9d",
      passage_hash: "991ebab3",
    });
    expect(await collection.memberships(ALICE, [id])).toEqual([["triple_index"]]);
  });

  test("[S1-7] the nearest by the passage's vector, best first, triples alone, and unparsable ones left out", async () => {
    const { memory, add, collection } = await open({ triples: { index_name: "triple_index", top_k: 2 } });
    const triple = (n: number) => ({ query: `q${n}`, passage: `p${n}`, answer: `a${n}` });
    for (const n of [0, 30, 60]) await memory.insertTriple(ALICE, { ...triple(n), vector: at(n) });
    await add("no triple", 0, ["triple_index"]);
    const found = await memory.retrieveByQuery(ALICE, at(0));
    expect(found).toEqual([
      { ...triple(0), score: expect.closeTo(1, 5) },
      { ...triple(30), score: expect.closeTo(Math.cos(Math.PI / 6), 5) },
    ]);
    const torn = {
      content: "{torn",
      metadata: { type: "triple" },
      vectors: [at(1)],
      indexes: ["triple_index"],
    };
    await collection.insert(ALICE, torn);
    expect(await memory.retrieveByQuery(ALICE, at(0))).toHaveLength(1);
    expect(await memory.retrieveByQuery(PUBLIC, at(0))).toEqual([]);
  });
});

describe("the forgetting curve (MemoryBank)", () => {
  test("[S1-2][S1-12][S1-13] stand-alone, by observables", async () => {
    const { memory, collection, add } = await open();
    const entry = await collection.get(ALICE, await add("x", 0));
    if (entry === undefined) throw new Error("it is there");
    const curve = createEbbinghaus(SEED.ebbinghaus);
    const { createdAt } = entry;
    expect(curve.strength(entry, createdAt + 5 * HOUR)).toBeCloseTo(0.8 * Math.exp(-0.5), 12);
    expect(curve.shouldForget(entry, createdAt + 9.8 * HOUR)).toBe(false);
    expect(curve.shouldForget(entry, createdAt + 9.9 * HOUR)).toBe(true);
    expect(curve.shouldForget({ ...entry, pinned: true }, createdAt + 99 * HOUR)).toBe(false);
    expect(memory.forgetting.strength(entry, createdAt)).toBe(0.8);
  });

  test("[S1-14][S1-15] what was looked at stays, the rest is deleted from the index's entries, or archived", async () => {
    const { memory, collection, add, clock } = await open();
    const gone = await add("gone", 0);
    const seen = await add("旧事", 0);
    const elsewhere = await add("elsewhere", 0, ["stm"]);
    clock.advance(9 * HOUR);
    await memory.updateAccess(ALICE, seen);
    expect(await collection.get(ALICE, seen)).toMatchObject({ accessCount: 1, lastAccessAt: clock.now() });
    clock.advance(HOUR);
    expect(await memory.applyForgetting(ALICE)).toEqual([gone]);
    expect(await memory.applyForgetting(ALICE)).toEqual([]);
    expect((await collection.scan(ALICE)).map(({ id }) => id)).toEqual([seen, elsewhere]);
  });

  test("[C-11] archive_before_delete keeps them readable", async () => {
    const { memory, collection, add, clock } = await open({
      forgetting: { index_name: "default", archive_before_delete: true },
    });
    const id = await add("old", 0);
    clock.advance(24 * HOUR);
    expect(await memory.applyForgetting(ALICE)).toEqual([id]);
    expect(await collection.get(ALICE, id)).toMatchObject({ tier: ARCHIVED });
    expect(await collection.retrieve(ALICE, { index: "default", vector: at(0) })).toEqual([]);
  });
});

describe("heat (MemoryOS)", () => {
  const TIERS = ["stm", "mtm", "ltm"].map((name) => ({ name, indexes: [name] }));

  test("[S1-17][S1-18] stand-alone: heat and what it calls for, strictly beyond the lines", async () => {
    const { collection, add } = await open();
    const entry = await collection.get(ALICE, await add("x", 0));
    if (entry === undefined) throw new Error("it is there");
    const now = entry.createdAt;
    const heat = createHeat(SEED.heat);
    expect(heat.heat({ ...entry, accessCount: 2 }, now)).toBeCloseTo(0.7, 12);
    expect(heat.action(entry, now)).toBe("none");
    expect(heat.action(entry, now + 10.3 * HOUR)).toBe("demote");
    expect(heat.action({ ...entry, accessCount: 4 }, now)).toBe("promote");
    expect(createHeat({ ...SEED.heat, hot_threshold: 0.5, cold_threshold: 0.5 }).action(entry, now)).toBe(
      "none",
    );
  });

  test("[S1-19][C-9] one tier up or down, by membership alone, and nothing at the ends", async () => {
    const { memory, collection, add, clock } = await open();
    const cold = await add("cold", 0, ["stm"], "stm");
    const last = await add("cold and last", 1, ["ltm"], "ltm");
    clock.advance(11 * HOUR);
    const hot = await add("热", 2, ["ltm"], "ltm");
    const first = await add("hot and first", 3, ["stm"], "stm");
    const untiered = await add("no tier", 4);
    for (let i = 0; i < 4; i++) for (const id of [hot, first, untiered]) await memory.updateAccess(ALICE, id);
    expect(await memory.applyHeatMigration(ALICE, TIERS)).toEqual({ promoted: [hot], demoted: [cold] });
    expect(await collection.memberships(ALICE, [cold, last, hot, first])).toEqual([
      ["mtm"],
      ["ltm"],
      ["mtm"],
      ["stm"],
    ]);
    expect((await collection.getMany(ALICE, [cold, hot])).map((entry) => entry?.tier)).toEqual([
      "mtm",
      "mtm",
    ]);
    expect(await collection.scan(ALICE)).toHaveLength(5);
    const [found] = await collection.retrieve(ALICE, { index: "mtm", vector: at(2), topK: 1 });
    expect(found?.id).toBe(hot);
  });
});

describe("token budget (SCM)", () => {
  const budget = { ...SEED.budget, token_budget: 10 };

  test("[S1-20][S1-21][S1-22] the best first, never over the budget, and the end at the first that does not fit", async () => {
    const { memory, add } = await open({ budget });
    await add("x".repeat(20), 0);
    await add("y".repeat(24), 10);
    await add("z".repeat(8), 20);
    const { kept, tokens } = await memory.retrieveWithBudget(ALICE, { vector: at(0) });
    expect(kept.map(({ content }) => content[0])).toEqual(["x"]);
    expect(tokens).toBe(5);
  });

  test("mode, reserve, max_candidates and the way of counting", async () => {
    const texts = [
      ["x".repeat(20), 0],
      ["y".repeat(24), 10],
      ["四个汉字", 20],
    ] as const;
    const kept = async (change: Partial<typeof budget>) => {
      const { memory, add } = await open({ budget: { ...budget, ...change } });
      for (const [text, degrees] of texts) await add(text, degrees);
      return (await memory.retrieveWithBudget(ALICE, { vector: at(0) })).kept.map(
        ({ content }) => content[0],
      );
    };
    expect(await kept({ mode: "skip_and_fill" })).toEqual(["x", "四"]);
    expect(await kept({ mode: "skip_and_fill", reserve: 5 })).toEqual(["x"]);
    expect(await kept({ mode: "skip_and_fill", max_candidates: 2 })).toEqual(["x"]);
    expect(await kept({ mode: "skip_and_fill", token_count: "estimate", token_budget: 3 })).toEqual(["四"]);
    expect(await kept({ mode: "skip_and_fill", token_count: "length", token_budget: 6 })).toEqual([
      "x",
      "四",
    ]);
  });

  test("[S1-22] also over words, and by the model's own tokenizer where it is given", async () => {
    const { collection, add } = await open();
    await add("a cat and a dog", 0, ["text"]);
    const deps = { tokenizer: (text: string) => text, conflict: { task: { onBadReply: "throw" } } } as const;
    const exact = withAllFeatures(
      collection,
      { ...SEED, budget: { ...budget, index_name: "text", token_budget: 15 } },
      deps,
    );
    expect((await exact.retrieveWithBudget(ALICE, { text: "cat" })).tokens).toBe(15);
  });
});

describe("conflicts (Mem0)", () => {
  const resolved = (resolution: AllFeatureOptions["conflict"]["resolution"]) => ({
    conflict: { ...SEED.conflict, resolution },
  });
  const PARIS = "Alice's city is Paris";
  const ROME = { content: "Alice's city is Rome", vector: at(5) };

  test("[S1-26] what clashes with nothing is inserted", async () => {
    const { memory } = await open();
    const first = await memory.insertWithConflictCheck(ALICE, ROME);
    expect(first).toMatchObject({
      id: expect.any(String),
      action: "inserted",
      conflict: null,
      conflicts: [],
    });
  });

  test.each([
    ["skip", "skipped", [PARIS]],
    ["replace", "replaced", [ROME.content]],
    ["append", "inserted", [PARIS, ROME.content]],
    ["supersede", "superseded", [ROME.content]],
    ["ask", "asked", [PARIS, ROME.content]],
  ] as const)("[S1-26][C-10] %s: the clash is told whatever was done", async (resolution, action, left) => {
    const { memory, collection, add } = await open(resolved(resolution));
    const old = await add(PARIS, 0);
    const done = await memory.insertWithConflictCheck(ALICE, ROME);
    expect(done).toMatchObject({ action, conflict: { id: old, content: PARIS } });
    expect(done.conflicts).toMatchObject([{ detector: "attribute_key", verdict: { kind: "update" } }]);
    expect(done.id === null).toBe(resolution === "skip");
    if (done.id !== null) expect(await collection.memberships(ALICE, [done.id])).toEqual([["default"]]);
    const hits = await collection.retrieve(ALICE, { index: "default", vector: at(0) });
    expect(hits.map(({ content }) => content).toSorted()).toEqual(left.toSorted());
    const kept = await collection.get(ALICE, old);
    expect(kept?.supersededBy ?? null).toBe(resolution === "supersede" ? done.id : null);
    expect(kept === undefined).toBe(resolution === "replace");
    const waiting = (await collection.work(ALICE, 10)).map(({ payload }) => payload);
    expect(waiting).toEqual(
      resolution === "ask" ? [{ name: "crud", entry: done.id, pending_similar: [old] }] : [],
    );
  });

  test("[S1-24][B.1] facts of different attributes do not clash by the seed's numbers, however alike they are", async () => {
    const { memory, add } = await open();
    await add("Alice's job is cook", 0);
    const done = await memory.insertWithConflictCheck(ALICE, ROME);
    expect(done).toMatchObject({ action: "inserted", conflicts: [] });
    await add("小明的工作是厨师", 50);
    const city = { content: "小明的城市是上海", vector: at(51) };
    expect((await memory.insertWithConflictCheck(ALICE, city)).action).toBe("inserted");
  });

  test("what is replaced is out of recall from the moment its successor is in it", async () => {
    const { memory, collection, add } = await open(resolved("replace"));
    const old = await add(PARIS, 0);
    const remove = collection.delete.bind(collection);
    collection.delete = () => Promise.reject(new Error("the power went"));
    await expect(memory.insertWithConflictCheck(ALICE, ROME)).rejects.toThrow("power");
    collection.delete = remove;
    const hits = await collection.retrieve(ALICE, { index: "default", vector: at(0) });
    expect(hits.map(({ content }) => content)).toEqual([ROME.content]);
    expect((await collection.get(ALICE, old))?.supersededBy).toBe(hits[0]?.id);
  });

  test("[S1-23][S1-25] in Chinese too; likeness alone counts above the threshold, for a fact that has an attribute", async () => {
    const { memory, add } = await open({
      conflict: { ...SEED.conflict, detectors: ["attribute_key", "similarity"] },
    });
    await add("小明的城市是北京", 0);
    expect(
      (await memory.insertWithConflictCheck(ALICE, { content: "小明的城市是上海", vector: at(80) })).action,
    ).toBe("skipped");
    const alike = { content: "Bob's job is baker", vector: at(30) };
    expect((await memory.insertWithConflictCheck(ALICE, alike)).conflicts).toMatchObject([
      { detector: "similarity" },
    ]);
    expect((await memory.insertWithConflictCheck(ALICE, { ...alike, vector: at(60) })).action).toBe(
      "inserted",
    );
    expect(
      (await memory.insertWithConflictCheck(ALICE, { content: "It rains.", vector: at(0) })).action,
    ).toBe("inserted");
  });

  test("max_candidates: only so many of the nearest are compared", async () => {
    const { memory, collection, add } = await open({ conflict: { ...SEED.conflict, max_candidates: 1 } });
    await add(PARIS, 80);
    await add("It rains.", 45);
    const { action, id } = await memory.insertWithConflictCheck(ALICE, {
      ...ROME,
      indexes: ["default", "text"],
    });
    expect(action).toBe("inserted");
    const [hit] = await collection.retrieve(ALICE, { index: "text", text: "Rome" });
    expect(hit?.id).toBe(id);
  });

  test("[C-31] a private fact clashes with a public one and leaves it alone", async () => {
    const { memory, collection, add } = await open(resolved("replace"));
    const known = await add(PARIS, 0, ["default"], null, PUBLIC);
    const done = await memory.insertWithConflictCheck(ALICE, ROME);
    expect(done).toMatchObject({ action: "inserted", conflict: { id: known } });
    expect(await collection.get(PUBLIC, known)).toMatchObject({ supersededBy: null });
  });
});

test("[S0-57][S0-68][S1-4][S1-5][S1-8][S1-10] the graph's features are there too, and the collection is as it was", async () => {
  const { memory, collection, add } = await open();
  const one = await add("one", 0);
  await add("two", 10);
  expect(await memory.evolveLinks(ALICE, one)).toBe(1);
  expect(await memory.batchEvolve(ALICE)).toBeGreaterThan(0);
  expect(memory.collection).toBe(collection);
});
