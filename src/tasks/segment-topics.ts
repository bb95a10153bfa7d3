/** Where does the talk turn to another topic? SeCom's segments, which hold every line once. */
import { z } from "zod";
import { segmentTopics as segmentsOf } from "../text/segments.ts";
import { joinLines, linesSchema, printLines, saidIn } from "./dialogue.ts";
import { telling } from "./local/dialogue-facts.ts";
import { shortenSentences } from "./local/shorten.ts";
import { defineTask } from "./task.ts";

const number = z.preprocess(
  (value) => (typeof value === "string" ? Number(value) : value),
  z.number().int().min(0),
);

export const segmentTopics = defineTask({
  name: "segment_topics",
  summary:
    "The stretches of a dialogue that have one topic each, by the numbers of their first and last line, with a summary.",
  fallback:
    'The division in which words repeat most within stretches, with cues as "by the way"; the most central line as summary.',
  input: z.object({ lines: linesSchema }),
  reply: z.object({
    segments: z.array(
      z.object({
        /** Number of its first line. */
        start: number,
        /** Number of its last line. */
        end: number,
        summary: z.string().default(""),
      }),
    ),
  }),
  prompt: "segment_topics",
  placeholders: ["dialogue", "last"],
  fill: (input) => ({ dialogue: printLines(input.lines), last: input.lines.length - 1 }),
  about: (input) => joinLines(input.lines),
  obvious: (input) =>
    input.lines.length === 1 ? { segments: [{ start: 0, end: 0, summary: "" }] } : undefined,
  local: ({ lines }, { language }) => {
    const texts = lines.map(saidIn);
    const segments = segmentsOf(texts).map(({ start, end }) => ({
      start,
      end: end - 1,
      summary: shortenSentences(telling(texts.slice(start, end)), { words: 30, language, sentences: 1 }),
    }));
    return { segments };
  },
  problems: ({ segments }, { lines }) => gaps(segments, lines.length),
  spoken: ({ segments }) => segments.map(({ summary }) => summary),
});

/** A line that is in no segment would be lost, and one in two would be kept twice. */
function gaps(
  segments: readonly { readonly start: number; readonly end: number }[],
  count: number,
): string[] {
  let next = 0;
  for (const { start, end } of segments) {
    if (start !== next || end < start)
      return [`A segment must begin with line ${next} and end with it or a later one.`];
    next = end + 1;
  }
  return next === count
    ? []
    : [`The segments must hold every line from 0 to ${count - 1} exactly once, in order.`];
}
