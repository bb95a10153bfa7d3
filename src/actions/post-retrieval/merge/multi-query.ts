/**
 * Several lists made one: those that the queries brought back, fused in this action's own way, or, where tiers are named,
 * those of every tier asked by itself (MemoryOS, MemGPT). The hint is `tiers`, which every service with tiers reads
 * (B.0.9, 13). What an action before it has dropped stays dropped, and what one has added or rewritten stays so.
 */
import { z } from "zod";
import type { Claims, PostRetrievalContext } from "../../../pipeline/action.ts";
import type { Found, FoundHit } from "../../../pipeline/question.ts";
import { type FusionOptions, fusionSchema } from "../../../policies/fusion.ts";
import { STRATEGIES } from "../../../services/hints.ts";
import { fuseLists, fuseNamed, OWN_WAY } from "../../memory-retrieval/fuse-lists.ts";
import { askTier } from "../ask-tier.ts";

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
  if (tiers === null) return { ...found, hits: fuseFound(found, fusion, top_k).slice(0, top_k) };
  const asked = tiers.map(async (tier) => {
    const lists = await askTier(found.question, store, tier, top_k);
    return lists.map(({ hits, query }) => ({ name: tier, hits, weight: query.weight }));
  });
  const lists = (await Promise.all(asked)).flat();
  note(
    "lists",
    lists.map(({ name: tier, hits }) => ({ tier, hits: hits.length })),
  );
  return { ...found, hits: fuseNamed(lists, fusion).slice(0, top_k) };
}

/** Hits that no list holds, as those that a link led to, come behind. */
function fuseFound({ lists, hits }: Found, fusion: FusionOptions, topK: number): FoundHit[] {
  const left = new Map(hits.map((hit) => [hit.id, hit]));
  const cut = lists.map((list) => ({
    ...list,
    hits: list.hits.filter(({ id }) => left.has(id)).slice(0, topK),
  }));
  const fused = fuseLists(cut, fusion).map((hit) => ({ ...hit, text: left.get(hit.id)?.text ?? hit.text }));
  const listed = new Set(lists.flatMap((list) => list.hits.map(({ id }) => id)));
  return [...fused, ...hits.filter(({ id }) => !listed.has(id))];
}

function weighed(fusion: z.infer<typeof fusionSchema>): string[] {
  return Object.keys(("weights" in fusion && fusion.weights) || {});
}
