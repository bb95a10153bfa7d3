/** Is word search faster than SQLite's own? BM25 over an OR of common words, against FTS5 over the same tokens. */
import { DatabaseSync } from "node:sqlite";
import { PUBLIC } from "../../src/base/scope.ts";
import type { Retrieval } from "../../src/collection/retrieve.ts";
import { tokenize } from "../../src/text/tokenize.ts";
import { takeTurns } from "../measure.ts";
import { atLeast, figure, type Row } from "../report.ts";
import { type Bench, openMemory } from "./bench.ts";
import type { Corpus } from "./corpus.ts";

const QUERIES = 30;
const WORDS_PER_QUERY = 5;
const TOP = 10;

export async function benchText(bench: Bench): Promise<Row[]> {
  const { corpus, size } = bench;
  const { manager, collection, indexMs } = await openMemory(await bench.memoryFile());
  const rival = createFts5(corpus, size);
  const queries = Array.from({ length: QUERIES }, (_, n) => corpus.commonWords(n, WORDS_PER_QUERY));
  const queryOf = (task: number): string => queries[task % QUERIES] ?? "";
  const retrievalOf = (task: number): Retrieval => ({ index: "text", text: queryOf(task), topK: TOP });

  for (let task = 0; task < 10 * QUERIES; task++) await collection.retrieve(PUBLIC, retrievalOf(task));
  const ms = await takeTurns(QUERIES, 2, {
    fts5: { run: (task) => rival.search(queryOf(task)) },
    whole: { run: (task) => collection.retrieve(PUBLIC, retrievalOf(task)), times: 5 },
    index: { run: (task) => indexMs(retrievalOf(task)), times: 5 },
  });
  let same = 0;
  for (let task = 0; task < QUERIES; task++) {
    const theirs = new Set(rival.search(queryOf(task)));
    const hits = await collection.retrieve(PUBLIC, retrievalOf(task));
    for (const { metadata } of hits) if (theirs.has(Number(metadata.n))) same++;
  }
  rival.close();
  await manager.close();
  return [
    {
      what: `BM25, OR of ${WORDS_PER_QUERY} common words, ${figure(size)} entries, against SQLite FTS5`,
      value: ms("fts5") / ms("index"),
      bar: atLeast(60, "×"),
      measured: `${figure(ms("index"))} ms, FTS5 ${figure(ms("fts5"))} ms; with whole entries ${figure(ms("whole"))} ms; ${figure(same / (QUERIES * TOP))} of the top ${TOP} are the same`,
    },
  ];
}

interface Fts5 {
  /** Row numbers, best first. */
  search(text: string): number[];
  close(): void;
}

/**
 * FTS5 at its best: in memory, all segments merged into one, and the documented fast path "ORDER BY rank LIMIT". The
 * smaller `detail` settings would be slower here: without positions bm25() reads and splits the texts again.
 */
function createFts5(corpus: Corpus, size: number): Fts5 {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE VIRTUAL TABLE texts USING fts5(body, tokenize = 'unicode61 remove_diacritics 0')");
  const insert = database.prepare("INSERT INTO texts (rowid, body) VALUES (?, ?)");
  database.exec("BEGIN");
  for (let n = 0; n < size; n++) insert.run(n, tokenize(corpus.text(n)).join(" "));
  database.exec("COMMIT");
  database.exec("INSERT INTO texts (texts) VALUES ('optimize')");
  const select = database.prepare(
    `SELECT rowid, rank FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ${TOP}`,
  );
  return {
    search(text) {
      const words = tokenize(text).map((word) => `"${word}"`);
      return select.all(words.join(" OR ")).map((row) => Number(row.rowid));
    },
    close: () => database.close(),
  };
}
