/**
 * What the hits are linked with, too (A-MEM, Xu et al., NeurIPS 2025): the service walks its graph from the hits, and what
 * it reaches joins them with a weaker score: the best hit's, times `decay`, times how strongly the walk reached it.
 */
import { z } from "zod";
import { where } from "../../../base/filter.ts";
import type { Claims, PostRetrievalContext } from "../../../pipeline/action.ts";
import type { Found } from "../../../pipeline/question.ts";
import { toFound } from "../../../pipeline/question.ts";
import { bestFirst, rescored } from "../found-hits.ts";
import { seedsOf, walkClaims, walkHints, walkOptions } from "../graph-walk.ts";

export const linkExpandOptions = z.strictObject({
  merge_strategy: z.literal("link_expand").describe("Adds what the hits are linked with."),
  ...walkOptions,
  max_links: z.int().min(1).describe("How many linked memories join at most."),
  decay: z
    .number()
    .gt(0)
    .max(1)
    .describe("What the most strongly linked memory scores, as a part of the best hit's score."),
});
type Options = z.infer<typeof linkExpandOptions>;

export function linkExpandClaims(options: Options): Claims {
  return walkClaims(options);
}

export async function addLinked(
  found: Found,
  { store, note }: PostRetrievalContext,
  options: Options,
): Promise<Found> {
  const { hits, question } = found;
  const { max_links, decay } = options;
  if (hits.length === 0) return found;
  const others = where.not(
    where.in(
      "id",
      hits.map(({ id }) => id),
    ),
  );
  const linked = await store.retrieve({
    filter: question.filter === undefined ? others : where.and(others, question.filter),
    topK: max_links,
    hints: walkHints(seedsOf(hits), options),
  });
  const top = Math.max(0, ...hits.map(({ score }) => score));
  const strongest = Math.max(...linked.map(({ score }) => score));
  note("linked", linked.length);
  const joined = linked.map((hit) => {
    const link = strongest > 0 ? hit.score / strongest : 1;
    return rescored(toFound(hit), top * decay * link, { link });
  });
  return { ...found, hits: bestFirst([...hits, ...joined]) };
}
