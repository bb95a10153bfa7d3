/**
 * Which shape of memory? A service owns exactly one collection (S0-5) and gives it one face, whatever its shape: insert,
 * retrieve, delete, optimize, and a queue of what it could not decide alone. The pipeline talks to one service and knows
 * nothing else of the engine.
 *
 * Laws every service keeps (and `testService` checks):
 * - what was inserted is found, by its own scope and (if public) by every other, and by nobody else, whatever the path;
 * - ids never change: a migration moves memberships of indexes, not data (S0-61);
 * - no optimize trigger loses data, and a sweep done twice equals a sweep done once;
 * - an option, a hint or a trigger it does not understand is refused with what is valid, never ignored;
 * - a hit that was returned has been counted as looked at, unless the caller said otherwise; praise is counted, too.
 */
import type { z } from "zod";
import type { Clock } from "../base/clock.ts";
import type { NewEdge } from "../base/edge.ts";
import type { Entry, NewEntry } from "../base/entry.ts";
import type { Filter } from "../base/filter.ts";
import type { Hit } from "../base/hit.ts";
import type { EntryId } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import type { Scope } from "../base/scope.ts";
import type { Trace } from "../base/trace.ts";
import type { Vector } from "../base/vector.ts";
import type { CollectionStats } from "../collection/collection.ts";
import type { CollectionManager } from "../collection/collection-manager.ts";
import type { EmbedderSet } from "../models/local/embedder-set.ts";
import type { TaskOptions } from "../tasks/run-task.ts";
import type { Hints, StrategyHints } from "./hints.ts";
import type { VectorField } from "./vector-fields.ts";

/** What can be asked of `optimize` (S0-18). */
export const TRIGGERS = ["reflection", "link_evolution", "forgetting", "summarize", "migrate"] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** What a service may leave for somebody else to decide (S0-23). */
export const PENDING_ACTIONS = ["migrate", "forget", "crud", "link", "synonym"] as const;
export type PendingAction = (typeof PENDING_ACTIONS)[number];

/** passive: the service decides where an entry goes; active: the caller does (S0-15, C-5). */
export type InsertMode = "passive" | "active";

/** Where an active insert goes. A service refuses what it has no use for. */
export interface InsertParams {
  readonly targetTier?: string | undefined;
  /** Names of indexes to join, instead of all that fit. */
  readonly targetIndexes?: readonly string[] | undefined;
  /** The key to be found under. */
  readonly key?: string | undefined;
  /** 0 to 1; becomes the entry's importance where it has none. */
  readonly priority?: number | undefined;
}

export interface ServiceInsert extends Omit<NewEntry, "supersededBy"> {
  readonly vectors?: readonly Vector[] | undefined;
  readonly edges?: readonly Omit<NewEdge, "from">[] | undefined;
  /** Entries of the same scope that it takes the place of, in the same transaction. */
  readonly supersedes?: readonly EntryId[] | undefined;
  readonly insertMode?: InsertMode | undefined;
  readonly insertParams?: InsertParams | undefined;
}

export interface ServiceQuery {
  readonly text?: string | undefined;
  readonly vectors?: readonly Vector[] | undefined;
  readonly filter?: Filter | undefined;
  /** Unsaid: the service's own `top_k`. */
  readonly topK?: number | undefined;
  readonly hints?: Hints | undefined;
  /** Cosines may be off by a thousandth or so, where an index can then leave stored vectors unread. @default false */
  readonly rough?: boolean | undefined;
  /** Only entries of the scope itself, not the public ones it also sees. @default false */
  readonly own?: boolean | undefined;
  /** Whether to count the hits as looked at. The pipeline counts only what it hands out. @default true */
  readonly touch?: boolean | undefined;
}

export interface OptimizeRequest {
  readonly trigger: Trigger;
  /** Checked against the trigger's own schema. */
  readonly config: JsonObject;
  /** What was just inserted, where the trigger is about that; absent: everything of the scope. */
  readonly entries?: readonly EntryId[] | undefined;
}

export interface OptimizeReport {
  readonly trigger: Trigger;
  /** Entries looked at. */
  readonly examined: number;
  readonly added: readonly EntryId[];
  /** Out of recall, but kept: archived or superseded. */
  readonly retired: readonly EntryId[];
  readonly deleted: readonly EntryId[];
  readonly moved: readonly { readonly id: EntryId; readonly from: string | null; readonly to: string }[];
  /** Edges made, changed or dropped. */
  readonly edges: number;
  /** What was written for the caller alone, and not stored. */
  readonly unstored?: readonly string[] | undefined;
  /** What else is worth telling: how full a queue was, which tools a model used. */
  readonly notes?: JsonObject | undefined;
  /** Why nothing was done, where nothing was. */
  readonly reason?: string | undefined;
}

export interface PendingItem {
  readonly id: string;
  readonly action: PendingAction;
  readonly entry: EntryId;
  /** Service-specific: source_tier, target_tier, pending_similar, pending_candidates … */
  readonly details: JsonObject;
  readonly since: number;
}

export interface ServiceStatus {
  /** Of the head; null if nothing waits. */
  readonly pendingAction: PendingAction | null;
  readonly head: PendingItem | null;
  /** Oldest first; at most a thousand. */
  readonly pendingItems: readonly PendingItem[];
  /** Of all that wait, those not shown among them. */
  readonly count: number;
}

export interface ServiceStats extends CollectionStats {
  readonly service: string;
  readonly collection: string;
}

/** Kinds of index a service has, and so what an action may count on. */
export type Ability = "vector" | "text" | "graph" | "tiers" | "queue" | "keys";

/** What is known of a service before it is opened: a preset is checked against it. */
export interface ServiceTraits {
  readonly abilities: readonly Ability[];
  readonly triggers: readonly Trigger[];
  /** Its ways of looking and the hints each reads; without a hint it is the first that the question can feed. */
  readonly strategies: StrategyHints;
  /** In order, first the one nearest to the reader; [] for a service without tiers. */
  readonly tiers: readonly string[];
  readonly pending: readonly PendingAction[];
  /** Without a vector of the question it finds nothing (B.0.6). */
  readonly needsQueryVector: boolean;
}

export interface MemoryService {
  readonly name: string;
  readonly collection: string;
  readonly traits: ServiceTraits;
  insert(scope: Scope, entry: ServiceInsert): Promise<EntryId>;
  retrieve(scope: Scope, query: ServiceQuery): Promise<Hit[]>;
  /** Removes for good. False if there was nothing the scope could see. */
  delete(scope: Scope, id: EntryId): Promise<boolean>;
  /** Takes entries out of recall in favour of another that is in it, all or none; they can still be read. */
  supersede(scope: Scope, ids: readonly EntryId[], by: EntryId): Promise<void>;
  /** Counts a look at entries, as the service's vitality wants it; one that cannot be counted is only warned of. */
  touch(scope: Scope, entries: readonly Entry[]): Promise<void>;
  /** Judges entries, −1 (useless) to 1 (useful), as the service's vitality takes it; 0 changes nothing. */
  feedback(scope: Scope, entries: readonly Entry[], value: number): Promise<void>;
  optimize(scope: Scope, request: OptimizeRequest): Promise<OptimizeReport>;
  getStatus(scope: Scope): Promise<ServiceStatus>;
  /** Somebody could not decide about an entry, and leaves it to somebody else. */
  leave(scope: Scope, item: Pick<PendingItem, "entry" | "action" | "details">): Promise<void>;
  /** Whoever decided about a pending item says so. What was only acknowledged may come to wait again. */
  acknowledge(scope: Scope, pending: string): Promise<void>;
  stats(): Promise<ServiceStats>;
  /** Names of the indexes that an entry is in by its vector of this space; [] where its place has none. */
  vectorHomes(entry: Pick<Entry, "tier">, space: string): readonly string[];
}

/** What a service is given to work with. */
export interface ServiceDeps {
  readonly manager: CollectionManager;
  readonly clock: Clock;
  readonly trace: Trace;
  /** What of an entry is embedded, and into which spaces; [] without an embedder. */
  readonly fields: readonly VectorField[];
  /** For what the service itself writes: insights, summaries, names of things. */
  readonly embedder?: EmbedderSet | undefined;
  /** Who thinks, and what happens when nobody can. */
  readonly thinking: TaskOptions;
}

export interface ServiceDefinition<Options = unknown, Service extends MemoryService = MemoryService> {
  /** As a preset writes it. */
  readonly name: string;
  readonly summary: string;
  readonly options: z.ZodType<Options>;
  /** Other names of options, as older files write them (C-25): alias → name. */
  readonly aliases?: Readonly<Record<string, string>>;
  traits(options: Options): ServiceTraits;
  open(options: Options, deps: ServiceDeps): Promise<Service>;
}

export function defineService<Options, Service extends MemoryService>(
  definition: ServiceDefinition<Options, Service>,
): ServiceDefinition<Options, Service> {
  return definition;
}
