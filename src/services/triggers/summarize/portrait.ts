/**
 * Who were they, and how should they be answered? MemoryBank draws a portrait of each day, and one of all days out of
 * them. A summary carries the portraits of its span in its metadata: they are written and replaced together.
 */
import { z } from "zod";
import type { Entry } from "../../../base/entry.ts";
import { readField } from "../../../base/filter.ts";
import type { JsonObject } from "../../../base/json.ts";
import { type Line, lineSchema } from "../../../tasks/dialogue.ts";
import { mergePortraits } from "../../../tasks/merge-portraits.ts";
import { runTask } from "../../../tasks/run-task.ts";
import { summarizeDay } from "../../../tasks/summarize-day.ts";
import { thinkingOf } from "../derived.ts";
import type { Writing } from "./strategy.ts";

/** Everyone but assistants. */
export const EVERYONE = "*";

const portraitSchema = z.object({ speaker: z.string(), personality: z.string(), strategy: z.string() });
export type Portrait = z.infer<typeof portraitSchema>;

const carried = z.looseObject({ portraits: z.array(portraitSchema) });

/** [] where a summary carries none. */
export function portraitsIn(metadata: JsonObject): readonly Portrait[] {
  const found = carried.safeParse(metadata);
  return found.success ? found.data.portraits : [];
}

export interface Day {
  readonly date: string;
  readonly zone: string;
  /** A speaker's name, or EVERYONE. */
  readonly of: string;
  readonly prompt: string;
}

/** A day's summary with the portraits of that day; undefined where nobody spoke who is to be portrayed. */
export async function writeDay(
  { context }: Writing,
  sources: readonly Entry[],
  { date, zone, of, prompt }: Day,
): Promise<{ content: string; metadata: JsonObject } | undefined> {
  const lines = sources.map((entry) => lineOf(entry, zone));
  let content: string | undefined;
  const portraits: Portrait[] = [];
  for (const speaker of speakersOf(sources, of)) {
    const input = { date, speaker, lines };
    const { reply } = await runTask({ ...summarizeDay, prompt }, input, thinkingOf(context));
    content ??= reply.summary;
    portraits.push({ speaker, personality: reply.personality, strategy: reply.strategy });
  }
  return content === undefined ? undefined : { content, metadata: { portraits } };
}

/** The portraits of a longer span, out of those that its parts carry, the newest so many of each speaker. */
export async function writePortraits(
  { context, atOnce }: Writing,
  parts: readonly Entry[],
  prompt: string,
): Promise<Portrait[]> {
  const days = parts
    .toSorted((a, b) => a.happenedAt - b.happenedAt)
    .flatMap(({ metadata }) =>
      portraitsIn(metadata).map((one) => ({ ...one, date: String(metadata.window_start) })),
    );
  const portraits: Portrait[] = [];
  for (const [speaker, drawn] of Map.groupBy(days, (one) => one.speaker)) {
    const input = { speaker, portraits: drawn.slice(-atOnce) };
    const { reply } = await runTask({ ...mergePortraits, prompt }, input, thinkingOf(context));
    portraits.push({ speaker, ...reply });
  }
  return portraits;
}

/** What an entry says is said by its speaker: the name before it is not part of it. */
function lineOf(entry: Entry, zone: string): Line {
  const speaker = speakerOf(entry) ?? "";
  const name = `${speaker}: `;
  const text =
    speaker !== "" && entry.content.startsWith(name) ? entry.content.slice(name.length) : entry.content;
  return lineSchema.parse({ speaker, text, happenedAt: entry.happenedAt, zone });
}

function speakersOf(sources: readonly Entry[], of: string): string[] {
  if (of !== EVERYONE) return [of];
  const served = sources.filter(({ metadata }) => metadata.role === undefined || metadata.role === "user");
  return [...new Set(served.flatMap((entry) => speakerOf(entry) ?? []))];
}

function speakerOf(entry: Entry): string | undefined {
  const speaker = readField(entry, "metadata.speaker");
  return typeof speaker === "string" && speaker !== "" ? speaker : undefined;
}
