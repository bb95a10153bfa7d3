/**
 * How long does a whole run take once its vectors are cached? The flagship on LoCoMo again, from nothing, after another run of
 * it has made all vectors: from starting the process to the summary, reading the data and loading the programs included. What
 * it took is kept beside the runs, so that a finished run is not done again.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { RunSummary } from "../../src/lab/result.ts";
import type { Job } from "../../src/lab/run/job.ts";
import { type JobsOptions, runJobs } from "../../src/lab/run/run-jobs.ts";
import { atMost, type Row } from "../report.ts";
import { titleOf } from "./bars.ts";

const FOLDER = "whole-run";
const tookSchema = z.object({
  preset: z.string(),
  dataset: z.string(),
  cases: z.number(),
  seconds: z.number(),
});

/** `job` has been run, and `summary` is what came of it. */
export async function wholeRunRow(job: Job, summary: RunSummary, options: JobsOptions): Promise<Row> {
  const out = join(job.out, FOLDER);
  const file = join(out, `${job.name}.json`);
  const same = { preset: summary.preset.hash, dataset: summary.dataset.hash, cases: summary.dataset.cases };
  const known = job.fresh === true ? undefined : await readTook(file, same);
  const seconds = known ?? (await timed({ ...job, out, fresh: true }, options));
  if (known === undefined) await writeFile(file, `${JSON.stringify({ ...same, seconds })}\n`);
  const { cases, turns, questions } = summary.dataset;
  return {
    what: `${titleOf("locomo", summary)}, ${summary.preset.name}: a whole run with cached vectors`,
    value: seconds,
    bar: atMost(60, "s"),
    measured: `${cases} conversations, ${turns} turns, ${questions} questions, in a process of its own, its start included`,
  };
}

async function timed(job: Job, options: JobsOptions): Promise<number> {
  const start = performance.now();
  const [outcome] = await runJobs([job], options);
  if (outcome === undefined || "error" in outcome) throw outcome?.error ?? new Error("There was no run.");
  return (performance.now() - start) / 1000;
}

async function readTook(
  file: string,
  same: Omit<z.infer<typeof tookSchema>, "seconds">,
): Promise<number | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const { seconds, ...of } = tookSchema.parse(JSON.parse(text));
  const isSame = of.preset === same.preset && of.dataset === same.dataset && of.cases === same.cases;
  return isSame ? seconds : undefined;
}
