/**
 * What came of a recall (S3-27): memories that were useful are strengthened, new ones remembered, and groups that say the
 * same become one. A group never joins two private scopes.
 */
import { MemoryError } from "../base/errors.ts";
import type { EntryId } from "../base/ids.ts";
import type { Scope } from "../base/scope.ts";
import type { JudgedMemory } from "./judged-memory.ts";
import type { Running } from "./running.ts";

export interface Feedback {
  /** Ids of memories that helped. */
  readonly useful?: readonly string[] | undefined;
  readonly new?: readonly JudgedMemory[] | undefined;
  /** Groups of two or more ids. */
  readonly merge?: readonly (readonly string[])[] | undefined;
}

export interface FeedbackReport {
  readonly strengthened: readonly EntryId[];
  readonly remembered: readonly EntryId[];
  /** Each with the memories it took the place of; they can still be read. */
  readonly merged: readonly { readonly id: EntryId; readonly from: readonly EntryId[] }[];
}

export async function feedback(_: Running, __: Scope, ___: Feedback): Promise<FeedbackReport> {
  throw new MemoryError("invariant", "feedback is being written");
}
