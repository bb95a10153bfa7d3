/**
 * By the names that memories share with a question (Mem0's third version): each name of the question stands for the known
 * names that are alike, and adds to every memory that has one of them; of several, the most counts. A name that many
 * memories have says little about each.
 */
import { ARCHIVED } from "../../base/entry.ts";
import { type Filter, matches, where } from "../../base/filter.ts";
import type { Hit } from "../../base/hit.ts";
import type { EntryId } from "../../base/ids.ts";
import type { EmbedderSet } from "../../models/local/embedder-set.ts";
import { nameBoost } from "../../policies/hybrid-score.ts";
import { findTopicNames } from "../../text/topic-names.ts";
import { asEntityVector, EDGE, entitiesNamed, entityName, memoriesOnly } from "../graph/entity.ts";
import { nearest } from "../graph/nearest.ts";
import type { Search, SearchBy } from "./search.ts";

export interface LinksOptions {
  readonly maxNames: number;
  readonly maxEntities: number;
  /** Least cosine of a name to one that is asked. */
  readonly linkThreshold: number;
  readonly weight: number;
  readonly crowding: number;
  readonly embedder: EmbedderSet | undefined;
}

export function linksSearch(options: LinksOptions): SearchBy {
  return {
    reads: ["entities"],
    fits: ({ text = "" }, { entities = [] }) => text.trim() !== "" || entities.length > 0,
    run: (asked) => search(asked, options),
  };
}

async function search(asked: Search, options: LinksOptions): Promise<Hit[]> {
  const { scope, collection, query, hints } = asked;
  const names = hints.entities ?? (await findTopicNames(query.text ?? "")).map(({ text }) => text);
  const nodes = await alike(asked, names.slice(0, options.maxNames), options);
  if (nodes.size === 0) return [];
  const ids = [...nodes.keys()];
  const counts = await collection.countReaching(scope, ids, EDGE.contains);
  const boosts = new Map(
    ids.map((id, place) => [id, nameBoost(nodes.get(id) ?? 0, counts[place]?.current ?? 0, options)]),
  );
  const best = new Map<EntryId, number>();
  for (const { from, to, type } of await collection.edges(scope, ids)) {
    const boost = boosts.get(to);
    if (type !== EDGE.contains || boost === undefined) continue;
    best.set(from, Math.max(boost, best.get(from) ?? 0));
  }
  const filter = asked.filter === undefined ? memoriesOnly : where.and(memoriesOnly, asked.filter);
  const ranked = (await currentOf(asked, [...best.keys()], filter)).map((hit) => ({
    ...hit,
    score: best.get(hit.id) ?? 0,
    scoreParts: { links: best.get(hit.id) ?? 0 },
  }));
  return ranked.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, query.topK);
}

/** Known names and how alike each is to the asked name it is most like. */
async function alike(
  { scope, collection }: Search,
  names: readonly string[],
  { maxEntities: k, linkThreshold: threshold, embedder }: LinksOptions,
): Promise<Map<EntryId, number>> {
  const nodes = new Map<EntryId, number>();
  for (const name of names) {
    const vectors =
      embedder === undefined ? [] : (await embedder.embedQuery(name, { scope })).map(asEntityVector);
    for (const { id, similarity } of await nearest(collection, scope, { vectors, k, threshold }))
      nodes.set(id, Math.max(similarity, nodes.get(id) ?? 0));
    for (const { id } of await entitiesNamed(collection, scope, [entityName(name)])) nodes.set(id, 1);
  }
  return nodes;
}

async function currentOf(
  { scope, collection, query: { own = false } }: Search,
  ids: readonly EntryId[],
  filter: Filter,
): Promise<Hit[]> {
  const there = await collection.getMany(scope, ids);
  return there.flatMap((entry) => {
    const isCurrent = entry?.supersededBy === null && entry.tier !== ARCHIVED && matches(filter, entry);
    return isCurrent && (!own || entry.scope === scope) ? [{ ...entry, score: 0, scoreParts: {} }] : [];
  });
}
