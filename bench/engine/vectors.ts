/**
 * Is vector search faster than a loop, and than SQLite's vector extension, without missing anything? All answer the same
 * questions with ids and scores: the ten nearest by cosine. Ours reads the vectors of the best from disk to be exact.
 */
import { DatabaseSync } from "node:sqlite";
import { load } from "sqlite-vec";
import { PUBLIC } from "../../src/base/scope.ts";
import type { Retrieval } from "../../src/collection/retrieve.ts";
import { createTopK } from "../../src/math/top-k.ts";
import { takeTurns } from "../measure.ts";
import { atLeast, figure, type Row } from "../report.ts";
import { type Bench, openMemory } from "./bench.ts";
import { type Corpus, DIMENSION, SPACE } from "./corpus.ts";

const QUERIES = 30;
const TOP = 10;

export async function benchVectors(bench: Bench): Promise<Row[]> {
  const { corpus, size } = bench;
  const { manager, collection, indexMs } = await openMemory(await bench.memoryFile());
  const rows = flatRows(corpus, size);
  const extension = createSqliteVec(rows, size);
  const queries = Array.from({ length: QUERIES }, (_, n) => corpus.question(n * Math.floor(size / QUERIES)));
  const queryOf = (task: number): Float32Array => queries[task % QUERIES] ?? new Float32Array(DIMENSION);
  const retrievalOf = (task: number): Retrieval => ({
    index: "vector",
    vector: { space: SPACE, values: queryOf(task) },
    topK: TOP,
  });

  for (let task = 0; task < 3 * QUERIES; task++) await collection.retrieve(PUBLIC, retrievalOf(task));
  const ms = await takeTurns(QUERIES, 2, {
    loop: { run: (task) => nearestByLoop(rows, size, queryOf(task)) },
    extension: { run: (task) => extension.search(queryOf(task)) },
    whole: { run: (task) => collection.retrieve(PUBLIC, retrievalOf(task)), times: 5 },
    index: { run: (task) => indexMs(retrievalOf(task)), times: 5 },
  });
  let found = 0;
  for (let task = 0; task < QUERIES; task++) {
    const truth = new Set(nearestInFloat64(rows, size, queryOf(task)));
    const hits = await collection.retrieve(PUBLIC, retrievalOf(task));
    for (const { metadata } of hits) if (truth.has(Number(metadata.n))) found++;
  }
  extension.close();
  await manager.close();
  const what = `vector top ${TOP}, ${figure(size)} × ${DIMENSION}`;
  const own = `${figure(ms("index"))} ms with rescoring from disk, with whole entries ${figure(ms("whole"))} ms`;
  return [
    {
      what: `${what}, against a plain JS float32 loop`,
      value: ms("loop") / ms("index"),
      bar: atLeast(20, "×"),
      measured: `${own}; loop ${figure(ms("loop"))} ms`,
    },
    {
      what: `${what}, against sqlite-vec`,
      value: ms("extension") / ms("index"),
      bar: atLeast(15, "×"),
      measured: `${own}; sqlite-vec ${figure(ms("extension"))} ms`,
    },
    {
      what: `${what}, recall@${TOP} against float64 brute force`,
      value: found / (QUERIES * TOP),
      bar: atLeast(1, ""),
      measured: `${found} of ${QUERIES * TOP} neighbours`,
    },
  ];
}

/** All vectors, each of length one, one after another. */
function flatRows(corpus: Corpus, size: number): Float32Array {
  const rows = new Float32Array(size * DIMENSION);
  for (let n = 0; n < size; n++) rows.set(corpus.vector(n), n * DIMENSION);
  return rows;
}

/** What one would write by hand: one flat array, no allocation per row; vectors of length one need no division. */
function nearestByLoop(rows: Float32Array, size: number, query: Float32Array): Int32Array {
  const best = createTopK(TOP, (a, b) => a < b);
  for (let n = 0; n < size; n++) {
    const start = n * DIMENSION;
    let dot = 0;
    for (let i = 0; i < DIMENSION; i++) dot += (rows[start + i] as number) * (query[i] as number);
    if (dot >= best.threshold()) best.push(n, dot);
  }
  return best.drain().items;
}

/** The truth: every cosine in double precision, with the true lengths. */
function nearestInFloat64(rows: Float32Array, size: number, query: Float32Array): Int32Array {
  const best = createTopK(TOP, (a, b) => a < b);
  for (let n = 0; n < size; n++) {
    let dot = 0;
    let square = 0;
    for (let i = n * DIMENSION, j = 0; j < DIMENSION; i++, j++) {
      const value = rows[i] as number;
      dot += value * (query[j] as number);
      square += value * value;
    }
    best.push(n, dot / Math.sqrt(square));
  }
  return best.drain().items;
}

interface SqliteVec {
  search(query: Float32Array): number[];
  close(): void;
}

/** In memory, and by Euclidean distance: for vectors of length one the same order as cosine, and less work. */
function createSqliteVec(rows: Float32Array, size: number): SqliteVec {
  const database = new DatabaseSync(":memory:", { allowExtension: true });
  load(database);
  database.exec(`CREATE VIRTUAL TABLE vectors USING vec0(embedding float[${DIMENSION}])`);
  const insert = database.prepare("INSERT INTO vectors (rowid, embedding) VALUES (?, ?)");
  database.exec("BEGIN");
  for (let n = 0; n < size; n++) {
    insert.run(BigInt(n), new Uint8Array(rows.buffer, 4 * n * DIMENSION, 4 * DIMENSION));
  }
  database.exec("COMMIT");
  const select = database.prepare(
    `SELECT rowid, distance FROM vectors WHERE embedding MATCH ? AND k = ${TOP}`,
  );
  return {
    search: (query) =>
      select
        .all(new Uint8Array(query.buffer, query.byteOffset, query.byteLength))
        .map((row) => Number(row.rowid)),
    close: () => database.close(),
  };
}
