/**
 * Where does it live? The contract of the truth: journal, entries, vectors, edges, tags, memberships, events and jobs.
 *
 * One way in: `commit` applies a list of tagged writes in one transaction, with the events that describe them, or
 * nothing at all. When it returns, the writes survive a kill and a power cut (where the back end promises durability); mere
 * looks survive a kill.
 *
 * Every read names the scope it reads for and gets only what that scope may see; every write names the scope it writes
 * for and may change only that scope's own things (a touch may count a look at public ones). What belongs to nobody has
 * no scope: the registry, cursors, counts, which ids are taken, the sweep of tags, the leases of workers. The `feed` has
 * none either: it exists to fill the indexes, which keep scopes apart themselves, and is handed to nobody else.
 */
import type { Edge, EdgeKey } from "../base/edge.ts";
import type { Entry, EntryFields, Observables } from "../base/entry.ts";
import type { Filter } from "../base/filter.ts";
import type { EntryId, TurnId } from "../base/ids.ts";
import type { Scope } from "../base/scope.ts";
import type { Turn } from "../base/turn.ts";
import type { Vector } from "../base/vector.ts";
import type { EntryState } from "./entry-state.ts";
import type { Event, Operation } from "./event.ts";
import type { Feed } from "./feed.ts";
import type { JobStore, NewJob } from "./job.ts";
import type { Registry } from "./registry.ts";
import type { SnapshotStore } from "./snapshot-store.ts";
import type { Touch } from "./touch.ts";

export type Write =
  | { readonly op: "turn-append"; readonly turn: Omit<Turn, "seq"> }
  /** Somebody's right to be forgotten goes before the journal's promise: the scope's own turns, for good. */
  | { readonly op: "turn-erase"; readonly id: TurnId }
  | {
      readonly op: "entry-insert";
      readonly entry: Entry;
      readonly vectors: readonly Vector[];
      /** Numbers of the indexes it joins. */
      readonly indexes: readonly number[];
    }
  /** `supersededBy` must name a current entry of the same collection that the scope sees. */
  | {
      readonly op: "entry-update";
      readonly id: EntryId;
      readonly fields: EntryFields;
      readonly contentHash?: string;
    }
  | { readonly op: "entry-touch"; readonly id: EntryId; readonly touch: Touch }
  /** What waits about it goes with it; what it had superseded is current again. */
  | { readonly op: "entry-remove"; readonly id: EntryId }
  /** Removed without a trace: no event keeps what it was, neither this one nor those before it. Also of one removed before. */
  | { readonly op: "entry-erase"; readonly id: EntryId }
  /** As it was in another moment or another memory: with its vectors and its very places, no clock of it set anew. */
  | ({ readonly op: "entry-restore" } & Omit<EntryState, "edges">)
  /**
   * Takes an event of the scope's own back; several of one commit in the order given, the newest first. Refused with
   * `version_conflict` where something newer stands on it. `yielding`: what something newer stands on is left as it is,
   * except an entry, which goes with it.
   */
  | { readonly op: "event-undo"; readonly seq: number; readonly yielding?: boolean | undefined }
  | { readonly op: "vector-put"; readonly id: EntryId; readonly vector: Vector }
  /**
   * Its vectors of these spaces go without a trace, also those of one removed before: no event keeps what they were, neither
   * this one nor those before it. It keeps its places; no index of such a space finds it until it has a vector there again.
   */
  | { readonly op: "vector-erase"; readonly id: EntryId; readonly spaces: readonly string[] }
  | { readonly op: "index-join"; readonly id: EntryId; readonly index: number }
  /** "all": whichever it is in. */
  | { readonly op: "index-leave"; readonly id: EntryId; readonly index: number | "all" }
  | { readonly op: "edge-put"; readonly edge: Edge }
  | { readonly op: "edge-remove"; readonly edge: EdgeKey }
  | { readonly op: "job-put"; readonly job: NewJob }
  /**
   * Ends a job of the scope's own that nobody has leased: what it waited for was done elsewhere, or is not wanted. One
   * about an entry is gone then, any other is done.
   */
  | { readonly op: "job-settle"; readonly id: string }
  /** "journal": the place of the last turn that was appended before it, in the same commit. */
  | { readonly op: "cursor-put"; readonly name: string; readonly seq: number | "journal" };

/** Who changes something, and why: kept on every event. */
export interface Cause {
  readonly actor: string;
  readonly cause: string;
}

export interface CommitOptions {
  /** Only entries of this collection may be changed; others are as good as not there. */
  readonly collection?: string | undefined;
  /** Refuse with `version_conflict` if collections or indexes came or went since this state of the registry. */
  readonly registry?: number | undefined;
  /** Refuse with `version_conflict` if the scope itself has said something after this place in the journal. */
  readonly lastTurn?: number | undefined;
}

export interface Commit {
  /** The newest event before this commit, and after it: what was written lies between. */
  readonly previous: number;
  readonly seq: number;
  /** The journal places given to appended turns, in order. */
  readonly turns: readonly number[];
}

export interface EntryQuery {
  readonly collection: string;
  readonly filter?: Filter | undefined;
  /** Entries after this id, in ascending order of id. */
  readonly after?: EntryId | undefined;
  readonly limit: number;
  /** Only entries of the scope itself, not the public ones it also sees. @default false */
  readonly own?: boolean | undefined;
}

export type StateQuery = Omit<EntryQuery, "filter">;

export interface NewestQuery {
  readonly collection: string;
  readonly filter?: Filter | undefined;
  readonly limit: number;
  /** As for a scan. */
  readonly own?: boolean | undefined;
}

/** All that a policy reads of an entry, without its text: a sweep looks at very many. */
export interface Vitals extends Observables {
  readonly id: EntryId;
  readonly kind: string;
}

export interface Reaching {
  readonly all: number;
  /** Those from entries that are neither superseded nor archived. */
  readonly current: number;
}

export interface VitalsQuery {
  readonly collection: string;
  /** Entries after this id, in ascending order of id. */
  readonly after?: EntryId | undefined;
  readonly limit: number;
}

export interface TurnQuery {
  readonly session?: string | undefined;
  readonly ids?: readonly TurnId[] | undefined;
  /** Turns after this place in the journal. */
  readonly after?: number | undefined;
  readonly limit: number;
}

export interface EventQuery {
  /** The entry whose history is asked for. */
  readonly subject?: EntryId | undefined;
  /** Only events of this kind. */
  readonly operation?: Operation | undefined;
  readonly after?: number | undefined;
  readonly limit: number;
}

export interface StorageStats {
  readonly turns: number;
  readonly entries: number;
  readonly vectors: number;
  readonly edges: number;
  readonly events: number;
  readonly jobs: number;
  readonly bytes: number;
}

export interface Storage extends Registry {
  /** Random id of this memory, so that files beside it are never mistaken for another's. */
  readonly id: string;
  /** Whether an acknowledged commit outlives the process. */
  readonly durable: boolean;
  commit(scope: Scope, writes: readonly Write[], cause: Cause, options?: CommitOptions): Promise<Commit>;

  turns(scope: Scope, query: TurnQuery): Promise<Turn[]>;
  /** How many turns the scope itself has in the journal. */
  countTurns(scope: Scope): Promise<number>;
  /** In the order asked; undefined where there is none, or none that the scope may see. */
  entries(scope: Scope, collection: string, ids: readonly EntryId[]): Promise<(Entry | undefined)[]>;
  scan(scope: Scope, query: EntryQuery): Promise<Entry[]>;
  /** Entries with all that hangs on them, as far as the scope sees it, in ascending order of id. */
  states(scope: Scope, query: StateQuery): Promise<EntryState[]>;
  /** The newest by when they happened, ties in ascending order of id. */
  newest(scope: Scope, query: NewestQuery): Promise<Entry[]>;
  /** Of the scope's own entries that none has superseded. */
  vitals(scope: Scope, query: VitalsQuery): Promise<Vitals[]>;
  /** The ids of all that match: what a filter allows; with `own`, of the scope itself only. */
  find(scope: Scope, collection: string, filter: Filter | undefined, own?: boolean): Promise<Set<EntryId>>;
  vectors(scope: Scope, space: string, ids: readonly EntryId[]): Promise<(Float32Array | undefined)[]>;
  /** Those that leave or reach the entries, if the scope sees the edge and both its ends. */
  edges(scope: Scope, collection: string, ids: readonly EntryId[]): Promise<Edge[]>;
  /** The scope's own of exactly these ends and types, however many others there are at an end. */
  ownEdges(scope: Scope, collection: string, keys: readonly EdgeKey[]): Promise<Edge[]>;
  /** How many edges of a type reach each entry, in the order asked; of those the scope sees. */
  countReaching(scope: Scope, collection: string, ids: readonly EntryId[], type: string): Promise<Reaching[]>;
  /** Numbers of the indexes each entry is in. */
  memberships(scope: Scope, ids: readonly EntryId[]): Promise<(readonly number[])[]>;
  events(scope: Scope, query: EventQuery): Promise<Event[]>;
  cursor(name: string): Promise<number>;
  /** Which ids an entry or a turn has already, in whatever scope and collection: for whoever brings ids along. */
  taken(ids: readonly string[]): Promise<Set<string>>;

  readonly jobs: JobStore;
  readonly feed: Feed;
  /** Where index snapshots may be kept; absent where there is no place for files. */
  readonly snapshots?: SnapshotStore;

  /** Deletes tags no entry bears any more; returns how many (S3-17). */
  sweepTags(): Promise<number>;
  stats(): Promise<StorageStats>;
  /** After an erasure: what was deleted cannot be read out of the files either, as far as the back end has a say in it. */
  scrub(): Promise<void>;
  close(): Promise<void>;
}
