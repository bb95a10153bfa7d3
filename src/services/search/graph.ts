/**
 * By connections: from seeds along the edges of the index "graph", by personalised PageRank, step by step, or by spreading
 * activation. Entities are walked through and memories returned; memories that were seeds and that the walk did not reach
 * come last, so that a question never gets less than nearness alone would give.
 */

import { ARCHIVED } from "../../base/entry.ts";
import { type Filter, matches, where } from "../../base/filter.ts";
import type { Hit } from "../../base/hit.ts";
import type { EntryId } from "../../base/ids.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Retrieval } from "../../collection/retrieve.ts";
import { GRAPH_INDEX, memoriesOnly } from "../graph/entity.ts";
import { findSeeds, type SeedOptions, type Seeds } from "../graph/seeds.ts";
import type { Search, SearchBy } from "./search.ts";

export const WALKS = ["ppr", "neighbors", "bfs", "spread"] as const;
export type Walk = (typeof WALKS)[number];

export interface GraphSearchOptions extends SeedOptions {
  readonly walk: Walk;
  /** Whether an edge with a direction is walked only that way. */
  readonly directed: boolean;
  readonly ppr: {
    readonly damping: number;
    readonly epsilon: number;
    /** Only what lies so many steps from a seed; null: whatever the walk reaches. */
    readonly depth: number | null;
  };
  /** Steps that "bfs" and "spread" go, and what spreading keeps of its strength at each. */
  readonly depth: number;
  readonly decay: number;
}

/** What lies in the reach of a walk is read up to this many: far more than any question returns. */
const REACH = 10_000;

export function graphSearch(options: GraphSearchOptions): SearchBy {
  return {
    reads: ["seeds", "entities", "edge_types", "depth", "keywords"],
    fits: ({ text = "", vectors = [] }, { seeds, entities, keywords }) =>
      vectors.length > 0 ||
      text.trim() !== "" ||
      [seeds, entities, keywords].some((hint) => hint !== undefined && Object.keys(hint).length > 0),
    run: (asked) => search(asked, options),
  };
}

async function search(asked: Search, options: GraphSearchOptions): Promise<Hit[]> {
  const { query } = asked;
  const filter = asked.filter === undefined ? memoriesOnly : where.and(memoriesOnly, asked.filter);
  const seeds = await findSeeds(asked, options);
  // HippoRAG 2: where nothing that is spoken of is named or near, nearness of memories decides alone.
  if (options.knowledge && options.walk === "ppr" && seeds.nodes.size === 0)
    return seeds.memories.map(({ hit, weight }) => withSeed(hit, weight)).slice(0, query.topK);
  const weights = weightsOf(seeds, options.walk);
  const reached = weights.size === 0 ? [] : await walkFrom(asked, weights, filter, options);
  const hits = reached.map((hit) => withSeed(hit, weights.get(hit.id)));
  const found = new Set(hits.map(({ id }) => id));
  const unreached = seeds.memories.filter(({ hit }) => !found.has(hit.id));
  const rest = unreached.map(({ hit, weight }) => ({
    ...hit,
    score: 0,
    scoreParts: { ...hit.scoreParts, seed: weight },
  }));
  return [...hits, ...rest].slice(0, query.topK);
}

/** Walks that weigh begin everywhere at once; those that count steps begin with entities, or with memories if there are none. */
function weightsOf({ nodes, memories }: Seeds, walk: Walk): Map<EntryId, number> {
  const stepping = walk === "neighbors" || walk === "bfs";
  const also = stepping && nodes.size > 0 ? [] : memories;
  const all = [...nodes, ...also.map(({ hit, weight }): [EntryId, number] => [hit.id, weight])];
  return new Map(all.filter(([, weight]) => weight > 0));
}

async function walkFrom(
  asked: Search,
  weights: ReadonlyMap<EntryId, number>,
  filter: Filter,
  options: GraphSearchOptions,
): Promise<Hit[]> {
  const { scope, collection, query, hints } = asked;
  const ids = [...weights.keys()];
  const seeds = Object.fromEntries(weights);
  const shared: JsonObject = {
    direction: options.directed ? "out" : "both",
    ...(hints.edge_types === undefined ? {} : { types: [...hints.edge_types] }),
  };
  const walk = (params: JsonObject, how: Pick<Retrieval, "topK" | "filter" | "own">): Promise<Hit[]> =>
    collection.retrieve(scope, { index: GRAPH_INDEX, params: { ...shared, ...params }, ...how });
  const { topK, own } = query;

  switch (options.walk) {
    case "ppr": {
      const { damping, epsilon, depth } = { ...options.ppr, depth: hints.depth ?? options.ppr.depth };
      const params = { mode: "ppr", seeds, damping, epsilon };
      if (depth === null) return walk(params, { topK, filter, own });
      const around = await walk({ mode: "neighbors", from: ids, hops: depth }, { topK: REACH });
      const near = where.in("id", [...ids, ...around.map(({ id }) => id)]);
      return walk(params, { topK, filter: where.and(filter, near), own });
    }
    case "spread": {
      const hops = hints.depth ?? options.depth;
      return walk({ mode: "spread", seeds, hops, decay: options.decay }, { topK, filter, own });
    }
    case "neighbors":
    case "bfs": {
      const hops = hints.depth ?? (options.walk === "bfs" ? options.depth : 1);
      const around = await walk({ mode: "neighbors", from: ids, hops }, { topK, filter, own });
      return [...(await startsOf(asked, ids, filter)), ...around];
    }
  }
}

/** Seeds that may be returned themselves: no step away, so 1 / (1 + 0). */
async function startsOf(
  { scope, collection, query: { own = false } }: Search,
  ids: readonly EntryId[],
  filter: Filter,
): Promise<Hit[]> {
  const there = await collection.getMany(scope, ids);
  return there.flatMap((entry) => {
    const current = entry?.supersededBy === null && entry.tier !== ARCHIVED && matches(filter, entry);
    return current && (!own || entry.scope === scope)
      ? [{ ...entry, score: 1, scoreParts: { depth: 0 } }]
      : [];
  });
}

function withSeed(hit: Hit, seed: number | undefined): Hit {
  return seed === undefined ? hit : { ...hit, scoreParts: { ...hit.scoreParts, seed } };
}
