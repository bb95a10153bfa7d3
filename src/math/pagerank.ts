/**
 * Personalised PageRank: where a walker is found that follows an edge with probability `damping` (chosen by weight) and
 * else jumps back to a seed (chosen by the seeds' weights). A walker at a node without neighbours jumps back, too: the
 * mass of dangling nodes returns to the seeds instead of being lost. The answer sums to one.
 *
 * - `forwardPush` (Andersen, Chung & Lang, "Local graph partitioning using PageRank vectors", FOCS 2006) touches only
 *   the neighbourhood of the seeds, whatever the size of the graph. Its threshold is the same for all nodes, as in
 *   Berkhin's bookmark colouring (Internet Mathematics 3, 2006): a threshold by degree would have to read the rows of
 *   all the nodes it then leaves alone, for what a reader may see of a row is not known before.
 * - `powerIteration` (Page, Brin, Motwani & Winograd 1998) touches everything, and is the oracle of the former.
 */
import { type Adjacency, type Csr, createRow, type Row } from "./csr.ts";

export interface WalkSeeds {
  /** Each node at most once. */
  readonly nodes: ArrayLike<number>;
  /** Of the same length, not negative, not all zero. */
  readonly weights: ArrayLike<number>;
}

export interface PushOptions {
  /** Probability of following an edge, 0 ≤ damping < 1. HippoRAG runs with 0.5. */
  readonly damping?: number | undefined;
  /**
   * A node that holds less than this share of all mass does not push it on: the smaller, the more exact and the slower.
   * Where the mass is scattered over so many seeds that none has a tenth of it, epsilon shrinks along with the largest.
   */
  readonly epsilon?: number | undefined;
}

/** Scores of the nodes that were reached, in no particular order; all others are zero. */
export interface NodeScores {
  readonly nodes: Int32Array;
  readonly scores: Float64Array;
}

export interface PowerOptions {
  readonly damping?: number | undefined;
  /** 1 for every node that exists. */
  readonly mask?: Uint8Array | undefined;
  /** Stop when a step moves less than this much mass. */
  readonly tolerance?: number | undefined;
  readonly maxIterations?: number | undefined;
}

export const PAGERANK_DEFAULTS = {
  damping: 0.5,
  epsilon: 3e-5,
  tolerance: 1e-10,
  maxIterations: 1000,
} as const;

/** Memory kept from walk to walk, so that a walk costs what it touches and not the size of the graph. */
export interface PushScratch {
  /**
   * Per node its settled mass and its residual, the mass yet to be pushed on; all zero between two walks. They lie side
   * by side because a walk jumps about, and every jump costs a cache line.
   */
  cells: Float64Array;
  /** Every node that has any mass, once. */
  touched: Int32Array;
  touchedCount: number;
  /** Every node whose residual has reached the threshold, once. */
  waiting: Int32Array;
  waitingCount: number;
}

export function createPushScratch(): PushScratch {
  return sizedScratch(0);
}

/**
 * Mass is counted in whole units of 2⁻⁵², and a round pushes all its nodes at once: additions are exact, so the answer
 * depends on the graph alone, not on how its nodes are numbered or its rows are ordered.
 *
 * When no residual reaches the threshold any more, each settles where it is. Then only the mass M is missing that
 * dangling nodes sent back. It would be walked all over again from the seeds, π = p + M·π: scaling p to the sum of one
 * does that in one step.
 */
export function forwardPush(
  graph: Adjacency,
  seeds: WalkSeeds,
  options: PushOptions = {},
  scratch: PushScratch = createPushScratch(),
): NodeScores {
  const { damping = PAGERANK_DEFAULTS.damping, epsilon = PAGERANK_DEFAULTS.epsilon } = options;
  if (scratch.touched.length < graph.nodes) Object.assign(scratch, sizedScratch(graph.nodes));
  const row = createRow();
  const threshold = sow(seeds, epsilon, scratch);
  while (scratch.waitingCount > 0) {
    const { frontier, moving } = settle(damping, scratch);
    for (let i = 0; i < frontier.length; i++) {
      graph.neighbors(frontier[i] as number, row);
      push(row, moving[i] as number, threshold, scratch);
    }
  }
  return harvest(scratch);
}

/** π ← damping · (Wᵀπ + dangling · r) + (1 − damping) · r, until it stands still. One score per node. */
export function powerIteration(csr: Csr, seeds: WalkSeeds, options: PowerOptions = {}): Float64Array {
  const { damping = PAGERANK_DEFAULTS.damping, tolerance = PAGERANK_DEFAULTS.tolerance } = options;
  const { maxIterations = PAGERANK_DEFAULTS.maxIterations, mask } = options;
  const { nodes, offsets, targets, weights } = csr;
  const reset = resetVector(nodes, seeds);
  const outWeight = outWeights(csr, mask);
  let current = reset.slice();
  let next = new Float64Array(nodes);
  for (let iteration = 0; iteration < maxIterations; iteration++) {
    next.fill(0);
    let dangling = 0;
    for (let node = 0; node < nodes; node++) {
      const mass = current[node] as number;
      const total = outWeight[node] as number;
      if (total === 0) dangling += mass;
      if (mass === 0 || total === 0) continue;
      const scale = (damping * mass) / total;
      const end = offsets[node + 1] as number;
      for (let edge = offsets[node] as number; edge < end; edge++) {
        const target = targets[edge] as number;
        if (mask !== undefined && mask[target] !== 1) continue;
        next[target] = (next[target] as number) + scale * (weights[edge] as number);
      }
    }
    const back = damping * dangling + (1 - damping);
    let moved = 0;
    for (let node = 0; node < nodes; node++) {
      const mass = (next[node] as number) + back * (reset[node] as number);
      moved += Math.abs(mass - (current[node] as number));
      next[node] = mass;
    }
    [current, next] = [next, current];
    if (moved < tolerance) break;
  }
  return current;
}

/** Sums of whole numbers below 2⁵³ are exact. */
const ONE = 2 ** 52;

const SETTLED = 0;
const RESIDUAL = 1;

function sizedScratch(nodes: number): PushScratch {
  return {
    cells: new Float64Array(2 * nodes),
    touched: new Int32Array(nodes),
    touchedCount: 0,
    waiting: new Int32Array(nodes),
    waitingCount: 0,
  };
}

/** Puts one unit of mass on the seeds; returns the threshold. */
function sow({ nodes, weights }: WalkSeeds, epsilon: number, scratch: PushScratch): number {
  let total = 0;
  let largest = 0;
  for (let i = 0; i < nodes.length; i++) {
    total += weights[i] as number;
    largest = Math.max(largest, weights[i] as number);
  }
  const threshold = Math.max(1, epsilon * Math.min(1, (10 * largest) / total) * ONE);
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i] as number;
    const mass = Math.floor(((weights[i] as number) / total) * ONE);
    if (!(mass > 0)) continue;
    scratch.cells[2 * node + RESIDUAL] = mass;
    scratch.touched[scratch.touchedCount++] = node;
    if (mass >= threshold) scratch.waiting[scratch.waitingCount++] = node;
  }
  return threshold;
}

/** Takes the residuals of all that wait: a part of each comes to rest, the other is returned, to be moved on. */
function settle(
  damping: number,
  scratch: PushScratch,
): { readonly frontier: Int32Array; readonly moving: Float64Array } {
  const { cells } = scratch;
  const frontier = scratch.waiting.slice(0, scratch.waitingCount);
  const moving = new Float64Array(frontier.length);
  for (let i = 0; i < frontier.length; i++) {
    const cell = 2 * (frontier[i] as number);
    const mass = cells[cell + RESIDUAL] as number;
    const part = Math.floor(damping * mass);
    moving[i] = part;
    cells[cell + RESIDUAL] = 0;
    cells[cell + SETTLED] = (cells[cell + SETTLED] as number) + mass - part;
  }
  scratch.waitingCount = 0;
  return { frontier, moving };
}

/** Shares mass out among the neighbours by weight. Where there are none it is gone, and `forwardPush` says why. */
function push(row: Row, mass: number, threshold: number, scratch: PushScratch): void {
  const { targets, weights, length } = row;
  const { cells, touched, waiting } = scratch;
  let { touchedCount, waitingCount } = scratch;
  let total = 0;
  for (let i = 0; i < length; i++) total += weights[i] as number;
  const scale = total === 0 ? 0 : mass / total;
  for (let i = 0; i < length; i++) {
    const share = Math.floor(scale * (weights[i] as number));
    if (share === 0) continue;
    const node = targets[i] as number;
    const before = cells[2 * node + RESIDUAL] as number;
    const after = before + share;
    cells[2 * node + RESIDUAL] = after;
    if (before === 0 && cells[2 * node + SETTLED] === 0) touched[touchedCount++] = node;
    if (before < threshold && after >= threshold) waiting[waitingCount++] = node;
  }
  scratch.touchedCount = touchedCount;
  scratch.waitingCount = waitingCount;
}

/** Reads the scores off the cells and wipes those the walk touched. */
function harvest(scratch: PushScratch): NodeScores {
  const { cells } = scratch;
  const nodes = scratch.touched.slice(0, scratch.touchedCount);
  const scores = new Float64Array(nodes.length);
  let total = 0;
  for (let i = 0; i < nodes.length; i++) {
    const cell = 2 * (nodes[i] as number);
    const mass = (cells[cell + SETTLED] as number) + (cells[cell + RESIDUAL] as number);
    scores[i] = mass;
    total += mass;
    cells[cell + SETTLED] = 0;
    cells[cell + RESIDUAL] = 0;
  }
  scratch.touchedCount = 0;
  for (let i = 0; i < scores.length; i++) scores[i] = (scores[i] as number) / total;
  return { nodes, scores };
}

function resetVector(nodes: number, seeds: WalkSeeds): Float64Array {
  const reset = new Float64Array(nodes);
  let total = 0;
  for (let i = 0; i < seeds.nodes.length; i++) total += seeds.weights[i] as number;
  for (let i = 0; i < seeds.nodes.length; i++)
    reset[seeds.nodes[i] as number] = (seeds.weights[i] as number) / total;
  return reset;
}

/** The sum of each node's edges, of those that exist under the mask. */
function outWeights({ nodes, offsets, targets, weights }: Csr, mask: Uint8Array | undefined): Float64Array {
  const sums = new Float64Array(nodes);
  for (let node = 0; node < nodes; node++) {
    if (mask !== undefined && mask[node] !== 1) continue;
    let sum = 0;
    for (let edge = offsets[node] as number; edge < (offsets[node + 1] as number); edge++) {
      if (mask === undefined || mask[targets[edge] as number] === 1) sum += weights[edge] as number;
    }
    sums[node] = sum;
  }
  return sums;
}
