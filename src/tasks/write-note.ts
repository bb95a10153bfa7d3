/** What is a memory about? The keywords, context and tags of an A-MEM note. */
import { z } from "zod";
import { extractKeywords } from "../text/keywords.ts";
import { namesIn } from "./local/names.ts";
import { saidBy } from "./local/said-by.ts";
import { shorten } from "./local/shorten.ts";
import { distinctTexts, termsForm, textForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

export const writeNote = defineTask({
  name: "write_note",
  summary:
    "The keywords of a memory, one sentence of context (topic, points, purpose), and broad tags for grouping it.",
  fallback: "Keywords by RAKE, the most central sentence as context, single words and named things as tags.",
  input: z.object({ text: z.string() }),
  reply: z.object({ keywords: termsForm, context: textForm, tags: termsForm }),
  prompt: "write_note",
  placeholders: ["memory"],
  fill: (input) => ({ memory: input.text }),
  about: (input) => input.text,
  local: async ({ text }, { language }) => {
    // As the prompt has it: who speaks is no keyword.
    const { said } = saidBy(text);
    const keywords = distinctTexts(extractKeywords(said, { limit: 6 }).map((keyword) => keyword.text));
    const names = await namesIn(said);
    const words = keywords.flatMap((keyword) => keyword.toLowerCase().split(/\s+/));
    return {
      keywords,
      context: shorten(text, { words: 25, language }) || GENERAL[language],
      tags: distinctTexts([...names.others, ...names.places, ...words]).slice(0, 6),
    };
  },
  spoken: (reply) => [reply.context],
});

/** The published default. */
const GENERAL = { en: "General", zh: "通用" } as const;
