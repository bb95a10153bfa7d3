/**
 * Where do the int8 codes of an index lie? In one memory of numbered rows, in which every scope owns chunks of 4, 16, 64,
 * 256, 1024 and then always 4096 rows: ten thousand scopes of a few vectors cost little, and a large scope is scanned in
 * long runs. Each scope's rows stay dense: the last one takes the place of one that is removed.
 */
import {
  dotError,
  errorBesidesResidual,
  type Quantised,
  quantiseInt8,
  quantiseQuery,
} from "../../math/int8.ts";
import { grow } from "../grow.ts";
import type { Ordinals } from "../ordinals.ts";
import { type SnapshotReader, type SnapshotWriter, snapshotCorrupt } from "../snapshot-bytes.ts";
import type { Contenders } from "./contenders.ts";
import { type Int8Scan, SCAN_ROWS } from "./int8-scan.ts";
import { createPlainScan } from "./plain-scan.ts";
import { rowBytes } from "./row-format.ts";
import { createWasmScan } from "./wasm-scan.ts";

/** Rows first to first + used − 1 are taken. */
interface Chunk {
  readonly first: number;
  readonly capacity: number;
  used: number;
}

const FIRST_CAPACITY = 4;
const CAPACITY_GROWTH = 4;
/** The scan compares in float32: a bar lowered by this much stops nobody who passes it in float64. */
const FLOAT32_SLACK = 1e-6;

export class CodeRows {
  readonly #dimension: number;
  #made: Int8Scan | undefined;
  /** Where a vector is coded on its way in. */
  readonly #codes: Int8Array;
  /** Chunks by scope number; all are full but the last. */
  readonly #chunks: Chunk[][] = [];
  /** Chunks no scope owns any more, by capacity. */
  readonly #spare = new Map<number, Chunk[]>();
  /** Row by ordinal. */
  #rows: Int32Array = new Int32Array(0);
  #end = 0;

  constructor(dimension: number) {
    this.#dimension = dimension;
    this.#codes = new Int8Array(dimension);
  }

  get bytes(): number {
    return (this.#made?.bytes() ?? 0) + this.#rows.byteLength;
  }

  /** How many rows a scope has. */
  count(scope: number): number {
    return (this.#chunks[scope] ?? []).reduce((sum, { used }) => sum + used, 0);
  }

  rowOf(ordinal: number): number {
    return this.#rows[ordinal] as number;
  }

  ordinalAt(row: number): number {
    return this.#scan.header(row).ordinal;
  }

  add(ordinal: number, scope: number, unit: Float64Array): void {
    const chunk = this.#chunkWithRoom(scope);
    const row = chunk.first + chunk.used;
    this.#scan.write(row, { ...quantiseInt8(unit, this.#codes), codes: this.#codes, ordinal });
    chunk.used++;
    this.#place(ordinal, row);
  }

  remove(ordinal: number, scope: number): void {
    const chunks = this.#chunks[scope] ?? [];
    const chunk = chunks.at(-1);
    if (chunk === undefined) return;
    const hole = this.rowOf(ordinal);
    const last = chunk.first + chunk.used - 1;
    if (hole !== last) {
      this.#scan.rows(hole, 1).set(this.#scan.rows(last, 1));
      this.#place(this.ordinalAt(hole), hole);
    }
    chunk.used--;
    if (chunk.used > 0) return;
    chunks.pop();
    this.#spareOf(chunk.capacity).push(chunk);
  }

  /** To be called before rows are offered: the query they are compared with. */
  ask(unit: Float64Array): Quantised {
    const codes = new Int16Array(unit.length);
    const query = quantiseQuery(unit, codes);
    this.#scan.ask(codes, query.scale);
    return query;
  }

  /** Offers the rows of a scope, by number; those that cannot matter are left out. */
  offerScope(scope: number, query: Quantised, contenders: Contenders): void {
    for (const { first, used } of this.#chunks[scope] ?? []) {
      this.#offer({ first, count: used }, query, contenders);
    }
  }

  /** The same for some rows, given in ascending order. */
  offerRows(rows: Int32Array, query: Quantised, contenders: Contenders): void {
    for (let start = 0; start < rows.length; ) {
      const first = rows[start] as number;
      let count = 1;
      while (count < SCAN_ROWS && rows[start + count] === first + count) count++;
      this.#offer({ first, count }, query, contenders);
      start += count;
    }
  }

  save(writer: SnapshotWriter): void {
    writer.int32(Int32Array.from(this.#chunks, (_, scope) => this.count(scope)));
    writer.bytes(this.#chunks.flat().map(({ first, used }) => this.#scan.rows(first, used)));
  }

  static load(reader: SnapshotReader, dimension: number, table: Ordinals): CodeRows {
    const rows = new CodeRows(dimension);
    const counts = reader.int32();
    const stride = rowBytes(dimension);
    const bytes = reader.bytes(table.size * stride);
    let done = 0;
    for (const [scope, count] of counts.entries()) {
      for (const end = done + count; done < end; ) {
        const chunk = rows.#chunkWithRoom(scope);
        chunk.used = Math.min(chunk.capacity, end - done);
        const from = bytes.subarray(done * stride, (done + chunk.used) * stride);
        rows.#scan.rows(chunk.first, chunk.used).set(from);
        rows.#placeChunk(chunk, scope, table);
        done += chunk.used;
      }
    }
    if (done !== table.size) throw snapshotCorrupt("its rows are not as many as its ids");
    return rows;
  }

  /** Made for the first vector: an index without any holds no memory. */
  get #scan(): Int8Scan {
    this.#made ??= createWasmScan(this.#dimension) ?? createPlainScan(this.#dimension);
    return this.#made;
  }

  #offer(
    run: { readonly first: number; readonly count: number },
    query: Quantised,
    contenders: Contenders,
  ): void {
    const bar = contenders.floor - errorBesidesResidual(query.residual) - FLOAT32_SLACK;
    this.#scan.scan(run, bar, (row, dot) => {
      const { scale, residual } = this.#scan.header(row);
      const score = dot * scale * query.scale;
      contenders.offer(row, score, dotError(score, query.residual, residual));
    });
  }

  #place(ordinal: number, row: number): void {
    this.#rows = grow(this.#rows, ordinal + 1, (length) => new Int32Array(length));
    this.#rows[ordinal] = row;
  }

  #placeChunk({ first, used }: Chunk, scope: number, table: Ordinals): void {
    for (let row = first; row < first + used; row++) {
      const ordinal = this.ordinalAt(row);
      if (table.scopeAt(ordinal) !== scope) throw snapshotCorrupt("a row is in another scope than its id");
      this.#place(ordinal, row);
    }
  }

  #chunkWithRoom(scope: number): Chunk {
    while (this.#chunks.length <= scope) this.#chunks.push([]);
    const chunks = this.#chunks[scope] ?? [];
    const last = chunks.at(-1);
    if (last !== undefined && last.used < last.capacity) return last;
    const capacity = Math.min(SCAN_ROWS, FIRST_CAPACITY * CAPACITY_GROWTH ** chunks.length);
    const chunk = this.#spareOf(capacity).pop() ?? this.#newChunk(capacity);
    chunks.push(chunk);
    return chunk;
  }

  #spareOf(capacity: number): Chunk[] {
    const spare = this.#spare.get(capacity) ?? [];
    this.#spare.set(capacity, spare);
    return spare;
  }

  #newChunk(capacity: number): Chunk {
    const chunk = { first: this.#end, capacity, used: 0 };
    this.#scan.reserve(this.#end + capacity);
    this.#end += capacity;
    return chunk;
  }
}
