/**
 * Where are the edges? In compressed sparse rows, plus a delta. The edges that leave a node lie side by side in a pool;
 * a row that changes is written anew at the pool's end. For walking against the edges there is a transposed copy of
 * the pool as it was last packed (the base), and chains, one per target, through the edges written since (the delta).
 * When the delta or the dead edges get many, everything is packed again: a change costs its own row, a walk reads
 * arrays, and both hold however the graph grew.
 *
 * Nodes and labels are numbers here; what they stand for is said in graph-nodes.ts and edge-labels.ts.
 */
import { groupByNode, type Row, reserveRow } from "../../math/csr.ts";
import { grow } from "../grow.ts";
import { type SnapshotReader, type SnapshotWriter, snapshotCorrupt } from "../snapshot-bytes.ts";
import { AGAINST, ALONG, DEAD, type Ways } from "./edge-labels.ts";

/** What a reader may see. */
export interface Sight {
  readonly ways: Ways;
  /** Per node the number of its scope, −1 for a node that nobody sees. */
  readonly scopes: Int32Array;
  /** 1 for every scope number the reader sees. */
  readonly seen: Uint8Array;
}

/** Edges of one row, of equal length. */
export interface RowEdges {
  readonly targets: readonly number[];
  readonly labels: readonly number[];
  readonly weights: readonly number[];
}

interface Edges {
  /** The other ends. */
  ends: Int32Array;
  labels: Int32Array;
  weights: Float32Array;
}

/** The delta or the dead may be this many, plus a share of the living, before all is packed. */
const SLACK = 1024;

export class EdgeRows {
  #starts: Int32Array = new Int32Array(0);
  #lengths: Int32Array = new Int32Array(0);
  /** By position; dead edges keep their place until the next packing. */
  #pool: Edges = emptyEdges(0);
  #end = 0;
  #alive = 0;

  /** The base, transposed: the edges that enter a node, by ascending source. Loops are left out. */
  #base: Edges = emptyEdges(0);
  #baseOffsets: Int32Array = new Int32Array(1);
  #baseEnd = 0;

  /** The delta: per node the first position + 1 of its chain; per position − baseEnd its source and the next of the chain. */
  #heads: Int32Array = new Int32Array(0);
  #sources: Int32Array = new Int32Array(0);
  #nexts: Int32Array = new Int32Array(0);
  #chainedEnd = 0;

  get edges(): number {
    return this.#alive;
  }

  get bytes(): number {
    const perNode = [this.#starts, this.#lengths, this.#baseOffsets, this.#heads];
    const perEdge = [...Object.values(this.#pool), ...Object.values(this.#base), this.#sources, this.#nexts];
    return [...perNode, ...perEdge].reduce((sum, array) => sum + array.byteLength, 0);
  }

  /** What the edges that leave the node point at, until the next change. */
  targetsOf(node: number): Int32Array {
    const start = this.#starts[node] ?? 0;
    return this.#pool.ends.subarray(start, start + (this.#lengths[node] ?? 0));
  }

  /** The node's row becomes this one; `nodes` is one past the highest node there is. */
  replace(node: number, row: RowEdges, nodes: number): void {
    this.#starts = grow(this.#starts, nodes, (length) => new Int32Array(length));
    this.#lengths = grow(this.#lengths, nodes, (length) => new Int32Array(length));
    this.clear(node);
    const start = this.#end;
    const count = row.targets.length;
    this.#end += count;
    this.#alive += count;
    growEdges(this.#pool, this.#end);
    this.#pool.ends.set(row.targets, start);
    this.#pool.labels.set(row.labels, start);
    this.#pool.weights.set(row.weights, start);
    this.#sources = grow(this.#sources, this.#end - this.#baseEnd, (length) => new Int32Array(length));
    this.#sources.fill(node, start - this.#baseEnd, this.#end - this.#baseEnd);
    this.#starts[node] = start;
    this.#lengths[node] = count;
  }

  clear(node: number): void {
    const start = this.#starts[node] ?? 0;
    const count = this.#lengths[node] ?? 0;
    this.#pool.labels.fill(DEAD, start, start + count);
    if (start < this.#baseEnd) for (const target of this.targetsOf(node)) this.#killInBase(node, target);
    if (count > 0) this.#lengths[node] = 0;
    this.#alive -= count;
  }

  /** To be called after changes: keeps the pool from filling up with dead edges. */
  sweep(): void {
    if (this.#end - this.#alive > SLACK + this.#alive) this.pack();
  }

  /** To be called before reading. */
  prepare(): void {
    if (this.#end - this.#baseEnd > SLACK + this.#alive / 4) this.pack();
    else this.#chain();
  }

  /** Overwrites `row` with what the reader sees next to a node. */
  read(node: number, sight: Sight, row: Row): void {
    const start = this.#starts[node] ?? 0;
    const end = start + (this.#lengths[node] ?? 0);
    const baseStart = this.#baseOffsets[node] ?? 0;
    const baseEnd = this.#baseOffsets[node + 1] ?? baseStart;
    reserveRow(row, end - start + baseEnd - baseStart + this.#chainLength(node));
    row.length = 0;
    appendSeen(row, this.#pool, { start, end, bit: ALONG, loopsOf: node }, sight);
    appendSeen(row, this.#base, { start: baseStart, end: baseEnd, bit: AGAINST, loopsOf: -1 }, sight);
    const { labels, weights } = this.#pool;
    for (let at = (this.#heads[node] ?? 0) - 1; at >= 0; ) {
      const source = this.#sources[at - this.#baseEnd] as number;
      if (((sight.ways[labels[at] as number] as number) & AGAINST) !== 0 && isSeen(source, sight)) {
        row.targets[row.length] = source;
        row.weights[row.length++] = weights[at] as number;
      }
      at = (this.#nexts[at - this.#baseEnd] as number) - 1;
    }
  }

  /** Lays the living edges out in order of their nodes, and the base over all of them. */
  pack(): void {
    const { ends, labels, weights } = this.#pool;
    const packed = emptyEdges(this.#alive);
    let end = 0;
    for (let node = 0; node < this.#starts.length; node++) {
      const start = this.#starts[node] as number;
      this.#starts[node] = end;
      for (let at = start; at < start + (this.#lengths[node] as number); at++, end++) {
        packed.ends[end] = ends[at] as number;
        packed.labels[end] = labels[at] as number;
        packed.weights[end] = weights[at] as number;
      }
    }
    this.#pool = packed;
    this.#end = end;
    this.#transpose();
  }

  save(writer: SnapshotWriter, nodes: number): void {
    this.pack();
    const { ends, labels, weights } = this.#pool;
    writer.int32(this.#lengths.subarray(0, nodes)).int32(ends).int32(labels).float32(weights);
  }

  /** `nodes` and `labels`: one past the highest there is. */
  static load(reader: SnapshotReader, nodes: number, labels: number): EdgeRows {
    const rows = new EdgeRows();
    const lengths = reader.int32(nodes);
    const ends = reader.int32();
    rows.#pool = { ends, labels: reader.int32(ends.length), weights: reader.float32(ends.length) };
    rows.#starts = new Int32Array(lengths.length);
    rows.#lengths = lengths;
    for (const [node, length] of lengths.entries()) {
      if (length < 0) throw snapshotCorrupt("a row of edges has an impossible length");
      rows.#starts[node] = rows.#end;
      rows.#end += length;
    }
    if (rows.#end !== ends.length) throw snapshotCorrupt("the lengths of its rows do not add up");
    const isSound =
      ends.every((node) => node >= 0 && node < nodes) &&
      rows.#pool.labels.every((label) => label > DEAD && label < labels) &&
      rows.#pool.weights.every((weight) => weight > 0 && Number.isFinite(weight));
    if (!isSound) throw snapshotCorrupt("an edge has an impossible target, label or weight");
    rows.#alive = rows.#end;
    rows.#transpose();
    return rows;
  }

  /** All targets of all edges; only right after `load`. */
  get targets(): Int32Array {
    return this.#pool.ends.subarray(0, this.#end);
  }

  #transpose(): void {
    const { ends, labels, weights } = this.#pool;
    const sources = new Int32Array(this.#end);
    let nodes = this.#starts.length;
    for (let node = 0; node < this.#starts.length; node++) {
      const start = this.#starts[node] as number;
      sources.fill(node, start, start + (this.#lengths[node] as number));
    }
    for (let at = 0; at < this.#end; at++) nodes = Math.max(nodes, (ends[at] as number) + 1);
    const { offsets, order } = groupByNode(ends, nodes);
    const base = emptyEdges(this.#end);
    for (let place = 0; place < order.length; place++) {
      const at = order[place] as number;
      const source = sources[at] as number;
      base.ends[place] = source;
      base.labels[place] = source === ends[at] ? DEAD : (labels[at] as number);
      base.weights[place] = weights[at] as number;
    }
    this.#base = base;
    this.#baseOffsets = offsets;
    this.#baseEnd = this.#end;
    this.#chainedEnd = this.#end;
    this.#heads = new Int32Array(nodes);
    this.#sources = new Int32Array(0);
    this.#nexts = new Int32Array(0);
  }

  /** Links what was written since the last reading into the chains of its targets. */
  #chain(): void {
    const { ends, labels } = this.#pool;
    this.#nexts = grow(this.#nexts, this.#sources.length, (length) => new Int32Array(length));
    for (let at = this.#chainedEnd; at < this.#end; at++) {
      const target = ends[at] as number;
      const isLoop = target === this.#sources[at - this.#baseEnd];
      if (isLoop || labels[at] === DEAD) continue;
      this.#heads = grow(this.#heads, target + 1, (length) => new Int32Array(length));
      this.#nexts[at - this.#baseEnd] = this.#heads[target] as number;
      this.#heads[target] = at + 1;
    }
    this.#chainedEnd = this.#end;
  }

  #chainLength(node: number): number {
    let count = 0;
    for (let next = this.#heads[node] ?? 0; next > 0; count++)
      next = this.#nexts[next - 1 - this.#baseEnd] as number;
    return count;
  }

  /** The edges from source to target in the base: sources ascend within a row, so they are found by halving. */
  #killInBase(source: number, target: number): void {
    const { ends, labels } = this.#base;
    const end = this.#baseOffsets[target + 1] ?? 0;
    let low = this.#baseOffsets[target] ?? 0;
    let high = end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] as number) < source) low = middle + 1;
      else high = middle;
    }
    for (; low < end && ends[low] === source; low++) labels[low] = DEAD;
  }
}

/** Copies the edges the reader may walk to the ends the reader may see. A loop is walked whatever the direction. */
function appendSeen(
  row: Row,
  { ends, labels, weights }: Edges,
  part: { readonly start: number; readonly end: number; readonly bit: number; readonly loopsOf: number },
  sight: Sight,
): void {
  const { start, end, bit, loopsOf } = part;
  const { ways, scopes, seen } = sight;
  const { targets: nodes, weights: strengths } = row;
  let length = row.length;
  for (let at = start; at < end; at++) {
    const node = ends[at] as number;
    const way = ways[labels[at] as number] as number;
    if ((way & bit) === 0 && (way === 0 || node !== loopsOf)) continue;
    const scope = scopes[node] as number;
    if (scope < 0 || seen[scope] !== 1) continue;
    nodes[length] = node;
    strengths[length++] = weights[at] as number;
  }
  row.length = length;
}

export function isSeen(node: number, { scopes, seen }: Sight): boolean {
  const scope = scopes[node] as number;
  return scope >= 0 && seen[scope] === 1;
}

function emptyEdges(length: number): Edges {
  return { ends: new Int32Array(length), labels: new Int32Array(length), weights: new Float32Array(length) };
}

function growEdges(edges: Edges, length: number): void {
  edges.ends = grow(edges.ends, length, (longer) => new Int32Array(longer));
  edges.labels = grow(edges.labels, length, (longer) => new Int32Array(longer));
  edges.weights = grow(edges.weights, length, (longer) => new Float32Array(longer));
}
