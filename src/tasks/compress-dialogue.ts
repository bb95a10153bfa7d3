/**
 * What of a window of dialogue is worth keeping, said so that it needs nothing around it? SimpleMem's entries: a lossless
 * restatement without pronouns (S2-6) and with absolute times (S2-7), one complete sentence each (S2-8), and the lexical and
 * symbolic fields that later searches use (S2-3, S2-9). A window that says nothing may yield nothing (S2-16).
 */
import { z } from "zod";
import { wallTime } from "../text/time/zone.ts";
import { findTimes, makeTimesAbsolute, type TimeReference } from "../text/time.ts";
import { joinLines, type Line, linesSchema, printItems, printLines, referenceOf } from "./dialogue.ts";
import { type CompressedEntry, compressedEntry, compressedEntrySchema } from "./local/compressed-entry.ts";
import { dialogueFacts } from "./local/dialogue-facts.ts";
import { unknownNumbers } from "./reply-forms.ts";
import { contentWords, overlapOf } from "./rules/statement.ts";
import { defineTask } from "./task.ts";

export const compressDialogue = defineTask({
  name: "compress_dialogue",
  summary:
    "The memories in a window of dialogue: complete sentences without pronouns and relative times, with keywords, time, place, persons, entities and topic.",
  fallback:
    "Every sentence that tells something, restated with names and absolute times; fields by keywords, entities and times.",
  input: z.object({
    lines: linesSchema,
    /** Restatements from the window before, which are not to be repeated. */
    previous: z.array(z.string()).default([]),
  }),
  reply: z.object({ entries: z.array(compressedEntrySchema) }),
  prompt: "compress_dialogue",
  placeholders: ["dialogue", "previous"],
  fill: (input) => ({
    dialogue: printLines(input.lines),
    previous: printItems(input.previous, "- "),
  }),
  about: (input) => joinLines(input.lines),
  local: async ({ lines, previous }) => {
    const persons = [...new Set(lines.map(({ speaker }) => speaker))];
    const known = previous.map((text) => contentWords(text));
    const entries: CompressedEntry[] = [];
    for (const fact of await dialogueFacts(lines)) {
      const words = contentWords(fact.text);
      if (known.some((before) => overlapOf(words, before).ofFirst === 1)) continue;
      entries.push(await compressedEntry(fact, persons));
    }
    return { entries };
  },
  problems: (reply, input) =>
    unknownNumbers(
      reply.entries.flatMap(({ sources }) => sources),
      input.lines.length,
      "line",
    ),
  settle: (reply, input) => ({ entries: reply.entries.map((entry) => settled(entry, input.lines)) }),
  spoken: (reply) => reply.entries.map((entry) => entry.lossless_restatement),
});

/** What a model left relative is made absolute after all, against the lines it came from; a timestamp in words becomes ISO. */
function settled(entry: CompressedEntry, lines: readonly Line[]): CompressedEntry {
  const { timestamp, sources } = entry;
  const reference = sharedDay(
    sources.length === 0 ? lines : sources.flatMap((number) => lines[number] ?? []),
  );
  const times = timestamp === null || ISO.test(timestamp) ? [] : findTimes(timestamp, reference ?? ANY_DAY);
  // Words that mean another day when said on another day tell nothing where the day is not known.
  const iso = times.find(({ relative }) => reference !== undefined || !relative)?.iso ?? null;
  const text = entry.lossless_restatement;
  return {
    ...entry,
    lossless_restatement: reference === undefined ? text : makeTimesAbsolute(text, reference),
    timestamp: timestamp === null || ISO.test(timestamp) ? timestamp : iso,
  };
}

const ANY_DAY: TimeReference = { at: 0, zone: "UTC" };
const DAY_MS = 86_400_000;

/** The first line's moment if all lines were said on one day; else nobody knows which of the days "yesterday" means. */
function sharedDay(lines: readonly Line[]): TimeReference | undefined {
  const moments = lines.map(referenceOf);
  const days = new Set(
    moments.map((moment) => moment && Math.floor(wallTime(moment.at, moment.zone) / DAY_MS)),
  );
  return days.size === 1 ? moments[0] : undefined;
}

const ISO =
  /^\d{4}(?:-(?:\d{2}|W\d{2})(?:-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?)?)?(?:\/.+)?$/;
