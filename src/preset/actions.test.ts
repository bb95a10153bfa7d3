/** Every action and sub-type there is keeps the laws of actions: a new one is tested by being registered. */
import { expect, test } from "vitest";
import { ACTIONS } from "../actions/index.ts";
import type { JsonObject } from "../base/json.ts";
import type { ActionDefinition, Claims } from "../pipeline/action.ts";
import { STAGES, type Stage } from "../pipeline/stage.ts";
import { measureField, textField } from "../services/vector-fields.ts";
import { testAction } from "../testing/action-suite.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { chosen, type PipelineSetup } from "../testing/pipeline-world.ts";
import { EMOTIONS } from "../text/emotion.ts";
import { checkClaims } from "./check-claims.ts";
import { loadRecommended } from "./load.ts";
import { asObject, variantsOf } from "./option-table.ts";
import type { Preset, PresetAction } from "./preset.ts";

const recommended = await loadRecommended();

/**
 * Options that matter only where the suite's dialogue does not go, or that the schema holds against another one, by
 * action; each is shown by the action's own test.
 */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  "pre_retrieval.optimize.keyword_extract": ["method"],
  "pre_retrieval.route.keyword": ["allow_multi_route", "max_routes"],
  "pre_retrieval.route.local": ["allow_multi_route"],
  "pre_retrieval.route.llm": ["allow_multi_route"],
  "pre_retrieval.validate": ["default_query"],
};

/** Services to try an action on, the one that can do most first. */
const SERVICE_OPTIONS: readonly { readonly name: string; readonly options: JsonObject }[] = [
  {
    name: "hybrid_memory",
    options: {
      ...recommended.service("hybrid_memory"),
      graph_enabled: true,
      graph: {
        walk: "spread",
        seeds: 5,
        passage_node_weight: 0.05,
        depth: 2,
        decay: 0.5,
        link_threshold: 0.7,
        synonymy_threshold: 0.9,
        max_links: 5,
      },
      weights: { vector: 0.5, text: 0.2, graph: 0.3 },
    },
  },
  {
    name: "hierarchical_memory",
    options: { ...recommended.service("hierarchical_memory"), migration_policy: "pending" },
  },
  { name: "graph_memory", options: recommended.service("graph_memory") },
  { name: "graph_memory", options: { ...recommended.service("graph_memory"), enhanced_rerank: true } },
  { name: "short_term_memory", options: recommended.service("short_term_memory") },
  { name: "neuromem_vdb", options: recommended.service("neuromem_vdb") },
];

for (const stage of STAGES) {
  const actions: readonly ActionDefinition[] = ACTIONS[stage];
  for (const action of actions) {
    for (const { subtype } of variantsOf(action.options, action.subtype)) {
      const values = recommended.action(stage, action.name, subtype ?? undefined);
      const options = subtype === null ? { ...values } : { ...values, [action.subtype ?? ""]: subtype };
      const label = [stage, action.name, subtype].filter(Boolean).join(".");
      test(`${label} has recommended values that fit some service`, () => {
        expect(values, "in presets/recommended.yaml").toBeDefined();
        expect(setupFor(action, options)).toBeDefined();
      });
      const setup = values === undefined ? undefined : setupFor(action, options);
      if (setup !== undefined) testAction({ action, options, setup, elsewhere: ELSEWHERE[label] ?? [] });
    }
  }
}

test("recommended values are for services, actions and sub-types that exist", () => {
  for (const { stage, name, values } of recommended.all()) {
    const actions: readonly ActionDefinition[] = ACTIONS[stage];
    const action = actions.find((one) => one.name === name);
    expect(action, `${stage}.${name}`).toBeDefined();
    if (action?.subtype === undefined) continue;
    const subtypes = variantsOf(action.options, action.subtype).map(({ subtype }) => subtype);
    for (const [subtype, part] of Object.entries(values)) {
      expect(subtypes, `${stage}.${name}.${subtype}`).toContain(subtype);
      expect(asObject(part)).toBeDefined();
    }
  }
});

function setupFor(action: ActionDefinition, options: JsonObject): PipelineSetup | undefined {
  const parsed = action.options.safeParse(options);
  const claims = parsed.success ? (action.claims?.(parsed.data) ?? {}) : {};
  const service = SERVICE_OPTIONS.find((one) => fits(one, action, options, claims));
  if (service === undefined) return undefined;
  const embedder = hashEmbedder();
  const asked = (claims.asksVectorFields ?? []).filter((name) => name !== "content");
  const made = [
    ...(claims.vectorFields ?? []),
    ...asked.map((name) => ({ name, dimension: EMOTIONS.length })),
  ];
  const extra = made.map(({ name, dimension }) =>
    dimension === undefined ? textField(name, embedder.spaces) : measureField(name, dimension),
  );
  return {
    service,
    embedder,
    fields: [textField("content", embedder.spaces), ...extra],
    reranker: {
      id: "by-length",
      provider: "test",
      rank: async (_, texts) => Float64Array.from(texts, (text) => -text.length),
    },
    stages: {
      memory_insert: ACTIONS.memory_insert.map((one) => chosen(one, valuesOf("memory_insert", one.name))),
      pre_retrieval: [chosen(embedding(), valuesOf("pre_retrieval", "embedding"))],
      memory_retrieval: ACTIONS.memory_retrieval.map((one) =>
        chosen(one, valuesOf("memory_retrieval", one.name)),
      ),
    },
  };
}

function fits(
  service: Preset["service"],
  action: ActionDefinition,
  options: JsonObject,
  claims: Claims,
): boolean {
  const acted = (stage: Stage): PresetAction[] =>
    action.stage === stage ? [presetAction(action.name, claims, options)] : [];
  const asked = (claims.asksVectorFields ?? []).filter((name) => name !== "content");
  const filled = asked.map((name) => ({ name, dimension: EMOTIONS.length }));
  const methods = ACTIONS.memory_insert.map(({ name }) => presetAction(name, {}));
  const others = methods.filter((one) => one.action !== action.name);
  const preset: Preset = {
    name: "one",
    summary: "One action.",
    file: "",
    input: {
      unit: "turn",
      with_speaker: true,
      window: { by: "turns", size: 1, overlap: 0, context: claims.turnsBefore ?? 0, together: 1 },
    },
    about: null,
    on_bad_reply: "throw",
    on_model_down: "wait",
    models: {
      chat: null,
      embedder: "built_in",
      reranker: { endpoint: "ollama", model: "x", base_url: null, api_key: null },
    },
    prompts: null,
    upkeep: [],
    service,
    stages: {
      pre_insert: [...acted("pre_insert"), presetAction("filler", { vectorFields: filled })],
      memory_insert: action.stage === "memory_insert" ? [...others, ...acted("memory_insert")] : methods,
      post_insert: acted("post_insert"),
      pre_retrieval: [...acted("pre_retrieval"), presetAction("embedding", { queryVector: true })],
      memory_retrieval:
        action.stage === "memory_retrieval" ? acted("memory_retrieval") : [presetAction("default", {})],
      post_retrieval: acted("post_retrieval"),
    },
  };
  return checkClaims(preset).length === 0;
}

function presetAction(action: string, claims: Claims, options: JsonObject = {}): PresetAction {
  return { action, options, claims, path: [] };
}

function embedding(): ActionDefinition<"pre_retrieval"> {
  const found = ACTIONS.pre_retrieval.find(({ name }) => name === "embedding");
  if (found === undefined) throw new Error("there is an action embedding");
  return found;
}

function valuesOf(stage: Stage, name: string): JsonObject {
  return recommended.action(stage, name) ?? {};
}
