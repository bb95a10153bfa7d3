/**
 * The plan, carried out: the variants' preset files are written, every combination is a run like any other, in a folder of its
 * own, and each is held against the base. What an earlier ablation ran is not run again.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { validNames } from "../../base/nearest-name.ts";
import { measuredNames } from "../measures/measured-names.ts";
import { readRun } from "../report/read-runs.ts";
import type { RunSummary } from "../result.ts";
import { type Job, runName } from "../run/job.ts";
import { type JobsOptions, runJobs } from "../run/run-jobs.ts";
import { differencesTo, type MeasuredDifference, usualMeasures } from "./differences.ts";
import type { AblationPlan, PlannedRun } from "./plan-ablation.ts";

/** What all runs have in common, and what the data set is called. */
export interface AblationJob extends Omit<Job, "name" | "preset"> {
  readonly datasetName: string;
}

export interface AblationRow {
  readonly planned: PlannedRun;
  /** The run's folder, in the folder of the runs. */
  readonly run: string;
  /** null: it failed, for the reason given. */
  readonly summary: RunSummary | null;
  readonly error: MemoryError | null;
  readonly differences: readonly MeasuredDifference[];
}

export interface Ablation {
  readonly base: RunSummary;
  readonly measures: readonly string[];
  readonly rows: readonly AblationRow[];
}

export async function runAblation(
  plan: AblationPlan,
  common: AblationJob,
  options: JobsOptions & { readonly measures?: readonly string[] | undefined } = {},
): Promise<Ablation> {
  const { out, ks } = common;
  // What no run can have is told before the first of them.
  checkMeasures(options.measures ?? [], measuredNames(ks));
  await writePresets(plan);
  const jobs = [plan.base, ...plan.variants].map((planned) => jobOf(planned, common));
  const [first, ...others] = await runJobs(jobs, options);
  if (first === undefined || "error" in first)
    throw first?.error ?? new MemoryError("invariant", "The base of an ablation was not run.");
  const stopped = others.find((one) => "error" in one && one.error.code === "aborted");
  if (stopped !== undefined && "error" in stopped) throw stopped.error;
  const base = await readRun(join(out, first.job.name));
  const measures = options.measures ?? usualMeasures(base);
  checkMeasures(measures, Object.keys(first.summary.overall));
  const rows: AblationRow[] = [];
  for (const [place, outcome] of others.entries()) {
    const planned = plan.variants[place];
    if (planned === undefined) continue;
    const { name: run } = outcome.job;
    if ("error" in outcome) {
      rows.push({ planned, run, summary: null, error: outcome.error, differences: [] });
      continue;
    }
    const variant = await readRun(join(out, run));
    const differences = differencesTo(base, variant, measures);
    rows.push({ planned, run, summary: outcome.summary, error: null, differences });
  }
  return { base: first.summary, measures, rows };
}

function checkMeasures(measures: readonly string[], known: readonly string[]): void {
  const unknown = measures.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new MemoryError(
    "unknown_name",
    `The runs have no measure "${unknown}". ${validNames(unknown, known)}`,
  );
}

async function writePresets({ variants }: AblationPlan): Promise<void> {
  for (const { file, text } of variants) {
    if (text === null) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** The combination, the data set and the model, as the folders of other runs are named. */
function jobOf({ name, file }: PlannedRun, { datasetName, ...common }: AblationJob): Job {
  const [, ...behind] = runName("", datasetName, common.model).split("__");
  return { ...common, preset: file, name: [name, ...behind].join("__") };
}
