/**
 * What are memories worth, if names are worth this? HippoRAG 1 walks over names alone; a memory then has, for every fact
 * it states, what the two names in it have (the matrices documents × facts × phrases of the paper). The edge from a memory
 * to a name counts at how many ends of its facts the name stands.
 */
import { ARCHIVED } from "../../base/entry.ts";
import { type Filter, matches } from "../../base/filter.ts";
import type { Hit } from "../../base/hit.ts";
import type { EntryId } from "../../base/ids.ts";
import type { Search } from "../search/search.ts";
import { EDGE } from "./entity.ts";

/** Edges between names. */
export const NAME_EDGES: readonly string[] = [EDGE.relation, EDGE.synonym];
/** The names worth most that are looked at: what the others add is too little to change an order. */
export const MOST_NAMES = 1000;
const PAGE = 200;

export async function memoriesWorth(
  { scope, collection, query: { topK, own = false } }: Search,
  names: readonly Hit[],
  filter: Filter,
): Promise<Hit[]> {
  const worth = new Map(names.map(({ id, score }) => [id, score]));
  const sums = new Map<EntryId, number>();
  const ids = [...worth.keys()];
  for (let start = 0; start < ids.length; start += PAGE) {
    for (const { type, from, to, weight } of await collection.edges(scope, ids.slice(start, start + PAGE))) {
      if (type === EDGE.contains) sums.set(from, (sums.get(from) ?? 0) + weight * (worth.get(to) ?? 0));
    }
  }
  const ranked = [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const hits: Hit[] = [];
  for (let start = 0; start < ranked.length && hits.length < topK; start += PAGE) {
    const page = ranked.slice(start, start + PAGE);
    const there = await collection.getMany(
      scope,
      page.map(([id]) => id),
    );
    for (const [place, entry] of there.entries()) {
      const isCurrent = entry?.supersededBy === null && entry.tier !== ARCHIVED && matches(filter, entry);
      const score = page[place]?.[1] ?? 0;
      if (isCurrent && (!own || entry.scope === scope))
        hits.push({ ...entry, score, scoreParts: { names: score } });
    }
  }
  return hits.slice(0, topK);
}
