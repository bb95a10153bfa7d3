import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { parseScope } from "../../base/scope.ts";
import type { PipelineSetup } from "../../testing/pipeline-world.ts";
import {
  openPostInsertWorld,
  type PostInsertSetup,
  type PostInsertWorld,
} from "../../testing/post-insert-world.ts";
import { statusBased } from "./status-based.ts";

const ALICE = parseScope("alice");

const STAY: JsonObject = {
  upgrade_transform: "none",
  downgrade_transform: "none",
  summarize_prompt: "summarize",
  summary_max_words: 50,
  summary_batch: 10,
};
const FORGET: JsonObject = {
  vitality: { policy: "lru" },
  threshold: 1,
  retention_min: 2,
  archive_before_delete: true,
  tiers: ["ltm"],
  max_per_run: null,
  derived_kinds: [],
};
const LINK: JsonObject = {
  link_policy: "auto_link",
  max_links: 5,
  threshold: 0.5,
  auto_link_prompt: "evolve_note",
};
const SYNONYM: JsonObject = {
  link_policy: "synonym_edge",
  knn_k: 5,
  threshold: 0.5,
  synonym_merge: "add",
  edge_weight: 1,
};

const NOTHING: JsonObject = {
  max_items: 100,
  migrate: null,
  forget: null,
  crud: null,
  link: null,
  synonym: null,
};

const common = { collection_name: "notes", top_k: 10, vitality: null };

const tier = (name: string, capacity: number | null): JsonObject => ({
  name,
  capacity,
  membership: "exclusive",
  indexes: ["queue", "vector", "text"],
});
const tiers = (...all: JsonObject[]): PipelineSetup["service"] => ({
  name: "hierarchical_memory",
  options: { ...common, tiers: all, migration_policy: "pending", eviction: null, graph: null },
});

const HYBRID: PipelineSetup["service"] = {
  name: "hybrid_memory",
  options: {
    ...common,
    graph_enabled: false,
    graph: null,
    fusion_strategy: "weighted",
    weights: { vector: 0.7, text: 0.3, graph: null },
    rrf_k: null,
    overfetch: 2,
    text: { k1: 1.2, b: 0.75, around: [], dates: false },
    conflict_check: { similarity: 0.3, top: 5 },
  },
};

const graph = (graph_type: string): PipelineSetup["service"] => ({
  name: "graph_memory",
  options: {
    ...common,
    graph_type,
    edge_policy: "bidirectional",
    link_mode: "pending",
    max_links: 5,
    synonymy_threshold: 0.5,
    retrieve_method: "spread",
    ppr: { damping: 0.5, epsilon: 0.0001, depth: null },
    ...{ normaliser: "unicode", enhanced_rerank: false, passage_edge_weight: 1, doc_ensemble: null },
    seeds: { linking_top_k: 5, passage_node_weight: 0.05, link_threshold: 0.8, node_specificity: true },
    walk: { depth: 2, decay: 0.5 },
  },
});

const worlds: PostInsertWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function open(
  service: PipelineSetup["service"],
  options: JsonObject | null,
  setup: Partial<PostInsertSetup> = {},
): Promise<PostInsertWorld> {
  const post = options === null ? [] : [{ action: statusBased, options: { ...NOTHING, ...options } }];
  const world = await openPostInsertWorld({ ...setup, service, post });
  worlds.push(world);
  return world;
}

const waiting = async (world: PostInsertWorld) => (await world.service.getStatus(ALICE)).count;

describe("[S0-20][S0-23][C-19] what waits is settled, and exactly that", () => {
  test("[B.0.9-20][B.0.9-21] migrate: each item of the queue, in turn; ids stay", async () => {
    const world = await open(tiers(tier("stm", 1), tier("ltm", null)), { migrate: STAY });
    const { inserted } = await world.say(["red tea", "green tea", "绿茶"]);
    const entries = await world.all();
    expect(entries.map(({ id }) => id)).toEqual(inserted.map(({ id }) => id));
    expect(entries.map(({ tier }) => tier)).toEqual(["ltm", "ltm", "stm"]);
    expect(world.notes()).toEqual({ settled: { migrate: 2 }, waiting: 0 });
  });

  test("migrate: what becomes of it on the way is the preset's; a full next tier is next in the queue", async () => {
    const world = await open(tiers(tier("stm", 1), tier("mtm", 1), tier("ltm", null)), {
      migrate: { ...STAY, downgrade_transform: "summarize", summary_max_words: 5 },
    });
    await world.say(["Ada likes red tea.", "Ada likes green tea.", "Ada likes black tea."]);
    expect(await waiting(world)).toBe(0);
    const entries = await world.all();
    expect(entries.some(({ kind }) => kind === "summary")).toBe(true);
    expect(entries.find(({ content }) => content === "Ada likes red tea.")?.tier).toBe("ltm");
  });

  test("max_items: no more after one packet; the rest waits", async () => {
    const world = await open(tiers(tier("stm", 1), tier("ltm", null)), { migrate: STAY, max_items: 1 });
    await world.say(["one tea", "two tea", "three tea", "four tea"]);
    expect(world.notes()).toEqual({ settled: { migrate: 1 }, waiting: 2 });
  });

  test("[B.0.9-21] without a handler, and over a restart, everything waits", async () => {
    const service = tiers(tier("stm", 1), tier("ltm", null));
    const before = await open(service, {});
    await before.say(["one tea", "two tea", "three tea"]);
    expect(before.notes()).toEqual({ settled: {}, waiting: 2 });
    const after = await open(service, { migrate: STAY }, { storage: before.storage });
    expect(await waiting(after)).toBe(2);
    await after.say(["four tea"]);
    expect(after.notes()).toEqual({ settled: { migrate: 3 }, waiting: 0 });
  });

  test("forget: the sweep that the preset describes makes room in the last tier", async () => {
    const world = await open(tiers(tier("stm", 1), tier("ltm", 2)), { migrate: STAY, forget: FORGET });
    await world.say(["one tea", "two tea", "three tea", "four tea", "five tea"]);
    expect(await waiting(world)).toBe(0);
    const tierNames = (await world.all()).map((entry) => entry.tier);
    expect(tierNames.filter((name) => name === "ltm")).toHaveLength(2);
    expect(tierNames.filter((name) => name === "archived")).toHaveLength(2);
    const gone = await open(tiers(tier("stm", 1), tier("ltm", 2)), {
      migrate: STAY,
      forget: { ...FORGET, archive_before_delete: false },
    });
    await gone.say(["one tea", "two tea", "three tea", "four tea", "five tea"]);
    expect(await gone.all()).toHaveLength(3);
  });

  test("crud: what may clash is decided, also where it waited since before", async () => {
    const before = await open(HYBRID, null);
    await before.say(["Ada's city is Rome."]);
    await before.say(["Ada's city is Oslo."]);
    expect(await waiting(before)).toBe(1);
    const after = await open(HYBRID, { crud: { prompt: "decide_crud" } }, { storage: before.storage });
    after.clock.advance(1000);
    await after.say(["小明住在北京。"]);
    await after.say(["小明住在上海。"]);
    expect(await after.current()).toEqual(["Ada's city is Oslo.", "小明住在上海。"]);
    expect(await waiting(after)).toBe(0);
  });

  test("crud: what both say together takes the place of both, by the prompt that is named, and asks nobody again", async () => {
    const text = "Ada moved from Rome to Oslo.";
    const chat = JSON.stringify({ decisions: [{ fact: 0, event: "UPDATE", id: 0, text }] });
    const promptFiles = { my_crud: "Weigh it.\n\n---\n\n{{facts}}\n\n{{memories}}\n" };
    const world = await open(HYBRID, { crud: { prompt: "my_crud" } }, { chat, promptFiles });
    await world.say(["Ada's city is Rome."]);
    await world.say(["Ada's city is Oslo."]);
    expect(await world.current()).toEqual([text]);
    expect(world.asked()).toContain("Weigh it.");
    expect(await waiting(world)).toBe(0);
    const [first, second, merged] = await world.all();
    expect(merged?.sources).toEqual([...(first?.sources ?? []), ...(second?.sources ?? [])]);
  });

  test("crud: a bad reply falls back to the rules, or leaves the item waiting", async () => {
    const chat = "no idea";
    const lenient = await open(HYBRID, { crud: { prompt: "decide_crud" } }, { chat, onBadReply: "fallback" });
    await lenient.say(["Ada's city is Rome."]);
    await lenient.say(["Ada's city is Oslo."]);
    expect(await lenient.current()).toEqual(["Ada's city is Oslo."]);
    const strict = await open(HYBRID, { crud: { prompt: "decide_crud" } }, { chat, onBadReply: "throw" });
    await strict.say(["Ada's city is Rome."]);
    await expect(strict.say(["Ada's city is Oslo."])).rejects.toMatchObject({ code: "reply_invalid" });
    expect(await strict.current()).toHaveLength(2);
    expect(await waiting(strict)).toBe(1);
  });

  test("[B.0.9-5] link: the new note is linked", async () => {
    const world = await open(graph("link_graph"), { link: LINK });
    const { inserted } = await world.say(["Ada owns a red dog.", "Ada owns a big red dog."]);
    const [first, second] = inserted.map(({ id }) => id);
    const edges = await world.storage.edges(ALICE, "notes", second === undefined ? [] : [second]);
    expect(edges.map(({ from, to }) => [from, to])).toEqual([[second, first]]);
    expect(world.notes()).toEqual({ settled: { link: 1 }, waiting: 0 });
    const none = await open(graph("link_graph"), { link: { ...LINK, threshold: 1 } });
    const other = await none.say(["Ada owns a red dog.", "Ada owns a big red dog."]);
    const ids = other.inserted.map(({ id }) => id);
    expect(await none.storage.edges(ALICE, "notes", ids)).toEqual([]);
    expect(await waiting(none)).toBe(0);
  });

  test("synonym: names of the same thing are joined", async () => {
    const world = await open(graph("knowledge_graph"), { synonym: SYNONYM });
    const state = (subject: string) => ({ triples: [{ subject, relation: "is in", object: "Italy" }] });
    await world.service.insert(ALICE, { content: "a", metadata: state("Old Rome") });
    await world.service.insert(ALICE, { content: "b", metadata: state("Rome") });
    expect(await waiting(world)).toBe(1);
    await world.say(["tea"]);
    expect(world.notes()).toEqual({ settled: { synonym: 1 }, waiting: 0 });
    const all = await world.all();
    const edges = await world.storage.edges(
      ALICE,
      "notes",
      all.map(({ id }) => id),
    );
    expect(edges.filter(({ type }) => type === "synonym")).toHaveLength(1);
  });
});

test("what it needs of a preset", () => {
  const claims = (options: JsonObject) =>
    statusBased.claims?.(statusBased.options.parse({ ...NOTHING, ...options }));
  expect(claims({})).toEqual({
    ...{ pending: [], triggers: [], tiers: [], prompts: [], abilities: [], embedder: false },
  });
  expect(claims({ forget: { ...FORGET, tiers: ["stm"] } })).toMatchObject({ tiers: ["stm"] });
  expect(claims({ migrate: STAY, forget: FORGET })).toMatchObject({
    pending: ["migrate", "forget"],
    embedder: false,
    triggers: ["migrate", "forgetting"],
    prompts: [{ prompt: "summarize" }],
  });
  expect(claims({ link: LINK, synonym: SYNONYM })).toMatchObject({
    pending: ["link", "synonym"],
    abilities: ["vector"],
    embedder: true,
    triggers: ["link_evolution"],
    prompts: [{ prompt: "evolve_note" }],
  });
  expect(claims({ crud: { prompt: "decide_crud" } })).toMatchObject({
    cycle: true,
    hints: [{ strategy: "structured", names: [] }],
    prompts: [{ prompt: "decide_crud" }],
  });
});
