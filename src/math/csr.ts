/**
 * A weighted graph as compressed sparse rows: the edges that leave node n lie at offsets[n] … offsets[n+1] − 1 of
 * `targets` and `weights` (Tinney & Walker, "Direct solutions of sparse network equations", 1967).
 *
 * Walks do not read the rows themselves. They ask an `Adjacency` for the neighbours of one node at a time, so that one
 * walk serves a plain graph, a masked one, and an index that hides edges from some readers.
 *
 * Weights are single precision on purpose: a double adds thousands of them without rounding, so the sum of a row does
 * not depend on the order of its edges.
 */

export interface Csr {
  readonly nodes: number;
  /** nodes + 1 numbers. */
  readonly offsets: Int32Array;
  readonly targets: Int32Array;
  readonly weights: Float32Array;
}

export interface EdgeList {
  readonly nodes: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Positive; all 1 if left out. */
  readonly weights?: Float32Array | undefined;
}

export type Direction = "out" | "in" | "both";

/** All that a walk needs to know of a graph. */
export interface Adjacency {
  readonly nodes: number;
  /** Overwrites `row` with the node's neighbours; parallel edges come one by one. */
  neighbors(node: number, row: Row): void;
}

/** A reusable list of neighbours; only the first `length` places count. */
export interface Row {
  length: number;
  targets: Int32Array;
  weights: Float32Array;
}

export interface AdjacencyOptions {
  /** Which way edges are walked: both ways unless told otherwise (C-35). */
  readonly direction?: Direction | undefined;
  /** 1 for every node that exists; the others, and every edge that touches one, do not. */
  readonly mask?: Uint8Array | undefined;
}

export function buildCsr({ nodes, from, to, weights }: EdgeList): Csr {
  const { offsets, order } = groupByNode(from, nodes);
  const targets = new Int32Array(order.length);
  const sorted = new Float32Array(order.length).fill(1);
  for (let i = 0; i < order.length; i++) {
    const edge = order[i] as number;
    targets[i] = to[edge] as number;
    if (weights !== undefined) sorted[i] = weights[edge] as number;
  }
  return { nodes, offsets, targets, weights: sorted };
}

export function transposeCsr(csr: Csr): Csr {
  return buildCsr({ nodes: csr.nodes, from: csr.targets, to: sourcesOf(csr), weights: csr.weights });
}

/** Every edge walked both ways. A loop is one edge at its node, not two. */
export function undirectedCsr(csr: Csr): Csr {
  const { nodes, targets, weights } = csr;
  const sources = sourcesOf(csr);
  const from = new Int32Array(2 * targets.length);
  const to = new Int32Array(2 * targets.length);
  const both = new Float32Array(2 * targets.length);
  let count = 0;
  const put = (source: number, target: number, weight: number): void => {
    from[count] = source;
    to[count] = target;
    both[count++] = weight;
  };
  for (let edge = 0; edge < targets.length; edge++) {
    const source = sources[edge] as number;
    const target = targets[edge] as number;
    const weight = weights[edge] as number;
    put(source, target, weight);
    if (source !== target) put(target, source, weight);
  }
  return buildCsr({
    nodes,
    from: from.subarray(0, count),
    to: to.subarray(0, count),
    weights: both.subarray(0, count),
  });
}

/** The graph as seen when its edges are walked this way. */
export function orientCsr(csr: Csr, direction: Direction): Csr {
  if (direction === "out") return csr;
  return direction === "in" ? transposeCsr(csr) : undirectedCsr(csr);
}

export function adjacencyOf(csr: Csr, { direction = "both", mask }: AdjacencyOptions = {}): Adjacency {
  const { nodes, offsets, targets, weights } = orientCsr(csr, direction);
  return {
    nodes,
    neighbors(node, row) {
      row.length = 0;
      if (mask !== undefined && mask[node] !== 1) return;
      const end = offsets[node + 1] as number;
      reserveRow(row, end - (offsets[node] as number));
      let length = 0;
      for (let edge = offsets[node] as number; edge < end; edge++) {
        const target = targets[edge] as number;
        if (mask !== undefined && mask[target] !== 1) continue;
        row.targets[length] = target;
        row.weights[length++] = weights[edge] as number;
      }
      row.length = length;
    },
  };
}

export function createRow(): Row {
  return { length: 0, targets: new Int32Array(64), weights: new Float32Array(64) };
}

/** Room for this many neighbours; what the row held is lost when it grows. */
export function reserveRow(row: Row, size: number): void {
  if (row.targets.length >= size) return;
  row.targets = new Int32Array(2 * size);
  row.weights = new Float32Array(2 * size);
}

/** Counting sort: `order` lists the positions of `keys` by ascending key, `offsets` says where each key begins. */
export function groupByNode(
  keys: Int32Array,
  nodes: number,
): { readonly offsets: Int32Array; readonly order: Int32Array } {
  const offsets = new Int32Array(nodes + 1);
  for (let i = 0; i < keys.length; i++)
    offsets[(keys[i] as number) + 1] = (offsets[(keys[i] as number) + 1] as number) + 1;
  for (let node = 0; node < nodes; node++)
    offsets[node + 1] = (offsets[node + 1] as number) + (offsets[node] as number);
  const next = offsets.slice(0, nodes);
  const order = new Int32Array(keys.length);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as number;
    const place = next[key] as number;
    order[place] = i;
    next[key] = place + 1;
  }
  return { offsets, order };
}

function sourcesOf({ nodes, offsets, targets }: Csr): Int32Array {
  const sources = new Int32Array(targets.length);
  for (let node = 0; node < nodes; node++) {
    sources.fill(node, offsets[node] as number, offsets[node + 1] as number);
  }
  return sources;
}
