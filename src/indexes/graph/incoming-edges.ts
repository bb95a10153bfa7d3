/**
 * Which edges lead to a node? Walking against the edges needs them by target: a transposed copy of the pool as it was
 * when last packed (the base), and for what was written since, chains through the pool, one per target (the delta).
 * Loops are in neither: they are found among the edges that leave the node.
 */
import { groupByNode, type Row } from "../../math/csr.ts";
import { grow } from "../grow.ts";
import { AGAINST, DEAD } from "./edge-labels.ts";
import { appendSeen, createEdgePool, type EdgePool, edgePoolBytes, isSeen, type Sight } from "./edge-pool.ts";

export class IncomingEdges {
  /** By target, and by ascending source within a target. */
  #base: EdgePool = createEdgePool(0);
  #offsets: Int32Array = new Int32Array(1);
  #baseEnd = 0;

  /** Per node the first position of its chain, plus one; 0 if it has none. */
  #heads: Int32Array = new Int32Array(0);
  /** Per position − baseEnd: where the edge comes from, and the next of its chain, plus one. */
  #sources: Int32Array = new Int32Array(0);
  #nexts: Int32Array = new Int32Array(0);
  #chainedEnd = 0;

  /** Positions of the pool below this are in the base, all later ones are the delta. */
  get baseEnd(): number {
    return this.#baseEnd;
  }

  get bytes(): number {
    const arrays = [this.#offsets, this.#heads, this.#sources, this.#nexts];
    return arrays.reduce((sum, array) => sum + array.byteLength, edgePoolBytes(this.#base));
  }

  /** Makes the base anew from a pool whose rows lie in order of their nodes. */
  rebuild({ ends, labels, weights }: EdgePool, lengths: Int32Array): void {
    const sources = sourcesOf(lengths, ends.length);
    let nodes = lengths.length;
    for (let at = 0; at < ends.length; at++) nodes = Math.max(nodes, (ends[at] as number) + 1);
    const { offsets, order } = groupByNode(ends, nodes);
    const base = createEdgePool(ends.length);
    for (let place = 0; place < order.length; place++) {
      const at = order[place] as number;
      const source = sources[at] as number;
      base.ends[place] = source;
      base.labels[place] = source === ends[at] ? DEAD : (labels[at] as number);
      base.weights[place] = weights[at] as number;
    }
    this.#base = base;
    this.#offsets = offsets;
    this.#baseEnd = ends.length;
    this.#chainedEnd = ends.length;
    this.#heads = new Int32Array(nodes);
    this.#sources = new Int32Array(0);
    this.#nexts = new Int32Array(0);
  }

  /** A row was written to these positions of the pool. */
  note(source: number, start: number, end: number): void {
    this.#sources = grow(this.#sources, end - this.#baseEnd, (length) => new Int32Array(length));
    this.#sources.fill(source, start - this.#baseEnd, end - this.#baseEnd);
  }

  /** Links what was noted up to here into the chains of its targets. To be called before reading. */
  chain({ ends, labels }: EdgePool, end: number): void {
    this.#nexts = grow(this.#nexts, end - this.#baseEnd, (length) => new Int32Array(length));
    for (let at = this.#chainedEnd; at < end; at++) {
      const target = ends[at] as number;
      const isLoop = target === this.#sources[at - this.#baseEnd];
      if (isLoop || labels[at] === DEAD) continue;
      this.#heads = grow(this.#heads, target + 1, (length) => new Int32Array(length));
      this.#nexts[at - this.#baseEnd] = this.#heads[target] as number;
      this.#heads[target] = at + 1;
    }
    this.#chainedEnd = end;
  }

  /** The edges from source to target in the base are gone. Sources ascend, so they are found by halving. */
  kill(source: number, target: number): void {
    const { ends, labels } = this.#base;
    const end = this.#offsets[target + 1] ?? 0;
    let low = this.#offsets[target] ?? 0;
    let high = end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] as number) < source) low = middle + 1;
      else high = middle;
    }
    for (; low < end && ends[low] === source; low++) labels[low] = DEAD;
  }

  /** How many edges lead to a node, dead ones included. */
  count(node: number): number {
    const start = this.#offsets[node] ?? 0;
    let count = (this.#offsets[node + 1] ?? start) - start;
    for (let next = this.#heads[node] ?? 0; next > 0; count++) next = this.#next(next);
    return count;
  }

  /** Adds to `row`, which has room, the edges that lead to a node, as far as the reader sees them. */
  append(row: Row, node: number, { labels, weights }: EdgePool, sight: Sight): void {
    const start = this.#offsets[node] ?? 0;
    const end = this.#offsets[node + 1] ?? start;
    appendSeen(row, this.#base, { start, end, bit: AGAINST, loopsOf: -1 }, sight);
    for (let next = this.#heads[node] ?? 0; next > 0; next = this.#next(next)) {
      const at = next - 1;
      const source = this.#sources[at - this.#baseEnd] as number;
      const way = sight.ways[labels[at] as number] as number;
      if ((way & AGAINST) === 0 || !isSeen(source, sight)) continue;
      row.targets[row.length] = source;
      row.weights[row.length++] = weights[at] as number;
    }
  }

  #next(next: number): number {
    return this.#nexts[next - 1 - this.#baseEnd] as number;
  }
}

function sourcesOf(lengths: Int32Array, edges: number): Int32Array {
  const sources = new Int32Array(edges);
  let end = 0;
  for (let node = 0; node < lengths.length; node++) {
    const start = end;
    end += lengths[node] as number;
    sources.fill(node, start, end);
  }
  return sources;
}
