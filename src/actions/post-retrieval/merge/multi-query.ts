/**
 * Several lists made one: those that the queries brought back, fused in this action's own way, or, where tiers are named,
 * those of every tier asked by itself (MemoryOS, MemGPT). The hint is `tiers`, which every service with tiers reads
 * (B.0.9, 13).
 */
import { z } from "zod";
import type { Claims, PostRetrievalContext } from "../../../pipeline/action.ts";
import type { Found } from "../../../pipeline/question.ts";
import { fusionSchema } from "../../../policies/fusion.ts";
import { STRATEGIES } from "../../../services/hints.ts";
import { fuseLists, OWN_WAY } from "../../memory-retrieval/fuse-lists.ts";
import { askTier } from "../ask-tier.ts";
import { fuseTiers } from "../fuse-tiers.ts";

const WAYS: readonly string[] = [...STRATEGIES, OWN_WAY];

export const multiQueryOptions = z
  .strictObject({
    merge_strategy: z.literal("multi_query").describe("Fuses the lists of all queries, or of all tiers."),
    tiers: z
      .array(z.string().min(1))
      .min(1)
      .nullable()
      .describe("Tiers that are asked one by one; null: the lists as the queries brought them back."),
    fusion: fusionSchema.describe(
      `How the lists become one. Weights are by tier, or without tiers by way of looking ("${OWN_WAY}": the service's own); one that is not named counts 1.`,
    ),
    top_k: z.int().min(1).describe("How many hits each list gives, and how many stay."),
  })
  .refine(({ tiers, fusion }) => weighed(fusion).every((name) => (tiers ?? WAYS).includes(name)), {
    path: ["fusion", "weights"],
    error: `must name the tiers that are asked, or without tiers ways of looking: ${WAYS.join(", ")}`,
  });
type Options = Readonly<z.infer<typeof multiQueryOptions>>;

export function multiQueryClaims({ tiers }: Options): Claims {
  return tiers === null ? {} : { abilities: ["tiers"], tiers, hints: [{ names: ["tiers"] }] };
}

export async function mergeLists(
  found: Found,
  { store, note }: PostRetrievalContext,
  { tiers, fusion, top_k }: Options,
): Promise<Found> {
  if (tiers === null) {
    const lists = found.lists.map((list) => ({ ...list, hits: list.hits.slice(0, top_k) }));
    return { ...found, hits: fuseLists(lists, fusion).slice(0, top_k) };
  }
  const asked = tiers.map(async (tier) => {
    const lists = await askTier(found.question, store, tier, top_k);
    return lists.map(({ hits, query }) => ({ tier, hits, weight: query.weight }));
  });
  const lists = (await Promise.all(asked)).flat();
  note(
    "lists",
    lists.map(({ tier, hits }) => ({ tier, hits: hits.length })),
  );
  return { ...found, hits: fuseTiers(lists, fusion).slice(0, top_k) };
}

function weighed(fusion: z.infer<typeof fusionSchema>): string[] {
  return Object.keys(("weights" in fusion && fusion.weights) || {});
}
