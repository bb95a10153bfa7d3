/** SimpleMemory's strength (S3-9, S3-27): a whole number that praise raises and that nothing lowers by itself (B.3). */
import { z } from "zod";
import { defineVitality } from "./vitality.ts";

export const strengthCounter = defineVitality({
  name: "strength_counter",
  summary: "The stored strength as it is; a memory found useful gains some, time takes none (SimpleMemory).",
  options: z.strictObject({
    strength_per_useful: z.int().min(0).describe("How much being found useful raises the strength."),
  }),
  score: (of) => of.strength,
  onFeedback: (_of, feedback, _now, { strength_per_useful }) =>
    feedback > 0 ? { addStrength: strength_per_useful } : {},
});
