/** Which runs were there already, and whole? Results only grow: whose file has not grown has run nothing again. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "../lab/run/job.ts";
import { RESULTS_FILE } from "../lab/run/run-job.ts";

export type ResultSizes = ReadonlyMap<string, number>;

/** By name, in bytes; those that have no results yet are left out. */
export async function resultSizes(jobs: readonly Job[]): Promise<ResultSizes> {
  const sizes = new Map<string, number>();
  for (const { out, name, fresh = false } of jobs) {
    const size = await stat(join(out, name, RESULTS_FILE)).then(
      (file) => file.size,
      // None yet: the run begins from nothing.
      () => 0,
    );
    if (size > 0 && !fresh) sizes.set(name, size);
  }
  return sizes;
}

export async function reusedRuns(jobs: readonly Job[], before: ResultSizes): Promise<string[]> {
  const now = await resultSizes(jobs);
  return [...before].filter(([name, size]) => now.get(name) === size).map(([name]) => name);
}
