/** Of which simpler questions is a question made? */
import { z } from "zod";
import { lineSchema, momentSchema, printLines, questionSchema, withTimestamp } from "./dialogue.ts";
import { subQuestions } from "./local/sub-questions.ts";
import { distinctTexts, sentencesForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

export const decomposeQuery = defineTask({
  name: "decompose_query",
  summary:
    "The simpler questions, at most `limit`, whose answers together answer a question; the question itself if it is simple.",
  fallback:
    "Cut at conjunctions before question words, at question marks, and at two names of which the same is asked.",
  input: z.object({
    question: questionSchema,
    limit: z.number().int().min(1),
    /** The talk before, oldest first: it tells who "she" is. */
    lines: z.array(lineSchema).default([]),
    /** When it is asked: "last week" counts from then. */
    happenedAt: momentSchema.optional(),
    zone: z.string().nullish(),
  }),
  reply: z.object({ sub_queries: sentencesForm }),
  prompt: "decompose_query",
  placeholders: ["question", "dialogue", "limit"],
  fill: ({ question, limit, lines, ...when }) => ({
    question: withTimestamp(when, question),
    dialogue: printLines(lines),
    limit,
  }),
  about: (input) => input.question,
  local: ({ question, limit }) => ({ sub_queries: distinctTexts(subQuestions(question)).slice(0, limit) }),
  settle: ({ sub_queries }, { question, limit }) => ({
    sub_queries: sub_queries.length === 0 ? [question.trim()] : sub_queries.slice(0, limit),
  }),
  spoken: (reply) => reply.sub_queries,
});
