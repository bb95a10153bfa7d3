/**
 * BIEM energy: E₀·e^(−λ·hours) from the anchor, the energy as it was last written (S4-11, C-2). A look adds to it
 * (S4-12), a judgement adds or takes (S4-13); each writes a new anchor, from the energy as it is at that moment in the
 * storage: the decay before it is never repeated, and of two looks at once none is lost.
 */
import { z } from "zod";
import type { Observables } from "../../base/entry.ts";
import { exponentialDecayPerHour } from "../../math/decay.ts";
import type { EnergyBoost } from "../../storage/touch.ts";
import { hoursBetween } from "./elapsed.ts";
import { defineVitality } from "./vitality.ts";

const options = z.strictObject({
  initial_energy: z.number().min(0).max(1).describe("Energy of a memory that was stored without any."),
  decay_per_hour: z.number().min(0).describe("Rate λ at which energy fades, per hour since it was written."),
  access_boost: z.number().min(0).max(1).describe("Energy that a look at the memory adds, up to 1 in all."),
  feedback_boost: z
    .number()
    .min(0)
    .max(1)
    .describe("Energy that full praise adds and full blame takes, between 0 and 1 in all."),
});

export const biemEnergy = defineVitality({
  name: "biem_energy",
  summary: "Energy from 0 to 1 that fades by the hour and rises with every look and with praise (BIEM).",
  options,
  score: energyAt,
  onAccess: (_of, now, given) => ({ boostEnergy: boost(given.access_boost, now, given) }),
  onFeedback: (_of, feedback, now, given) => ({
    boostEnergy: boost(feedback * given.feedback_boost, now, given),
  }),
});

type Options = z.infer<typeof options>;

function energyAt(of: Observables, now: number, { initial_energy, decay_per_hour }: Options): number {
  const { value, at } = of.energyAnchor ?? { value: initial_energy, at: of.lastAccessAt };
  return exponentialDecayPerHour(value, hoursBetween(at, now), decay_per_hour);
}

function boost(by: number, at: number, { initial_energy, decay_per_hour }: Options): EnergyBoost {
  return { by, initial: initial_energy, decayPerHour: decay_per_hour, at };
}
