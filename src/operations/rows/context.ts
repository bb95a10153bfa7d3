import { z } from "zod";
import { defineCall } from "../operation.ts";
import { foundOf, foundOutput, questionInput, questionShape } from "../schemas/question.ts";

export const contextOperation = defineCall({
  name: "context",
  summary: {
    en: "the block to put into a prompt: a stable part, and one for the question",
    zh: "放进提示词的文本：稳定部分与针对问题的部分",
  },
  effect: "read",
  isIdempotent: true,
  route: { method: "POST", path: "/v1/context" },
  tool: null,
  input: z.strictObject({
    question: questionInput,
    ...questionShape,
    session: z.string().max(256).optional().describe("The stable part is made anew when it changes."),
    stableBudget: z.int().min(0).optional().describe("Most tokens of the stable part."),
  }),
  output: z.object({
    stable: z.string(),
    volatile: z.string(),
    text: z.string(),
    tokens: z.object({ stable: z.number(), volatile: z.number() }),
    recalled: foundOutput,
  }),
  async run(memory, { question, ...options }, { signal }) {
    const context = await memory.context(question, { ...options, signal });
    return { ...context, recalled: foundOf(context.recalled) };
  },
});
