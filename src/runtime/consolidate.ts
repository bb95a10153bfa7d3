/**
 * The design's own upkeep, now: sweeps, merging, links, facts from groups, moves between tiers, whatever its post_insert
 * does now and then, over all of the scope; then tags nobody bears any more go. Done twice it changes nothing more.
 */
import { z } from "zod";
import { type EntryId, isEntryId } from "../base/ids.ts";
import type { Json } from "../base/json.ts";
import { parseInput } from "../base/parse-input.ts";
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

const optionsSchema = z.strictObject({ signal: z.instanceof(AbortSignal).optional() });

export async function consolidate(
  { design, storage, worker }: Running,
  scope: Scope,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Consolidated> {
  const { signal } = parseInput(optionsSchema, options, "options of consolidate");
  const stages = await worker.beside(scope, signal, (lost) => design.upkeep(scope, { signal: lost }));
  return {
    added: idsIn(stages, "added"),
    retired: idsIn(stages, "retired"),
    deleted: idsIn(stages, "deleted"),
    tags: await storage.sweepTags(),
    stages,
  };
}

/** What an action did to entries stands in its notes, whichever action it is. */
function idsIn(stages: readonly StageRecord[], change: string): EntryId[] {
  return [...new Set(stages.flatMap(({ notes }) => entryIds(notes[change])))];
}

function entryIds(noted: Json | undefined): EntryId[] {
  return Array.isArray(noted) ? noted.filter((one) => typeof one === "string").filter(isEntryId) : [];
}
