/** How does the memory stand? What is in it, what waits to be taken up, and why it waits. */
import { ARCHIVED, type Entry } from "../base/entry.ts";
import { where } from "../base/filter.ts";
import type { Scope } from "../base/scope.ts";
import { memoriesOnly } from "../services/graph/entity.ts";
import { CONTENT } from "../services/vector-fields.ts";
import { JOB_STATES, type Job, type JobState } from "../storage/job.ts";
import type { StorageStats } from "../storage/storage.ts";
import { waitingTurns } from "./derive.ts";
import type { Running } from "./running.ts";
import type { UpkeepStatus } from "./upkeep.ts";

export interface Status {
  readonly preset: string;
  readonly service: string;
  readonly collection: string;
  /** Of all scopes and designs. */
  readonly storage: StorageStats;
  /** The scope's own. */
  readonly counts: {
    /** In recall, of the open design. */
    readonly memories: number;
    readonly turns: number;
    readonly jobs: Readonly<Record<JobState, number>>;
  };
  /** Turns of the scope that are in the journal and not in the memory yet. */
  readonly waiting: number;
  /** The work on them; null: none was ever asked for. */
  readonly work: {
    readonly state: JobState;
    readonly attempts: number;
    /** Not before then, while it waits (epoch ms). */
    readonly nextTry: number;
    /** Why the last try failed; null: it did not. */
    readonly lastError: string | null;
  } | null;
  /** Entries that somebody has to decide about, as the design's service reports them. */
  readonly pending: number;
  /** What the design looks after by the clock, and when next; [] for one that does not. */
  readonly upkeep: readonly UpkeepStatus[];
  /** Who thinks; null: every task is answered by rules. */
  readonly model: string | null;
  /** Who embeds; null: nobody. */
  readonly embedder: {
    readonly spaces: readonly string[];
    /** Whether most of the oldest or the newest lack its vectors, as those of another embedder do: `reembed` gives them. */
    readonly isLacking: boolean;
  } | null;
}

export async function status(running: Running, scope: Scope): Promise<Status> {
  const { storage, design, worker } = running;
  const { count } = await design.service.getStatus(scope);
  return {
    preset: design.preset.name,
    service: design.service.name,
    collection: design.service.collection,
    storage: await storage.stats(),
    counts: await countsOf(running, scope),
    waiting: await waitingTurns(design, storage, scope),
    work: workOf(await worker.job(scope)),
    pending: count,
    upkeep: await running.upkeep.status(scope),
    model: design.thinking.model?.id ?? null,
    embedder: await embedderOf(running, scope),
  };
}

const IN_RECALL = where.and(
  memoriesOnly,
  where.eq("supersededBy", null),
  where.not(where.eq("tier", ARCHIVED)),
);

async function countsOf({ storage, design }: Running, scope: Scope): Promise<Status["counts"]> {
  const jobs: Record<JobState, number> = { waiting: 0, running: 0, done: 0, failed: 0 };
  for (const state of JOB_STATES) jobs[state] = await storage.jobs.count(scope, { state, own: true });
  const memories = await storage.find(scope, design.service.collection, IN_RECALL, true);
  return { memories: memories.size, turns: await storage.countTurns(scope), jobs };
}

function workOf(job: Job | undefined): Status["work"] {
  if (job === undefined) return null;
  const { state, attempts, runAt, lastError } = job;
  // What went wrong before the work was done, or before it was asked for again, is over.
  const isOver = state === "done" || attempts === 0 || (state === "running" && attempts === 1);
  return {
    state,
    attempts,
    nextTry: runAt,
    lastError: isOver ? null : lastError,
  };
}

/** So many of the oldest memories, and of the newest, are looked at for vectors. */
const SAMPLE = 50;

async function embedderOf(running: Running, scope: Scope): Promise<Status["embedder"]> {
  const { storage, design } = running;
  const { embedder, service } = design;
  if (embedder === undefined) return null;
  const spaces = embedder.spaces.map(({ space }) => space);
  if (!service.traits.abilities.includes("vector")) return { spaces, isLacking: false };
  const query = { collection: service.collection, filter: IN_RECALL, limit: SAMPLE, own: true };
  const samples = [await storage.scan(scope, query), await storage.newest(scope, query)];
  const lacking = await Promise.all(samples.map((sample) => mostLack(running, scope, sample)));
  return { spaces, isLacking: lacking.includes(true) };
}

/** Some never have any: what joins no index, and what is in a language that nobody embeds. */
async function mostLack(
  { storage, design }: Running,
  scope: Scope,
  sample: readonly Entry[],
): Promise<boolean> {
  const ids = sample.map(({ id }) => id);
  const bare = new Set(ids);
  for (const { space } of design.fields.find(({ name }) => name === CONTENT)?.spaces ?? []) {
    const vectors = await storage.vectors(scope, space, ids);
    for (const [place, id] of ids.entries()) if (vectors[place] !== undefined) bare.delete(id);
  }
  return bare.size > ids.length / 2;
}
