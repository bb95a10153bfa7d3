/**
 * Background work that survives a crash: a row with a lease. A worker leases jobs, does them, and completes or fails
 * them; a lease that runs out (its worker died) makes the job free again. Nothing is forgotten: a job that failed for
 * good stays where `list` shows it, with its last error. Putting a job whose id is there already changes nothing, unless
 * it is a standing one. Only what waits about an entry goes: with the entry, or when it is settled.
 */
import type { EntryId } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import type { Scope } from "../base/scope.ts";

export const JOB_STATES = ["waiting", "running", "done", "failed"] as const;
export type JobState = (typeof JOB_STATES)[number];

export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly scope: Scope;
  /** The entry it is about, if it is about one. */
  readonly subject: EntryId | null;
  readonly payload: JsonObject;
  readonly state: JobState;
  /** How often it was started, without the runs that ended well and were asked for again. */
  readonly attempts: number;
  readonly runAt: number;
  readonly leaseOwner: string | null;
  readonly leaseUntil: number | null;
  readonly lastError: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface NewJob {
  readonly id: string;
  readonly kind: string;
  /** The entry it is about: while it waits, it goes when the entry goes. */
  readonly subject?: EntryId | undefined;
  readonly payload: JsonObject;
  /** Not before this moment (epoch ms). */
  readonly runAt: number;
  /**
   * A standing job: there is one of its id, whatever happens. Put again when it is done or has failed it waits again, and
   * when it is running it will run once more. @default false
   */
  readonly standing?: boolean | undefined;
}

export interface LeaseRequest {
  readonly owner: string;
  readonly leaseMs: number;
  readonly limit: number;
  /** Only these kinds; all if absent. */
  readonly kinds?: readonly string[] | undefined;
  /** Only these jobs, also those whose moment has not come: somebody waits for them. */
  readonly ids?: readonly string[] | undefined;
}

export interface JobFilter {
  readonly state?: JobState | undefined;
  readonly kind?: string | undefined;
  /** Only the scope's own, not the public ones it also sees. */
  readonly own?: boolean | undefined;
  /** Only those about these entries. */
  readonly subjects?: readonly EntryId[] | undefined;
}

export interface JobQuery extends JobFilter {
  /** Absent: all of them. */
  readonly limit?: number | undefined;
}

export interface JobStore {
  /** Takes due jobs, oldest first; no two owners get the same one. */
  lease(request: LeaseRequest): Promise<Job[]>;
  /** Keeps a lease for so long from now, while the work goes on. */
  renew(id: string, owner: string, leaseMs: number): Promise<void>;
  /** All three refuse with `job_not_found` when the owner's lease was lost, so that work is never recorded twice. */
  complete(id: string, owner: string): Promise<void>;
  /** `retryAt` null: failed for good. */
  fail(id: string, owner: string, error: string, retryAt: number | null): Promise<void>;
  list(scope: Scope, query: JobQuery): Promise<Job[]>;
  count(scope: Scope, filter: JobFilter): Promise<number>;
}
