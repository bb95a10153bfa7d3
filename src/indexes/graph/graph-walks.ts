/** How is a query of the graph answered? By a walk over what the reader sees, and the best of what it reached. */
import { type EntryId, parseEntryId } from "../../base/ids.ts";
import { breadthFirst } from "../../math/breadth-first.ts";
import type { Adjacency } from "../../math/csr.ts";
import { createPushScratch, forwardPush, type PushScratch, type WalkSeeds } from "../../math/pagerank.ts";
import {
  createSpreadScratch,
  type SpreadScratch,
  spreadActivation,
} from "../../math/spreading-activation.ts";
import { createTopK } from "../../math/top-k.ts";
import type { Candidate, IndexQuery } from "../index-contract.ts";
import type { EdgeLabels } from "./edge-labels.ts";
import { isSeen, type Sight } from "./edge-pool.ts";
import type { EdgeRows } from "./edge-rows.ts";
import type { GraphNodes } from "./graph-nodes.ts";
import type { GraphParams, NeighborsParams, PprParams, SpreadParams } from "./graph-params.ts";

export interface Graph {
  readonly nodes: GraphNodes;
  readonly labels: EdgeLabels;
  readonly rows: EdgeRows;
}

/** The part of the graph one query sees. */
interface View extends Adjacency {
  readonly graph: Graph;
  readonly query: IndexQuery;
  readonly sight: Sight;
}

/** Nodes with their scores, in no particular order. */
interface Reached {
  readonly nodes: ArrayLike<number>;
  readonly scores: ArrayLike<number>;
  /** The score parts of the node at a place. */
  parts(place: number): Candidate["parts"];
}

/** Walks share their scratch memory, so that a query costs what it touches, not what the graph holds. */
export function createGraphWalks(): (graph: Graph, query: IndexQuery, params: GraphParams) => Candidate[] {
  const pushScratch = createPushScratch();
  const spreadScratch = createSpreadScratch();
  return (graph, query, params) => {
    if (query.limit <= 0 || query.scopes.length === 0) return [];
    const view = viewOf(graph, query, params);
    switch (params.mode) {
      case "neighbors":
        return neighbors(view, params);
      case "ppr":
        return params.carry === undefined
          ? ppr(view, params, pushScratch)
          : carried(view, params, { pushScratch, spreadScratch });
      case "spread":
        return spread(view, params, spreadScratch);
    }
  };
}

function viewOf(
  graph: Graph,
  query: IndexQuery,
  { direction, types }: Pick<GraphParams, "direction" | "types">,
): View {
  const { nodes, labels, rows } = graph;
  const sight: Sight = {
    ways: labels.ways(query.scopes, direction, types),
    scopes: nodes.scopes,
    seen: nodes.seenBy(query.scopes),
  };
  return {
    graph,
    query,
    sight,
    nodes: nodes.scopes.length,
    neighbors: (node, row) => rows.read(node, sight, row),
  };
}

function neighbors(view: View, { from, hops }: NeighborsParams): Candidate[] {
  const starts = from.map((id) => seenNode(view, id)).filter((node) => node >= 0);
  const found: Candidate[] = [];
  for (const { depth, nodes, weights } of breadthFirst(view, starts, hops)) {
    const score = 1 / (1 + depth);
    const level: Reached = {
      nodes,
      scores: new Float64Array(nodes.length).fill(score),
      // Seven digits are what single precision holds: 0.8 comes back as 0.8.
      parts: (place) => ({ depth, weight: Number((weights[place] ?? 0).toPrecision(7)) }),
    };
    found.push(...best(view, level, view.query.limit - found.length));
    if (found.length >= view.query.limit) break;
  }
  return found;
}

function ppr(view: View, { seeds, damping, epsilon }: PprParams, scratch: PushScratch): Candidate[] {
  const walkSeeds = seedsOf(view, seeds);
  const total = walkSeeds.weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return [];
  const reset = new Map(walkSeeds.nodes.map((node, i) => [node, (walkSeeds.weights[i] ?? 0) / total]));
  const { nodes, scores } = forwardPush(view, walkSeeds, { damping, epsilon }, scratch);
  const parts = (place: number): Candidate["parts"] => ({
    ppr: scores[place] ?? 0,
    reset: reset.get(nodes[place] ?? -1) ?? 0,
  });
  return best(view, { nodes, scores, parts }, view.query.limit);
}

/** HippoRAG 1: passages are no nodes of the walk; each has what the names in it have, as often as they stand in it. */
function carried(
  view: View,
  { seeds, damping, epsilon, direction, carry }: PprParams,
  scratch: { readonly pushScratch: PushScratch; readonly spreadScratch: SpreadScratch },
): Candidate[] {
  const { nodes: from, scores: weights } = forwardPush(
    view,
    seedsOf(view, seeds),
    { damping, epsilon },
    scratch.pushScratch,
  );
  const over = viewOf(view.graph, view.query, { direction, types: carry });
  const oneStep = { hops: 1, decay: 1, combine: "sum", threshold: 0 } as const;
  const reached = spreadActivation(over, { nodes: from, weights }, oneStep, scratch.spreadScratch);
  const ends = [...reached.nodes.keys()].filter((place) => reached.hops[place] === 1);
  const scores = ends.map((place) => reached.activations[place] as number);
  return best(
    view,
    {
      nodes: ends.map((place) => reached.nodes[place] as number),
      scores,
      parts: (place) => ({ carried: scores[place] ?? 0 }),
    },
    view.query.limit,
  );
}

function spread(view: View, { seeds, ...options }: SpreadParams, scratch: SpreadScratch): Candidate[] {
  const { nodes, activations, hops } = spreadActivation(view, seedsOf(view, seeds), options, scratch);
  const parts = (place: number): Candidate["parts"] => ({
    activation: activations[place] ?? 0,
    hops: hops[place] ?? 0,
  });
  return best(view, { nodes, scores: activations, parts }, view.query.limit);
}

/** Those of the seeds that the reader sees and that weigh anything. */
function seedsOf(
  view: View,
  seeds: Readonly<Record<string, number>>,
): { nodes: number[]; weights: number[] } {
  const seen: { nodes: number[]; weights: number[] } = { nodes: [], weights: [] };
  for (const [id, weight] of Object.entries(seeds)) {
    const node = seenNode(view, id);
    if (node < 0 || weight === 0) continue;
    seen.nodes.push(node);
    seen.weights.push(weight);
  }
  return seen satisfies WalkSeeds;
}

function seenNode({ graph, sight }: View, id: string): number {
  const node = graph.nodes.nodeOf(parseEntryId(id));
  return node >= 0 && isSeen(node, sight) ? node : -1;
}

/** The best of what was reached and may be returned, ties by id. */
function best({ graph, query }: View, reached: Reached, limit: number): Candidate[] {
  const { nodes, scores } = reached;
  const nodeAt = (place: number): number => nodes[place] as number;
  const isAllowed = allowedNodes(graph.nodes, query.allow, nodes.length);
  const heap = createTopK(
    Math.min(limit, nodes.length),
    (a, b) => graph.nodes.compare(nodeAt(a), nodeAt(b)) < 0,
  );
  for (let place = 0; place < nodes.length; place++) {
    const score = scores[place] as number;
    if (score >= heap.threshold() && isAllowed(nodeAt(place))) heap.push(place, score);
  }
  return Array.from(heap.drain().items, (place) => ({
    id: graph.nodes.idAt(nodeAt(place)),
    score: scores[place] as number,
    parts: reached.parts(place),
  }));
}

/** Asks by id or by node, whichever needs fewer translations. */
function allowedNodes(
  nodes: GraphNodes,
  allow: ReadonlySet<EntryId> | undefined,
  reached: number,
): (node: number) => boolean {
  if (allow === undefined) return () => true;
  if (allow.size > reached) return (node) => allow.has(nodes.idAt(node));
  const allowed = new Set(Array.from(allow, (id) => nodes.nodeOf(id)));
  return (node) => allowed.has(node);
}
