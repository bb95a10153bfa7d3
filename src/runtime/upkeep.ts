/**
 * What a design looks after by the clock (`upkeep` of a preset): each rule has a standing job in every scope that holds
 * memories, so that it survives restarts, shows in `status`, and is done by one process at a time. A run looks over all of
 * the scope and asks for the next one; in a scope that is empty it ends until something comes.
 */
import { randomUUID } from "node:crypto";
import { MemoryError } from "../base/errors.ts";
import type { Scope } from "../base/scope.ts";
import type { OpenPreset } from "../preset/open.ts";
import type { UpkeepRule } from "../preset/preset.ts";
import type { Job, JobState } from "../storage/job.ts";
import type { Write } from "../storage/storage.ts";
import { LEASE_MS, type LeaseDeps, underLease } from "./lease.ts";
import type { Worker } from "./worker.ts";

export interface UpkeepDeps extends LeaseDeps {
  readonly memory: OpenPreset;
  /** Whoever takes up the journal: neither works on a scope while the other does. */
  readonly worker: () => Pick<Worker, "beside">;
}

export interface UpkeepStatus {
  readonly actions: readonly string[];
  readonly everySeconds: number;
  /** null: not asked for yet, as in a scope without memories. */
  readonly state: JobState | null;
  readonly nextRun: number | null;
  /** Why the last run failed; null: it did not. */
  readonly lastError: string | null;
}

const CAUSE = { actor: "runtime", cause: "upkeep" } as const;
/** Looks for due work this often in the time between two runs, but neither all the time nor only now and then. */
const LOOKS = 10;
const SHORTEST_MS = 1000;
const LONGEST_MS = 30_000;

export class Upkeep {
  readonly #deps: UpkeepDeps;
  readonly #rules: readonly UpkeepRule[];
  readonly #kind: string;
  readonly #owner = randomUUID();
  /** When each scope was last asked for here. */
  readonly #begun = new Map<Scope, number>();
  readonly #asking = new Set<Promise<void>>();
  #poll: NodeJS.Timeout | undefined;
  #background: Promise<void> | undefined;
  #isOpen = true;

  constructor(deps: UpkeepDeps) {
    this.#deps = deps;
    this.#rules = deps.memory.preset.upkeep;
    this.#kind = `upkeep/${deps.memory.service.collection}`;
  }

  /** Sees to it that the scope is looked after from now on; what is asked for already keeps its moment. */
  begin(scope: Scope): void {
    const now = this.#deps.clock.now();
    if (!this.#isOpen || this.#rules.length === 0) return;
    if (now - (this.#begun.get(scope) ?? -Infinity) < this.#shortestMs) return;
    this.#begun.set(scope, now);
    const asking = this.#ask(scope, this.#rules)
      .catch((error: unknown) => {
        this.#begun.delete(scope);
        this.#warn(`The upkeep of the scope "${scope}" was not asked for`, error);
      })
      .finally(() => this.#asking.delete(asking));
    this.#asking.add(asking);
  }

  /** Works on what is due, in the background, and from now on looks for more. */
  kick(): void {
    if (!this.#isOpen || this.#rules.length === 0) return;
    const wait = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, this.#shortestMs / LOOKS));
    this.#poll ??= setInterval(() => this.kick(), wait).unref();
    this.#background ??= this.runDue()
      .then(() => undefined)
      .catch((error: unknown) => this.#warn("The upkeep stopped", error))
      .finally(() => {
        this.#background = undefined;
      });
  }

  /** Does all that is due and that nobody else does just now; how many runs that were. */
  async runDue(): Promise<number> {
    await Promise.all(this.#asking);
    const request = { owner: this.#owner, leaseMs: LEASE_MS, limit: 1, kinds: [this.#kind] };
    for (let runs = 0; ; runs++) {
      const [job] = this.#isOpen ? await this.#deps.storage.jobs.lease(request) : [];
      if (job === undefined) return runs;
      // The reason is kept with the job; the next one is not to suffer for it.
      await this.#run(job).catch((error: unknown) =>
        this.#warn(`The scope "${job.scope}" was not looked after`, error),
      );
    }
  }

  /** How it stands in a scope, rule by rule. */
  async status(scope: Scope): Promise<UpkeepStatus[]> {
    await Promise.all(this.#asking);
    const jobs = await this.#deps.storage.jobs.list(scope, { kind: this.#kind, own: true });
    return this.#rules.map((rule) => {
      const job = jobs.find(({ id }) => id === this.#idOf(scope, rule));
      const isWaiting = job?.state === "waiting";
      const hasFailed = job?.state === "failed" || (isWaiting && job.attempts > 0);
      return {
        actions: rule.actions,
        everySeconds: rule.every_seconds,
        state: job?.state ?? null,
        nextRun: isWaiting ? job.runAt : null,
        lastError: hasFailed ? job.lastError : null,
      };
    });
  }

  /** Ends after the run that is at work. */
  async close(): Promise<void> {
    this.#isOpen = false;
    clearInterval(this.#poll);
    await this.#background;
    await Promise.all(this.#asking);
  }

  async #run(job: Job): Promise<void> {
    const { memory, worker } = this.#deps;
    const { scope } = job;
    const rule = this.#rules.find((one) => this.#idOf(scope, one) === job.id);
    await underLease(this.#deps, job, this.#owner, async (lost) => {
      // A rule that the preset no longer has ends here.
      if (rule === undefined) return;
      await worker().beside(scope, lost, (signal) => memory.upkeep(scope, { signal, only: rule.actions }));
    });
    if (rule === undefined) return;
    if (await this.#isEmpty(scope)) this.#begun.delete(scope);
    else await this.#ask(scope, [rule]);
  }

  async #isEmpty(scope: Scope): Promise<boolean> {
    const { storage, memory } = this.#deps;
    const { collection } = memory.service;
    return (await storage.scan(scope, { collection, limit: 1, own: true })).length === 0;
  }

  async #ask(scope: Scope, rules: readonly UpkeepRule[]): Promise<void> {
    const { storage, clock } = this.#deps;
    const writes = rules.map((rule): Write => {
      const runAt = clock.now() + rule.every_seconds * 1000;
      const id = this.#idOf(scope, rule);
      return { op: "job-put", job: { id, kind: this.#kind, payload: {}, runAt, standing: true } };
    });
    await storage.commit(scope, writes, CAUSE);
  }

  #idOf(scope: Scope, { actions }: UpkeepRule): string {
    return `${this.#kind}/${actions.join("+")}/${scope}`;
  }

  get #shortestMs(): number {
    return 1000 * Math.min(...this.#rules.map(({ every_seconds }) => every_seconds));
  }

  #warn(what: string, error: unknown): void {
    const code = MemoryError.is(error) ? error.code : "invariant";
    this.#deps.trace({ type: "warning-raise", code, message: `${what}: ${error}` });
  }
}
