/**
 * What does a clash call for? BIEM's signals of dissonance (B.4): the old memory gives way where it is cold already, or
 * where the clash is certain enough; else somebody is asked to confirm; and what is of little weight is let be.
 */
import { z } from "zod";
import type { ConflictVerdict } from "../tasks/rules/conflict.ts";

export const conflictSignalOptions = z.strictObject({
  restructure_below: z
    .number()
    .describe("An old memory that is less alive than this gives way to what clashes with it."),
  restructure_confidence: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe("A clash of at least this confidence makes a livelier one give way, too; null: none does."),
  ignore_below: z.number().min(0).max(1).describe("A signal of less priority than this is let be."),
});
export type ConflictSignalOptions = Readonly<z.infer<typeof conflictSignalOptions>>;

export interface ConflictSignal {
  readonly action: "confirm" | "restructure" | "ignore";
  /** 0.3 low, 0.5 middle, 0.7 high. */
  readonly priority: number;
}

/** `vitality`: of the old memory. */
export function signalOf(
  { confidence }: Pick<ConflictVerdict, "confidence">,
  vitality: number,
  { restructure_below, restructure_confidence, ignore_below }: ConflictSignalOptions,
): ConflictSignal {
  const priority = confidence >= 0.8 ? 0.7 : confidence >= 0.6 ? 0.5 : 0.3;
  if (priority < ignore_below) return { action: "ignore", priority };
  const isSure = restructure_confidence !== null && confidence >= restructure_confidence;
  return { action: isSure || vitality < restructure_below ? "restructure" : "confirm", priority };
}
