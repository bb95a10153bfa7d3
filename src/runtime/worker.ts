/**
 * Who takes up the journal, and when? Whoever writes turns asks for it in the same transaction, by a standing job of the
 * scope; the worker of any process that has the design open does it, one process per scope at a time. Work that failed is
 * tried again, later and later, with its reason where `status` shows it. A process that dies lets go of its lease.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import { untilAborted } from "../models/abort.ts";
import type { OpenPreset } from "../preset/open.ts";
import { createScopeQueues } from "../services/scope-queues.ts";
import type { Job } from "../storage/job.ts";
import type { Write } from "../storage/storage.ts";
import { alone, askFor, type Work } from "./alone.ts";
import { type Derived, derive, type WindowDone, waitingTurns } from "./derive.ts";
import { LEASE_MS, type LeaseDeps, underLease } from "./lease.ts";
import { takeBack } from "./take-back.ts";

export interface WorkerDeps extends LeaseDeps {
  readonly memory: OpenPreset;
  /** Whether it works on what is due without being asked. @default true */
  readonly background?: boolean | undefined;
  readonly onWindow?: ((scope: Scope, done: WindowDone) => void) | undefined;
}

export interface FlushOptions {
  /** Windows that are not full and sessions that may go on are taken up, too. @default true */
  readonly finish?: boolean | undefined;
  /** Only what somebody judged: what was said goes on waiting for its windows, and for its model. @default false */
  readonly judgedOnly?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

const flushSchema: z.ZodType<FlushOptions> = z.strictObject({
  finish: z.boolean().optional(),
  judgedOnly: z.boolean().optional(),
  signal: z.instanceof(AbortSignal).optional(),
});

/** The work on a scope's journal for whichever design keeps its memories in this collection. */
export function journalWork(collection: string, scope: Scope): Work {
  const kind = kindOf(collection);
  return { id: `${kind}/${scope}`, kind, scope };
}

function kindOf(collection: string): string {
  return `derive/${collection}`;
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
  /** How many wait for a scope here: the background lets them go before it. */
  readonly #waiting = new Map<Scope, number>();
  /** Whether the background left something for a caller's sake: it goes on with it when the caller is done. */
  #hasYielded = false;
  #isOpen = true;
  #background: Promise<void> | undefined;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
    this.#kind = kindOf(deps.memory.service.collection);
  }

  /** Asks for the scope's journal to be taken up; part of the commit that writes to it. */
  ask(scope: Scope): Write {
    return askFor(this.#deps, this.#workOf(scope));
  }

  /** Works on what is due, in the background, and from now on looks for more; nothing where there is no background. */
  kick(): void {
    if (!this.#isOpen || this.#deps.background === false) return;
    this.#poll ??= setInterval(() => this.kick(), POLL_MS).unref();
    if (this.#background !== undefined) return;
    this.#background = this.#workOnDue()
      .catch((error: unknown) => this.#warn("The worker stopped", error))
      .finally(() => {
        this.#background = undefined;
      });
  }

  /** All that the scope has said is taken up when it returns; else the reason is thrown, and kept for the next try. */
  async flush(scope: Scope, options: FlushOptions = {}): Promise<Derived> {
    const given = parseInput(flushSchema, options, "options of flush");
    const { finish = true, judgedOnly = false, signal } = given;
    return this.alone(scope, signal, async (lost) => {
      const derived = await this.#derive(scope, { finish, judgedOnly, signal: lost });
      // The job keeps its moment and its reason: it is done with when the windows are.
      if (judgedOnly && derived.waiting > 0) await this.#askAgain(scope);
      return derived;
    });
  }

  /** Runs while no other worker, of this process or another, works on the scope; `onWait` is told if one does. */
  async alone<T>(
    scope: Scope,
    signal: AbortSignal | undefined,
    run: (signal: AbortSignal) => Promise<T>,
    onWait?: () => void,
  ): Promise<T> {
    this.#count(scope, 1);
    const turn = Promise.withResolvers<void>();
    try {
      const work = this.#inTurn(scope, () => {
        turn.resolve();
        return alone(
          this.#deps,
          this.#workOf(scope),
          { owner: this.#owner, signal, onWait },
          async (lost) => {
            // Whoever changes the scope's memories finds no window half done: what came of it goes first.
            await takeBack(this.#deps.memory, this.#deps.storage, scope);
            return run(lost);
          },
        );
      });
      // Who is stopped before its turn leaves at once; its turn then comes to nothing.
      work.catch(() => undefined);
      await untilAborted(turn.promise, signal, "Waiting for the scope's other work");
      return await work;
    } finally {
      this.#count(scope, -1);
      if (this.#hasYielded && !this.#isWanted(scope)) this.kick();
    }
  }

  /**
   * The same for work beside the taking-up of the journal: what waits there is asked for again, and a refusal of this work is
   * no failure of that.
   */
  async beside<T>(
    scope: Scope,
    signal: AbortSignal | undefined,
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { memory, storage } = this.#deps;
    const outcome = await this.alone(scope, signal, async (lost) => {
      const [settled] = await Promise.allSettled([run(lost)]);
      if ((await waitingTurns(memory, storage, scope)) > 0) await this.#askAgain(scope);
      return settled;
    });
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
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
    return journalWork(this.#deps.memory.service.collection, scope);
  }

  async #workOnDue(): Promise<void> {
    const request = { owner: this.#owner, leaseMs: LEASE_MS, limit: 1, kinds: [this.#kind] };
    while (this.#isOpen) {
      const [job] = await this.#deps.storage.jobs.lease(request);
      if (job === undefined) return;
      // The reason is kept with the job; the next one is not to suffer for it.
      // One step at least, or those who come and go would keep it from getting on.
      let steps = 0;
      const mayGoOn = (): boolean => steps++ === 0 || !this.#isWanted(job.scope);
      await underLease(this.#deps, job, this.#owner, (signal) =>
        this.#derive(job.scope, { finish: false, signal }, mayGoOn),
      ).catch((error: unknown) =>
        this.#warn(`The journal of the scope "${job.scope}" was not taken up`, error),
      );
      this.#hasYielded = this.#isWanted(job.scope);
      if (this.#hasYielded) return;
    }
  }

  #count(scope: Scope, by: number): void {
    const waiting = (this.#waiting.get(scope) ?? 0) + by;
    if (waiting > 0) this.#waiting.set(scope, waiting);
    else this.#waiting.delete(scope);
  }

  #isWanted(scope: Scope): boolean {
    return (this.#waiting.get(scope) ?? 0) > 0;
  }

  async #derive(scope: Scope, options: FlushOptions, mayGoOn = () => true): Promise<Derived> {
    const { memory, storage, onWindow } = this.#deps;
    let isWhole = true;
    const derived = await derive(memory, storage, scope, {
      ...options,
      goOn: () => {
        isWhole = this.#isOpen && mayGoOn();
        return isWhole;
      },
      onWindow: (done) => onWindow?.(scope, done),
    });
    // What was left undone waits for whoever comes next: the one that was let go first, or who opens it again.
    if (!isWhole) await this.#askAgain(scope);
    return derived;
  }

  async #askAgain(scope: Scope): Promise<void> {
    await this.#deps.storage.commit(scope, [this.ask(scope)], CAUSE);
  }

  #warn(what: string, error: unknown): void {
    const code = MemoryError.is(error) ? error.code : "invariant";
    this.#deps.trace({ type: "warning-raise", code, message: `${what}: ${error}` });
  }
}
