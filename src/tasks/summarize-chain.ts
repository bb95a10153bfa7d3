/** What is a chain of exchanges about by now? MemoryOS takes one summary on from page to page while the topic goes on. */
import { z } from "zod";
import { splitSentences } from "../text/sentences.ts";
import { joinLines, linesSchema, printLines } from "./dialogue.ts";
import { dialogueFacts } from "./local/dialogue-facts.ts";
import { shortenSentences } from "./local/shorten.ts";
import { textForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

export const summarizeChain = defineTask({
  name: "summarize_chain",
  summary: "One or two sentences on what a chain of exchanges is about, taken on from those so far.",
  fallback: "The most central of the sentences so far and of what the new lines tell.",
  input: z.object({
    /** The summary so far; "" at the chain's beginning. */
    previous: z.string().default(""),
    lines: linesSchema,
    max_words: z.number().int().min(1),
  }),
  reply: z.object({ summary: textForm }),
  prompt: "summarize_chain",
  placeholders: ["previous", "dialogue", "max_words"],
  fill: ({ previous, lines, max_words }) => ({ previous, dialogue: printLines(lines), max_words }),
  about: ({ lines }) => joinLines(lines),
  local: async ({ previous, lines, max_words }, { language }) => {
    const known = splitSentences(previous).map(({ text }) => text);
    const told = (await dialogueFacts(lines)).map(({ text }) => text);
    const said = told.length + known.length > 0 ? [] : [joinLines(lines)];
    const summary = shortenSentences([...known, ...told, ...said], { words: max_words, language });
    return { summary: summary || "…" };
  },
  spoken: (reply) => [reply.summary],
});
