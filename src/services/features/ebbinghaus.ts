/**
 * The forgetting curve as a utility of its own, and on any collection (MemoryBank as seed 001 has it: S1-11 … S1-15).
 * Services have the trigger `forgetting`, which knows every policy.
 */
import { z } from "zod";
import { type Clock, systemClock } from "../../base/clock.ts";
import type { Observables } from "../../base/entry.ts";
import type { EntryId } from "../../base/ids.ts";
import { parseInput } from "../../base/parse-input.ts";
import type { Scope } from "../../base/scope.ts";
import type { Collection } from "../../collection/collection.ts";
import { createVitality } from "../../policies/vitality/index.ts";
import { ownVitals } from "../triggers/own-entries.ts";

export const ebbinghausOptions = z.strictObject({
  strength_threshold: z.number().min(0).max(1).describe("A memory weaker than this is forgotten."),
  initial_strength: z
    .number()
    .min(0)
    .max(1)
    .describe("Strength at the moment of a look (the seed's base_decay)."),
  decay_per_hour: z.number().min(0).describe("Rate at which it fades, per hour since the last look."),
  reinforcement_factor: z.number().min(0).describe("Weight of the logarithm of the number of looks."),
});
export type EbbinghausOptions = Readonly<z.infer<typeof ebbinghausOptions>>;

export const applyForgettingOptions = z.strictObject({
  index_name: z.string().min(1).describe("Only entries in this index are looked at."),
  archive_before_delete: z
    .boolean()
    .describe("true: they leave every index but can be read by id; false: they are deleted, as in the seed."),
});
export type ApplyForgettingOptions = Readonly<z.infer<typeof applyForgettingOptions>>;

export interface EbbinghausForgetting {
  strength(of: Observables, now: number): number;
  /** Pinned memories are never forgotten. */
  shouldForget(of: Observables, now: number): boolean;
}

export function createEbbinghaus(options: EbbinghausOptions): EbbinghausForgetting {
  const { strength_threshold, ...curve } = parseInput(
    ebbinghausOptions,
    options,
    "options of the forgetting curve",
  );
  const vitality = createVitality({ policy: "ebbinghaus", ...curve });
  return {
    strength: (of, now) => vitality.score(of, now),
    shouldForget: (of, now) => !of.pinned && vitality.score(of, now) < strength_threshold,
  };
}

/** A look at an entry: its moment and one more in the count (S1-15). */
export function updateAccess(
  collection: Collection,
  scope: Scope,
  id: EntryId,
  clock: Clock = systemClock,
): Promise<void> {
  const touch = { id, addAccess: 1, lastAccessAt: clock.now() };
  return collection.touch(scope, [touch], { cause: "updateAccess" });
}

/** The ids of the scope's own entries that were forgotten (S1-14). */
export async function applyForgetting(
  collection: Collection,
  scope: Scope,
  forgetting: EbbinghausForgetting,
  options: ApplyForgettingOptions,
  clock: Clock = systemClock,
): Promise<EntryId[]> {
  const given = parseInput(applyForgettingOptions, options, "options of applyForgetting");
  const now = clock.now();
  const weak: EntryId[] = [];
  for await (const page of ownVitals({ store: collection, scope })) {
    for (const one of page) if (forgetting.shouldForget(one, now)) weak.push(one.id);
  }
  const memberships = await collection.memberships(scope, weak);
  const gone = weak.filter((_, place) => memberships[place]?.includes(given.index_name));
  const by = { cause: "applyForgetting" };
  if (given.archive_before_delete) await collection.archiveMany(scope, gone, by);
  else for (const id of gone) await collection.delete(scope, id, by);
  return gone;
}
