/** Cuts a question into simpler ones, all of which are searched for (S0-37; B.0.9, 3), at once or one after another. */
import { z } from "zod";
import { defineAction, type PreRetrievalContext } from "../../pipeline/action.ts";
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
const prompt = z.string().min(1).describe("Prompt of the task decompose_query.");

const options = z.discriminatedUnion("decompose_strategy", [
  z.strictObject({
    decompose_strategy: z.literal("rule").describe("By words that join questions."),
    ...common,
  }),
  z.strictObject({ decompose_strategy: z.literal("llm").describe("By the model."), ...common, prompt }),
  z.strictObject({
    decompose_strategy: z
      .literal("hybrid")
      .describe("By rules; by the model where they find one question only."),
    ...common,
    prompt,
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
    ...(options.decompose_strategy === "rule"
      ? {}
      : { prompts: [{ task: decomposeQuery, prompt: options.prompt }] }),
  }),
  async run(question, context, options) {
    const decomposed = await rephrase(question, async (query) => {
      const parts = await partsOf(query.text, context, options);
      const isWhole = parts.length <= 1;
      if (isWhole) return [query];
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

async function partsOf(text: string, context: PreRetrievalContext, options: Options): Promise<string[]> {
  const { max_sub_queries: limit } = options;
  const byRule = subQuestions(text).slice(0, limit);
  if (options.decompose_strategy === "rule") return byRule;
  if (options.decompose_strategy === "hybrid" && byRule.length > 1) return byRule;
  const { sub_queries } = await context.think(decomposeQuery, { question: text, limit }, options.prompt);
  return sub_queries;
}
