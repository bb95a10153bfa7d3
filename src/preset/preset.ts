/**
 * Which design? A preset is data: a service, its options, and the actions of six stages with theirs (S0-62 … S0-64, C-30).
 * This file says what a preset file may hold; `resolve.ts` turns it into a `Preset` in which everything is written out.
 */
import { z } from "zod";
import { type JsonObject, jsonSchema } from "../base/json.ts";
import type { Claims } from "../pipeline/action.ts";
import type { InputOptions } from "../pipeline/draft.ts";
import { STAGES, type Stage } from "../pipeline/stage.ts";
import { type WindowOptions, windowSchema } from "../pipeline/windows.ts";
import type { Path } from "./yaml-file.ts";

const endpoint = z.strictObject({
  endpoint: z
    .string()
    .describe("A known server (openai, qwen, deepseek, ollama …), or any name together with base_url."),
  model: z.string().describe("The model's name there."),
  base_url: z
    .string()
    .nullable()
    .default(null)
    .describe("Address of the server, where it is not the usual one."),
  api_key: z
    .string()
    .nullable()
    .default(null)
    .describe(
      "The key. A name in braces after a dollar sign takes it from the environment, so that none is in a file.",
    ),
});
export type EndpointChoice = z.infer<typeof endpoint>;

const models = z.strictObject({
  chat: endpoint.nullable().describe("Who thinks; null: every task is answered here, by rules."),
  embedder: z
    .union([z.literal("built_in"), endpoint])
    .nullable()
    .describe("Who embeds; built_in needs no key and no network; null: nobody."),
  reranker: endpoint.nullable().describe("Who ranks for rerank_type cross_encoder; null: nobody."),
});
export type ModelChoice = z.infer<typeof models>;

const input = z.strictObject({
  unit: z.enum(["turn", "packet"]).describe("One memory per turn, or one for all turns that come together."),
  with_speaker: z.boolean().describe("Whether a memory's text says who spoke."),
  window: windowSchema.describe("Which turns of the journal come together."),
});

/** What a reader wants to know before the details: the head of every preset of the package. */
const about = z.strictObject({
  cites: z.string().describe("Who described the design, and where."),
  stored: z.string().describe("What becomes an entry."),
  embedded: z.string().describe("What of it is embedded."),
  calls: z.strictObject({
    write: z.string().describe("Model calls of a write, with a model."),
    read: z.string().describe("Model calls of a read, with a model."),
  }),
  deviations: z.array(z.string()).describe("Where it differs from what was published, and why."),
});
export type About = z.infer<typeof about>;

const upkeep = z.strictObject({
  every_seconds: z.number().positive().describe("Seconds between two runs."),
  actions: z
    .array(z.string().min(1))
    .min(1)
    .describe("Actions of this preset's post_insert, which look over everything of the scope then."),
});
export type UpkeepRule = Readonly<z.infer<typeof upkeep>>;

/** A stage as written: an action's name, an action with its options, or a list of these. */
const stage = jsonSchema;

export const presetSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9_]+$/, "must be lower-case letters, digits and _")
    .describe("As others call it."),
  summary: z.string().min(1).describe("What design it is, in a sentence."),
  about: about.nullable().default(null).describe("Citation, what is stored and embedded, cost, deviations."),
  input: input.describe("How turns become the first drafts."),
  on_bad_reply: z
    .enum(["fallback", "throw"])
    .describe("When a model's reply cannot be used: answer by rules with a warning, or fail."),
  on_model_down: z
    .enum(["wait", "fallback"])
    .describe(
      "When the model cannot be reached at a write: fail, so that the same turns can be tried again, or answer by rules. A read is always answered.",
    ),
  models: models.describe("Who thinks, embeds and ranks, unless the program brings its own."),
  prompts: z
    .string()
    .nullable()
    .describe(
      "A folder of prompt files that come before the package's own, relative to the preset; null: none.",
    ),
  upkeep: z
    .array(upkeep)
    .default([])
    .describe("What is looked after by the clock, in the background, whether anything comes or not."),
  service: z
    .looseObject({ name: z.string().describe("Which service.") })
    .describe("The one service, and its options."),
  stages: z.strictObject({
    pre_insert: stage,
    memory_insert: stage,
    post_insert: stage,
    pre_retrieval: stage,
    memory_retrieval: stage,
    post_retrieval: stage,
  } satisfies Record<Stage, unknown>),
});

/** Keys that only loading reads. */
export const LOADING_KEYS = {
  extends: "Name or path of a preset that this one changes.",
  defaults: 'Write "recommended" to take every option that is not written from presets/recommended.yaml.',
} as const;

/** An action with all its options. */
export interface PresetAction {
  readonly action: string;
  readonly options: JsonObject;
  readonly claims: Claims;
  /** Where in the file it is written. */
  readonly path: Path;
}

/** A preset with nothing left to guess: checked, aliases resolved, every option written out. */
export interface Preset {
  readonly name: string;
  readonly summary: string;
  readonly file: string;
  readonly about: About | null;
  readonly input: InputOptions & { readonly window: WindowOptions };
  readonly on_bad_reply: "fallback" | "throw";
  readonly on_model_down: "wait" | "fallback";
  readonly models: ModelChoice;
  /** Absolute; null: only the package's prompts. */
  readonly prompts: string | null;
  readonly upkeep: readonly UpkeepRule[];
  readonly service: { readonly name: string; readonly options: JsonObject };
  readonly stages: Readonly<Record<Stage, readonly PresetAction[]>>;
}

/** As plain data, for showing and comparing; keys never appear in it. */
export function presetData(preset: Preset): JsonObject {
  const { name, summary, about: head, input: given, on_bad_reply, on_model_down, prompts, service } = preset;
  const stages = Object.fromEntries(
    STAGES.map((stage) => [
      stage,
      preset.stages[stage].map(({ action, options }) => ({ action, ...options })),
    ]),
  );
  return {
    name,
    summary,
    about: head === null ? null : { ...head },
    input: { ...given },
    on_bad_reply,
    on_model_down,
    models: hideKeys(preset.models),
    prompts,
    upkeep: preset.upkeep.map(({ every_seconds, actions }) => ({ every_seconds, actions })),
    service: { name: service.name, ...service.options },
    stages,
  };
}

function hideKeys({ chat, embedder, reranker }: ModelChoice): JsonObject {
  const hide = (choice: EndpointChoice | null) =>
    choice === null ? null : { ...choice, api_key: choice.api_key === null ? null : "(set)" };
  return {
    chat: hide(chat),
    embedder: embedder === "built_in" ? embedder : hide(embedder),
    reranker: hide(reranker),
  };
}
