/** Age alone: e^(−λ·hours since creation), whoever looked at it since (B.0.2 forgetting). */
import { z } from "zod";
import { exponentialDecayPerHour } from "../../math/decay.ts";
import { hoursBetween } from "./elapsed.ts";
import { defineVitality } from "./vitality.ts";

export const timeDecay = defineVitality({
  name: "time_decay",
  summary: "From 1 towards 0 by the hour since the memory was made, whether it is used or not.",
  options: z.strictObject({
    decay_per_hour: z.number().min(0).describe("Rate at which it fades, per hour of age."),
  }),
  score: (of, now, { decay_per_hour }) =>
    exponentialDecayPerHour(1, hoursBetween(of.createdAt, now), decay_per_hour),
});
