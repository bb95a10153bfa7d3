/**
 * What does a recall of the default design take, without the time of embedding? Ten and a hundred thousand memories on a
 * file; the vectors of the questions are there before. Looks are counted as always: each recall ends with a durable write.
 */
import { createCorpus } from "../engine/corpus.ts";
import { fillFile, openFilled, QUESTIONS, questionOf } from "../filled-memory.ts";
import { takeTurns } from "../measure.ts";
import { inTemporaryFolder } from "../pipeline/temporary-folder.ts";
import { atMost, type Row } from "../report.ts";

const SIZES = [
  { entries: 10_000, bar: 5 },
  { entries: 100_000, bar: 15 },
];
const ROUNDS = 30;
const PER_ROUND = 10;

export function benchRecall(): Promise<Row[]> {
  return inTemporaryFolder(async (folder) => {
    const corpus = createCorpus();
    const rows: Row[] = [];
    for (const { entries, bar } of SIZES) {
      const file = `${folder}/${entries}.db`;
      await fillFile(file, corpus, entries);
      const memory = await openFilled(file, corpus);
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

function p95(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(0.95 * times.length)] ?? Number.NaN;
}
