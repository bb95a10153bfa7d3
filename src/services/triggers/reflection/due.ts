/**
 * Is it time to reflect? What counts is what came since the last reflection about the same subject, and how far that came
 * is stored: so it survives a restart, and a second reflection with nothing new finds that it is too early.
 */
import { z } from "zod";
import type { Entry } from "../../../base/entry.ts";

export const dueShapes = {
  threshold: {
    trigger_mode: z.literal("threshold").describe("When what came since the last reflection weighs enough."),
    importance_threshold: z
      .number()
      .positive()
      .describe(
        "Sum of importance that is enough, on a scale of 1 to 10 each: an importance of 0.8 counts 8.",
      ),
    unjudged_importance: z
      .number()
      .min(0)
      .max(1)
      .describe("Importance of an entry that nobody judged, 0 to 1."),
  },
  periodic: {
    trigger_mode: z.literal("periodic").describe("When the last reflection is old enough."),
    interval_minutes: z.number().positive().describe("Minutes after which there may be another reflection."),
  },
  count: {
    trigger_mode: z.literal("count").describe("When enough has come since the last reflection."),
    memory_count: z.int().min(1).describe("How many entries since the last reflection are enough."),
  },
  manual: {
    trigger_mode: z.literal("manual").describe("Whenever it is asked for and there is something new."),
  },
} as const;

const dueOptions = z.discriminatedUnion("trigger_mode", [
  z.object(dueShapes.threshold),
  z.object(dueShapes.periodic),
  z.object(dueShapes.count),
  z.object(dueShapes.manual),
]);
export type DueOptions = z.infer<typeof dueOptions>;

/** The stored importance, 0 to 1, is a tenth of the published scale. */
const SCALE = 10;

export type Weighed = Pick<Entry, "importance" | "createdAt">;

/**
 * Why not yet; undefined if it is time. `fresh`: what is no insight and came since the last reflection, which was at
 * `last`, oldest first.
 */
export function tooEarly(
  options: DueOptions,
  fresh: readonly Weighed[],
  last: number | undefined,
  now: number,
): string | undefined {
  const [first] = fresh;
  if (first === undefined) return "There is nothing new to reflect on.";
  switch (options.trigger_mode) {
    case "manual":
      return undefined;
    case "count":
      return fresh.length >= options.memory_count
        ? undefined
        : `${fresh.length} of ${options.memory_count} entries have come since the last reflection.`;
    case "periodic": {
      const minutes = (now - (last ?? first.createdAt)) / 60_000;
      return minutes >= options.interval_minutes
        ? undefined
        : `${Math.floor(minutes)} of ${options.interval_minutes} minutes have passed since the last reflection.`;
    }
    case "threshold": {
      const { importance_threshold, unjudged_importance } = options;
      const sum =
        SCALE * fresh.reduce((total, { importance }) => total + (importance ?? unjudged_importance), 0);
      // A sum of tenths may miss a whole number by a hair.
      return sum + 1e-9 >= importance_threshold
        ? undefined
        : `What came since the last reflection weighs ${sum.toFixed(1)} of ${importance_threshold}.`;
    }
  }
}
