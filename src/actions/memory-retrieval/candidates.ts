/**
 * Asks for far more than the answer will hold: for designs that rank the whole memory by more than nearness, as Generative
 * Agents does, and cut after that (rerank, then filter top_k). However few hits a question asks for, it chooses among all.
 */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import { defaultRetrieval, fusionOption } from "./default.ts";

export const candidates = defineAction({
  stage: "memory_retrieval",
  name: "candidates",
  summary: "Asks the service for a pool of hits that later actions choose from.",
  options: z.strictObject({
    pool: z
      .int()
      .min(1)
      .describe("How many hits each search brings, however many the question asks for in the end."),
    fusion: fusionOption,
  }),
  async run(question, context, { pool, fusion }) {
    const wide = { ...question, topK: undefined };
    const found = await defaultRetrieval.run(wide, context, { top_k: pool, fusion });
    return { ...found, question };
  },
});
