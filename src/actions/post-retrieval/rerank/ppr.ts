/**
 * By connections: the service walks its graph from the hits, each as strong a seed as its score, and what was found and
 * what the walk says are added up, both scaled to 0 … 1 (B.0.2; HippoRAG, Gutiérrez et al., NeurIPS 2024). What the walk
 * reached and nobody had found joins the list.
 */
import { z } from "zod";
import { fuseByWeightedScore } from "../../../math/fusion.ts";
import type { Claims, PostRetrievalContext } from "../../../pipeline/action.ts";
import type { Found } from "../../../pipeline/question.ts";
import { toFound } from "../../../pipeline/question.ts";
import { rescored, withNew } from "../found-hits.ts";
import { seedsOf, walkClaims, walkHints, walkOptions } from "../graph-walk.ts";

export const pprOptions = z.strictObject({
  rerank_type: z.literal("ppr").describe("By a walk over the service's graph that begins at the hits."),
  base_weight: z.number().min(0).describe("What the score counts that a memory has already."),
  ppr_weight: z.number().min(0).describe("What the walk over the graph counts."),
  max_new: z
    .int()
    .min(0)
    .describe("How many memories that only the walk has reached may join the list; 0: none."),
  ...walkOptions,
});
type Options = z.infer<typeof pprOptions>;

export function pprClaims(options: Options): Claims {
  return walkClaims(options);
}

export async function rankByWalk(
  found: Found,
  { store, note }: PostRetrievalContext,
  options: Options,
): Promise<Found> {
  const { hits, question } = found;
  if (hits.length === 0) return found;
  const reached = await store.retrieve({
    filter: question.filter,
    topK: hits.length + options.max_new,
    hints: walkHints(seedsOf(hits), options),
  });
  const known = new Set(hits.map(({ id }) => id));
  const fresh = reached.filter(({ id }) => !known.has(id)).slice(0, options.max_new);
  note("reached", fresh.length);
  const walked = reached.filter((hit) => known.has(hit.id) || fresh.includes(hit));
  const all = new Map(withNew(hits, fresh.map(toFound)).map((hit) => [hit.id, hit]));
  const fused = fuseByWeightedScore([
    { name: "base", hits, weight: options.base_weight },
    { name: "ppr", hits: walked, weight: options.ppr_weight },
  ]);
  return {
    ...found,
    hits: fused.flatMap(({ id, score, parts }) => {
      const hit = all.get(id);
      return hit === undefined ? [] : [rescored(hit, score, parts)];
    }),
  };
}
