/**
 * What fills the indexes. Unscoped on purpose: an index holds every scope in segments of its own and is asked per scope.
 * An index remembers the event it has seen last; `changes` says which entries to look at again since then.
 */
import type { Edge } from "../base/edge.ts";
import type { Entry } from "../base/entry.ts";
import type { EntryId } from "../base/ids.ts";
import type { Scope } from "../base/scope.ts";

export interface FeedItem {
  readonly id: EntryId;
  readonly scope: Scope;
  /** Grows with the moment of joining the index: the order of a queue. */
  readonly position: number;
  readonly entry?: Entry | undefined;
  readonly vector?: Float32Array | undefined;
  readonly edges?: readonly Edge[] | undefined;
}

/** What of each entry is wanted; nothing else is read. */
export interface FeedNeeds {
  /** Names of entry fields; none: no entry. Tags are read only if they are among them. */
  readonly fields: readonly string[];
  readonly space: string | undefined;
  readonly edges: boolean;
}

export interface Change {
  readonly seq: number;
  readonly id: EntryId;
  readonly changed: readonly string[];
}

/** Where the log and the registry stand. */
export interface Head {
  readonly seq: number;
  /** Raised whenever a collection or an index comes, goes or is given other options. */
  readonly registry: number;
}

export interface Feed {
  head(): Promise<Head>;
  /** When the last event up to this place was written; undefined if there is none. Tells one history from another. */
  momentOf(seq: number): Promise<number | undefined>;
  changes(collection: string, after: number, limit: number): Promise<Change[]>;
  /** Members of a collection's index, in ascending order of id, after the given one; where a vector is wanted, with one. */
  members(
    collection: string,
    index: number,
    needs: FeedNeeds,
    after: EntryId | undefined,
    limit: number,
  ): Promise<FeedItem[]>;
  /** Those of the given entries that are members. */
  membersAmong(
    collection: string,
    index: number,
    needs: FeedNeeds,
    ids: readonly EntryId[],
  ): Promise<FeedItem[]>;
  /** Full-precision vectors for the rescoring of candidates that an index found in the scopes it was asked for. */
  vectors(space: string, ids: readonly EntryId[]): Promise<(Float32Array | undefined)[]>;
}
