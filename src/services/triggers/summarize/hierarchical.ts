/**
 * Summaries of days, of weeks, and of everything, each made from those below it (MemoryBank). A day or a week gets its
 * summary when it is over; it is made anew only if what it sums up has changed: a late entry, or a deleted one.
 */
import { z } from "zod";
import type { Entry } from "../../../base/entry.ts";
import { readField } from "../../../base/filter.ts";
import { isEntryId } from "../../../base/ids.ts";
import { runTask } from "../../../tasks/run-task.ts";
import { summarizeDay } from "../../../tasks/summarize-day.ts";
import { thinkingOf } from "../derived.ts";
import type { TriggerContext } from "../trigger.ts";
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
    .describe("The speaker whose mood and personality daily summaries tell as well; null: nobody's."),
  portrait_prompt: z.string().min(1).describe("Id of the prompt that asks for such a daily summary."),
};

export interface Hierarchy {
  readonly windows: readonly Window[];
  readonly time_zone: string;
  readonly portrait_of: string | null;
  readonly portrait_prompt: string;
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
  for (const part of parts) {
    const { start, endsAt } = spanOf(window, part.happenedAt, hierarchy.time_zone);
    if (endsAt <= now) spans.set(start, [...(spans.get(start) ?? []), part]);
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

interface Day {
  readonly window: Window;
  readonly start: string;
  readonly hierarchy: Hierarchy;
}

async function write(
  writing: Writing,
  sources: readonly Entry[],
  { window, start, hierarchy: { portrait_of: speaker, portrait_prompt: prompt, time_zone: zone } }: Day,
): Promise<{ content: string; metadata?: { personality: string; strategy_for_answers: string } }> {
  if (window !== "daily" || speaker === null) return writeFrom(writing, sources);
  const lines = sources.map((entry) => ({
    speaker: String(readField(entry, "metadata.speaker") ?? ""),
    text: entry.content,
    happenedAt: entry.happenedAt,
    zone,
  }));
  const { reply } = await runTask(
    { ...summarizeDay, prompt },
    { date: start, speaker, lines },
    thinkingOf(writing.context),
  );
  return {
    content: reply.summary,
    metadata: { personality: reply.personality, strategy_for_answers: reply.strategy },
  };
}
