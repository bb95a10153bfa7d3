/**
 * Ebbinghaus strength of seed 001: S₀·e^(−λ·hours since access) + r·ln(accesses + 1), at most 1 (S1-11, S1-12; the
 * logarithm by C-3). The seed calls S₀ base_decay and has λ as a literal; here both say what they are (B.1). The counted
 * access is all that a look changes (S1-15).
 */
import { z } from "zod";
import { ebbinghausStrength } from "../../math/decay.ts";
import { hoursBetween } from "./elapsed.ts";
import { defineVitality } from "./vitality.ts";

export const ebbinghaus = defineVitality({
  name: "ebbinghaus",
  summary:
    "Strength from 0 to 1 that fades by the hour since the last look and grows with the number of looks.",
  options: z.strictObject({
    initial_strength: z
      .number()
      .min(0)
      .max(1)
      .describe("Strength at the moment of a look, looks not counted."),
    decay_per_hour: z
      .number()
      .min(0)
      .describe("Rate at which the initial strength fades, per hour since access."),
    reinforcement_factor: z.number().min(0).describe("Weight of the logarithm of the number of looks."),
  }),
  score: (of, now, { initial_strength, decay_per_hour, reinforcement_factor }) =>
    ebbinghausStrength({
      hoursSinceAccess: hoursBetween(of.lastAccessAt, now),
      accessCount: of.accessCount,
      initialStrength: initial_strength,
      decayPerHour: decay_per_hour,
      reinforcement: reinforcement_factor,
    }),
});
