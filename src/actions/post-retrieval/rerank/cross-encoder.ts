/** By a model that reads the question and the memory together: the configured reranker. */
import { z } from "zod";
import type { PostRetrievalContext } from "../../../pipeline/action.ts";
import type { Found } from "../../../pipeline/question.ts";
import { bestFirst, rescored } from "../found-hits.ts";

export const crossEncoderOptions = z.strictObject({
  rerank_type: z.literal("cross_encoder").describe("By the reranker that is configured."),
});

export async function rankByModel(found: Found, { rank }: PostRetrievalContext): Promise<Found> {
  const { hits, question } = found;
  if (hits.length === 0) return found;
  const scores = await rank(
    question.text,
    hits.map(({ text }) => text),
  );
  const ranked = hits.map((hit, place) => {
    const score = scores[place] ?? 0;
    return rescored(hit, score, { cross_encoder: score });
  });
  return { ...found, hits: bestFirst(ranked) };
}
