/** Cuts a question into simpler ones, all of which are searched for (S0-37; B.0.9, 3), at once or one after another. */
import { z } from "zod";
import { defineAction, type PreRetrievalContext } from "../../pipeline/action.ts";
import type { Question } from "../../pipeline/question.ts";
import { decomposeQuery } from "../../tasks/decompose-query.ts";
import { subQuestions } from "../../tasks/local/sub-questions.ts";
import { rephrase, reworded } from "./rephrase.ts";

const common = {
  max_sub_queries: z.number().int().min(1).describe("How many simpler questions one becomes at most."),
  order: z
    .enum(["parallel", "sequential"])
    .describe("parallel: all are asked at once; sequential: each may use what those before it found."),
  keep_original: z.boolean().describe("Whether the whole question is searched for, too, before its parts."),
};
const asked = {
  prompt: z.string().min(1).describe("Prompt of the task decompose_query."),
  without_model: z
    .enum(["rules", "whole"])
    .describe("Where the model does not answer: the question is cut by rules, or is left whole."),
};

const options = z.discriminatedUnion("decompose_strategy", [
  z.strictObject({
    decompose_strategy: z.literal("rule").describe("By words that join questions."),
    ...common,
  }),
  z.strictObject({ decompose_strategy: z.literal("llm").describe("By the model."), ...common, ...asked }),
  z.strictObject({
    decompose_strategy: z
      .literal("hybrid")
      .describe("By rules; by the model where they find one question only."),
    ...common,
    ...asked,
  }),
]);
type Options = z.infer<typeof options>;

export const decompose = defineAction({
  stage: "pre_retrieval",
  name: "decompose",
  summary: "Cuts a question into simpler ones, all of which are searched for.",
  options,
  subtype: "decompose_strategy",
  claims: (options) => ({
    newQueries: true,
    ...(options.order === "sequential" ? { inTurn: true } : {}),
    ...(options.decompose_strategy === "rule"
      ? {}
      : { prompts: [{ task: decomposeQuery, prompt: options.prompt }] }),
  }),
  async run(question, context, options) {
    const decomposed = await rephrase(question, async (query) => {
      const parts = await partsOf(query.text, question, context, options);
      if (parts.length === 0) return [query];
      const simpler = parts.map((text) => reworded(query, text));
      return options.keep_original ? [query, ...simpler] : simpler;
    });
    context.note(
      "sub_queries",
      decomposed.queries.map(({ text }) => text),
    );
    return { ...decomposed, order: options.order };
  },
});

/** None where the question stays whole. A model may say a simple question more clearly: then that is searched for, too. */
async function partsOf(
  text: string,
  { talk, at, zone }: Question,
  context: PreRetrievalContext,
  options: Options,
): Promise<string[]> {
  const { max_sub_queries: limit } = options;
  const byRule = subQuestions(text).slice(0, limit);
  if (options.decompose_strategy !== "llm" && byRule.length > 1) return byRule;
  if (options.decompose_strategy === "rule") return [];
  const given = { question: text, limit, lines: [...talk], happenedAt: at, zone };
  const { reply, path } = await context.ask(decomposeQuery, given, options.prompt);
  if (path === "model") return reply.sub_queries;
  return options.without_model === "rules" && reply.sub_queries.length > 1 ? reply.sub_queries : [];
}
