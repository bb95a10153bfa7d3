/**
 * Age, use and worth together (B.0.2 forgetting: weights .3, .3, .4): time is e^(−λ·hours of age) as in time_decay,
 * frequency is n/(n + 1) for n looks (B.0.4), importance is as judged.
 */
import { z } from "zod";
import { exponentialDecayPerHour } from "../../math/decay.ts";
import { hoursBetween } from "./elapsed.ts";
import { defineVitality } from "./vitality.ts";

const weight = z.number().min(0);

export const hybrid = defineVitality({
  name: "hybrid",
  summary: "A weighted sum of youth, how often the memory was looked at, and its importance.",
  options: z.strictObject({
    time_weight: weight.describe("What full youth counts."),
    frequency_weight: weight.describe("What being looked at without end counts; the first look gives half."),
    importance_weight: weight.describe("What an importance of 1 counts."),
    decay_per_hour: z.number().min(0).describe("Rate at which youth fades, per hour of age."),
    unjudged_importance: z.number().min(0).max(1).describe("Importance of a memory that nobody judged."),
  }),
  score(of, now, given) {
    const time = exponentialDecayPerHour(1, hoursBetween(of.createdAt, now), given.decay_per_hour);
    const frequency = of.accessCount / (of.accessCount + 1);
    const importance = of.importance ?? given.unjudged_importance;
    const { time_weight, frequency_weight, importance_weight } = given;
    return time_weight * time + frequency_weight * frequency + importance_weight * importance;
  },
});
