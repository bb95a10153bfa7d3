/**
 * A look at an entry: observables to overwrite, or counters and energy to raise. Those are added to what is there when
 * the look is written, so that of two looks at once none is lost.
 */
import { z } from "zod";
import type { EnergyAnchor, Observables } from "../base/entry.ts";
import { momentSchema } from "../base/moment.ts";
import { parseInput } from "../base/parse-input.ts";
import { exponentialDecayPerHour } from "../math/decay.ts";

export interface Touch {
  readonly lastAccessAt?: number | undefined;
  readonly strength?: number | undefined;
  readonly energyAnchor?: EnergyAnchor | null | undefined;
  /** Adds to the energy as it is when the touch is written, instead of setting an anchor. */
  readonly boostEnergy?: EnergyBoost | undefined;
  readonly addAccess?: number | undefined;
  readonly addUseful?: number | undefined;
  readonly addStrength?: number | undefined;
}

/** The fields of an entry that a touch may change. */
export const TOUCHED = ["lastAccessAt", "accessCount", "usefulCount", "strength", "energyAnchor"] as const;

/** A change of energy that is not lost when another look changes it at the same time. */
export interface EnergyBoost {
  /** Added after the decay, within 0 to 1 in all; less than 0 takes. */
  readonly by: number;
  /** The energy of an entry that has no anchor, as it was at its last access. */
  readonly initial: number;
  readonly decayPerHour: number;
  /** The moment of the look. */
  readonly at: number;
}

const HOUR_MS = 3_600_000;
const count = z.number().int().min(0).max(1_000_000).optional();
const schema = z
  .strictObject({
    lastAccessAt: momentSchema.optional(),
    strength: z.int32().optional(),
    energyAnchor: z.strictObject({ value: z.number(), at: momentSchema }).nullable().optional(),
    boostEnergy: z
      .strictObject({
        by: z.number(),
        initial: z.number(),
        decayPerHour: z.number().min(0),
        at: momentSchema,
      })
      .optional(),
    addAccess: count,
    addUseful: count,
    addStrength: count,
  })
  .refine(({ energyAnchor, boostEnergy }) => energyAnchor === undefined || boostEnergy === undefined, {
    error: "energyAnchor sets and boostEnergy adds: give one of them",
  });

export function checkTouch(touch: Touch): Touch {
  return parseInput(schema, touch, "touch");
}

/** The anchor that a touch leaves. A look from behind the anchor's moment finds it as it was written then. */
export function anchorAfter(
  of: Pick<Observables, "energyAnchor" | "lastAccessAt">,
  { energyAnchor, boostEnergy }: Touch,
): EnergyAnchor | null {
  if (boostEnergy === undefined) return energyAnchor === undefined ? of.energyAnchor : energyAnchor;
  const { by, initial, decayPerHour, at } = boostEnergy;
  const anchor = of.energyAnchor ?? { value: initial, at: of.lastAccessAt };
  const left = exponentialDecayPerHour(anchor.value, (at - anchor.at) / HOUR_MS, decayPerHour);
  return { value: Math.max(0, Math.min(1, left + by)), at: Math.max(at, anchor.at) };
}
