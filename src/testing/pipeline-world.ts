/** A pipeline under test: a real storage, a real service, and the actions that the test names, bound as a preset binds them. */
import { manualClock } from "../base/clock.ts";
import type { JsonObject } from "../base/json.ts";
import { parseInput } from "../base/parse-input.ts";
import { parseScope, type Scope } from "../base/scope.ts";
import type { TraceEvent } from "../base/trace.ts";
import type { NewTurn } from "../base/turn.ts";
import { CollectionManager } from "../collection/collection-manager.ts";
import type { EmbedderSet } from "../models/local/embedder-set.ts";
import type { ChatModel, Reranker } from "../models/model.ts";
import { type ActionDefinition, type BoundAction, bindAction } from "../pipeline/action.ts";
import type { InputOptions } from "../pipeline/draft.ts";
import { appendTurns } from "../pipeline/journal.ts";
import { createPipeline, type Pipeline } from "../pipeline/pipeline.ts";
import type { InsertResult, RetrieveResult } from "../pipeline/plan.ts";
import { type NewQuestion, UNJUDGED } from "../pipeline/question.ts";
import type { Stage } from "../pipeline/stage.ts";
import { openService } from "../services/index.ts";
import type { MemoryService } from "../services/service.ts";
import { textField, type VectorField } from "../services/vector-fields.ts";
import { openInMemory } from "../storage/memory.ts";
import type { Storage } from "../storage/storage.ts";
import type { PromptLibrary } from "../tasks/prompt-library.ts";
import { hashEmbedder } from "./hash-embedder.ts";

/** An action and its options, as a preset writes them. */
export interface Chosen<S extends Stage> {
  readonly action: ActionDefinition<S>;
  readonly options: JsonObject;
}

export function chosen<S extends Stage>(action: ActionDefinition<S>, options: JsonObject): Chosen<S> {
  return { action, options };
}

export interface PipelineSetup {
  readonly service: { readonly name: string; readonly options: JsonObject };
  readonly stages: { readonly [S in Stage]?: readonly Chosen<S>[] };
  readonly input?: InputOptions;
  /** @default the hash embedder */
  readonly embedder?: EmbedderSet | undefined;
  readonly fields?: readonly VectorField[];
  readonly model?: ChatModel | undefined;
  readonly onBadReply?: "fallback" | "throw";
  /** @default the package's */
  readonly prompts?: PromptLibrary | undefined;
  readonly reranker?: Reranker | undefined;
  readonly storage?: Storage;
}

export interface PipelineWorld {
  readonly pipeline: Pipeline;
  readonly service: MemoryService;
  readonly storage: Storage;
  readonly clock: ReturnType<typeof manualClock>;
  readonly heard: readonly TraceEvent[];
  /** Journals and inserts; as alice unless said otherwise. */
  say(turns: readonly (string | NewTurn)[], scope?: Scope): Promise<InsertResult>;
  ask(question: string | NewQuestion, scope?: Scope): Promise<RetrieveResult>;
  close(): Promise<void>;
}

const ALICE = parseScope("alice");

export async function openPipelineWorld(setup: PipelineSetup): Promise<PipelineWorld> {
  const clock = manualClock(Date.UTC(2026, 4, 1, 12));
  const heard: TraceEvent[] = [];
  const trace = (event: TraceEvent): void => {
    heard.push(event);
  };
  const storage = setup.storage ?? (await openInMemory({ clock }));
  const manager = new CollectionManager(storage, { clock, trace });
  const embedder = "embedder" in setup ? setup.embedder : hashEmbedder();
  const fields = setup.fields ?? (embedder === undefined ? [] : [textField("content", embedder.spaces)]);
  const { model, prompts, onBadReply = "fallback" } = setup;
  const thinking = { model, prompts, onBadReply, trace, clock };
  const deps = { manager, clock, trace, fields, embedder, thinking };
  const service = await openService(setup.service.name, setup.service.options, deps);
  const { stages } = setup;
  const pipeline = createPipeline(
    {
      service,
      input: setup.input ?? { unit: "turn", with_speaker: true },
      stages: {
        pre_insert: bindAll(stages.pre_insert),
        memory_insert: bindAll(stages.memory_insert),
        post_insert: bindAll(stages.post_insert),
        pre_retrieval: bindAll(stages.pre_retrieval),
        memory_retrieval: bindAll(stages.memory_retrieval)[0] ?? NOTHING_FOUND,
        post_retrieval: bindAll(stages.post_retrieval),
      },
    },
    { thinking, embedder, reranker: setup.reranker, trace, clock },
  );
  return {
    pipeline,
    service,
    storage,
    clock,
    heard,
    async say(turns, scope = ALICE) {
      const said = turns.map((turn) => (typeof turn === "string" ? { text: turn } : turn));
      return pipeline.insert(scope, await appendTurns(storage, scope, said, clock));
    },
    ask: (question, scope = ALICE) =>
      pipeline.retrieve(scope, typeof question === "string" ? { text: question } : question),
    close: () => manager.close(),
  };
}

/** For tests that only insert. */
const NOTHING_FOUND: BoundAction<"memory_retrieval"> = {
  stage: "memory_retrieval",
  name: "nothing",
  claims: {},
  run: (question) => ({ question, lists: [], hits: [], ...UNJUDGED, context: null, sections: {} }),
};

function bindAll<S extends Stage>(chosen: readonly Chosen<S>[] = []): BoundAction<S>[] {
  return chosen.map(({ action, options }) =>
    bindAction(action, parseInput(action.options, options, `options of ${action.name}`, "option_invalid")),
  );
}
