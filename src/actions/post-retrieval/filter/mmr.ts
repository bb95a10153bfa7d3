/** Hits that are good and unlike each other: maximal marginal relevance, with likeness by shared words. */
import { z } from "zod";
import { minMax } from "../../../math/min-max.ts";
import { maximalMarginalRelevance } from "../../../math/mmr.ts";
import type { Found } from "../../../pipeline/question.ts";
import { rescored } from "../found-hits.ts";
import { sharedWords, wordSet } from "../word-likeness.ts";

export const mmrOptions = z.strictObject({
  filter_type: z.literal("mmr").describe("Hits that are good and unlike those before them."),
  lambda: z
    .number()
    .min(0)
    .max(1)
    .describe("1: only how good a hit is; 0: only how unlike the others it is."),
  k: z.int().min(1).describe("How many hits stay."),
});

export function keepDiverse(found: Found, { lambda, k }: z.infer<typeof mmrOptions>): Found {
  const { hits } = found;
  const words = hits.map(({ text }) => wordSet(text));
  const none = new Set<string>();
  const picks = maximalMarginalRelevance({
    // On the scale of the likeness; of equals, each is as good as can be.
    relevance: minMax(
      hits.map(({ score }) => score),
      1,
    ),
    similarity: (a, b) => sharedWords(words[a] ?? none, words[b] ?? none),
    lambda,
    k,
  });
  return {
    ...found,
    hits: picks.flatMap(({ item, score: mmr, redundancy }) => {
      const hit = hits[item];
      return hit === undefined ? [] : [rescored(hit, hit.score, { mmr, redundancy })];
    }),
  };
}
