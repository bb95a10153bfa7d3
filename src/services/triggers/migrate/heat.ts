/**
 * By heat (MemoryOS; S1-16 … S1-19): the hot go one tier towards the first, the cold one towards the last; at the ends of
 * the list nothing moves. MemoryOS itself sends the hot the other way, from the middle to the long term (C-8).
 *
 * A move uses up what led to it, or every further sweep would move on what one look had warmed: the hot must be looked
 * at again, and the cold must cool anew, before they go another step. So a sweep done twice equals one done once.
 */
import { z } from "zod";
import type { Entry, Observables } from "../../../base/entry.ts";
import { MemoryError } from "../../../base/errors.ts";
import type { EntryId } from "../../../base/ids.ts";
import { planMove, type TierLines, type TierMove } from "../../../policies/tier-plan.ts";
import { type BoundVitality, createVitality, vitalitySchema } from "../../../policies/vitality/index.ts";
import { ownVitals } from "../own-entries.ts";
import { type Migration, transformOptions } from "./migration.ts";
import { movedAt } from "./moved-at.ts";

export const heatOptions = z
  .strictObject({
    migrate_policy: z.literal("heat").describe("By how alive entries are."),
    vitality: vitalitySchema.describe(
      "How alive an entry is: the name of a vitality policy and its options.",
    ),
    hot_threshold: z.number().nullable().describe("From this score on an entry is hot; null: none is."),
    hot_move: z
      .enum(["promote", "archive"])
      .describe("Where the hot go: promote, one tier towards the first; archive, one towards the last."),
    cold_threshold: z
      .number()
      .nullable()
      .describe("Below this score an entry goes one tier towards the last; null: none does."),
    ...transformOptions,
  })
  .refine(({ hot_threshold: hot, cold_threshold: cold }) => hot === null || cold === null || cold <= hot, {
    path: ["cold_threshold"],
    error: "must not be above hot_threshold",
  });

type Options = z.infer<typeof heatOptions>;

export const heat: Migration<Options> = {
  async plan(context, options) {
    const vitality = createVitality(options.vitality);
    const now = context.deps.clock.now();
    if (options.cold_threshold !== null) checkCools(vitality, now);
    const lines = linesOf(context.traits.tiers, options);
    const due: { id: EntryId; move: TierMove }[] = [];
    let examined = 0;
    for await (const page of ownVitals(context)) {
      for (const one of page) {
        if (one.tier === null || !context.traits.tiers.includes(one.tier)) continue;
        examined++;
        const score = vitality.score(one, now);
        const move =
          planMove(lines, one.tier, score, options.hot_move) ?? planMove(lines, one.tier, score, "demote");
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

/** The same lines at every tier. */
function linesOf(tiers: readonly string[], { hot_threshold, cold_threshold }: Options): readonly TierLines[] {
  return tiers.map((name) => ({ name, enter: hot_threshold, leave: cold_threshold }));
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

/** Where nothing cools by waiting, a cold entry would go one tier down and never another. */
function checkCools(vitality: BoundVitality, now: number): void {
  const scores = [0, CENTURY_MS].map((later) => vitality.score(probe(now), now + later));
  if (scores[0] !== scores[1]) return;
  throw new MemoryError(
    "option_invalid",
    `By the vitality policy ${vitality.name} nothing cools by waiting, so nothing can be moved for being cold. Valid: cold_threshold null, or a policy that counts time.`,
  );
}

const CENTURY_MS = 3_155_760_000_000;

/** An entry that was looked at and praised just now. */
function probe(now: number): Observables {
  return {
    createdAt: now,
    lastAccessAt: now,
    accessCount: 1,
    usefulCount: 1,
    importance: 1,
    strength: 1,
    pinned: false,
    energyAnchor: { value: 1, at: now },
    tier: null,
  };
}
