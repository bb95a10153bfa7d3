/** What is still to be searched for? The supplementary queries of SimpleMem's reflection on retrieval (S2-30). */
import { z } from "zod";
import { memorySchema, printItems, printMemories, questionSchema } from "./dialogue.ts";
import { namesIn } from "./local/names.ts";
import { queriesFor } from "./local/queries.ts";
import { uncoveredWords } from "./local/relevance.ts";
import { distinctTexts, sentencesForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

export const missingQueries = defineTask({
  name: "missing_queries",
  summary: "One to `limit` search queries for what the memories found so far leave open.",
  fallback: "The question's names with the words that no memory has yet, and the question in other words.",
  input: z.object({
    question: questionSchema,
    memories: z.array(memorySchema),
    /** What a check of completeness found missing. */
    missing: z.array(z.string()).default([]),
    /** SimpleMem: 3. */
    limit: z.number().int().min(1),
  }),
  reply: z.object({ missing_analysis: z.string().default(""), targeted_queries: sentencesForm }),
  prompt: "missing_queries",
  placeholders: ["question", "memories", "missing", "limit"],
  fill: (input) => ({
    question: input.question,
    memories: printMemories(input.memories),
    missing: printItems(input.missing),
    limit: input.limit,
  }),
  about: (input) => input.question,
  local: async ({ question, memories, missing, limit }) => {
    const open = uncoveredWords(
      question,
      memories.map(({ text }) => text),
    );
    const others = await queriesFor(question);
    const names = (await namesIn(question)).all.join(" ");
    const queries = [
      ...(open.length > 0 ? [open.join(" ")] : []),
      ...missing.map((piece) => `${names} ${piece}`),
      ...others,
    ];
    const found = distinctTexts(queries).slice(0, limit);
    return {
      missing_analysis: open.join(", "),
      targeted_queries: found.length > 0 ? found : [question.trim()],
    };
  },
  settle: (reply, { question, limit }) => {
    const queries = reply.targeted_queries.slice(0, limit);
    return { ...reply, targeted_queries: queries.length > 0 ? queries : [question.trim()] };
  },
  spoken: (reply) => reply.targeted_queries,
});
