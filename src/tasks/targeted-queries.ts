/** Which few searches find what the plan asks for? The second step of SimpleMem's planned retrieval (S2-25). */
import { z } from "zod";
import { questionSchema } from "./dialogue.ts";
import { queriesFor } from "./local/queries.ts";
import { planSchema, printPlan } from "./plan-information.ts";
import { distinctTexts, sentencesForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

export const targetedQueries = defineTask({
  name: "targeted_queries",
  summary:
    "At most `limit` search queries that together find what a question needs; the question itself is always the first.",
  fallback: "The question, its sub-questions as statements, and its names with its keywords.",
  input: z.object({
    question: questionSchema,
    plan: planSchema.optional(),
    /** How many queries at most, the question among them (SimpleMem: 4). */
    limit: z.number().int().min(1),
  }),
  reply: z.object({ reasoning: z.string().default(""), queries: sentencesForm }),
  prompt: "targeted_queries",
  placeholders: ["question", "plan", "limit"],
  fill: (input) => ({ question: input.question, plan: printPlan(input.plan), limit: input.limit }),
  about: (input) => input.question,
  local: async (input) => ({
    reasoning: "",
    queries: withQuestion(
      input.question,
      await queriesFor(input.question, input.plan?.key_entities ?? []),
      input.limit,
    ),
  }),
  settle: (reply, { question, limit }) => ({
    ...reply,
    queries: withQuestion(question, reply.queries, limit),
  }),
  spoken: (reply) => reply.queries,
});

/** The question first, whatever else was proposed; none twice. */
function withQuestion(question: string, queries: readonly string[], limit: number): string[] {
  return distinctTexts([question, ...queries]).slice(0, limit);
}
