/** What a link policy, or a summing up, cannot work without: those that look for what is alike need vectors. */
import { z } from "zod";
import type { Claims } from "../../../pipeline/action.ts";

const policySchema = z.looseObject({
  link_policy: z.string(),
  /** Of the policy `route`. */
  semantic: z.looseObject({}).nullish(),
});

const BY_LIKENESS = ["synonym_edge", "auto_link", "evolve_note", "evolve_links"];

export const BY_VECTORS = { abilities: ["vector"], embedder: true } as const satisfies Claims;

/** What summing up by clusters needs, and the tier that it names. */
export function clusterClaims(options: unknown): Claims {
  const { target_tier } = z.looseObject({ target_tier: z.string().nullish() }).parse(options);
  return typeof target_tier === "string" ? { ...BY_VECTORS, tiers: [target_tier] } : BY_VECTORS;
}

export function linkClaims(options: unknown): Claims {
  const { link_policy, semantic } = policySchema.parse(options);
  const isAlike = link_policy === "route" ? semantic != null : BY_LIKENESS.includes(link_policy);
  return isAlike ? BY_VECTORS : {};
}
