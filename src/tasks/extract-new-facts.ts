/**
 * Which facts do the last lines of a dialogue tell that are not known yet? As `extract_facts`, for talk that goes on: the
 * reader has what was said before, the story so far in short, and memories near to it, and takes facts from the new lines
 * only (Mem0: the new messages, the running summary, the last messages; its third version: memories, too).
 */
import { z } from "zod";
import {
  joinLines,
  lineSchema,
  linesSchema,
  printItems,
  printLine,
  printLines,
  printNumbered,
} from "./dialogue.ts";
import { extractFacts } from "./extract-facts.ts";
import { dialogueFacts } from "./local/dialogue-facts.ts";
import { unknownNumbers } from "./reply-forms.ts";
import { plainText } from "./rules/statement.ts";
import { defineTask } from "./task.ts";

export const extractNewFacts = defineTask({
  name: "extract_new_facts",
  summary:
    "The facts that the new lines of a dialogue tell and that are not known yet, read with what was said before, a summary of the talk so far and the memories near to it.",
  fallback:
    "The sentences of the new lines that tell something, with names for pronouns (from the lines before, too) and absolute times, without those that are known word for word.",
  input: z.object({
    lines: linesSchema,
    /** What was said just before, oldest first: facts in it are known. */
    earlier: z.array(lineSchema).default([]),
    /** The talk so far in short. */
    summary: z.string().default(""),
    /** Memories near to what is said. */
    known: z.array(z.string()).default([]),
  }),
  reply: extractFacts.reply,
  prompt: "extract_new_facts",
  placeholders: ["dialogue", "earlier", "summary", "known"],
  fill: ({ lines, earlier, summary, known }) => ({
    dialogue: printLines(lines),
    earlier: printItems(earlier.map(printLine)),
    summary,
    known: printNumbered(known),
  }),
  about: ({ lines }) => joinLines(lines),
  local: async ({ lines, earlier, known }) => {
    const there = new Set(known.map(plainText));
    const found = await dialogueFacts([...earlier, ...lines], earlier.length);
    return {
      facts: found
        .filter(({ text }) => !there.has(plainText(text)))
        .map(({ text, speaker, line }) => ({
          text,
          speaker: speaker.trim() || null,
          sources: [line - earlier.length],
        })),
    };
  },
  problems: (reply, { lines }) =>
    unknownNumbers(
      reply.facts.flatMap(({ sources }) => sources),
      lines.length,
      "line",
    ),
  spoken: (reply) => reply.facts.map(({ text }) => text),
});
