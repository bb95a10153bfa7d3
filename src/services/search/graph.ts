/**
 * By connections: from seeds along the edges of the index "graph", by personalised PageRank, step by step, or by spreading
 * activation. Entities are walked through and memories returned; memories that were seeds and that the walk did not reach
 * come last, so that a question never gets less than nearness alone would give.
 *
 * Where memories are no nodes of the walk (HippoRAG 1), PageRank goes over names alone, and memories have what the names in
 * their facts are worth.
 */

import { ARCHIVED } from "../../base/entry.ts";
import { type Filter, matches, where } from "../../base/filter.ts";
import type { Hit } from "../../base/hit.ts";
import type { EntryId } from "../../base/ids.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Retrieval } from "../../collection/retrieve.ts";
import { fuseByWeightedScore } from "../../math/fusion.ts";
import { EDGE, GRAPH_INDEX, memoriesOnly, NAME_EDGES } from "../graph/entity.ts";
import { findSeeds, type SeedOptions, type Seeds } from "../graph/seeds.ts";
import type { Search, SearchBy } from "./search.ts";

export const WALKS = ["ppr", "neighbors", "bfs", "spread"] as const;
export type Walk = (typeof WALKS)[number];

export interface Ensemble {
  /** From which cosine of the least like link on the walk decides alone. */
  readonly sureFrom: number;
  /** What nearness counts where it does not; the walk counts the rest. */
  readonly denseWeight: number;
}

export interface GraphSearchOptions extends SeedOptions {
  readonly walk: Walk;
  /** Whether an edge with a direction is walked only that way. */
  readonly directed: boolean;
  /** Whether a walk by PageRank leads through memories; if not, they are worth what the names in them are. */
  readonly passageNodes: boolean;
  /** Nearness counts beside the walk where a name was linked to one that is not alike enough (HippoRAG 1); null: never. */
  readonly ensemble: Ensemble | null;
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

/** For walks other than PageRank, which read none of these. */
export const NOT_WALKED = { damping: 0, epsilon: 1, depth: null } as const;

/** What lies in the reach of a walk is read up to this many: far more than any question returns. */
const REACH = 10_000;

export function graphSearch(options: GraphSearchOptions): SearchBy {
  return {
    reads: [
      ...(["seeds", "entities", "edge_types", "depth", "keywords"] as const),
      ...(options.linkBy === "facts" ? (["facts"] as const) : []),
    ],
    fits: ({ text = "", vectors = [] }, { seeds, entities, keywords, facts }) =>
      vectors.length > 0 ||
      text.trim() !== "" ||
      [seeds, entities, keywords, facts].some((hint) => hint !== undefined && Object.keys(hint).length > 0),
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
  const reached =
    weights.size === 0 ? [] : await walkFrom(asked, { weights, nodes: seeds.nodes }, filter, options);
  const hits = balanced(reached, seeds, options).map((hit) => withSeed(hit, weights.get(hit.id)));
  const found = new Set(hits.map(({ id }) => id));
  const unreached = seeds.memories.filter(({ hit }) => !found.has(hit.id));
  const rest = unreached.map(({ hit, weight }) => ({
    ...hit,
    score: 0,
    scoreParts: { ...hit.scoreParts, seed: weight },
  }));
  return [...hits, ...rest].slice(0, query.topK);
}

/** HippoRAG 1's ensemble: the walk and nearness, both scaled to 0 … 1, where a link was unsure. */
function balanced(
  reached: readonly Hit[],
  seeds: Seeds,
  { ensemble, walk }: GraphSearchOptions,
): readonly Hit[] {
  if (ensemble === null || walk !== "ppr" || seeds.leastLink > ensemble.sureFrom) return reached;
  const { denseWeight } = ensemble;
  const near = seeds.memories.map(({ hit }) => hit);
  const fused = fuseByWeightedScore([
    { name: "walk", hits: reached, weight: 1 - denseWeight },
    { name: "dense", hits: near, weight: denseWeight },
  ]);
  const known = new Map([...near, ...reached].map((hit) => [hit.id, hit]));
  return fused.flatMap(({ id, score, parts }) => {
    const hit = known.get(id);
    return hit === undefined ? [] : [{ ...hit, score, scoreParts: { ...hit.scoreParts, ...parts } }];
  });
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
  { weights, nodes }: { readonly weights: ReadonlyMap<EntryId, number>; readonly nodes: Seeds["nodes"] },
  filter: Filter,
  options: GraphSearchOptions,
): Promise<Hit[]> {
  const { scope, collection, query, hints } = asked;
  const ids = [...weights.keys()];
  // Every memory near to the question is a small seed: how far a walk went is counted from what the question is linked to.
  const linked = nodes.size > 0 ? [...nodes.keys()] : ids;
  const seeds = Object.fromEntries(weights);
  const shared: JsonObject = {
    direction: options.directed ? "out" : "both",
    ...(hints.edge_types === undefined ? {} : { types: [...hints.edge_types] }),
  };
  const walk = (params: JsonObject, how: Pick<Retrieval, "topK" | "filter" | "own">): Promise<Hit[]> =>
    collection.retrieve(scope, { index: GRAPH_INDEX, params: { ...shared, ...params }, ...how });
  const { topK, own } = query;
  const around = async (from: readonly EntryId[], hops: number, types?: readonly string[]) => {
    if (hops === 0) return [];
    const params = {
      mode: "neighbors",
      from: [...from],
      hops,
      ...(types === undefined ? {} : { types: [...types] }),
    };
    return (await walk(params, { topK: REACH })).map(({ id }) => id);
  };
  const overNames = options.knowledge && !options.passageNodes;
  /** Where memories are no nodes, they are one step from the names in them, and no way leads through them. */
  const within = async (depth: number): Promise<readonly EntryId[]> => {
    if (!overNames) return [...linked, ...(await around(linked, depth))];
    const names = [...linked, ...(await around(linked, depth - 1, NAME_EDGES))];
    return around(names, 1, [EDGE.contains]);
  };

  switch (options.walk) {
    case "ppr": {
      const { damping, epsilon, depth } = { ...options.ppr, depth: hints.depth ?? options.ppr.depth };
      const names = { types: [...(hints.edge_types ?? NAME_EDGES)], carry: [EDGE.contains] };
      const params = { mode: "ppr", seeds, damping, epsilon, ...(overNames ? names : {}) };
      const near = depth === null ? filter : where.and(filter, where.in("id", await within(depth)));
      return walk(params, { topK, filter: near, own });
    }
    case "spread": {
      const hops = hints.depth ?? options.depth;
      return walk({ mode: "spread", seeds, hops, decay: options.decay }, { topK, filter, own });
    }
    case "neighbors":
    case "bfs": {
      const hops = hints.depth ?? (options.walk === "bfs" ? options.depth : 1);
      const reached = await walk({ mode: "neighbors", from: ids, hops }, { topK, filter, own });
      return [...(await startsOf(asked, ids, filter)), ...reached];
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
