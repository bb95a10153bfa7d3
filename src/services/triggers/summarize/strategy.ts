/**
 * A way of summing up: it says which summaries are missing or out of date, and from what they are to be made. What was
 * summed up before is read from the summaries themselves, by the sources they cite: so a restart forgets nothing, and a
 * second run with nothing new finds nothing to do.
 */
import type { Entry } from "../../../base/entry.ts";
import type { EntryId } from "../../../base/ids.ts";
import type { JsonObject } from "../../../base/json.ts";
import { summaryOf } from "../derived.ts";
import { ownEntries, ownOfKind } from "../own-entries.ts";
import type { TriggerContext } from "../trigger.ts";

export interface Holdings {
  /** What is in use and of another kind than the summaries, oldest first. */
  readonly originals: readonly Entry[];
  /** All that were ever written, oldest first; those superseded or archived among them. */
  readonly summaries: readonly Entry[];
}

/** A summary to be written. */
export interface Assignment {
  /** Ids of all that it sums up, what an earlier one had taken up among them. */
  readonly cites: readonly string[];
  /** What it is read from, oldest first. */
  readonly sources: readonly Entry[];
  /** How many of them no summary has taken up yet. */
  readonly fresh: number;
  /** Summaries it takes the place of. */
  readonly replaces: readonly EntryId[];
  /** What tells it from the others, to find it again. */
  readonly metadata: JsonObject;
  /** Where it goes; undefined: where the config or else the service says. */
  readonly tier?: string | undefined;
  write(): Promise<{ readonly content: string; readonly metadata?: JsonObject }>;
}

export interface Writing {
  readonly context: TriggerContext;
  readonly maxWords: number;
  readonly atOnce: number;
  /** Id of the prompt that asks for a summary. */
  readonly prompt: string;
}

export async function readHoldings(context: TriggerContext, kind: string): Promise<Holdings> {
  const entries = await ownEntries(context);
  return {
    originals: entries.filter((entry) => entry.kind !== kind),
    summaries: await ownOfKind(context, kind),
  };
}

/** The summaries of one strategy that are not superseded, oldest first: an archived one still counts. */
export function writtenFor({ summaries }: Pick<Holdings, "summaries">, strategy: string): Entry[] {
  return summaries.filter(
    ({ metadata, supersededBy }) => metadata.strategy === strategy && supersededBy === null,
  );
}

export function citedBy(summaries: readonly Entry[]): Set<string> {
  return new Set(summaries.flatMap(({ sources }) => sources));
}

export async function writeFrom(
  { context, maxWords, atOnce, prompt }: Writing,
  sources: readonly Entry[],
  previous?: string,
): Promise<{ content: string }> {
  const texts = sources.map(({ content }) => content);
  return { content: await summaryOf(context, { texts, previous, maxWords, atOnce, prompt }) };
}
