/**
 * What lies in a folder of results? Every folder in it that holds a summary is a finished run; one that holds lines only is not
 * finished, and is named, not dropped without a word. Of the lines only what readers look at is kept: every question as it was
 * asked last, with its first hits; a run of a hundred megabytes is read line by line.
 */
import { access, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { parseInput } from "../../base/parse-input.ts";
import type { QuestionLine, ResultLine } from "../result.ts";
import { textLines } from "../text-lines.ts";
import { readJudged } from "./read-judged.ts";
import { keyOf, MOST_HITS, type Run } from "./run.ts";
import { resultLineSchema, runSummarySchema } from "./run-schema.ts";

const MOST_TEXT = 600;

export interface RunsRead {
  readonly runs: readonly Run[];
  /** Folders with results and no summary. */
  readonly unfinished: readonly string[];
}

export async function readRuns(folder: string): Promise<RunsRead> {
  const runs: Run[] = [];
  const unfinished: string[] = [];
  for (const name of (await foldersIn(folder)).sort()) {
    const inside = join(folder, name);
    if (await isThere(join(inside, "summary.json"))) runs.push(await readRun(inside));
    else if (await isThere(join(inside, "results.jsonl"))) unfinished.push(name);
  }
  if (runs.length === 0) {
    const why = unfinished.length === 0 ? "" : ` Not finished yet: ${unfinished.join(", ")}.`;
    throw new MemoryError(
      "input_invalid",
      `There is no finished run in "${folder}".${why} Valid: the folder that neuromem bench run wrote to, which holds one folder per run with summary.json and results.jsonl.`,
    );
  }
  return { runs, unfinished };
}

/** One run's own folder. */
export async function readRun(folder: string): Promise<Run> {
  const file = join(folder, "summary.json");
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new MemoryError(
      "input_invalid",
      `"${folder}" holds no finished run: there is no summary.json in it. Valid: the folder of one run, as OUT/hybrid__locomo.`,
      { cause },
    );
  });
  const summary = parseInput(runSummarySchema, parseJson(text, file), `summary in "${file}"`);
  return readJudged(folder, { summary, questions: await readQuestions(join(folder, "results.jsonl")) });
}

async function readQuestions(file: string): Promise<QuestionLine[]> {
  if (!(await isThere(file))) {
    throw new MemoryError(
      "input_invalid",
      `"${file}" is missing. Valid: a run's folder holds results.jsonl beside summary.json.`,
    );
  }
  const asked = new Map<string, { readonly first: Point; readonly last: QuestionLine }>();
  for await (const { text, number } of textLines(file)) {
    const where = `"${file}" line ${number}`;
    const line: ResultLine = parseInput(resultLineSchema, parseJson(text, where), `line in ${where}`);
    if (line.type !== "question") continue;
    const { point } = line;
    const known = asked.get(keyOf(line));
    const first = known === undefined || byPoint(point, known.first) < 0 ? point : known.first;
    const isLast = known === undefined || byPoint(point, known.last.point) >= 0;
    asked.set(keyOf(line), { first, last: isLast ? forReaders(line) : known.last });
  }
  const inOrder = [...asked].sort(
    ([a, x], [b, y]) => byPoint(x.first, y.first) || Number(a > b) - Number(a < b),
  );
  return inOrder.map(([, { last }]) => last);
}

type Point = QuestionLine["point"];

/** In the stream, not in the file: a run that was stopped and went on may have filled a gap later. */
function byPoint(a: Point, b: Point): number {
  return a.number - b.number || a.turns - b.turns;
}

function forReaders(line: QuestionLine): QuestionLine {
  const hits = line.hits
    .slice(0, MOST_HITS)
    .map((hit) => (hit.text.length > MOST_TEXT ? { ...hit, text: hit.text.slice(0, MOST_TEXT) } : hit));
  return { ...line, hits };
}

async function foldersIn(folder: string): Promise<string[]> {
  const inside = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new MemoryError(
      "input_invalid",
      `The folder "${folder}" cannot be read. Valid: the folder that neuromem bench run wrote to.`,
      { cause },
    );
  });
  return inside.filter((one) => one.isDirectory()).map(({ name }) => name);
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MemoryError(
      "input_invalid",
      `${where} holds no whole JSON value. Valid: as neuromem bench run writes it; run it again, and it goes on where it was.`,
      { cause },
    );
  }
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
