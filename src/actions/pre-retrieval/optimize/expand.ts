/** Other wordings of the question, searched for beside it or instead of it, each for a weight of its own. */
import { z } from "zod";
import type { PreRetrievalContext } from "../../../pipeline/action.ts";
import type { Question } from "../../../pipeline/question.ts";
import { expandQuery } from "../../../tasks/expand-query.ts";
import { rephrase, reworded } from "../rephrase.ts";

export const expandOptions = z.strictObject({
  optimize_type: z
    .literal("expand")
    .describe("Other wordings in which the answer may have been written down."),
  count: z.number().int().min(1).describe("How many other wordings at most."),
  weight: z
    .number()
    .positive()
    .describe("What the hits of another wording count, where those of the question count 1."),
  replace_original: z
    .boolean()
    .describe("Whether only the other wordings are searched for; false: all together (union)."),
  prompt: z.string().min(1).describe("Prompt of the task expand_query."),
});

export function expand(
  question: Question,
  { think }: PreRetrievalContext,
  { count, weight, replace_original, prompt }: z.infer<typeof expandOptions>,
): Promise<Question> {
  return rephrase(question, async (query) => {
    const { queries } = await think(expandQuery, { query: query.text, count }, prompt);
    const others = queries.map((text) => reworded(query, text, query.weight * weight));
    return replace_original ? others : [query, ...others];
  });
}
