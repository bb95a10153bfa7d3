/** How a question is put, and what is found. */
import { z } from "zod";
import { filterSchema } from "../../base/filter.ts";
import type { RetrieveResult } from "../../pipeline/plan.ts";
import { lastMomentInput, momentInput } from "../moment.ts";
import { hitOutput, jsonObject } from "./entry.ts";
import { turnInput } from "./said.ts";

export const questionInput = z.string().max(100_000).describe("In your own words.");

/** Of every search. */
export const searchShape = {
  limit: z.int().min(1).max(1000).optional().describe("Most hits; else the design's own number."),
  budget: z.int().min(0).optional().describe("Most tokens of all hits together."),
  filter: filterSchema.optional().describe('Which memories, as { op: "eq", field: "kind", value: … }.'),
  from: momentInput.optional().describe("Only what happened since then."),
  to: lastMomentInput.optional().describe("Only what happened until then."),
  asked: momentInput.optional().describe('When it is asked: "last week" is meant from here.'),
  at: lastMomentInput.optional().describe("As of then in the world."),
  knownAt: lastMomentInput.optional().describe("As the memory stood then."),
};

export const questionShape = {
  ...searchShape,
  zone: z.string().max(64).optional().describe("Time zone of the question, as Europe/Berlin."),
  talk: z
    .array(
      turnInput
        .pick({ text: true, happenedAt: true, zone: true })
        .extend({ speaker: z.string(), captions: z.array(z.string()).default([]) }),
    )
    .max(1000)
    .optional()
    .describe("What was said just before, oldest first."),
};
export const stageOutput = z.object({
  stage: z.string(),
  action: z.string(),
  ms: z.number(),
  given: z.number(),
  result: z.number(),
  tasks: z
    .array(
      z.object({ task: z.string(), path: z.string(), inputTokens: z.number(), outputTokens: z.number() }),
    )
    .readonly(),
  notes: jsonObject,
  effects: z.array(z.looseObject({ did: z.string(), id: z.string() })).readonly(),
  error: z.string().optional(),
});

export const foundShape = {
  hits: z.array(hitOutput).readonly().describe("Best first."),
  confidence: z
    .number()
    .nullable()
    .describe("How likely the answer is among them, 0 to 1; null: not judged."),
  isDoubtful: z.boolean().describe("Whether the design would rather say that it does not know."),
  context: z.string().nullable().describe("The text to put into a prompt, where the design writes one."),
  sections: jsonObject,
  stages: z.array(stageOutput).readonly().describe("What each stage did."),
};
export const foundOutput = z.object(foundShape);
export type FoundOutput = z.infer<typeof foundOutput>;

/** Without what only the stages need: the vectors of the question, every search by itself. */
export function foundOf({
  hits,
  confidence,
  isDoubtful,
  context,
  sections,
  stages,
}: RetrieveResult): FoundOutput {
  return { hits, confidence, isDoubtful, context, sections, stages };
}
