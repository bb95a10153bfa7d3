/** The lists of several tiers as one, each named for its tier; a tier that the fusion gives no weight counts 1. */
import type { FoundHit } from "../../pipeline/question.ts";
import { type FusionOptions, fuse } from "../../policies/fusion.ts";
import { rescored } from "./found-hits.ts";

export interface TierList {
  readonly tier: string;
  readonly hits: readonly FoundHit[];
  /** Of the query that found it. */
  readonly weight: number;
}

export function fuseTiers(lists: readonly TierList[], fusion: FusionOptions): FoundHit[] {
  const weights = "weights" in fusion ? (fusion.weights ?? {}) : {};
  const found = new Map<FoundHit["id"], FoundHit>();
  const ranked = lists.map(({ tier, hits, weight }) => {
    for (const hit of hits) if (!found.has(hit.id)) found.set(hit.id, hit);
    const own = Object.hasOwn(weights, tier) ? (weights[tier] ?? 1) : 1;
    return { name: tier, hits, weight: weight * own };
  });
  // The weights of tiers are in those of the lists now.
  const plain = fusion.strategy === "union" ? fusion : { ...fusion, weights: null };
  return fuse(ranked, plain).flatMap(({ id, score, parts }) => {
    const hit = found.get(id);
    const named = Object.entries(parts).map(([tier, part]) => [`${fusion.strategy}.${tier}`, part]);
    return hit === undefined ? [] : [rescored(hit, score, Object.fromEntries(named))];
  });
}
