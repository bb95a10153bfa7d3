import { z } from "zod";
import { defineCall } from "../operation.ts";
import { turnOutput } from "../schemas/entry.ts";
import { foundOf, foundShape, questionInput, questionShape } from "../schemas/question.ts";

export const recallOperation = defineCall({
  name: "recall",
  summary: { en: "what the memory knows about a question, and why", zh: "就一个问题回忆，并说明理由" },
  effect: "read",
  isIdempotent: true,
  route: { method: "POST", path: "/v1/recall" },
  tool: "Search long-term memory. Ask in full words; call it before answering anything about the user or earlier talk.",
  input: z.strictObject({
    question: questionInput,
    ...questionShape,
    explain: z.boolean().optional().describe("The turns that each hit comes from, too."),
  }),
  output: z.object({
    ...foundShape,
    turns: z.array(z.array(turnOutput).readonly()).readonly().nullable(),
  }),
  async run(memory, { question, ...options }, { signal }) {
    const found = await memory.recall(question, { ...options, signal });
    return { ...foundOf(found), turns: found.turns };
  },
});
