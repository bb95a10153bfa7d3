/**
 * By meaning and association (BIEM; S4-17, B.4): the best hits are fully active, activation spreads from them along links,
 * and a memory counts what its likeness and its activation weigh together. What only activation reached joins with a part
 * of it, if that is enough.
 */
import { z } from "zod";
import type { Claims, PostRetrievalContext } from "../../../pipeline/action.ts";
import { type Found, type FoundHit, toFound } from "../../../pipeline/question.ts";
import { bestFirst, rescored } from "../found-hits.ts";
import { walkClaims, walkHints, walkOptions } from "../graph-walk.ts";

export const activationOptions = z.strictObject({
  rerank_type: z
    .literal("activation")
    .describe("By likeness and by activation that spreads from the best hits."),
  seeds: z.int().min(1).describe("How many of the best hits activation spreads from."),
  vector_weight: z.number().min(0).describe("What likeness counts."),
  activation_weight: z.number().min(0).describe("What activation counts."),
  reached_share: z
    .number()
    .min(0)
    .max(1)
    .describe("What a memory that only activation reached counts of it."),
  reached_above: z.number().min(0).describe("Such a memory joins if its activation is above this."),
  max_new: z.int().min(0).describe("How many such memories may join; 0: none."),
  ...walkOptions,
});
type Options = z.infer<typeof activationOptions>;

export function activationClaims(options: Options): Claims {
  return walkClaims(options);
}

export async function rankByActivation(
  found: Found,
  { store, note }: PostRetrievalContext,
  options: Options,
): Promise<Found> {
  const { hits, question } = found;
  const { reached_share, reached_above, max_new } = options;
  if (hits.length === 0) return found;
  const seeds = Object.fromEntries(hits.slice(0, options.seeds).map(({ id }) => [id, 1]));
  const reached = await store.retrieve({
    filter: question.filter,
    topK: hits.length + max_new,
    hints: walkHints(seeds, options),
  });
  const activations = new Map(reached.map(({ id, score }) => [id, score]));
  const known = new Set(hits.map(({ id }) => id));
  const fresh = reached.filter(({ id, score }) => !known.has(id) && score > reached_above).slice(0, max_new);
  note("reached", fresh.length);
  const weighed = hits.map((hit) => weigh(hit, activations.get(hit.id) ?? 0, options));
  const joined = fresh
    .map(toFound)
    .map((hit) => rescored(hit, reached_share * hit.score, { activation: hit.score }));
  return { ...found, hits: bestFirst([...weighed, ...joined]) };
}

function weigh(hit: FoundHit, activation: number, options: Options): FoundHit {
  const score = options.vector_weight * hit.score + options.activation_weight * activation;
  return rescored(hit, score, { vector: hit.score, activation });
}
