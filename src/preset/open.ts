/** A preset put to work: models opened, the service opened, actions bound, and the pipeline over them. */
import { ACTIONS } from "../actions/index.ts";
import { defaultInsert } from "../actions/memory-insert/default.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { invariant, MemoryError } from "../base/errors.ts";
import { validNames } from "../base/nearest-name.ts";
import { silent, type Trace } from "../base/trace.ts";
import { CollectionManager } from "../collection/collection-manager.ts";
import { builtInEmbedder } from "../models/local/built-in.ts";
import { type EmbedderSet, oneSpace } from "../models/local/embedder-set.ts";
import { withRecentVectors } from "../models/local/recent-vectors.ts";
import type { ChatModel, Reranker } from "../models/model.ts";
import { openChatModel, openEmbedder, openReranker } from "../models/open-model.ts";
import { type BoundAction, bindAction } from "../pipeline/action.ts";
import { createPipeline, type Pipeline } from "../pipeline/pipeline.ts";
import type { Stage } from "../pipeline/stage.ts";
import { openService } from "../services/index.ts";
import { CONTENT, measureField, textField, type VectorField } from "../services/vector-fields.ts";
import type { Storage } from "../storage/storage.ts";
import { openPrompts } from "../tasks/prompt-library.ts";
import type { TaskOptions } from "../tasks/run-task.ts";
import type { EndpointChoice, Preset } from "./preset.ts";
import { keyOf } from "./substitutions.ts";

export interface OpenDeps {
  readonly storage: Storage;
  /** Of the caller's own, in place of what the preset names; the preset must name one where an action needs it. */
  readonly model?: ChatModel | undefined;
  readonly embedder?: EmbedderSet | undefined;
  readonly reranker?: Reranker | undefined;
  /** Where keys are looked up. @default none */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly clock?: Clock | undefined;
  readonly trace?: Trace | undefined;
}

export interface OpenPreset extends Pipeline {
  readonly preset: Preset;
  /** Who thinks and who embeds for it; verbs of the runtime ask and embed by the same. */
  readonly thinking: TaskOptions;
  readonly embedder: EmbedderSet | undefined;
  /** What of an entry is embedded, and into which spaces; [] without an embedder. */
  readonly fields: readonly VectorField[];
  /** After an erasure: no index file and no vector at hand keeps anything of it. The files are written again on closing. */
  dropSnapshots(): Promise<void>;
  /** Stores the indexes and lets go of what was opened here; the storage stays open. */
  close(): Promise<void>;
}

export async function openPreset(preset: Preset, deps: OpenDeps): Promise<OpenPreset> {
  const { storage, env = {}, clock = systemClock, trace = silent } = deps;
  const calls = { clock, trace };
  const { chat, reranker: ranks } = preset.models;
  const model =
    deps.model ??
    (chat === null ? undefined : openChatModel(chat.endpoint, settingsOf(chat, "chat", env), calls));
  const reranker =
    deps.reranker ??
    (ranks === null ? undefined : openReranker(ranks.endpoint, settingsOf(ranks, "reranker", env), calls));
  const embedding = await openEmbedding(preset, deps, calls);
  const { embedder } = embedding;
  checkEmbedder(preset, embedder);

  const thinking = {
    model,
    onBadReply: preset.on_bad_reply,
    onModelDown: preset.on_model_down === "wait" ? ("throw" as const) : ("fallback" as const),
    prompts: openPrompts(preset.prompts === null ? [] : [preset.prompts]),
    clock,
    trace,
  };
  const manager = new CollectionManager(storage, { clock, trace });
  const fields = fieldsOf(preset, embedder);
  const service = await openService(preset.service.name, preset.service.options, {
    manager,
    clock,
    trace,
    fields,
    embedder,
    thinking,
  });
  const recent = embedder && withRecentVectors(embedder);
  const [retrieval] = bind(preset, "memory_retrieval");
  invariant(retrieval !== undefined, "A preset without a retrieval was loaded");
  const pipeline = createPipeline(
    {
      service,
      input: preset.input,
      stages: {
        pre_insert: bind(preset, "pre_insert"),
        memory_insert: withDefault(bind(preset, "memory_insert")),
        post_insert: bind(preset, "post_insert"),
        pre_retrieval: bind(preset, "pre_retrieval"),
        memory_retrieval: retrieval,
        post_retrieval: bind(preset, "post_retrieval"),
      },
    },
    { thinking, embedder: recent, reranker, clock, trace },
  );
  let isOpen = true;
  const open = (): Pipeline => {
    if (isOpen) return pipeline;
    throw new MemoryError(
      "storage_closed",
      `The memory of the preset ${preset.name} was closed. Valid: open it again.`,
    );
  };
  return {
    preset,
    thinking,
    embedder,
    fields,
    service,
    insert: async (...given) => open().insert(...given),
    upkeep: async (...given) => open().upkeep(...given),
    retrieve: async (...given) => open().retrieve(...given),
    async dropSnapshots() {
      recent?.drop();
      await manager.dropSnapshots();
    },
    async close() {
      isOpen = false;
      try {
        await manager.storeAll();
      } finally {
        await embedding.close();
      }
    },
  };
}

/** An action may insist on an embedder; that another one is there must be known before the first question. */
function checkEmbedder({ stages }: Preset, embedder: EmbedderSet | undefined): void {
  const there = (embedder?.spaces ?? []).map(({ space }) => space);
  for (const { action, claims } of Object.values(stages).flat()) {
    const wanted = claims.embeddingModel;
    if (wanted === undefined || there.includes(wanted)) continue;
    throw new MemoryError(
      "embedder_mismatch",
      `The action ${action} wants the embedder "${wanted}". ${validNames(wanted, [...there, "default"])}`,
      { details: { given: there, expected: wanted } },
    );
  }
}

/** What somebody worded passes by the actions that name insert methods: it is stored as it is, listed or not. */
function withDefault(
  listed: readonly BoundAction<"memory_insert">[],
): readonly BoundAction<"memory_insert">[] {
  return listed.some(({ name }) => name === defaultInsert.name)
    ? listed
    : [...listed, bindAction(defaultInsert, {})];
}

function bind<S extends Stage>({ stages }: Preset, stage: S): BoundAction<S>[] {
  return stages[stage].flatMap(({ action, options }) =>
    ACTIONS[stage]
      .filter(({ name }) => name === action)
      .map((definition) => bindAction(definition, definition.options.parse(options))),
  );
}

/** The content's vectors, and those that actions make beside it. */
function fieldsOf({ stages }: Preset, embedder: EmbedderSet | undefined): VectorField[] {
  const spaces = embedder?.spaces ?? [];
  const asked = stages.pre_insert.flatMap(({ claims }) => claims.vectorFields ?? []);
  return [
    ...(spaces.length > 0 ? [textField(CONTENT, spaces)] : []),
    ...asked.map(({ name, dimension }) =>
      dimension === undefined ? textField(name, spaces) : measureField(name, dimension),
    ),
  ];
}

async function openEmbedding(
  { models }: Preset,
  { embedder, env = {} }: OpenDeps,
  calls: { readonly clock: Clock; readonly trace: Trace },
): Promise<{ readonly embedder: EmbedderSet | undefined; close(): Promise<void> }> {
  const close = async (): Promise<void> => undefined;
  const choice = models.embedder;
  // A design that embeds nothing embeds nothing, whoever could.
  if (choice === null) return { embedder: undefined, close };
  if (embedder !== undefined) return { embedder, close };
  if (choice !== "built_in") {
    const opened = await openEmbedder(choice.endpoint, settingsOf(choice, "embedder", env), calls);
    return { embedder: oneSpace(opened), close };
  }
  const builtIn = await builtInEmbedder({}, { trace: calls.trace });
  return { embedder: builtIn, close: () => builtIn.close() };
}

function settingsOf(
  { model, base_url, api_key }: EndpointChoice,
  part: string,
  env: Readonly<Record<string, string | undefined>>,
): { readonly model: string; readonly key: string | undefined; readonly baseUrl: string | undefined } {
  return {
    model,
    key: api_key === null ? undefined : keyOf(api_key, env, part),
    baseUrl: base_url ?? undefined,
  };
}
