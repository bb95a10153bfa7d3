/** A look at an entry: observables to overwrite, or counters to raise. Counters add up, so two processes never lose one. */
import { z } from "zod";
import type { EnergyAnchor } from "../base/entry.ts";
import { momentSchema } from "../base/moment.ts";
import { parseInput } from "../base/parse-input.ts";

export interface Touch {
  readonly lastAccessAt?: number | undefined;
  readonly strength?: number | undefined;
  readonly energyAnchor?: EnergyAnchor | null | undefined;
  readonly addAccess?: number | undefined;
  readonly addUseful?: number | undefined;
  readonly addStrength?: number | undefined;
}

const count = z.number().int().min(0).max(1_000_000).optional();
const schema = z.strictObject({
  lastAccessAt: momentSchema.optional(),
  strength: z.int32().optional(),
  energyAnchor: z.strictObject({ value: z.number(), at: momentSchema }).nullable().optional(),
  addAccess: count,
  addUseful: count,
  addStrength: count,
});

export function checkTouch(touch: Touch): Touch {
  return parseInput(schema, touch, "touch");
}
