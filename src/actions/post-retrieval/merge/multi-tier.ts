/**
 * A share for every tier: each is asked for as many hits as its quota says, and the tiers' lists are fused by reciprocal
 * rank (MemGPT as SAGE has it, B.0.8), so that a full archive cannot crowd out the few things at hand.
 */
import { z } from "zod";
import type { Claims, PostRetrievalContext } from "../../../pipeline/action.ts";
import type { Found } from "../../../pipeline/question.ts";
import { fuseLists, fuseNamed } from "../../memory-retrieval/fuse-lists.ts";
import { askTier } from "../ask-tier.ts";

export const multiTierOptions = z.strictObject({
  merge_strategy: z.literal("multi_tier").describe("So many hits from every tier, fused by rank."),
  quotas: z
    .record(z.string().min(1), z.int().min(1))
    .refine((quotas) => Object.keys(quotas).length > 0, "must name at least one tier")
    .describe("How many hits each tier gives, by its name."),
  rrf_k: z
    .number()
    .min(0)
    .describe("The k of reciprocal rank fusion: the larger, the less first places count."),
});
type Options = Readonly<z.infer<typeof multiTierOptions>>;

export function multiTierClaims({ quotas }: Options): Claims {
  return { abilities: ["tiers"], tiers: Object.keys(quotas), hints: [{ names: ["tiers"] }] };
}

export async function mergeTiers(
  { question, ...found }: Found,
  { store, note }: PostRetrievalContext,
  { quotas, rrf_k }: Options,
): Promise<Found> {
  const byRank = { strategy: "rrf", rrf_k, weights: null } as const;
  const tiers = await Promise.all(
    Object.entries(quotas).map(async ([tier, quota]) => {
      const lists = await askTier(question, store, tier, quota);
      const [only] = lists;
      const hits = lists.length === 1 && only !== undefined ? only.hits : fuseLists(lists, byRank);
      return { name: tier, hits: hits.slice(0, quota), weight: 1 };
    }),
  );
  note("tiers", Object.fromEntries(tiers.map(({ name, hits }) => [name, hits.length])));
  return { ...found, question, hits: fuseNamed(tiers, byRank) };
}
