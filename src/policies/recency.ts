/**
 * How recent is a memory, from 0 to 1? As Generative Agents (Park et al., UIST 2023) has it: by the hours since it was last
 * looked at in the paper, by its rank in the released program.
 */
import { z } from "zod";
import type { Entry } from "../base/entry.ts";
import { recencyByRank, recencyPerHour } from "../math/decay.ts";

export const momentField = z
  .enum(["last_access_at", "happened_at", "last_seen_at"])
  .describe(
    "From when age counts: the last look at a memory (before any look: when it was stored), when it happened, or last_seen_at: the last look and before any look when it happened, which is right for talk that is stored long after it was said.",
  );
type MomentField = z.infer<typeof momentField>;

const factor = z.number().positive().max(1);

export const recencySchema = z.discriminatedUnion("form", [
  z.strictObject({
    form: z.literal("hours").describe("factor ^ hours, as the paper has it."),
    factor_per_hour: factor.describe("What is left of recency after every hour."),
    time_field: momentField,
  }),
  z.strictObject({
    form: z
      .literal("rank")
      .describe("factor ^ rank with rank 1 for the oldest, as the released program has it: old counts most."),
    factor: factor.describe("What is left of recency from one rank to the next."),
    time_field: momentField,
  }),
]);
type Recency = z.infer<typeof recencySchema>;

type Moments = Pick<Entry, "lastAccessAt" | "happenedAt" | "accessCount">;

/** In the order given; `at`: now, by the clock of whoever asks. */
export function recencyOf(entries: readonly Moments[], at: number, recency: Recency): number[] {
  if (recency.form === "hours") {
    const { factor_per_hour, time_field } = recency;
    return entries.map((entry) => recencyPerHour(hoursSince(entry, time_field, at), factor_per_hour));
  }
  const moments = entries.map((entry) => momentOf(entry, recency.time_field));
  const ranks = new Map<number, number>();
  for (const [place, moment] of moments.toSorted((a, b) => a - b).entries())
    if (!ranks.has(moment)) ranks.set(moment, place + 1);
  return moments.map((moment) => recencyByRank(ranks.get(moment) ?? 1, recency.factor));
}

const HOUR_MS = 3_600_000;

export function hoursSince(entry: Moments, field: MomentField, at: number): number {
  return (at - momentOf(entry, field)) / HOUR_MS;
}

function momentOf({ lastAccessAt, happenedAt, accessCount }: Moments, field: MomentField): number {
  switch (field) {
    case "last_access_at":
      return lastAccessAt;
    case "happened_at":
      return happenedAt;
    case "last_seen_at":
      return accessCount > 0 ? lastAccessAt : happenedAt;
  }
}
