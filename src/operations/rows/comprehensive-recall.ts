import { z } from "zod";
import { defineCall } from "../operation.ts";
import { hitOutput } from "../schemas/entry.ts";
import { questionInput, searchShape } from "../schemas/question.ts";

export const comprehensiveRecallOperation = defineCall({
  name: "comprehensiveRecall",
  summary: { en: "the widest look: all that is alike enough", zh: "最广的回忆：凡足够相近的都算" },
  effect: "read",
  isIdempotent: true,
  route: { method: "POST", path: "/v1/recall/comprehensive" },
  tool: null,
  input: z.strictObject({ question: questionInput, ...searchShape }),
  output: z.object({ hits: z.array(hitOutput).readonly() }),
  async run(memory, { question, ...options }, { signal }) {
    return { hits: await memory.comprehensiveRecall(question, { ...options, signal }) };
  },
});
