/** Words that an embedding model wants around a question. They are embedded with it and go nowhere else. */
import { z } from "zod";
import type { Question } from "../../../pipeline/question.ts";

export const instructionOptions = z.strictObject({
  optimize_type: z.literal("instruction").describe("Words around the question, for the embedder alone."),
  prefix: z.string().describe('What stands before the question; "" for nothing.'),
  suffix: z.string().describe('What stands behind the question; "" for nothing.'),
});

export function instruct(
  question: Question,
  { prefix, suffix }: z.infer<typeof instructionOptions>,
): Question {
  return {
    ...question,
    queries: question.queries.map((query) => ({
      ...query,
      embedText: `${prefix}${query.embedText ?? query.text}${suffix}`,
      vectors: [],
    })),
  };
}
