/**
 * What does the model read of a reply? A line for each memory, with its day and its id, by which other tools know it. What
 * comes from memory stands between marks that say so: it is data, whatever it says, and is no news if it comes back.
 */
import { z } from "zod";
import type { EntryOutput, HitOutput } from "../../operations/schemas/entry.ts";
import type { FoundOutput } from "../../operations/schemas/question.ts";
import { oneLine } from "../../tasks/dialogue.ts";
import { markRecalled } from "../../text/recalled-marks.ts";
import { wallTime } from "../../text/time/zone.ts";

const NOTHING = "Nothing in memory.";

export function printFound({ hits, isDoubtful }: FoundOutput, given: unknown): string {
  if (hits.length === 0) return NOTHING;
  const block = quoted(hits, zoneOf(given));
  return isDoubtful ? `${block}\nDoubtful: perhaps none of these answers it.` : block;
}

interface Answered {
  readonly answer: string;
  readonly isUnknown: boolean;
  readonly evidence: readonly HitOutput[];
}

export function printAnswer({ answer, isUnknown, evidence }: Answered, given: unknown): string {
  if (isUnknown) return "Memory does not say.";
  const lines = evidence.map((hit) => line(hit, zoneOf(given)));
  return markRecalled([oneLine(answer), ...lines].join("\n"), answer);
}

export function printEntry(entry: EntryOutput, given: unknown): string {
  return quoted([entry], zoneOf(given));
}

interface Listed {
  readonly entries: readonly EntryOutput[];
  readonly next: string | null;
}

export function printPage({ entries, next }: Listed, given: unknown): string {
  if (entries.length === 0) return NOTHING;
  const block = quoted(entries, zoneOf(given));
  return next === null ? block : `${block}\nMore with after: ${next}`;
}

interface Kept {
  readonly turns: readonly string[];
  readonly memories: readonly string[] | null;
  readonly delayed: string | null;
}

export function printRemembered({ turns, memories, delayed }: Kept): string {
  if (turns.length === 0) return "Nothing was given.";
  if (delayed !== null) return `Kept; it can be recalled later: ${delayed}`;
  if (memories === null || memories.length === 0) return "Kept; it can be recalled soon.";
  return `Kept as ${memories.join(", ")}.`;
}

interface Learned {
  readonly strengthened: readonly string[];
  readonly remembered: readonly string[];
  readonly merged: readonly { readonly id: string }[];
  readonly delayed: string | null;
}

export function printFeedback({ strengthened, remembered, merged, delayed }: Learned): string {
  const counts = `Strengthened: ${strengthened.length}, new: ${remembered.length}, merged: ${merged.length}.`;
  return delayed === null ? counts : `${counts} The rest comes later: ${delayed}`;
}

interface Erased {
  readonly turns: readonly unknown[];
  readonly entries: readonly unknown[];
}

export function printErased({ turns, entries }: Erased): string {
  return `Erased for good. Memories: ${entries.length}, turns: ${turns.length}.`;
}

interface Stands {
  readonly counts: { readonly memories: number; readonly turns: number };
  readonly waiting: number;
}

export function printStatus({ counts, waiting }: Stands): string {
  return `Memories: ${counts.memories}, turns: ${counts.turns}, turns that wait: ${waiting}.`;
}

type Shown = Pick<EntryOutput, "id" | "content" | "happenedAt"> & { readonly text?: string };

function quoted(entries: readonly Shown[], zone: string): string {
  const said = entries.map(textOf).join("\n");
  return markRecalled(entries.map((entry) => line(entry, zone)).join("\n"), said);
}

function textOf({ content, text = content }: Shown): string {
  return text;
}

function line(entry: Shown, zone: string): string {
  const { id, happenedAt } = entry;
  return `- ${oneLine(textOf(entry))} (${new Date(wallTime(happenedAt, zone)).toISOString().slice(0, 10)}, ${id})`;
}

/** Days are meant where the question was asked. */
const zoned = z.object({ zone: z.string() });

function zoneOf(given: unknown): string {
  return zoned.safeParse(given).data?.zone ?? "UTC";
}
