/** What do these texts say in short? Dialogues, memories, or summaries of them; going on from an earlier summary if there is one. */
import { z } from "zod";
import { splitSentences } from "../text/sentences.ts";
import { printNumbered } from "./dialogue.ts";
import { shortenSentences } from "./local/shorten.ts";
import { textForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

export const summarize = defineTask({
  name: "summarize",
  summary:
    "A summary of some texts in at most `max_words` words, which takes an earlier summary up if there is one.",
  fallback: "The most central sentences of the earlier summary and the texts (TextRank), in their order.",
  input: z.object({
    texts: z.array(z.string()).min(1),
    /** What was summarised before and must not get lost. */
    previous: z.string().default(""),
    max_words: z.number().int().min(1),
  }),
  reply: z.object({ summary: textForm }),
  prompt: "summarize",
  placeholders: ["texts", "previous", "max_words"],
  fill: (input) => ({
    texts: input.texts.length === 1 ? (input.texts[0] ?? "") : printNumbered(input.texts),
    previous: input.previous,
    max_words: input.max_words,
  }),
  about: (input) => input.texts.join("\n"),
  local: ({ texts, previous, max_words }, { language }) => {
    const sentences = [previous, ...texts].flatMap((text) => splitSentences(text)).map(({ text }) => text);
    const summary = shortenSentences(sentences, { words: max_words, language });
    return { summary: summary || texts.join(" ").trim() || "…" };
  },
  spoken: (reply) => [reply.summary],
});
