/**
 * Many runs, each in a process of its own, so that the peak of its memory is its own and one that fails takes no other with it.
 * Whoever stops them stops all; what was asked by then is on disk, and the same jobs go on from there.
 */
import { type ChildProcess, fork } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MemoryError } from "../../base/errors.ts";
import type { RunSummary } from "../result.ts";
import type { Job } from "./job.ts";
import { SUMMARY_FILE } from "./run-job.ts";
import { asError, type Told, toldSchema } from "./run-messages.ts";
import { type RunProgress, timeLeft } from "./time-left.ts";

export interface JobsOptions {
  /** Runs at once. @default 1 */
  readonly jobs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Where keys are looked up. @default none */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly onProgress?: ((progress: JobsProgress) => void) | undefined;
  /** Told when a run has ended, one way or the other. */
  readonly onEnd?: ((outcome: JobOutcome) => void) | undefined;
}

export interface JobsProgress {
  /** Turns taken in and questions asked, of all runs that have begun, and how many there are. */
  readonly done: number;
  readonly total: number;
  /** Milliseconds; undefined: cannot be told yet. */
  readonly left: number | undefined;
}

export type JobOutcome =
  /** Reused: all of it was there from an earlier run, and nothing was asked. */
  | { readonly job: Job; readonly summary: RunSummary; readonly isReused: boolean }
  | { readonly job: Job; readonly error: MemoryError };

/** From src/ and from dist/ alike. */
const CHILD = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "./run-child.ts" : "./run-child.js", import.meta.url),
);
/** So long a run that was told to stop may take. */
const PATIENCE_MS = 10_000;
const LAST_WORDS = 2000;

/** In the order of the jobs. */
export async function runJobs(jobs: readonly Job[], options: JobsOptions = {}): Promise<JobOutcome[]> {
  refuseTwins(jobs);
  const atOnce = Math.max(1, Math.min(options.jobs ?? 1, jobs.length));
  const progress = new Map<Job, RunProgress>();
  const report = (): void => options.onProgress?.(summed(jobs, progress, atOnce));
  const outcomes = new Map<Job, JobOutcome>();
  const waiting = [...jobs];
  const work = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      const here = job;
      const outcome = await runOne(here, options, (now) => {
        progress.set(here, now);
        report();
      });
      outcomes.set(here, outcome);
      options.onEnd?.(outcome);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return jobs.flatMap((job) => outcomes.get(job) ?? []);
}

function refuseTwins(jobs: readonly Job[]): void {
  for (const [folder, twins] of Map.groupBy(jobs, ({ out, name }) => join(out, name))) {
    if (twins.length > 1) {
      throw new MemoryError(
        "name_taken",
        `${twins.length} runs would write to ${folder}. Valid: each design, data set and model once, under names that differ.`,
      );
    }
  }
}

/** Runs that have not begun are taken to be as long as the others of the same data set, or as those that have. */
function summed(jobs: readonly Job[], progress: ReadonlyMap<Job, RunProgress>, atOnce: number): JobsProgress {
  const known = [...progress];
  const all = jobs.map((job): RunProgress => {
    const own = progress.get(job);
    if (own !== undefined) return own;
    const like = known.find(([other]) => other.dataset === job.dataset) ?? known[0];
    const total = like?.[1].total ?? { turns: 0, questions: 0 };
    return {
      done: { turns: 0, questions: 0 },
      total,
      spent: { turnsMs: 0, turns: 0, questionsMs: 0, questions: 0 },
    };
  });
  const sum = (read: (run: RunProgress) => RunProgress["done"]): number =>
    all.reduce((count, run) => count + read(run).turns + read(run).questions, 0);
  return { done: sum(({ done }) => done), total: sum(({ total }) => total), left: timeLeft(all, atOnce) };
}

async function runOne(
  job: Job,
  { signal, env = {} }: JobsOptions,
  onProgress: (progress: RunProgress) => void,
): Promise<JobOutcome> {
  if (isStopped(signal)) return { job, error: stopped(job) };
  const child = fork(CHILD, [], { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  let last = "";
  let asked = 0;
  let end: Exclude<Told, { type: "progress" }> | undefined;
  child.stderr?.on("data", (data: Buffer) => {
    last = (last + data.toString()).slice(-LAST_WORDS);
  });
  child.on("message", (message) => {
    const told = toldSchema.safeParse(message);
    if (!told.success) return;
    if (told.data.type === "progress") {
      asked = told.data.progress.spent.questions;
      onProgress(told.data.progress);
    } else end = told.data;
  });
  const letGo = stopWith(child, signal);
  const code = await new Promise<string>((ended) => {
    child.once("error", (error) => ended(error.message));
    child.once("close", (status, killedBy) => ended(killedBy ?? `code ${status}`));
    child.send({ job, env });
  });
  letGo();
  if (end?.type === "done") {
    const summary: RunSummary = JSON.parse(await readFile(join(job.out, job.name, SUMMARY_FILE), "utf8"));
    return { job, summary, isReused: asked === 0 };
  }
  if (end?.type === "failed") return { job, error: asError(end) };
  if (isStopped(signal)) return { job, error: stopped(job) };
  return {
    job,
    error: new MemoryError(
      "invariant",
      `The process of the run ${job.name} ended (${code}) before the run did. The same command goes on from there. ${last.trim()}`,
    ),
  };
}

/** Gives what takes the listener off again. */
function stopWith(child: ChildProcess, signal: AbortSignal | undefined): () => void {
  let patience: NodeJS.Timeout | undefined;
  const stop = (): void => {
    child.kill("SIGTERM");
    patience = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  };
  signal?.addEventListener("abort", stop, { once: true });
  return () => {
    clearTimeout(patience);
    signal?.removeEventListener("abort", stop);
  };
}

function isStopped(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function stopped({ name }: Job): MemoryError {
  return new MemoryError("aborted", `The run ${name} was stopped. The same command goes on from there.`);
}
