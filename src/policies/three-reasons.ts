/**
 * Which memories does an agent think of? The score of Generative Agents (Park et al., UIST 2023; papers.md B2): how recent,
 * how important and how relevant, each brought to 0 … 1 over all candidates, and added up.
 */
import { z } from "zod";
import type { Hit } from "../base/hit.ts";
import { minMax } from "../math/min-max.ts";
import { recencyOf, recencySchema } from "./recency.ts";

const weight = z.number().min(0);

export const threeReasonsSchema = z.strictObject({
  candidates: z.int().min(1).describe("How many memories, the most relevant, are compared."),
  weights: z
    .strictObject({
      recency: weight.describe("What being recent counts."),
      importance: weight.describe("What the judged importance counts."),
      relevance: weight.describe("What nearness to the question counts."),
    })
    .describe("What each reason counts."),
  recency: recencySchema.describe("How recency is measured."),
  unjudged_importance: z
    .number()
    .min(0)
    .max(1)
    .describe("The importance of a memory that nobody has judged."),
});
export type ThreeReasons = z.infer<typeof threeReasonsSchema>;

/** Where there is nothing to tell candidates apart by, each gets half. */
export const ALL_EQUAL = 0.5;

/** Best first; of equals the one that came first stays first. */
export function rankByThreeReasons<One extends Hit>(
  hits: readonly One[],
  at: number,
  { weights, recency, unjudged_importance }: ThreeReasons,
): One[] {
  const recent = minMax(recencyOf(hits, at, recency), ALL_EQUAL);
  const important = minMax(
    hits.map(({ importance }) => importance ?? unjudged_importance),
    ALL_EQUAL,
  );
  const relevant = minMax(
    hits.map(({ score }) => score),
    ALL_EQUAL,
  );
  const scored = hits.map((hit, place) => ({
    hit,
    score:
      weights.recency * (recent[place] ?? 0) +
      weights.importance * (important[place] ?? 0) +
      weights.relevance * (relevant[place] ?? 0),
  }));
  return scored.sort((a, b) => b.score - a.score).map(({ hit }) => hit);
}
