/** What was asked in a run, and what was recalled for it? Each question as it was asked last, with everything that was shown. */
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { parseInput } from "../../base/parse-input.ts";
import { resultLineSchema, runSummarySchema } from "../report/run-schema.ts";
import type { QuestionLine, RunSummary } from "../result.ts";
import { textLines } from "../text-lines.ts";
import { lastAsked } from "./answer-line.ts";

export interface AskedRun {
  readonly summary: RunSummary;
  readonly lines: readonly QuestionLine[];
}

/** `folder`: of one finished run. */
export async function readAsked(folder: string): Promise<AskedRun> {
  const [head, results] = [join(folder, "summary.json"), join(folder, "results.jsonl")];
  for (const file of [head, results]) {
    await access(file).catch((cause: unknown) => {
      throw new MemoryError(
        "input_invalid",
        `The folder "${folder}" holds no finished run: there is no ${file}. Valid: the folder of one run, as neuromem bench run writes it.`,
        { cause },
      );
    });
  }
  const summary = parseInput(runSummarySchema, parseJson(await readFile(head, "utf8"), head), `file ${head}`);
  const lines: QuestionLine[] = [];
  for await (const { text, number } of textLines(results)) {
    const where = `${results}:${number}`;
    const line = parseInput(resultLineSchema, parseJson(text, where), `line ${where}`);
    if (line.type === "question") lines.push(line);
  }
  return { summary, lines: lastAsked(lines) };
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MemoryError(
      "input_invalid",
      `${where} holds no whole JSON value. Valid: as neuromem bench run writes it.`,
      { cause },
    );
  }
}
