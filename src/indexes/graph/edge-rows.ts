/**
 * Where are the edges? In compressed sparse rows, plus a delta. The edges that leave a node lie side by side in a pool;
 * a row that changes is written anew at the pool's end. When the rows written since the last packing get many, or the
 * dead ones they replaced, everything is packed again in order of the nodes. So a change costs its own row, and a walk
 * reads arrays, however the graph grew.
 */
import { type Row, reserveRow } from "../../math/csr.ts";
import { grow } from "../grow.ts";
import { type SnapshotReader, type SnapshotWriter, snapshotCorrupt } from "../snapshot-bytes.ts";
import { ALONG, DEAD } from "./edge-labels.ts";
import {
  appendSeen,
  checkEdgePool,
  createEdgePool,
  type EdgePool,
  edgePoolBytes,
  growEdgePool,
  type Sight,
} from "./edge-pool.ts";
import { IncomingEdges } from "./incoming-edges.ts";

/** Edges of one row, of equal length. */
export interface RowEdges {
  readonly targets: readonly number[];
  readonly labels: readonly number[];
  readonly weights: readonly number[];
}

/** So many edges may be new or dead, plus a share of the living, before all is packed. */
const SLACK = 1024;
const NEW_SHARE = 1 / 8;
const DEAD_SHARE = 1;

export class EdgeRows {
  /** Per node, where its row is. */
  #starts: Int32Array = new Int32Array(0);
  #lengths: Int32Array = new Int32Array(0);
  /** By position; a dead edge keeps its place until the next packing. */
  #pool: EdgePool = createEdgePool(0);
  #end = 0;
  #alive = 0;
  readonly #incoming = new IncomingEdges();

  get bytes(): number {
    const rows = this.#starts.byteLength + this.#lengths.byteLength;
    return rows + edgePoolBytes(this.#pool) + this.#incoming.bytes;
  }

  /** What the edges that leave the node point at, until the next change. */
  targetsOf(node: number): Int32Array {
    const start = this.#starts[node] ?? 0;
    return this.#pool.ends.subarray(start, start + (this.#lengths[node] ?? 0));
  }

  /** What all edges point at, until the next change. */
  allTargets(): Int32Array {
    this.pack();
    return this.#pool.ends;
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
    growEdgePool(this.#pool, this.#end);
    this.#pool.ends.set(row.targets, start);
    this.#pool.labels.set(row.labels, start);
    this.#pool.weights.set(row.weights, start);
    this.#incoming.note(node, start, this.#end);
    this.#starts[node] = start;
    this.#lengths[node] = count;
  }

  clear(node: number): void {
    const start = this.#starts[node] ?? 0;
    const count = this.#lengths[node] ?? 0;
    if (count === 0) return;
    if (start < this.#incoming.baseEnd) {
      for (const target of this.targetsOf(node)) this.#incoming.kill(node, target);
    }
    this.#pool.labels.fill(DEAD, start, start + count);
    this.#lengths[node] = 0;
    this.#alive -= count;
  }

  /** To be called after changes: keeps the pool from filling up with dead edges. */
  sweep(): void {
    if (this.#end - this.#alive > SLACK + DEAD_SHARE * this.#alive) this.pack();
  }

  /** To be called before reading. */
  prepare(): void {
    if (this.#end - this.#incoming.baseEnd > SLACK + NEW_SHARE * this.#alive) this.pack();
    else this.#incoming.chain(this.#pool, this.#end);
  }

  /** Overwrites `row` with what the reader sees next to a node. */
  read(node: number, sight: Sight, row: Row): void {
    const start = this.#starts[node] ?? 0;
    const end = start + (this.#lengths[node] ?? 0);
    reserveRow(row, end - start + this.#incoming.count(node));
    row.length = 0;
    appendSeen(row, this.#pool, { start, end, bit: ALONG, loopsOf: node }, sight);
    this.#incoming.append(row, node, this.#pool, sight);
  }

  /** Lays the living edges out in order of their nodes. */
  pack(): void {
    if (this.#end === this.#alive && this.#end === this.#incoming.baseEnd) return;
    const { ends, labels, weights } = this.#pool;
    const packed = createEdgePool(this.#alive);
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
    this.#incoming.rebuild(packed, this.#lengths);
  }

  save(writer: SnapshotWriter, nodes: number): void {
    this.pack();
    const { ends, labels, weights } = this.#pool;
    writer.int32(this.#lengths.subarray(0, nodes)).int32(ends).int32(labels).float32(weights);
  }

  /** `nodes` and `labels` are one past the highest. */
  static load(reader: SnapshotReader, nodes: number, labels: number): EdgeRows {
    const rows = new EdgeRows();
    const lengths = reader.int32(nodes);
    const ends = reader.int32();
    const pool = { ends, labels: reader.int32(ends.length), weights: reader.float32(ends.length) };
    checkEdgePool(pool, nodes, labels);
    rows.#starts = new Int32Array(nodes);
    for (let node = 0; node < nodes; node++) {
      const length = lengths[node] as number;
      if (length < 0) throw snapshotCorrupt("a row of edges has an impossible length");
      rows.#starts[node] = rows.#end;
      rows.#end += length;
    }
    if (rows.#end !== ends.length) throw snapshotCorrupt("the lengths of its rows do not add up");
    rows.#lengths = lengths;
    rows.#pool = pool;
    rows.#alive = rows.#end;
    rows.#incoming.rebuild(pool, lengths);
    return rows;
  }
}
