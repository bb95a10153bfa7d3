/** What do these texts say in short? Dialogues, memories, or summaries of them; going on from an earlier summary if there is one. */
import { z } from "zod";
import { splitSentences } from "../text/sentences.ts";
import { printNumbered } from "./dialogue.ts";
import { tellingSentences } from "./local/dialogue-facts.ts";
import { shortenSentences } from "./local/shorten.ts";
import { textForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

/** The sentences of a line, each with its speaker: "I" alone would be nobody. */
function saidBy(line: string): { readonly speaker: string; readonly said: string }[] {
  let speaker = "";
  return splitSentences(line).map(({ text }) => {
    speaker = SPEAKER.exec(text)?.[0] ?? speaker;
    return { speaker, said: text.replace(SPEAKER, "") };
  });
}

const SPEAKER = /^\p{L}[\p{L}\p{M}\p{N} .'_-]{0,30}: (?=\S)/u;

export const summarize = defineTask({
  name: "summarize",
  summary:
    "A summary of some texts in at most `max_words` words, which takes an earlier summary up if there is one.",
  fallback:
    "The most central sentences of the earlier summary and the texts that tell something (TextRank), in their order, each with its speaker.",
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
    const sentences = [previous, ...texts].flatMap((text) => text.split("\n")).flatMap(saidBy);
    // Greetings and praise are in every talk, and would be its most central sentences.
    const told = sentences.filter(({ said }) => tellingSentences(said).length > 0);
    const chosen = (told.length > 0 ? told : sentences).map(({ speaker, said }) => `${speaker}${said}`);
    const summary = shortenSentences(chosen, { words: max_words, language });
    return { summary: summary || texts.join(" ").trim() || "…" };
  },
  spoken: (reply) => [reply.summary],
});
