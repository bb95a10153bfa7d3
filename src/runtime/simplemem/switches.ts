/**
 * SimpleMem's switches (S2-32), by the names its users know. Each changes the preset simplemem, which says what is at work
 * where a switch is not set; the memories are the same whatever is switched.
 */
import { dirname, join } from "node:path";
import { z } from "zod";
import { invariant } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import { parseInput } from "../../base/parse-input.ts";
import type { Stage } from "../../pipeline/stage.ts";
import { loadPreset, parsePreset } from "../../preset/load.ts";
import type { Preset } from "../../preset/preset.ts";

const count = z.int().min(1);
const schema = z.strictObject({
  window_size: count.optional(),
  overlap_size: z.int().min(0).optional(),
  enable_parallel_processing: z.boolean().optional(),
  max_parallel_workers: count.optional(),
  enable_planning: z.boolean().optional(),
  enable_reflection: z.boolean().optional(),
  max_reflection_rounds: z.int().min(1).max(10).optional(),
  enable_parallel_retrieval: z.boolean().optional(),
  max_retrieval_workers: count.optional(),
  semantic_top_k: count.optional(),
  keyword_top_k: count.optional(),
  structured_top_k: count.optional(),
  max_context_tokens: count.optional(),
});

/** @default of each: the preset's */
export interface Switches {
  /** Turns that are compressed together. More: fewer calls, and a greater risk that the model leaves something out. */
  readonly window_size?: number | undefined;
  /** Turns at the end of a window that the next one reads again. */
  readonly overlap_size?: number | undefined;
  /** Whether several windows of a backlog are compressed at once; they do not see each other's memories then. */
  readonly enable_parallel_processing?: boolean | undefined;
  /** How many. */
  readonly max_parallel_workers?: number | undefined;
  /** Off: a question is one search by meaning. */
  readonly enable_planning?: boolean | undefined;
  /** Whether it is checked that what was found is enough, and searched again for what is missing. */
  readonly enable_reflection?: boolean | undefined;
  readonly max_reflection_rounds?: number | undefined;
  /** Whether the planned queries are searched for at once. */
  readonly enable_parallel_retrieval?: boolean | undefined;
  /** How many. */
  readonly max_retrieval_workers?: number | undefined;
  /** Hits of every search by meaning, of the one by words, and of the one by facts. */
  readonly semantic_top_k?: number | undefined;
  readonly keyword_top_k?: number | undefined;
  readonly structured_top_k?: number | undefined;
  /** Most tokens of all that a question finds. */
  readonly max_context_tokens?: number | undefined;
}

/** What is at work, every switch with its value. */
export type Settings = z.infer<typeof settingsSchema>;
const settingsSchema = schema.required();

const NAME = "simplemem";

export async function switched(
  given: Switches,
): Promise<{ readonly preset: Preset; readonly settings: Settings }> {
  const switches = parseInput(schema, given, "options of SimpleMem");
  const base = await loadPreset(NAME);
  const set = Object.fromEntries(Object.entries(switches).filter(([, value]) => value !== undefined));
  const settings = settingsSchema.parse({ ...standing(base), ...set });
  const preset = await parsePreset(
    JSON.stringify(changed(base, settings)),
    join(dirname(base.file), `${NAME}-switched.yaml`),
  );
  return { preset, settings };
}

/** The switches as the preset has them. */
function standing(base: Preset): JsonObject {
  const of = (stage: Stage, action: string): JsonObject => {
    const found = base.stages[stage].find((one) => one.action === action);
    invariant(found !== undefined, `The preset ${NAME} has no ${action}`);
    return found.options;
  };
  const compress = of("pre_insert", "compress_window");
  const plan = of("pre_retrieval", "plan");
  const reflective = of("memory_retrieval", "reflective");
  return {
    window_size: compress.window_size ?? null,
    overlap_size: compress.overlap ?? null,
    enable_parallel_processing: true,
    max_parallel_workers: compress.parallel_windows ?? null,
    enable_planning: true,
    enable_reflection: true,
    max_reflection_rounds: reflective.max_rounds ?? null,
    enable_parallel_retrieval: true,
    max_retrieval_workers: reflective.parallel_searches ?? null,
    semantic_top_k: plan.semantic_top_k ?? null,
    keyword_top_k: plan.keyword_top_k ?? null,
    structured_top_k: plan.structured_top_k ?? null,
    max_context_tokens: of("post_retrieval", "filter").budget ?? null,
  };
}

/** A preset that extends simplemem by what the switches say. */
function changed(base: Preset, settings: Settings): JsonObject {
  const {
    window_size: size,
    overlap_size: overlap,
    semantic_top_k,
    keyword_top_k,
    structured_top_k,
  } = settings;
  const parallel = settings.enable_parallel_processing ? settings.max_parallel_workers : 1;
  const searches = settings.enable_parallel_retrieval ? settings.max_retrieval_workers : 1;
  const rounds = settings.enable_reflection ? settings.max_reflection_rounds : 0;
  const stage = (name: Stage, action: string, changes: JsonObject): JsonObject[] =>
    base.stages[name].map((one) => ({
      action: one.action,
      ...one.options,
      ...(one.action === action ? changes : {}),
    }));
  const planned = {
    pre_retrieval: stage("pre_retrieval", "plan", { semantic_top_k, keyword_top_k, structured_top_k }),
    memory_retrieval: stage("memory_retrieval", "reflective", {
      max_rounds: rounds,
      reflect_top_k: semantic_top_k,
      parallel_searches: searches,
    }),
  };
  return {
    name: NAME,
    summary: base.summary,
    extends: NAME,
    input: { ...base.input, window: { ...base.input.window, size, overlap, together: parallel } },
    service: { name: base.service.name, top_k: semantic_top_k },
    stages: {
      pre_insert: stage("pre_insert", "compress_window", {
        window_size: size,
        overlap,
        parallel_windows: parallel,
      }),
      ...(settings.enable_planning ? planned : BY_MEANING),
      post_retrieval: stage("post_retrieval", "filter", { budget: settings.max_context_tokens }),
    },
  };
}

/** Whatever the question says, it is searched for by meaning, as it stands (S2-23). */
const BY_MEANING = {
  pre_retrieval: [
    {
      action: "route",
      route_strategy: "local",
      time_route: null,
      time_margin_days: null,
      name_route: null,
      allow_multi_route: false,
      max_routes: null,
      default_route: { strategy: "semantic", params: {} },
      keep_default: false,
    },
    "embedding",
  ],
  memory_retrieval: "default",
};
