/**
 * Does search stay usable as a memory grows? One vector index and one text index grow a thousandfold, and at every power
 * of ten the same kind of question is timed. Full vectors lie in SQLite, from where the best are read again, as in a
 * memory. A step is worse than linear if time grows by more than size does; a fifth is allowed for noise and for the codes
 * outgrowing the processor's cache.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Entry, makeEntry } from "../../src/base/entry.ts";
import { createIds, type EntryId, type IdMaker } from "../../src/base/ids.ts";
import { seededRandom } from "../../src/base/random.ts";
import { PUBLIC } from "../../src/base/scope.ts";
import { createIndexOf } from "../../src/indexes/index.ts";
import type { Index, IndexItem } from "../../src/indexes/index-contract.ts";
import { TOKENIZER_ID, tokenize } from "../../src/text/tokenize.ts";
import { leastDisturbed } from "../measure.ts";
import { atMost, figure, type Row } from "../report.ts";
import type { Bench } from "./bench.ts";
import { type Corpus, DIMENSION, SPACE } from "./corpus.ts";
import type { Series } from "./growth-plot.ts";

const QUERIES = 20;
const REPEATS = 8;
const WORDS_PER_QUERY = 5;
const TOP = 10;
const BATCH = 1000;
const TOLERANCE = 1.2;

export interface Growth {
  readonly rows: readonly Row[];
  readonly series: readonly Series[];
}

export async function benchGrowth(bench: Bench): Promise<Growth> {
  const { corpus, size, note } = bench;
  const store = createVectorTable(join(bench.folder, "growth.db"));
  const deps = { tokenize, tokenizerId: TOKENIZER_ID, fetchVectors: store.fetch };
  const vectors = createIndexOf("vector_flat", { space: SPACE, dimension: DIMENSION }, deps);
  const texts = createIndexOf("text_bm25", {}, deps);
  const byVector: { size: number; ms: number }[] = [];
  const byText: { size: number; ms: number }[] = [];
  const feed = createFeed(corpus);
  let grown = 0;
  for (const step of [size / 100, size / 10, size, size * 10].map(Math.ceil)) {
    while (grown < step) {
      const count = Math.min(BATCH, step - grown);
      const items = feed(grown, count);
      store.put(items);
      vectors.add(items);
      texts.add(items);
      grown += count;
    }
    byVector.push({ size: step, ms: await timeVectorQueries(vectors, corpus, step) });
    byText.push({ size: step, ms: await timeTextQueries(texts, corpus) });
    note(`grown to ${figure(step)}`);
  }
  store.close();
  const series = [
    { name: `vector, top ${TOP} of ${DIMENSION} dimensions`, points: byVector },
    { name: `BM25, OR of ${WORDS_PER_QUERY} common words`, points: byText },
  ];
  return { rows: series.map(worstStep), series };
}

/** How an index answers questions at one of its sizes. */
function timeVectorQueries(index: Index, corpus: Corpus, size: number): Promise<number> {
  const questions = Array.from({ length: QUERIES }, (_, n) =>
    corpus.question(Math.floor((n * size) / QUERIES)),
  );
  return leastDisturbed(QUERIES, REPEATS, (task) => {
    const values = questions[task] ?? new Float32Array(DIMENSION);
    return index.query({ scopes: [PUBLIC], limit: TOP, vector: { space: SPACE, values } });
  });
}

function timeTextQueries(index: Index, corpus: Corpus): Promise<number> {
  return leastDisturbed(QUERIES, REPEATS, (task) =>
    index.query({ scopes: [PUBLIC], limit: TOP, text: corpus.commonWords(task, WORDS_PER_QUERY) }),
  );
}

function worstStep({ name, points }: Series): Row {
  const steps = points.slice(1).map((point, place) => {
    const before = points[place] ?? point;
    return point.ms / before.ms / (point.size / before.size);
  });
  const [first, last] = [points[0]?.size ?? 0, points.at(-1)?.size ?? 0];
  return {
    what: `${name}: ${figure(first)} to ${figure(last)} entries, worst step's growth of time over growth of size`,
    value: Math.max(...steps),
    bar: atMost(TOLERANCE, "(linear = 1)"),
    measured: points.map(({ size, ms }) => `${figure(size)}: ${figure(ms)} ms`).join(", "),
  };
}

function createFeed(corpus: Corpus): (first: number, count: number) => IndexItem[] {
  const ids: IdMaker = createIds(undefined, seededRandom(1));
  const stamp = { id: ids.entry(), collection: "growth", scope: PUBLIC, now: 0, contentHash: "" };
  const blank: Entry = makeEntry({ content: "blank" }, stamp);
  return (first, count) =>
    Array.from({ length: count }, (_, i) => {
      const id = ids.entry();
      const entry = { ...blank, id, content: corpus.text(first + i) };
      return { id, scope: PUBLIC, position: first + i, entry, vector: corpus.vector(first + i) };
    });
}

interface VectorTable {
  put(items: readonly IndexItem[]): void;
  fetch(space: string, ids: readonly EntryId[]): (Float32Array | undefined)[];
  close(): void;
}

/** A table of vectors as a memory has it. Filling it is not measured, so it need not survive a power cut. */
function createVectorTable(file: string): VectorTable {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
  database.exec("CREATE TABLE vectors (entry_id TEXT PRIMARY KEY, data BLOB NOT NULL)");
  const insert = database.prepare("INSERT INTO vectors (entry_id, data) VALUES (?, ?)");
  const select = database.prepare("SELECT data FROM vectors WHERE entry_id = ?");
  return {
    put(items) {
      database.exec("BEGIN");
      for (const { id, vector = new Float32Array() } of items) {
        insert.run(id, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
      }
      database.exec("COMMIT");
    },
    fetch: (_space, ids) =>
      ids.map((id) => {
        const data = select.get(id)?.data;
        return data instanceof Uint8Array ? new Float32Array(Uint8Array.from(data).buffer) : undefined;
      }),
    close: () => database.close(),
  };
}
