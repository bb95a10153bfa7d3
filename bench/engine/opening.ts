/** How soon does a memory answer after a start, and how much room does it take? With its snapshots and without. */
import { execFile } from "node:child_process";
import { rename } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { median } from "../measure.ts";
import { atMost, figure, type Row } from "../report.ts";
import type { Bench } from "./bench.ts";
import { SPACE } from "./corpus.ts";
import type { Opening, Question } from "./opening-child.ts";

const RUNS = 5;
const CHILD = fileURLToPath(new URL("./opening-child.ts", import.meta.url));
const run = promisify(execFile);

export async function benchOpening(bench: Bench): Promise<Row[]> {
  const { corpus, size } = bench;
  const file = await bench.memoryFile();
  const question = { file, text: corpus.commonWords(0, 5), space: SPACE, values: [...corpus.question(0)] };
  const snapshots = `${file}-indexes`;
  const aside = `${file}-aside`;
  const loaded: Opening[] = [];
  const rebuilt: Opening[] = [];
  for (let i = 0; i < RUNS; i++) {
    loaded.push(await open(question));
    await rename(snapshots, aside);
    rebuilt.push(await open(question));
    await rename(aside, snapshots);
  }
  const opened = `open ${figure(size)} entries to the first answers (text and vector) in a fresh process`;
  const resident = `resident memory, ${figure(size)} entries with text and vectors indexed`;
  return [
    openingRow(`${opened}, with snapshots`, loaded, 1.5),
    openingRow(`${opened}, without snapshots`, rebuilt, 5),
    memoryRow(`${resident}, from snapshots`, loaded),
    memoryRow(`${resident}, rebuilt`, rebuilt),
  ];
}

function openingRow(what: string, openings: readonly Opening[], limit: number): Row {
  const loading = median(openings.map(({ loadMs }) => loadMs));
  return {
    what,
    value: median(openings.map(({ ms }) => ms)) / 1000,
    bar: atMost(limit, "s"),
    measured: `from the first line of code; ${figure(loading / 1000)} s of it load our modules`,
  };
}

function memoryRow(what: string, openings: readonly Opening[]): Row {
  const sizes = openings.map(({ megabytes }) => megabytes);
  return {
    what,
    value: median(sizes),
    bar: atMost(250, "MB"),
    measured: `whole process after garbage collection, at most ${figure(Math.max(...sizes))} MB`,
  };
}

async function open(question: Question): Promise<Opening> {
  const { stdout } = await run(process.execPath, ["--expose-gc", CHILD, JSON.stringify(question)]);
  const opening: Opening = JSON.parse(stdout);
  if (opening.hits === 0) throw new Error("The memory was opened and found nothing.");
  return opening;
}
