/** Several lists as one: each hit once, with what every list gave it under the list's name (C-33): `lexical`, `semantic`, and `semantic#2` for the second. */
import type { FoundHit, FoundList } from "../../pipeline/question.ts";
import { type FusionOptions, fuse } from "../../policies/fusion.ts";

/** How the way that the service chooses itself is called. */
export const OWN_WAY = "default";

export function fuseLists(lists: readonly FoundList[], fusion: FusionOptions): FoundHit[] {
  const weights = "weights" in fusion ? (fusion.weights ?? {}) : {};
  const found = new Map<FoundHit["id"], FoundHit>();
  const timesSeen = new Map<string, number>();
  const ranked = lists.map(({ query, hints, hits }) => {
    const way = hints.strategy ?? OWN_WAY;
    const seen = (timesSeen.get(way) ?? 0) + 1;
    timesSeen.set(way, seen);
    const name = seen === 1 ? way : `${way}#${seen}`;
    for (const hit of hits) {
      const known = found.get(hit.id);
      const scoreParts = { ...known?.scoreParts, ...named(name, hit.scoreParts) };
      found.set(hit.id, { ...(known ?? hit), scoreParts });
    }
    const wayWeight = Object.hasOwn(weights, way) ? (weights[way] ?? 1) : 1;
    return { name, hits, weight: query.weight * wayWeight };
  });
  // The weights of ways are in those of the lists now.
  const plain = fusion.strategy === "union" ? fusion : { ...fusion, weights: null };
  return fuse(ranked, plain).flatMap(({ id, score, parts }) => {
    const hit = found.get(id);
    if (hit === undefined) return [];
    return [{ ...hit, score, scoreParts: { ...named(fusion.strategy, parts), ...hit.scoreParts } }];
  });
}

function named(prefix: string, parts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [`${prefix}.${name}`, value]));
}
