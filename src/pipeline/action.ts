/**
 * The pluggable steps. An action is one file: its YAML name, its stage, a strict schema of its options, what it asks of
 * the preset around it, and a function from what came before to what comes next.
 *
 * Laws every action keeps (and `testAction` checks):
 * - it changes nothing it was given, and touches the store only through the handle of its stage;
 * - every option is required, known and looked at (that each changes what it does, its own tests show);
 * - without a model it does its work by the tasks' local answers, in English and Chinese.
 */
import type { z } from "zod";
import type { Hit } from "../base/hit.ts";
import type { EntryId } from "../base/ids.ts";
import type { Json, JsonObject } from "../base/json.ts";
import type { MaybePromise } from "../base/promise.ts";
import type { Scope } from "../base/scope.ts";
import type { Turn } from "../base/turn.ts";
import type { Vector } from "../base/vector.ts";
import type { QuerySpaces, QueryVector } from "../models/local/embedder-set.ts";
import type { HintName, Strategy } from "../services/hints.ts";
import type {
  Ability,
  OptimizeReport,
  OptimizeRequest,
  PendingAction,
  ServiceInsert,
  ServiceQuery,
  ServiceStatus,
  Trigger,
} from "../services/service.ts";
import type { Talk, TalkResult } from "../tasks/heartbeat.ts";
import type { Asker } from "../tasks/prompt-library.ts";
import type { TaskResult } from "../tasks/run-task.ts";
import type { Task } from "../tasks/task.ts";
import type { Draft } from "./draft.ts";
import type { Found, Question } from "./question.ts";
import type { Stage } from "./stage.ts";

/** May look, as often as it likes. */
export interface ReadHandle {
  retrieve(query: ServiceQuery): Promise<Hit[]>;
}

/** May insert: one entry for each draft. */
export interface InsertHandle {
  insert(entry: ServiceInsert): Promise<EntryId>;
}

/**
 * One round for one entry: retrieve → delete → insert, each at most once and in this order (S0-11). What is deleted leaves
 * only when what takes its place is safe: superseded by it (kept, out of recall), or removed for good where `hard` says so.
 */
export interface CycleHandle {
  retrieve(query: ServiceQuery): Promise<Hit[]>;
  delete(ids: readonly EntryId[], how?: DeleteHow): Promise<void>;
  insert(entries: readonly ServiceInsert[]): Promise<EntryId[]>;
}

export interface DeleteHow {
  /**
   * What takes their place: it is stored, so they leave at once. Unsaid: the first that this round inserts, or else, at the
   * end of the action, the entry that the round is for.
   */
  readonly supersededBy?: EntryId | undefined;
  readonly hard?: boolean | undefined;
}

export interface PostInsertHandle {
  /** The round of an entry that was just inserted or that waits, as `status` told; every call gives the same round. */
  cycle(entry: EntryId): CycleHandle;
  optimize(request: OptimizeRequest): Promise<OptimizeReport>;
  status(): Promise<ServiceStatus>;
  acknowledge(pending: string): Promise<void>;
  /** Leaves a question about an entry for somebody else to decide. */
  leave(entry: EntryId, action: PendingAction, details: JsonObject): Promise<void>;
}

/** What an action of every stage may use. */
export interface ActionContext {
  readonly scope: Scope;
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
  /** Asks a task: the model where there is one, else its local answer. `prompt`: id of another prompt file for it. */
  think<Input, Reply, Given>(task: Task<Input, Reply, Given>, given: Given, prompt?: string): Promise<Reply>;
  /** The same, for those who must know whether it was the model that answered, and what went wrong where it was not. */
  ask<Input, Reply, Given>(
    task: Task<Input, Reply, Given>,
    given: Given,
    prompt?: string,
  ): Promise<Pick<TaskResult<Reply>, "reply" | "path" | "warnings">>;
  /** Lets the model work with tools until it waits; what they may do is up to whoever binds them. */
  talk(talk: Talk): Promise<TalkResult>;
  /** Puts something worth knowing into the stage's record. */
  note(name: string, value: Json): void;
}

export interface PreInsertContext extends ActionContext {
  readonly store: ReadHandle;
  /** One vector per text, undefined where nobody reads its language; all undefined without an embedder. */
  embed(texts: readonly string[], field?: string): Promise<(Vector | undefined)[]>;
}

export interface MemoryInsertContext extends ActionContext {
  readonly store: InsertHandle;
}

export interface PostInsertContext extends ActionContext {
  readonly store: PostInsertHandle;
  /** Vectors for texts that the round will insert. */
  embed(texts: readonly string[], field?: string): Promise<(Vector | undefined)[]>;
}

export interface PreRetrievalContext extends ActionContext {
  /** One vector per space of the field, or only for these spaces of the embedder; [] without an embedder. */
  embed(text: string, field?: string, spaces?: QuerySpaces): Promise<QueryVector[]>;
}

export interface MemoryRetrievalContext extends ActionContext {
  readonly store: ReadHandle;
  /** For a query that grows by what was found before it. */
  embed(text: string, field?: string, spaces?: QuerySpaces): Promise<QueryVector[]>;
}

export interface PostRetrievalContext extends ActionContext {
  readonly store: ReadHandle;
  /** How well each text answers, by the configured reranker; only where the action asked for one. */
  rank(query: string, texts: readonly string[]): Promise<Float64Array>;
}

export interface Inserted {
  readonly id: EntryId;
  readonly draft: Draft;
  /** What its insert method made of the draft, as the service was given it. */
  readonly entry: ServiceInsert;
}

/** By stage: what an action is given and what it returns. */
export interface StageData {
  pre_insert: {
    readonly given: {
      readonly drafts: readonly Draft[];
      readonly turns: readonly Turn[];
      /** What was said before the turns, oldest first; as many as the preset's window shows. */
      readonly before: readonly Turn[];
    };
    readonly context: PreInsertContext;
    readonly result: readonly Draft[];
  };
  /** One draft at a time: the one that the draft's insert method names. */
  memory_insert: { readonly given: Draft; readonly context: MemoryInsertContext; readonly result: EntryId };
  post_insert: {
    readonly given: {
      readonly inserted: readonly Inserted[];
      readonly turns: readonly Turn[];
      /** Nothing has come: somebody asks for what is due now and then to be done now. */
      readonly upkeep?: boolean | undefined;
    };
    readonly context: PostInsertContext;
    readonly result: undefined;
  };
  pre_retrieval: {
    readonly given: Question;
    readonly context: PreRetrievalContext;
    readonly result: Question;
  };
  memory_retrieval: {
    readonly given: Question;
    readonly context: MemoryRetrievalContext;
    readonly result: Found;
  };
  post_retrieval: { readonly given: Found; readonly context: PostRetrievalContext; readonly result: Found };
}

/** What an action cannot work without, and what it makes; a preset that does not fit is refused when it is loaded. */
export interface Claims {
  /** Of the service. */
  readonly abilities?: readonly Ability[];
  readonly triggers?: readonly Trigger[];
  readonly tiers?: readonly string[];
  /** Hints it sends: a service that would not read them is refused. Without a strategy: the service's first. */
  readonly hints?: readonly {
    readonly strategy?: Strategy | undefined;
    readonly names: readonly HintName[];
  }[];
  /** It uses the round of post_insert; a preset has one such action at most. */
  readonly cycle?: boolean;
  /** What it settles of what the service leaves undecided. */
  readonly pending?: readonly PendingAction[];
  readonly embedder?: boolean;
  readonly reranker?: boolean;
  /** Only the embedder of this id will do; known when the preset is opened. */
  readonly embeddingModel?: string;
  /** It gives the question a vector. */
  readonly queryVector?: boolean;
  /** It does nothing for a question without a vector: some action of pre_retrieval must give one. */
  readonly asksQueryVector?: boolean;
  /** It makes queries, or changes what is embedded of them: who gives vectors must come after it. */
  readonly newQueries?: boolean;
  /** It wants queries to be asked one after another, each with what those before it found. */
  readonly inTurn?: boolean;
  /** What it does not read of a question: who lays out ways of looking, or an order of the queries, does it in vain. */
  readonly ignores?: readonly ("routes" | "order")[];
  /** Vector fields it asks by: some action of pre_insert must fill them. */
  readonly asksVectorFields?: readonly string[];
  /** It rewords or splits drafts: it is not shown those that somebody worded. */
  readonly rewrites?: boolean;
  /** The tier for what somebody worded, which takes no part in what the action makes of its other tiers. */
  readonly judgedTier?: string;
  /** So many turns before a window must be shown to it, whichever window it is. */
  readonly turnsBefore?: number;
  /** Insert methods its drafts may name; unsaid: they keep the one they came with, at first "default". */
  readonly insertMethods?: readonly string[];
  /** Vector fields it fills, beside the content; `dimension` where it is not the embedder that makes them. */
  readonly vectorFields?: readonly { readonly name: string; readonly dimension?: number | undefined }[];
  /** Prompts it uses, to be found and checked when the preset is loaded. */
  readonly prompts?: readonly { readonly task: Asker; readonly prompt: string }[];
}

export interface ActionDefinition<S extends Stage = Stage, Options = unknown> {
  readonly stage: S;
  /** As YAML writes it; the file has the same name with dashes. */
  readonly name: string;
  readonly summary: string;
  readonly options: z.ZodType<Options>;
  /** The option that chooses a sub-type, where there are sub-types. */
  readonly subtype?: string;
  /** Other names of options, as older files write them (C-25): alias → name. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Other names of an option's values, by the option as it is written: option → value → name. */
  readonly valueAliases?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Other names of the action itself, with the options each stands for (C-24). */
  readonly shorthands?: Readonly<Record<string, JsonObject>>;
  claims?(options: Options): Claims;
  run(
    given: StageData[S]["given"],
    context: StageData[S]["context"],
    options: Options,
  ): MaybePromise<StageData[S]["result"]>;
}

export function defineAction<S extends Stage, Options>(
  definition: ActionDefinition<S, Options>,
): ActionDefinition<S, Options> {
  return definition;
}

/** An action with its options: what a stage runs. */
export interface BoundAction<S extends Stage = Stage> {
  readonly stage: S;
  readonly name: string;
  readonly claims: Claims;
  run(given: StageData[S]["given"], context: StageData[S]["context"]): MaybePromise<StageData[S]["result"]>;
}

export function bindAction<S extends Stage, Options>(
  definition: ActionDefinition<S, Options>,
  options: Options,
): BoundAction<S> {
  return {
    stage: definition.stage,
    name: definition.name,
    claims: definition.claims?.(options) ?? {},
    run: (given, context) => definition.run(given, context, options),
  };
}
