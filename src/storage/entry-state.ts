/** An entry with all that hangs on it: what a removal keeps, what is taken to another memory, what is read of the past. */
import type { Edge } from "../base/edge.ts";
import type { Entry } from "../base/entry.ts";
import type { Vector } from "../base/vector.ts";

export interface EntryState {
  readonly entry: Entry;
  readonly vectors: readonly Vector[];
  readonly places: readonly EntryPlace[];
  /** Those that leave it, if both ends are in sight. */
  readonly edges: readonly Edge[];
}

/** A place in an index: its number, and where in it. A queue is read in the order of positions. */
export interface EntryPlace {
  readonly index: number;
  readonly position: number;
}
