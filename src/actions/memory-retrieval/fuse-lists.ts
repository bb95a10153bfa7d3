/**
 * Several lists as one: each hit once, with what every list gave it under the list's name (C-33): `lexical`, `semantic`, and
 * `semantic#2` for the second of that name.
 */
import type { FoundHit, FoundList } from "../../pipeline/question.ts";
import { type FusionOptions, fuse } from "../../policies/fusion.ts";

/** How the way that the service chooses itself is called. */
export const OWN_WAY = "default";

export interface NamedList {
  /** What the fusion's weights call it: a way of looking, or a tier. */
  readonly name: string;
  readonly hits: readonly FoundHit[];
  /** Of the query that found it. */
  readonly weight: number;
}

/** Each named for its way of looking. */
export function fuseLists(lists: readonly FoundList[], fusion: FusionOptions): FoundHit[] {
  const named = lists.map(({ query, hints, hits }) => ({
    name: hints.strategy ?? OWN_WAY,
    hits,
    weight: query.weight,
  }));
  return fuseNamed(named, fusion);
}

/** A name that the fusion gives no weight counts 1. */
export function fuseNamed(lists: readonly NamedList[], fusion: FusionOptions): FoundHit[] {
  const weights = "weights" in fusion ? (fusion.weights ?? {}) : {};
  const found = new Map<FoundHit["id"], FoundHit>();
  const timesSeen = new Map<string, number>();
  const ranked = lists.map(({ name, hits, weight }) => {
    const seen = (timesSeen.get(name) ?? 0) + 1;
    timesSeen.set(name, seen);
    const list = seen === 1 ? name : `${name}#${seen}`;
    for (const hit of hits) {
      const known = found.get(hit.id);
      const scoreParts = { ...known?.scoreParts, ...prefixed(list, hit.scoreParts) };
      found.set(hit.id, { ...(known ?? hit), scoreParts });
    }
    const own = Object.hasOwn(weights, name) ? (weights[name] ?? 1) : 1;
    return { name: list, hits, weight: weight * own };
  });
  // The weights of names are in those of the lists now.
  const plain = fusion.strategy === "union" ? fusion : { ...fusion, weights: null };
  return fuse(ranked, plain).flatMap(({ id, score, parts }) => {
    const hit = found.get(id);
    if (hit === undefined) return [];
    return [{ ...hit, score, scoreParts: { ...prefixed(fusion.strategy, parts), ...hit.scoreParts } }];
  });
}

function prefixed(prefix: string, parts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [`${prefix}.${name}`, value]));
}
