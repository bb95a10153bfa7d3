/**
 * One worker at a time, of this process or another: a piece of work has a standing job, and whoever does it holds its
 * lease meanwhile. Others wait; the lease of one that died runs out.
 */

import type { Scope } from "../base/scope.ts";
import { throwIfAborted } from "../models/abort.ts";
import type { Job } from "../storage/job.ts";
import type { Write } from "../storage/storage.ts";
import { LEASE_MS, type LeaseDeps, underLease } from "./lease.ts";

export interface Work {
  readonly id: string;
  readonly kind: string;
  readonly scope: Scope;
}

export interface AloneOptions {
  /** Names this worker among all. */
  readonly owner: string;
  /** Ends the waiting, and is handed on to the work. */
  readonly signal?: AbortSignal | undefined;
  /** Told once, when another worker is at it. */
  readonly onWait?: (() => void) | undefined;
}

/** How soon to look again whether another worker is done. */
const BUSY_MS = 20;
const CAUSE = { actor: "runtime", cause: "alone" } as const;

export async function alone<T>(
  deps: LeaseDeps,
  work: Work,
  { owner, signal, onWait }: AloneOptions,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    throwIfAborted(signal, "Waiting for the scope's other work");
    const job = await take(deps, work, owner);
    if (job !== undefined) {
      return underLease(deps, job, owner, (lost) =>
        run(signal === undefined ? lost : AbortSignal.any([signal, lost])),
      );
    }
    if (tries === 0) onWait?.();
    await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
  }
}

/** Asks for the work to be done; part of the commit that makes it due. */
export function askFor({ clock }: Pick<LeaseDeps, "clock">, { id, kind }: Work): Write {
  return { op: "job-put", job: { id, kind, payload: {}, runAt: clock.now(), standing: true } };
}

/** The job, unless another worker has it just now; one that is done is asked for again. */
async function take(deps: LeaseDeps, work: Work, owner: string): Promise<Job | undefined> {
  const { storage } = deps;
  const request = { owner, leaseMs: LEASE_MS, limit: 1, ids: [work.id] };
  const [waiting] = await storage.jobs.lease(request);
  if (waiting !== undefined) return waiting;
  const [known] = await storage.jobs.list(work.scope, { kind: work.kind, own: true, limit: 1 });
  if (known?.state === "running") return undefined;
  await storage.commit(work.scope, [askFor(deps, work)], CAUSE);
  const [asked] = await storage.jobs.lease(request);
  return asked;
}
