import { z } from "zod";
import { defineCall } from "../operation.ts";
import { hitOutput } from "../schemas/entry.ts";
import { questionInput, searchShape } from "../schemas/question.ts";

export const chainedRecallOperation = defineCall({
  name: "chainedRecall",
  summary: { en: "a look along what the question speaks of", zh: "沿着问题提到的事物逐一回忆" },
  effect: "read",
  isIdempotent: true,
  route: { method: "POST", path: "/v1/recall/chained" },
  tool: null,
  input: z.strictObject({
    question: questionInput,
    ...searchShape,
    entities: z.array(z.string()).max(100).optional().describe("What it speaks of; else read out of it."),
    perEntity: z.int().min(1).max(100).optional(),
    perType: z.int().min(1).max(100).optional(),
  }),
  output: z.object({ hits: z.array(hitOutput).readonly() }),
  async run(memory, { question, ...options }, { signal }) {
    return { hits: await memory.chainedRecall(question, { ...options, signal }) };
  },
});
