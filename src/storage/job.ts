/**
 * Background work that survives a crash: a row with a lease. A worker leases jobs, does them, and completes or fails
 * them; a lease that runs out (its worker died) makes the job free again. Nothing is forgotten: a job that failed for
 * good stays where `list` shows it, with its last error. Putting a job whose id is there already changes nothing.
 */
import type { JsonObject } from "../base/json.ts";
import type { Scope } from "../base/scope.ts";

export const JOB_STATES = ["waiting", "running", "done", "failed"] as const;
export type JobState = (typeof JOB_STATES)[number];

export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly scope: Scope;
  readonly payload: JsonObject;
  readonly state: JobState;
  /** How often it was started. */
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
  readonly payload: JsonObject;
  /** Not before this moment (epoch ms). */
  readonly runAt: number;
}

export interface LeaseRequest {
  readonly owner: string;
  readonly leaseMs: number;
  readonly limit: number;
  /** Only these kinds; all if absent. */
  readonly kinds?: readonly string[] | undefined;
}

export interface JobQuery {
  readonly state?: JobState | undefined;
  readonly kind?: string | undefined;
  /** Only the scope's own, not the public ones it also sees. */
  readonly own?: boolean | undefined;
  readonly limit: number;
}

export interface JobStore {
  /** Takes due jobs, oldest first; no two owners get the same one. */
  lease(request: LeaseRequest): Promise<Job[]>;
  /** Both refuse with `job_not_found` when the owner's lease was lost, so that work is never recorded twice. */
  complete(id: string, owner: string): Promise<void>;
  /** `retryAt` null: failed for good. */
  fail(id: string, owner: string, error: string, retryAt: number | null): Promise<void>;
  list(scope: Scope, query: JobQuery): Promise<Job[]>;
}
