/**
 * Heat as a utility of its own, and tiers on any collection (MemoryOS as seed 001 has it: S1-16 … S1-19). A tier is a name
 * and the indexes its entries are in; a move changes these and nothing else (C-9). Every call moves an entry one
 * tier at most, and the next call may move it again; the trigger `migrate` waits for a new reason.
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

export const heatScoreOptions = z.strictObject({
  cold_threshold: z.number().describe("Colder than this is demoted."),
  hot_threshold: z.number().describe("Hotter than this is promoted."),
  decay_per_hour: z.number().min(0).describe("Rate at which recency fades, per hour since the last look."),
});
export type HeatScoreOptions = Readonly<z.infer<typeof heatScoreOptions>>;

export type HeatAction = "promote" | "demote" | "none";

export interface HeatScoreManager {
  heat(of: Observables, now: number): number;
  action(of: Observables, now: number): HeatAction;
}

export interface HeatTier {
  readonly name: string;
  readonly indexes: readonly string[];
}

export function createHeat(options: HeatScoreOptions): HeatScoreManager {
  const given = parseInput(heatScoreOptions, options, "options of the heat score");
  const { cold_threshold, hot_threshold, decay_per_hour } = given;
  const vitality = createVitality({ policy: "memoryos_heat", form: "seed", decay_per_hour });
  return {
    heat: (of, now) => vitality.score(of, now),
    action(of, now) {
      const heat = vitality.score(of, now);
      if (heat < cold_threshold) return "demote";
      return heat > hot_threshold ? "promote" : "none";
    },
  };
}

/** Hot ones go one tier up the list, cold ones one down; those at its ends stay (S1-19). */
export async function applyHeatMigration(
  collection: Collection,
  scope: Scope,
  heat: HeatScoreManager,
  tiers: readonly HeatTier[],
  clock: Clock = systemClock,
): Promise<{ readonly promoted: readonly EntryId[]; readonly demoted: readonly EntryId[] }> {
  const now = clock.now();
  const moved = { promoted: [] as EntryId[], demoted: [] as EntryId[] };
  for await (const page of ownVitals({ store: collection, scope })) {
    for (const one of page) {
      const rank = tiers.findIndex(({ name }) => name === one.tier);
      const action = rank < 0 ? "none" : heat.action(one, now);
      const from = tiers[rank];
      const to = action === "none" ? undefined : tiers[action === "promote" ? rank - 1 : rank + 1];
      if (from === undefined || to === undefined) continue;
      const shared = new Set(from.indexes.filter((index) => to.indexes.includes(index)));
      const others = (indexes: readonly string[]) => indexes.filter((index) => !shared.has(index));
      const move = { from: others(from.indexes), to: others(to.indexes), fields: { tier: to.name } };
      await collection.move(scope, one.id, move, { cause: "applyHeatMigration" });
      moved[action === "promote" ? "promoted" : "demoted"].push(one.id);
    }
  }
  return moved;
}
