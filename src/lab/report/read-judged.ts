/**
 * Did a model answer a run's questions? Then its answers and their judgement lie beside the results, and their measures join the
 * others: `answers.json` for the tables, `answers.jsonl` for the questions. A run without them is as good.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { MemoryError } from "../../base/errors.ts";
import { parseInput } from "../../base/parse-input.ts";
import { jsonlFile } from "../../models/jsonl-file.ts";
import { answersLineSchema, withAnswers } from "../judge/answer-line.ts";
import type { JudgedSummary, Run } from "./run.ts";
import { estimatesSchema, modelUseSchema } from "./run-schema.ts";

const judgedSchema: z.ZodType<JudgedSummary> = z.object({
  models: z.object({ answer: z.string(), judge: z.string() }),
  overall: estimatesSchema,
  abstain: estimatesSchema,
  falsePositives: z.record(z.string(), estimatesSchema),
  failed: z.record(z.string(), z.number()),
  cost: z.object({ answers: modelUseSchema, judges: modelUseSchema, planted: modelUseSchema }),
});

export async function readJudged(folder: string, run: Run): Promise<Run> {
  const file = join(folder, "answers.json");
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return run;
  const judged = parseInput(judgedSchema, jsonOf(text, file), `judgement in "${file}"`);
  const { values } = await jsonlFile(join(folder, "answers.jsonl")).read();
  const answers = values
    .map((value) => parseInput(answersLineSchema, value, `line of answers in "${folder}"`))
    .filter((line) => line.type === "answer");
  const { summary } = run;
  return {
    summary: {
      ...summary,
      models: { ...summary.models, judges: [judged.models.judge] },
      overall: { ...summary.overall, ...judged.overall },
    },
    questions: withAnswers(run.questions, answers),
    judged,
  };
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MemoryError(
      "input_invalid",
      `"${file}" holds no whole JSON value. Valid: as it was written when the run was judged; judge it again.`,
      { cause },
    );
  }
}
