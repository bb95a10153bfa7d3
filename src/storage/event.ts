/**
 * One change, as it was made: who, why, what, and what it was before. Events are written in the same transaction as the
 * change. History, undo, as-of reads, the catching-up of indexes and the erasure report all come from them.
 *
 * What is logged is what happens to entries: their fields, vectors, edges and places in indexes. The journal is a log of
 * its own; collections, indexes, jobs and cursors are not memories and have no events.
 *
 * `before` and `after` hold only the fields that changed; a removal keeps the whole entry in `before`. The first state
 * of an entry is not repeated here: it is the entry itself, or what the later events' `before` leads back to.
 */
import type { EntryId } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import type { Scope } from "../base/scope.ts";

export interface Event {
  /** Place in the one ordered log; grows, may skip. */
  readonly seq: number;
  /** Place of the first event of the transaction it was written in: what has it in common was changed together. */
  readonly change: number;
  /** Place of the event that it takes back; null: it takes none back. */
  readonly undoes: number | null;
  readonly at: number;
  readonly actor: string;
  readonly cause: string;
  readonly operation: Operation;
  readonly collection: string;
  readonly scope: Scope;
  readonly subject: EntryId;
  /** What an index would have to look at again: field names, "vector:<space>", "index:<number>", "edges", or "*". */
  readonly changed: readonly string[];
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

export type Operation =
  | "entry-insert"
  | "entry-update"
  | "entry-touch"
  | "entry-remove"
  | "entry-restore"
  | "vector-put"
  | "vector-remove"
  | "index-join"
  | "index-leave"
  | "edge-put"
  | "edge-remove";
