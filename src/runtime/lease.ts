/**
 * A job at work: its lease is renewed while the work goes on, it is completed in the end, or it fails with its reason and
 * the moment of the next try, later after every failure. What no later try would mend stays failed until it is asked for
 * again.
 */
import type { Clock } from "../base/clock.ts";
import { MemoryError } from "../base/errors.ts";
import type { Trace } from "../base/trace.ts";
import type { Job } from "../storage/job.ts";
import type { Storage } from "../storage/storage.ts";

export interface LeaseDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly trace: Trace;
}

export const LEASE_MS = 15_000;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 3_600_000;

/** `run` is given a signal that says that the lease was lost: somebody else has the job then. */
export async function underLease<T>(
  deps: LeaseDeps,
  job: Job,
  owner: string,
  run: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const { jobs } = deps.storage;
  const lost = new AbortController();
  const beat = setInterval(() => {
    jobs.renew(job.id, owner, LEASE_MS).catch((error: unknown) => lost.abort(error));
  }, LEASE_MS / 3);
  beat.unref();
  try {
    const result = await run(lost.signal);
    await jobs.complete(job.id, owner);
    return result;
  } catch (error) {
    await fail(deps, job, owner, error);
    throw error;
  } finally {
    clearInterval(beat);
  }
}

async function fail(
  { storage, clock, trace }: LeaseDeps,
  job: Job,
  owner: string,
  error: unknown,
): Promise<void> {
  const message = error instanceof Error ? error.message : String(error);
  try {
    await storage.jobs.fail(job.id, owner, message, retryAt(error, job.attempts, clock.now()));
  } catch (lost) {
    // Whoever has it now reports on it.
    trace({ type: "warning-raise", code: "job_not_found", message: `The job ${job.id}: ${lost}` });
  }
}

function retryAt(error: unknown, attempts: number, now: number): number | null {
  if (!MemoryError.is(error)) return null;
  if (error.code === "aborted") return now;
  const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(20, attempts - 1));
  return error.retryable ? now + wait : null;
}
