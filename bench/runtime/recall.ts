/**
 * What does a recall of the default design take, without the time of embedding? Ten and a hundred thousand memories on a
 * file; the vectors of the questions are there before. Looks are counted as always: each recall ends with a durable write.
 */

import { parseScope } from "../../src/base/scope.ts";
import { CollectionManager } from "../../src/collection/collection-manager.ts";
import { type EmbedderSet, oneSpace } from "../../src/models/local/embedder-set.ts";
import { Memory } from "../../src/runtime/memory.ts";
import { openSqlite } from "../../src/storage/sqlite/sqlite-storage.ts";
import { type Corpus, createCorpus, DIMENSION, SPACE } from "../engine/corpus.ts";
import { takeTurns } from "../measure.ts";
import { inTemporaryFolder } from "../pipeline/temporary-folder.ts";
import { atMost, type Row } from "../report.ts";

const SCOPE = "bench";
const SIZES = [
  { entries: 10_000, bar: 5 },
  { entries: 100_000, bar: 15 },
];
const BATCH = 1000;
/** Memories of one session: what stands around one counts, too. */
const SESSION = 20;
const QUESTIONS = 50;
const ROUNDS = 30;
const PER_ROUND = 10;

export function benchRecall(): Promise<Row[]> {
  return inTemporaryFolder(async (folder) => {
    const corpus = createCorpus();
    const rows: Row[] = [];
    for (const { entries, bar } of SIZES) {
      const memory = await filled(`${folder}/${entries}.db`, corpus, entries);
      const turns = await takeTurns(ROUNDS, 2, {
        recall: { run: (task) => memory.recall(questionOf(corpus, task % QUESTIONS)), times: PER_ROUND },
      });
      const plain = turns("recall");
      const found = await memory.recall(questionOf(corpus, 1));
      await memory.close();
      rows.push({
        what: `recall, default preset, ${entries / 1000} k entries, p50 without embedding`,
        value: plain,
        bar: atMost(bar, "ms"),
        measured: `p50 of ${ROUNDS * PER_ROUND}, p95 ${turns("recall", p95).toFixed(2)} ms; questions of eight words and a vector, ${found.hits.length} hits each, looks written`,
      });
    }
    return rows;
  });
}

/** Filled in batches, through the collection that the design uses; then opened as a user would. */
async function filled(file: string, corpus: Corpus, entries: number): Promise<Memory> {
  const embedder = questionsOf(corpus);
  const empty = await Memory.open({ path: file, scope: SCOPE, embedder });
  const { collection } = await empty.status();
  await empty.close();
  const storage = await openSqlite(file);
  const manager = new CollectionManager(storage);
  const memories = await manager.get(collection);
  for (let start = 0; start < entries; start += BATCH) {
    await memories.insertMany(
      parseScope(SCOPE),
      Array.from({ length: BATCH }, (_, n) => ({
        content: corpus.text(start + n),
        metadata: { session: `s${Math.floor((start + n) / SESSION)}` },
        vectors: [{ space: SPACE, values: corpus.vector(start + n) }],
      })),
    );
  }
  await manager.close();
  return Memory.open({ path: file, scope: SCOPE, embedder });
}

function questionOf(corpus: Corpus, n: number): string {
  return `${corpus.commonWords(n, 4)} ${corpus.text(n).split(" ").slice(0, 4).join(" ")}`;
}

/** Knows the questions' vectors and no others. */
function questionsOf(corpus: Corpus): EmbedderSet {
  const known = new Map(
    Array.from({ length: QUESTIONS }, (_, n) => [questionOf(corpus, n), corpus.question(n)] as const),
  );
  return oneSpace({
    id: SPACE,
    provider: "bench",
    dimension: DIMENSION,
    maxBatch: 1000,
    embed: async (texts) =>
      texts.map((text) => known.get(text) ?? new Float32Array(DIMENSION).fill(1 / Math.sqrt(DIMENSION))),
  });
}

function p95(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(0.95 * times.length)] ?? Number.NaN;
}
