import { z } from "zod";
import { defineCall } from "../operation.ts";
import { hitOutput } from "../schemas/entry.ts";
import { foundOf, foundOutput, questionInput, questionShape } from "../schemas/question.ts";

export const askOperation = defineCall({
  name: "ask",
  summary: { en: "answer a question from memory and nothing else", zh: "只凭记忆回答问题" },
  effect: "read",
  isIdempotent: true,
  route: { method: "POST", path: "/v1/ask" },
  tool: "Answer a question from memory alone, with the memories it rests on; says so when nothing is known.",
  input: z.strictObject({ question: questionInput, ...questionShape }),
  output: z.object({
    answer: z.string(),
    reasoning: z.string(),
    isUnknown: z.boolean(),
    evidence: z.array(hitOutput).readonly(),
    path: z.enum(["model", "local"]).describe("Who answered."),
    recalled: foundOutput,
  }),
  async run(memory, { question, ...options }, { signal }) {
    const answer = await memory.ask(question, { ...options, signal });
    return { ...answer, recalled: foundOf(answer.recalled) };
  },
});
