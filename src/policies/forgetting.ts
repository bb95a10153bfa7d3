/**
 * What is forgotten in a sweep? What is less alive than a line (S1-13), weakest first, as long as enough is left (B.0.3:
 * below 0.3, but at least 50 are kept). What is pinned stays, whatever its vitality (C-5).
 */
import { z } from "zod";

export const forgettingOptions = z.strictObject({
  forget_below: z.number().describe("Vitality below which an entry is forgotten."),
  retention_min: z.int().min(0).describe("How many entries are kept at least, pinned ones among them."),
});
export type ForgettingOptions = Readonly<z.infer<typeof forgettingOptions>>;

export interface ForgettingCandidate<Id extends string> {
  readonly id: Id;
  readonly vitality: number;
  readonly pinned: boolean;
}

/** Who goes, weakest first; of equals the one given first. */
export function planForgetting<Id extends string>(
  entries: readonly ForgettingCandidate<Id>[],
  { forget_below, retention_min }: ForgettingOptions,
): Id[] {
  return entries
    .filter(({ vitality, pinned }) => !pinned && vitality < forget_below)
    .sort((a, b) => a.vitality - b.vitality)
    .slice(0, Math.max(0, entries.length - retention_min))
    .map(({ id }) => id);
}
