/**
 * Summaries of days, of weeks, and of everything, each made from those below it (MemoryBank). A day or a week gets its
 * summary when it is over; it is made anew only if what it sums up has changed: a late entry, or a deleted one.
 */
import { z } from "zod";
import { ARCHIVED, type Entry } from "../../../base/entry.ts";
import { where } from "../../../base/filter.ts";
import { type EntryId, isEntryId } from "../../../base/ids.ts";
import type { JsonObject } from "../../../base/json.ts";
import type { TriggerContext } from "../trigger.ts";
import { writeDay, writePortraits } from "./portrait.ts";
import { type Assignment, type Holdings, type Writing, writeFrom, writtenFor } from "./strategy.ts";
import { spanOf, WINDOWS, type Window } from "./windows.ts";

export const HIERARCHICAL = "hierarchical";

export const hierarchicalShape = {
  strategy: z
    .literal(HIERARCHICAL)
    .describe("One summary per day, per week and of all, each from those below."),
  windows: z
    .array(z.enum(WINDOWS))
    .min(1)
    .describe(
      "Which summaries there are: daily, weekly, global; each is made from the next shorter one there is.",
    ),
  time_zone: z.string().min(1).describe("Where days and weeks begin: an IANA name, UTC, or an offset."),
  portrait_of: z
    .string()
    .min(1)
    .nullable()
    .describe(
      "The speaker whose mood and personality daily and global summaries tell as well; \"*\": everyone's but assistants'; null: nobody's.",
    ),
  portrait_prompt: z.string().min(1).describe("Id of the prompt that asks for such a daily summary."),
  merge_prompt: z.string().min(1).describe("Id of the prompt that asks for one portrait out of daily ones."),
  closes: z
    .enum(["clock", "talk"])
    .describe(
      "When a day or week is over: clock, when its time is; talk, when besides something of a later one has come, so that a day which is still told of is not summed up after every turn.",
    ),
  target_tiers: z
    .partialRecord(z.enum(WINDOWS), z.string().min(1))
    .nullable()
    .describe("The tier that each goes to, by window; null: where the service puts what is new."),
};

export interface Hierarchy {
  readonly windows: readonly Window[];
  readonly time_zone: string;
  readonly portrait_of: string | null;
  readonly portrait_prompt: string;
  readonly merge_prompt: string;
  readonly closes: "clock" | "talk";
  readonly target_tiers: Readonly<Partial<Record<Window, string>>> | null;
  /** Of the summaries. */
  readonly kind: string;
}

/**
 * Whether nothing can have come to an end: all that was just inserted is of the span in which the newest was before. Plain
 * without reading what is there.
 */
export async function isStillOpen(
  { scope, store }: TriggerContext,
  hierarchy: Hierarchy,
  entries: readonly EntryId[] | undefined,
): Promise<boolean> {
  const [shortest] = levelsOf(hierarchy);
  if (hierarchy.closes === "clock" || entries === undefined || shortest === undefined) return false;
  const { kind, time_zone } = hierarchy;
  const filter = where.and(
    where.eq("supersededBy", null),
    where.not(where.eq("kind", kind)),
    where.not(where.eq("tier", ARCHIVED)),
  );
  const newest = await store.newest(scope, { filter, limit: entries.length + 1, own: true });
  const before = newest.find(({ id }) => !entries.includes(id));
  if (before === undefined) return true;
  const startOf = ({ happenedAt }: Entry): string => spanOf(shortest, happenedAt, time_zone).start;
  const added = (await store.getMany(scope, entries)).filter((entry) => entry !== undefined);
  return added.every((entry) => startOf(entry) === startOf(before));
}

/** Shortest first: each is made from the one before. */
export function levelsOf({ windows }: Hierarchy): Window[] {
  return WINDOWS.filter((window) => windows.includes(window));
}

export async function assignWindow(
  holdings: Holdings,
  writing: Writing,
  window: Window,
  hierarchy: Hierarchy,
): Promise<Assignment[]> {
  const now = writing.context.deps.clock.now();
  const written = writtenFor(holdings, HIERARCHICAL);
  const below = levelsOf(hierarchy)[levelsOf(hierarchy).indexOf(window) - 1];
  const parts = below === undefined ? holdings.originals : written.filter(isOf(below));
  const earlierOnes = new Map(
    written.filter(isOf(window)).map((entry) => [String(entry.metadata.window_start), entry]),
  );
  const spans = new Map<string, Entry[]>([...earlierOnes.keys()].map((start) => [start, []]));
  const told = hierarchy.closes === "clock" ? now : latest(holdings.originals);
  for (const part of parts) {
    const { start, endsAt } = spanOf(window, part.happenedAt, hierarchy.time_zone);
    if (endsAt <= Math.min(now, told)) spans.set(start, [...(spans.get(start) ?? []), part]);
  }
  const assignments: Assignment[] = [];
  for (const [start, current] of spans) {
    const earlier = earlierOnes.get(start);
    const taken = await stillValid(writing.context, earlier);
    const sources = [...new Map([...taken, ...current].map((entry) => [entry.id, entry])).values()];
    const cites = sources.map(({ id }) => id);
    if (cites.length === 0 || (earlier !== undefined && isSameSet(earlier.sources, cites))) continue;
    const known = new Set<string>(earlier?.sources);
    assignments.push({
      cites,
      sources,
      fresh: current.filter(({ id }) => !known.has(id)).length,
      replaces: earlier === undefined ? [] : [earlier.id],
      metadata: { strategy: HIERARCHICAL, window, window_start: start },
      tier: hierarchy.target_tiers?.[window],
      write: () => write(writing, sources, { window, start, hierarchy }),
    });
  }
  return assignments;
}

function isOf(window: Window): (entry: Entry) => boolean {
  return ({ metadata }) => metadata.window === window;
}

/**
 * What an earlier summary was made from and still stands: not what was deleted since, and of what was superseded only
 * what the summary itself took the place of.
 */
async function stillValid({ scope, store }: TriggerContext, earlier: Entry | undefined): Promise<Entry[]> {
  if (earlier === undefined) return [];
  const found = await store.getMany(scope, earlier.sources.filter(isEntryId));
  const sources = found.filter((entry) => entry !== undefined);
  const successors = await store.getMany(
    scope,
    sources.flatMap(({ supersededBy }) => supersededBy ?? []),
  );
  const takers = new Map(
    successors.flatMap((entry) => (entry === undefined ? [] : [[entry.id, entry.sources]])),
  );
  return sources.filter(
    ({ id, supersededBy }) => supersededBy === null || takers.get(supersededBy)?.includes(id) === true,
  );
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  const set = new Set(some);
  return set.size === others.length && others.every((one) => set.has(one));
}

function latest(entries: readonly Entry[]): number {
  return entries.reduce((last, { happenedAt }) => Math.max(last, happenedAt), Number.NEGATIVE_INFINITY);
}

interface Span {
  readonly window: Window;
  readonly start: string;
  readonly hierarchy: Hierarchy;
}

async function write(
  writing: Writing,
  sources: readonly Entry[],
  { window, start, hierarchy }: Span,
): Promise<{ content: string; metadata?: JsonObject }> {
  const { portrait_of: of, portrait_prompt: prompt, merge_prompt, time_zone: zone } = hierarchy;
  if (of === null) return writeFrom(writing, sources);
  if (window === "daily") {
    const day = await writeDay(writing, sources, { date: start, zone, of, prompt });
    return day ?? writeFrom(writing, sources);
  }
  const portraits = await writePortraits(writing, sources, merge_prompt);
  return { ...(await writeFrom(writing, sources)), metadata: { portraits } };
}
