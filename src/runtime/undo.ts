/**
 * Takes a change back: all that was changed together with the event (one transaction), so that recall answers exactly as
 * before it. Refused where something newer stands on it; the error names what has to be undone first.
 */
import { MemoryError } from "../base/errors.ts";
import type { EntryId } from "../base/ids.ts";
import type { Scope } from "../base/scope.ts";
import type { Running } from "./running.ts";

export interface Undone {
  /** Places of the events that were taken back. */
  readonly events: readonly number[];
  readonly entries: readonly EntryId[];
}

export async function undo(_: Running, __: Scope, ___: number): Promise<Undone> {
  throw new MemoryError("invariant", "undo is being written");
}
