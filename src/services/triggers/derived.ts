/**
 * What a service writes by itself: summaries and insights, made from its entries and citing them. They belong to the scope
 * that made them, whatever they were made from, and are embedded like everything else.
 */
import type { Entry } from "../../base/entry.ts";
import { type EntryId, isEntryId } from "../../base/ids.ts";
import { runTask, type TaskOptions } from "../../tasks/run-task.ts";
import { summarize } from "../../tasks/summarize.ts";
import type { ServiceInsert } from "../service.ts";
import type { TriggerContext } from "./trigger.ts";

/** The kind of a summary where no option names another. */
export const SUMMARY = "summary";

export async function insertDerived(
  { scope, deps, insert }: Pick<TriggerContext, "scope" | "deps" | "insert">,
  drafts: readonly ServiceInsert[],
): Promise<EntryId[]> {
  const texts = drafts.map(({ content }) => content);
  const vectors = (await deps.embedder?.embedDocuments(texts, { scope })) ?? [];
  const ids: EntryId[] = [];
  for (const [place, draft] of drafts.entries()) {
    const vector = vectors[place];
    ids.push(await insert(vector === undefined ? draft : { ...draft, vectors: [vector] }));
  }
  return ids;
}

/** Whether an entry was made from others, and not from what was said. */
export function isDerived({ sources }: Pick<Entry, "sources">): boolean {
  return sources.some(isEntryId);
}

/**
 * What an entry was made from. One that goes on from an earlier version, which it took the place of, cites that and what
 * was new: so the earlier one's sources are its own, too. `versions`: entries of its kind, superseded ones among them.
 */
export function originsOf(entry: Entry, versions: ReadonlyMap<string, Entry>): Set<string> {
  const origins = new Set<string>();
  const waiting = [entry];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    for (const id of one.sources) {
      const before = versions.get(id);
      if (before?.supersededBy === one.id) waiting.push(before);
      else origins.add(id);
    }
  }
  return origins;
}

/** The service's own way of thinking; the scope that asked pays. */
export function thinkingOf({ deps, scope }: Pick<TriggerContext, "deps" | "scope">): TaskOptions {
  return { scope, trace: deps.trace, clock: deps.clock, ...deps.thinking };
}

export interface SummaryRequest {
  /** At least one. */
  readonly texts: readonly string[];
  readonly previous?: string | undefined;
  readonly maxWords: number;
  /** More texts than this are taken up step by step, each step going on from the summary so far. */
  readonly atOnce: number;
  /** Id of the prompt that asks for it. */
  readonly prompt: string;
}

export async function summaryOf(
  context: Pick<TriggerContext, "deps" | "scope">,
  { texts, previous = "", maxWords, atOnce, prompt }: SummaryRequest,
): Promise<string> {
  let summary = previous;
  for (let first = 0; first < texts.length; first += atOnce) {
    const input = { texts: texts.slice(first, first + atOnce), previous: summary, max_words: maxWords };
    const { reply } = await runTask({ ...summarize, prompt }, input, thinkingOf(context));
    summary = reply.summary;
  }
  return summary;
}
