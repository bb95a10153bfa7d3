/**
 * By heat (MemoryOS; S1-16 … S1-19): the hot go one tier towards the first, the cold one towards the last; at the ends of
 * the list nothing moves. MemoryOS itself sends the hot the other way, from the middle to the long term (C-8).
 *
 * A move uses up what led to it, or every further sweep would move on what one look had warmed: the hot must be looked
 * at again, and the cold must cool anew, before they go another step. So a sweep done twice equals one done once.
 */
import { z } from "zod";
import type { Entry } from "../../../base/entry.ts";
import type { EntryId } from "../../../base/ids.ts";
import { planMove, type TierMove, type TierPlan } from "../../../policies/tier-plan.ts";
import { type BoundVitality, createVitality, vitalitySchema } from "../../../policies/vitality/index.ts";
import { ownVitals } from "../own-entries.ts";
import { type Migration, transformOptions } from "./migration.ts";
import { movedAt } from "./moved-at.ts";

export const heatOptions = z.strictObject({
  migrate_policy: z.literal("heat").describe("By how alive entries are."),
  vitality: vitalitySchema.describe("How alive an entry is: the name of a vitality policy and its options."),
  hot_threshold: z.number().nullable().describe("From this score on an entry is hot; null: none is."),
  hot_move: z
    .enum(["promote", "archive"])
    .describe("Where the hot go: promote, one tier towards the first; archive, one towards the last."),
  cold_threshold: z
    .number()
    .nullable()
    .describe("Below this score an entry goes one tier towards the last; null: none does."),
  ...transformOptions,
});

type Options = z.infer<typeof heatOptions>;

export const heat: Migration<Options> = {
  async plan(context, options) {
    const vitality = createVitality(options.vitality);
    const now = context.deps.clock.now();
    const plan = planOf(context.traits.tiers, options);
    const due: { id: EntryId; move: TierMove }[] = [];
    let examined = 0;
    for await (const page of ownVitals(context)) {
      for (const one of page) {
        if (one.tier === null || !context.traits.tiers.includes(one.tier)) continue;
        examined++;
        const score = vitality.score(one, now);
        const move =
          planMove(plan, one.tier, score, options.hot_move) ?? planMove(plan, one.tier, score, "demote");
        if (move !== undefined) due.push({ id: one.id, move });
      }
    }
    const entries = await context.store.getMany(
      context.scope,
      due.map(({ id }) => id),
    );
    const moves = due.flatMap(({ id, move }, place) => {
      const entry = entries[place];
      if (entry === undefined) return [];
      const isNew = move.kind === "demote" ? hasCooled(entry, vitality, now, options) : wasSeen(entry);
      return isNew ? [{ id, from: move.from, to: move.to }] : [];
    });
    return { examined, moves };
  },
};

function planOf(tiers: readonly string[], { hot_threshold, cold_threshold }: Options): TierPlan {
  const rules = {
    capacity: null,
    membership: "exclusive",
    enter: hot_threshold,
    leave: cold_threshold,
  } as const;
  return { tiers: tiers.map((name) => ({ name, ...rules })) };
}

/** Since it was last moved. */
function wasSeen(entry: Entry): boolean {
  const moved = movedAt(entry);
  return moved === undefined || entry.lastAccessAt > moved;
}

/** Since it was last moved, or looked at: as if the move had been a look, it was not cold then and is now. */
function hasCooled(entry: Entry, vitality: BoundVitality, now: number, { cold_threshold }: Options): boolean {
  const moved = movedAt(entry);
  if (moved === undefined || cold_threshold === null || wasSeen(entry)) return true;
  const anchor = entry.energyAnchor;
  const anew = {
    ...entry,
    createdAt: moved,
    lastAccessAt: moved,
    energyAnchor: anchor === null ? null : { ...anchor, at: moved },
  };
  return vitality.score(anew, moved) >= cold_threshold && vitality.score(anew, now) < cold_threshold;
}
