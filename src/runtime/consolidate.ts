/** The design's own upkeep, now: sweeps, merging, links, facts from groups, tags nobody bears any more. */
import { MemoryError } from "../base/errors.ts";
import type { EntryId } from "../base/ids.ts";
import type { Scope } from "../base/scope.ts";
import type { StageRecord } from "../pipeline/record.ts";
import type { Running } from "./running.ts";

export interface Consolidated {
  readonly added: readonly EntryId[];
  /** Out of recall, but kept. */
  readonly retired: readonly EntryId[];
  readonly deleted: readonly EntryId[];
  /** Tags that no memory bore any more. */
  readonly tags: number;
  readonly stages: readonly StageRecord[];
}

export async function consolidate(
  _: Running,
  __: Scope,
  ___: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Consolidated> {
  throw new MemoryError("invariant", "consolidate is being written");
}
