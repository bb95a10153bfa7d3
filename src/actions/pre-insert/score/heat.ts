/**
 * How much went into it? MemoryOS counts the interactions (pages) of a segment into its heat. The count is the draft's
 * `strength`, which the vitality memoryos_heat reads; visits and recency are counted by the store from then on.
 */
import { z } from "zod";
import type { Draft } from "../../../pipeline/draft.ts";

export const heatOptions = z.strictObject({
  score_type: z.literal("heat").describe("How many interactions a memory holds, for its heat."),
  turns_per_interaction: z
    .number()
    .int()
    .min(1)
    .describe("How many turns make an interaction; a question and its answer are 2."),
});

export function heatDraft(draft: Draft, { turns_per_interaction }: z.infer<typeof heatOptions>): Draft {
  return { ...draft, strength: Math.ceil(draft.turns.length / turns_per_interaction) };
}
