/**
 * Who takes up the journal, and when? Whoever writes turns asks for it in the same transaction, by a standing job of the
 * scope; the worker of any process that has the design open does it, one process per scope at a time. Work that failed is
 * tried again, later and later, with its reason where `status` shows it. A process that dies lets go of its lease.
 */
import { randomUUID } from "node:crypto";
import { MemoryError } from "../base/errors.ts";
import type { Scope } from "../base/scope.ts";
import type { OpenPreset } from "../preset/open.ts";
import { createScopeQueues } from "../services/scope-queues.ts";
import type { Job } from "../storage/job.ts";
import type { Write } from "../storage/storage.ts";
import { alone, askFor, type Work } from "./alone.ts";
import { type Derived, derive, type WindowDone } from "./derive.ts";
import { LEASE_MS, type LeaseDeps, underLease } from "./lease.ts";

export interface WorkerDeps extends LeaseDeps {
  readonly memory: OpenPreset;
  readonly onWindow?: ((scope: Scope, done: WindowDone) => void) | undefined;
}

export interface FlushOptions {
  /** Windows that are not full and sessions that may go on are taken up, too. @default true */
  readonly finish?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

const POLL_MS = 1000;
const CAUSE = { actor: "runtime", cause: "flush" } as const;

export class Worker {
  readonly #deps: WorkerDeps;
  readonly #kind: string;
  readonly #owner = randomUUID();
  #poll: NodeJS.Timeout | undefined;
  /** Those who wait for the same scope here wait for each other. */
  readonly #inTurn = createScopeQueues();
  #isOpen = true;
  #background: Promise<void> | undefined;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
    this.#kind = `derive/${deps.memory.service.collection}`;
  }

  /** Asks for the scope's journal to be taken up; part of the commit that writes to it. */
  ask(scope: Scope): Write {
    return askFor(this.#deps, this.#workOf(scope));
  }

  /** Works on what is due, in the background, and from now on looks for more. Who never calls it does what is asked only. */
  kick(): void {
    if (!this.#isOpen) return;
    this.#poll ??= setInterval(() => this.kick(), POLL_MS).unref();
    if (this.#background !== undefined) return;
    this.#background = this.#workOnDue()
      .catch((error: unknown) => this.#warn("The worker stopped", error))
      .finally(() => {
        this.#background = undefined;
      });
  }

  /** All that the scope has said is taken up when it returns; else the reason is thrown, and kept for the next try. */
  flush(scope: Scope, options: FlushOptions = {}): Promise<Derived> {
    const { finish = true, signal } = options;
    return this.alone(scope, signal, (lost) => this.#derive(scope, { finish, signal: lost }));
  }

  /** Runs while no other worker, of this process or another, works on the scope; `onWait` is told if one does. */
  alone<T>(
    scope: Scope,
    signal: AbortSignal | undefined,
    run: (signal: AbortSignal) => Promise<T>,
    onWait?: () => void,
  ): Promise<T> {
    return this.#inTurn(scope, () =>
      alone(this.#deps, this.#workOf(scope), { owner: this.#owner, signal, onWait }, run),
    );
  }

  /** What waits or failed in the scope; undefined: nothing was ever asked for. */
  async job(scope: Scope): Promise<Job | undefined> {
    const [job] = await this.#deps.storage.jobs.list(scope, { kind: this.#kind, own: true, limit: 1 });
    return job;
  }

  /** Ends after the window that is being worked on. */
  async close(): Promise<void> {
    this.#isOpen = false;
    clearInterval(this.#poll);
    await this.#background;
  }

  #workOf(scope: Scope): Work {
    return { id: `${this.#kind}/${scope}`, kind: this.#kind, scope };
  }

  async #workOnDue(): Promise<void> {
    const request = { owner: this.#owner, leaseMs: LEASE_MS, limit: 1, kinds: [this.#kind] };
    while (this.#isOpen) {
      const [job] = await this.#deps.storage.jobs.lease(request);
      if (job === undefined) return;
      // The reason is kept with the job; the next one is not to suffer for it.
      await underLease(this.#deps, job, this.#owner, (signal) =>
        this.#derive(job.scope, { finish: false, signal }),
      ).catch((error: unknown) =>
        this.#warn(`The journal of the scope "${job.scope}" was not taken up`, error),
      );
    }
  }

  async #derive(scope: Scope, { finish, signal }: FlushOptions): Promise<Derived> {
    const { memory, storage, onWindow } = this.#deps;
    const derived = await derive(memory, storage, scope, {
      finish,
      signal,
      goOn: () => this.#isOpen,
      onWindow: (done) => onWindow?.(scope, done),
    });
    // What closing left undone waits for whoever opens it next.
    if (!this.#isOpen) await storage.commit(scope, [this.ask(scope)], CAUSE);
    return derived;
  }

  #warn(what: string, error: unknown): void {
    const code = MemoryError.is(error) ? error.code : "invariant";
    this.#deps.trace({ type: "warning-raise", code, message: `${what}: ${error}` });
  }
}
