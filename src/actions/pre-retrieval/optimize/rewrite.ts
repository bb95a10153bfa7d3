/** The question as somebody would ask it who did not hear the talk before: no pronouns, no relative times. */
import { z } from "zod";
import type { PreRetrievalContext } from "../../../pipeline/action.ts";
import type { Question } from "../../../pipeline/question.ts";
import { rewriteQuery } from "../../../tasks/rewrite-query.ts";
import { rephrase, reworded } from "../rephrase.ts";

export const rewriteOptions = z.strictObject({
  optimize_type: z.literal("rewrite").describe("The question, so that it can be understood by itself."),
  replace_original: z
    .boolean()
    .describe("Whether only the new wording is searched for, or the old one beside it."),
  prompt: z.string().min(1).describe("Prompt of the task rewrite_query."),
});

export function rewrite(
  question: Question,
  { think }: PreRetrievalContext,
  { replace_original, prompt }: z.infer<typeof rewriteOptions>,
): Promise<Question> {
  const { talk, at: happenedAt, zone } = question;
  return rephrase(question, async (query) => {
    const given = { question: query.text, lines: [...talk], happenedAt, zone };
    const { query: text } = await think(rewriteQuery, given, prompt);
    if (text === query.text) return [query];
    return replace_original ? [reworded(query, text)] : [query, reworded(query, text)];
  });
}
