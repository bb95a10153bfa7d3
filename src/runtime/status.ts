/** How does the memory stand? What is in it, what waits to be taken up, and why it waits. */
import type { Scope } from "../base/scope.ts";
import type { JobState } from "../storage/job.ts";
import type { StorageStats } from "../storage/storage.ts";
import { waitingTurns } from "./derive.ts";
import type { Running } from "./running.ts";

export interface Status {
  readonly preset: string;
  readonly service: string;
  readonly collection: string;
  readonly storage: StorageStats;
  /** Turns of the scope that are in the journal and not in the memory yet. */
  readonly waiting: number;
  /** The work on them; null: none was ever asked for. */
  readonly work: {
    readonly state: JobState;
    readonly attempts: number;
    readonly nextTry: number;
    readonly lastError: string | null;
  } | null;
  /** Entries that somebody has to decide about, as the design's service reports them. */
  readonly pending: number;
}

export async function status({ storage, design, worker }: Running, scope: Scope): Promise<Status> {
  const job = await worker.job(scope);
  const { count } = await design.service.getStatus(scope);
  return {
    preset: design.preset.name,
    service: design.service.name,
    collection: design.service.collection,
    storage: await storage.stats(),
    waiting: await waitingTurns(design, storage, scope),
    work:
      job === undefined
        ? null
        : { state: job.state, attempts: job.attempts, nextTry: job.runAt, lastError: job.lastError },
    pending: count,
  };
}
