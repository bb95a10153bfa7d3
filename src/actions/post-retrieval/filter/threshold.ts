/**
 * Only what scores enough, by the score or by one of its parts. What a score means depends on who made it (fused ranks are
 * about 0.016, cosines up to 1), so a part says more. Lists that were fused write their name before a part
 * ("semantic.cosine"): it is found by its own name, and the best of several counts.
 */
import { z } from "zod";
import type { Found, FoundHit } from "../../../pipeline/question.ts";

export const thresholdOptions = z.strictObject({
  filter_type: z.literal("threshold").describe("Only hits that score enough."),
  min_score: z.number().describe("The least that a hit must have; what has exactly this stays."),
  score_part: z
    .string()
    .min(1)
    .nullable()
    .describe(
      'The part of the score that is compared, as "cosine", whichever list or vector field it is of; null: the score itself.',
    ),
  keep_unmeasured: z
    .boolean()
    .describe("Whether a hit without such a part stays, as one that was found by words alone has no cosine."),
});

type Options = z.infer<typeof thresholdOptions>;

export function keepAbove(found: Found, { min_score, score_part, keep_unmeasured }: Options): Found {
  const hits = found.hits.filter((hit) => {
    const measured = score_part === null ? hit.score : partOf(hit, score_part);
    return measured === undefined ? keep_unmeasured : measured >= min_score;
  });
  return { ...found, hits };
}

function partOf({ scoreParts }: FoundHit, name: string): number | undefined {
  const values = Object.entries(scoreParts)
    .filter(([part]) => part === name || part.endsWith(`.${name}`))
    .map(([, value]) => value);
  return values.length === 0 ? undefined : Math.max(...values);
}
