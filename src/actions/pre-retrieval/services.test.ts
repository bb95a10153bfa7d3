/** Every action on every service: what the claims allow runs, and what they do not allow the service itself refuses. */
import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { type ActionDefinition, bindAction, type Claims } from "../../pipeline/action.ts";
import type { ServiceTraits } from "../../services/service.ts";
import { openRetrievalWorld } from "../../testing/retrieval-world.ts";
import { decompose } from "./decompose.ts";
import { embedding } from "./embedding.ts";
import { multiEmbed } from "./multi-embed.ts";
import { optimize } from "./optimize.ts";
import { plan } from "./plan.ts";
import { route } from "./route.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const common = { collection_name: "notes", top_k: 10, vitality: null };
const tier = { capacity: null, membership: "exclusive", indexes: ["queue", "vector", "text"] };
const SERVICES: Readonly<Record<string, JsonObject>> = {
  short_term_memory: { ...common, maxlen: 10 },
  key_value_memory: {
    ...common,
    match_type: "exact",
    key_extractor: "entity",
    max_keys: 8,
    fuzzy_threshold: 0.8,
    semantic_threshold: 0.1,
    case_sensitive: false,
  },
  vector_hash_memory: {
    collection_name: "notes",
    k_nearest: 10,
    vitality: null,
    form: "sign",
    lsh_nbits: 8,
    seed: 1,
    max_hamming: 8,
  },
  neuromem_vdb: common,
  graph_memory: {
    ...common,
    graph_type: "link_graph",
    edge_policy: "bidirectional",
    link_mode: "auto",
    max_links: 3,
    synonymy_threshold: 0.1,
    retrieve_method: "ppr",
    ppr: { damping: 0.5, epsilon: 1e-4, depth: null },
    ...{ normaliser: "unicode", enhanced_rerank: false, passage_edge_weight: 1, doc_ensemble: null },
    seeds: { linking_top_k: 5, passage_node_weight: 0.05, link_threshold: 0.8, node_specificity: false },
    walk: { depth: 2, decay: 0.5 },
  },
  hierarchical_memory: {
    ...common,
    tiers: [
      { name: "stm", ...tier, capacity: 2 },
      { name: "ltm", ...tier },
    ],
    migration_policy: "auto",
    eviction: null,
    graph: null,
  },
  hybrid_memory: {
    ...common,
    graph_enabled: false,
    graph: null,
    fusion_strategy: "weighted",
    weights: { vector: 0.7, text: 0.3, graph: null },
    rrf_k: null,
    overfetch: 2,
    text: { k1: 1.2, b: 0.75, around: [], dates: false },
    conflict_check: null,
  },
};

const own = { strategy: null, params: {} };
const one = { allow_multi_route: false, max_routes: null, keep_default: false, default_route: own };
const rule = (strategy: string, params: JsonObject) => ({
  route_strategy: "keyword",
  rules: [{ keywords: ["mia", "小美"], strategy, params }],
  ...one,
});
const keywords = {
  optimize_type: "keyword_extract",
  method: "local",
  keyword_prompt: null,
  max_keywords: 8,
  with_entities: true,
  replace_original: false,
};

const ACTIONS: Readonly<Record<string, readonly [ActionDefinition<"pre_retrieval">, JsonObject]>> = {
  embedding: [embedding, { embedding_model: "default", spaces: "all" }],
  multi_embed: [
    multiEmbed,
    { fields: [{ name: "content", kind: "text", weight: 1 }], spaces: "all", emotion_prompt: null },
  ],
  "search by words": [optimize, { ...keywords, search_by: "lexical" }],
  "search by key": [optimize, { ...keywords, search_by: "key" }],
  "decompose in turn": [
    decompose,
    { decompose_strategy: "rule", max_sub_queries: 5, order: "sequential", keep_original: true },
  ],
  "route by time and names": [
    route,
    {
      route_strategy: "local",
      ...one,
      allow_multi_route: true,
      max_routes: 2,
      time_route: own,
      time_margin_days: 1,
      name_route: { strategy: "lexical", params: {} },
    },
  ],
  "route to a tier": [route, rule("semantic", { tiers: ["ltm"] })],
  "route to a walk": [route, rule("graph", { depth: 1 })],
  "route by time": [route, rule("temporal", { time_range: { from: 0 } })],
  "route to several indexes": [route, rule("multi_index", { weights: { vector: 1, text: 2 } })],
  plan: [
    plan,
    {
      max_queries: 4,
      semantic_top_k: 25,
      keyword_top_k: 5,
      structured_top_k: 5,
      time_margin_days: 0,
      plan_prompt: "plan_information",
      queries_prompt: "targeted_queries",
      analysis_prompt: "analyse_query",
    },
  ],
};

const QUESTIONS = [
  "Where does Mia live and who saw Mia last week?",
  "小美住在哪里，以及谁上周在上海见过小美？",
];

describe.each(Object.keys(SERVICES))("%s", (name) => {
  test.each(Object.keys(ACTIONS))("[B.0.9-1] [S0-36] %s", async (title) => {
    const [action, options] = ACTIONS[title]!;
    const embed = { action: embedding, options: { embedding_model: "default", spaces: "all" } };
    const world = await openRetrievalWorld({
      service: { name, options: SERVICES[name]! },
      pre: [{ action, options }, ...(action === multiEmbed ? [] : [embed])],
    });
    closers.push(world.close);
    await world.say([
      "Mia lives in Berlin.",
      "Ben saw Mia in Rome.",
      "小美住在上海。",
      "大伟在上海见过小美。",
    ]);
    const { claims } = bindAction(action, action.options.parse(options));
    for (const text of QUESTIONS) {
      const asked = world.ask(text);
      if (fits(claims, world.service.traits)) expect((await asked).lists.length).toBeGreaterThan(0);
      else await expect(asked).rejects.toMatchObject({ code: "capability_missing" });
    }
  });
});

function fits({ hints = [] }: Claims, { strategies }: ServiceTraits): boolean {
  const ways = Object.entries(strategies);
  return hints.every(({ strategy, names }) => {
    const reads = ways.find(([way]) => strategy === undefined || way === strategy)?.[1];
    return reads !== undefined && names.every((hint) => reads.includes(hint));
  });
}
