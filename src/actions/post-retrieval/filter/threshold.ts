/** Only what scores enough, by the score or by one of its parts. */
import { z } from "zod";
import type { Found } from "../../../pipeline/question.ts";

export const thresholdOptions = z.strictObject({
  filter_type: z.literal("threshold").describe("Only hits that score enough."),
  min_score: z.number().describe("The least that a hit must have; what has exactly this stays."),
  score_part: z
    .string()
    .min(1)
    .nullable()
    .describe(
      "The part of the score that is compared, which a hit without it fails; null: the score itself.",
    ),
});

export function keepAbove(found: Found, { min_score, score_part }: z.infer<typeof thresholdOptions>): Found {
  const hits = found.hits.filter(({ score, scoreParts }) => {
    const measured = score_part === null ? score : scoreParts[score_part];
    return measured !== undefined && measured >= min_score;
  });
  return { ...found, hits };
}
