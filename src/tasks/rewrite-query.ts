/** What does a question say to somebody who did not hear the talk before it? */
import { z } from "zod";
import { lineSchema, momentSchema, printLine, printLines, questionSchema } from "./dialogue.ts";
import { standAlone } from "./local/stand-alone.ts";
import { textForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

export const rewriteQuery = defineTask({
  name: "rewrite_query",
  summary: "The question as one query that can be understood and searched for without the talk before it.",
  fallback: "Pronouns replaced by whom the talk names last, relative times made absolute.",
  input: z.object({
    question: questionSchema,
    /** Who asks: "I" in the question. */
    speaker: z.string().optional(),
    /** The talk before, oldest first. */
    lines: z.array(lineSchema).default([]),
    happenedAt: momentSchema.optional(),
    zone: z.string().nullish(),
  }),
  reply: z.object({ query: textForm }),
  prompt: "rewrite_query",
  placeholders: ["question", "dialogue"],
  fill: ({ question, speaker, lines, ...when }) => ({
    question:
      speaker === undefined ? question : printLine({ speaker, text: question, captions: [], ...when }),
    dialogue: printLines(lines),
  }),
  about: (input) => input.question,
  local: async (input) => ({ query: (await standAlone(input)).trim() || input.question.trim() || "?" }),
  spoken: (reply) => [reply.query],
});
