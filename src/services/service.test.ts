import { describe, expect, test } from "vitest";
import type { EntryId } from "../base/ids.ts";
import { testService } from "../testing/service-suite.ts";
import { ALICE, type ServiceSubject, type ServiceWorld, type TriggerCase } from "../testing/service-world.ts";
import { SERVICES, serviceNamed } from "./index.ts";

const insights = {
  about: { type: "general" },
  question_count: 3,
  recent_count: 100,
  question_prompt: "reflect_questions",
  prompt: "reflect_insights",
  evidence_count: 10,
  evidence_by: null,
  max_reflections: 5,
  reflection_depth: null,
  store_reflection: true,
  importance: 0.8,
};
const forgetting = {
  vitality: { policy: "ebbinghaus", initial_strength: 0.8, decay_per_hour: 0.1, reinforcement_factor: 0.2 },
  threshold: 0.3,
  retention_min: 2,
  archive_before_delete: true,
  tiers: null,
  max_per_run: null,
  derived_kinds: ["summary"],
};
const summary = {
  trigger_mode: "manual",
  summarize_prompt: "summarize",
  max_words: 50,
  batch_size: 3,
  replace_originals: false,
  importance: 0.7,
  kind: "summary",
};
const days = {
  strategy: "hierarchical",
  windows: ["daily", "weekly", "global"],
  time_zone: "UTC",
  portrait_of: null,
  portrait_prompt: "summarize_day",
  merge_prompt: "merge_portraits",
  closes: "clock",
  target_tiers: null,
};

const clusters = {
  strategy: "clusters",
  recent: 100,
  similarity_threshold: 0.3,
  min_size: 2,
  vitality: { policy: "lfu" },
  target_tier: null,
};

/** What is nearly said already, by a note of each language; the names in it are nearly alike, too. */
const sayAlike: TriggerCase["setUp"] = async (world) => {
  const triples = (subject: string, object: string) => ({
    metadata: { triples: [{ subject, relation: "is not", object }] },
  });
  await world.say(
    ALICE,
    "Melanie plays the violin in Vienna",
    triples("Vienna Central Station", "Vienna West Station"),
  );
  await world.say(ALICE, "王芳在上海开了一家咖啡馆", triples("上海人民公园", "北京人民公园"));
};

/** A middle note linked to two others, and looked at together with one of them. */
const lookAtLinked: TriggerCase["setUp"] = async (world, notes) => {
  const [one, middle, another] = notes;
  if (one === undefined || middle === undefined || another === undefined) throw new Error("too few notes");
  const link = { from: middle, type: "link", weight: 1, directed: false };
  await world.store.link(ALICE, [
    { ...link, to: one },
    { ...link, to: another },
  ]);
  world.clock.advance(60_000);
  await look(world, [one, middle]);
};

async function look(world: ServiceWorld, ids: readonly EntryId[]): Promise<void> {
  const entries = await world.store.getMany(ALICE, ids);
  await world.service.touch(
    ALICE,
    entries.filter((entry) => entry !== undefined),
  );
}

/** One thing after another, the last because of the first. */
const sayInARow: TriggerCase["setUp"] = async (world) => {
  const cause = await world.say(ALICE, "The last train was cancelled");
  await world.say(ALICE, "最后一班火车取消了");
  await world.say(ALICE, "Oliver stayed in a hotel", {
    metadata: { causes: [{ id: cause, confidence: 0.9 }] },
  });
};

/** Cases for every trigger, each tried on every service that has the trigger. */
const triggers: ServiceSubject["triggers"] = {
  reflection: [
    { config: { trigger_mode: "manual", ...insights } },
    { config: { trigger_mode: "count", memory_count: 3, ...insights } },
    {
      config: {
        trigger_mode: "threshold",
        importance_threshold: 10,
        unjudged_importance: 0.5,
        ...insights,
      },
    },
    { config: { trigger_mode: "periodic", interval_minutes: 60, ...insights } },
  ],
  forgetting: [
    { config: forgetting },
    { config: { ...forgetting, archive_before_delete: false }, deletes: true },
  ],
  summarize: [
    { config: { strategy: "single", group_by: null, ...summary } },
    { config: { strategy: "single", group_by: null, ...summary, replace_originals: true } },
    {
      config: {
        strategy: "single",
        group_by: null,
        ...summary,
        trigger_mode: "periodic",
        interval_minutes: 60,
      },
    },
    { config: { strategy: "incremental", ...summary, trigger_mode: "overflow", min_count: 2 } },
    { config: { ...days, ...summary } },
    { config: { ...clusters, ...summary }, setUp: sayAlike },
    { config: { ...clusters, ...summary, replace_originals: true }, setUp: sayAlike },
  ],
};

const untransformed = {
  upgrade_transform: "none",
  downgrade_transform: "none",
  summarize_prompt: "summarize",
  summary_max_words: 50,
  summary_batch: 10,
};
const byHeat = {
  migrate_policy: "heat",
  vitality: { policy: "lru" },
  hot_threshold: 0,
  hot_move: "promote",
  cold_threshold: null,
  ...untransformed,
};
/** One that lies at the back. */
const lookAtLast: TriggerCase["setUp"] = async (world) => {
  const insertParams = { targetTier: world.service.traits.tiers.at(-1) };
  const id = await world.remember(ALICE, 0, { insertMode: "active", insertParams });
  world.clock.advance(60_000);
  await look(world, [id]);
};
/** For services with tiers. */
const moving: NonNullable<ServiceSubject["triggers"]> = {
  ...triggers,
  migrate: [
    { config: { ...byHeat, hot_threshold: null, cold_threshold: -24 } },
    { config: byHeat, setUp: lookAtLast },
    {
      config: {
        migrate_policy: "time",
        session_gap_seconds: 3600,
        ...untransformed,
        downgrade_transform: "summarize",
      },
    },
    {
      config: {
        migrate_policy: "manual",
        ids: null,
        filter: { op: "eq", field: "kind", value: "memory" },
        target_tier: "ltm",
        ...untransformed,
      },
    },
  ],
};

const plain = { collection_name: "notes", vitality: null };
const common = { ...plain, top_k: 10 };

const tier = (name: string, capacity: number | null, membership: "exclusive" | "overlay" = "exclusive") => ({
  name,
  capacity,
  membership,
  indexes: ["queue", "vector", "text"],
});

const hybrid = {
  ...common,
  graph_enabled: false,
  graph: null,
  fusion_strategy: "weighted",
  weights: { vector: 0.7, text: 0.3, graph: null },
  rrf_k: null,
  overfetch: 2,
  text: { k1: 1.2, b: 0.75, around: [], dates: false },
  conflict_check: { similarity: 0.9, top: 5 },
};

const graph = {
  ...common,
  graph_type: "knowledge_graph",
  edge_policy: "bidirectional",
  link_mode: "auto",
  max_links: 10,
  synonymy_threshold: 0.8,
  retrieve_method: "ppr",
  ppr: { damping: 0.5, epsilon: 1e-6, depth: null },
  ...{ normaliser: "unicode", enhanced_rerank: false, passage_edge_weight: 1, doc_ensemble: null },
  seeds: { linking_top_k: 5, passage_node_weight: 0.05, link_threshold: 0.8, node_specificity: true },
  walk: { depth: 2, decay: 0.5 },
};
/** For services with a graph. */
const linking: ServiceSubject["triggers"] = {
  ...triggers,
  link_evolution: [
    {
      config: { link_policy: "synonym_edge", knn_k: 5, threshold: 0.5, synonym_merge: "add", edge_weight: 1 },
      setUp: sayAlike,
    },
    {
      config: { link_policy: "strengthen", strengthen_factor: 0.1, decay_rate: 0.01, max_weight: 10 },
      setUp: lookAtLinked,
    },
    { config: { link_policy: "activate", depth: 2, decay: 0.5 }, setUp: lookAtLinked },
    {
      config: { link_policy: "auto_link", max_links: 5, threshold: 0.5, auto_link_prompt: "evolve_note" },
      setUp: sayAlike,
    },
    {
      config: {
        link_policy: "evolve_note",
        neighbours: 5,
        prompt: "evolve_note",
        update_target: "neighbour",
        reembed: null,
        rebuild: null,
      },
      setUp: sayAlike,
    },
    {
      config: {
        link_policy: "route",
        temporal: { window_seconds: 300, min_weight: 0.1, max_links: 5, max_weight: 2 },
        semantic: { similarity_threshold: 0.5, max_links: 10, max_weight: 2 },
        causal: { min_confidence: 0.8, max_links: 10, max_weight: 2 },
        strengthen_by: 0.1,
        max_out_edges: 3,
      },
      setUp: sayInARow,
    },
    {
      config: {
        link_policy: "evolve_links",
        similarity_threshold: 0.5,
        decay_factor: 0.95,
        drop_below: 0.1,
        strengthen_factor: 0.2,
        max_weight: 2,
        max_similar: 20,
        max_neighbours: 100,
      },
      setUp: sayAlike,
    },
  ],
};

/** One line per service, or per form of one. */
const SUBJECTS: readonly ServiceSubject[] = [
  { name: "neuromem_vdb", options: common, triggers },
  { name: "short_term_memory", options: { ...common, maxlen: 50 }, crowded: { maxlen: 4 }, triggers },
  {
    name: "key_value_memory",
    options: {
      ...common,
      match_type: "exact",
      key_extractor: "entity",
      max_keys: 8,
      fuzzy_threshold: 0.8,
      semantic_threshold: 0.7,
      case_sensitive: false,
    },
    triggers,
  },
  {
    name: "vector_hash_memory",
    options: {
      ...plain,
      k_nearest: 10,
      form: "sign",
      lsh_nbits: 32,
      seed: 1,
      max_hamming: 16,
    },
    triggers,
  },
  {
    name: "vector_hash_memory",
    variant: "argmax",
    options: {
      ...plain,
      k_nearest: 10,
      form: "argmax",
      lsh_nbits: 3,
      seed: 1,
      max_hamming: null,
    },
    triggers,
  },
  { name: "graph_memory", options: graph, triggers: linking },
  {
    name: "graph_memory",
    variant: "facts",
    options: { ...graph, enhanced_rerank: true, passage_edge_weight: 0.5 },
    triggers: linking,
  },
  {
    name: "graph_memory",
    variant: "names alone",
    options: { ...graph, passage_edge_weight: null, seeds: { ...graph.seeds, passage_node_weight: 0 } },
    triggers: linking,
  },
  {
    name: "graph_memory",
    variant: "link_graph, pending",
    options: { ...graph, graph_type: "link_graph", link_mode: "pending", retrieve_method: "bfs" },
    triggers: linking,
    async provoke(world) {
      for (const n of [0, 0, 0]) await world.remember(ALICE, n);
    },
  },
  {
    name: "hierarchical_memory",
    options: {
      ...common,
      tiers: [tier("stm", 2), tier("mtm", 2), tier("ltm", null)],
      migration_policy: "auto",
      eviction: null,
      graph: null,
    },
    triggers: moving,
  },
  {
    name: "hierarchical_memory",
    variant: "overlay, pending",
    options: {
      ...common,
      tiers: [tier("cache", 3, "overlay"), tier("ltm", null)],
      migration_policy: "pending",
      eviction: null,
      graph: null,
    },
    triggers: {
      ...moving,
      migrate: [
        ...(moving.migrate ?? []),
        { config: { migrate_policy: "overflow", ...untransformed } },
        { config: { migrate_policy: "overflow", ...untransformed, downgrade_transform: "summarize" } },
      ],
    },
    async provoke(world) {
      for (let n = 0; n < 6; n++) await world.remember(ALICE, n);
    },
  },
  {
    name: "hybrid_memory",
    options: hybrid,
    triggers,
    async provoke(world) {
      for (const n of [0, 0, 0]) await world.remember(ALICE, n);
    },
  },
  {
    name: "hybrid_memory",
    variant: "graph",
    options: {
      ...hybrid,
      graph_enabled: true,
      graph: {
        walk: "spread",
        seeds: 5,
        passage_node_weight: 0.5,
        depth: 2,
        decay: 0.5,
        link_threshold: 0.8,
        synonymy_threshold: 0.8,
        max_links: 5,
      },
      weights: null,
      fusion_strategy: "union",
      conflict_check: null,
    },
    triggers: linking,
  },
];

for (const subject of SUBJECTS) testService(subject);

describe("the registry of services", () => {
  test("[S0-3][S0-66] every service is registered under its own name, and tested", () => {
    const tested = new Set(SUBJECTS.map(({ name }) => name));
    for (const [name, definition] of Object.entries(SERVICES)) {
      expect(definition.name).toBe(name);
      expect(definition.summary).toMatch(/\S.*\.$/);
      expect(tested, `src/services/service.test.ts has no subject for ${name}`).toContain(name);
    }
  });

  test("an unknown service is refused with the nearest name", () => {
    expect(() => serviceNamed("short_term_memry")).toThrow(
      expect.objectContaining({
        code: "service_not_found",
        message: expect.stringContaining('"short_term_memory"?'),
      }),
    );
  });
});
