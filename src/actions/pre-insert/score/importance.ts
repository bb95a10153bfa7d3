/**
 * How much will it matter? (S0-29; Generative Agents' poignancy.) The number goes into the draft's `importance`, 0 to 1,
 * where priority_insert and every policy look for it (B.0.9, 19); what matters most is placed actively.
 */
import { z } from "zod";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { scoreImportance } from "../../../tasks/score-importance.ts";
import { promptOption } from "../prompt-option.ts";

const tier = z.string().min(1).nullable();

export const importanceOptions = z
  .strictObject({
    score_type: z.literal("importance").describe("How much a memory will matter later."),
    importance_prompt: promptOption("how much a memory matters"),
    scale: z.number().positive().describe("The top of the scale that the thresholds are written in."),
    high_threshold: z.number().min(0).describe("From this on, a memory goes to high_tier."),
    middle_threshold: z
      .number()
      .min(0)
      .describe("From this on, and below high_threshold, it goes to middle_tier."),
    high_tier: tier.describe("The tier of what matters most; null: the service decides."),
    middle_tier: tier.describe("The tier of what matters; null: the service decides."),
  })
  .refine(({ middle_threshold, high_threshold }) => middle_threshold <= high_threshold, {
    path: ["middle_threshold"],
    error: "must not be above high_threshold",
  })
  .refine(({ high_threshold, scale }) => high_threshold <= scale, {
    path: ["high_threshold"],
    error: "must not be above scale, or nothing reaches it",
  });
type Options = z.infer<typeof importanceOptions>;

/** The task's own scale. */
const TASK_SCALE = 10;

export async function scoreDraft(
  draft: Draft,
  { think }: PreInsertContext,
  options: Options,
): Promise<Draft> {
  const importance = judgedAlready(draft) ?? (await judged(draft, think, options));
  const targetTier = tierFor(importance * options.scale, options);
  return {
    ...draft,
    importance,
    insertMethod: "priority_insert",
    insertMode: targetTier === null ? draft.insertMode : "active",
    insertParams: {
      ...draft.insertParams,
      priority: importance,
      ...(targetTier === null ? {} : { targetTier }),
    },
  };
}

/** Who worded a memory may have said what it matters. */
function judgedAlready({ judged, importance }: Draft): number | undefined {
  return judged === true ? (importance ?? undefined) : undefined;
}

async function judged(
  { content }: Draft,
  think: PreInsertContext["think"],
  { importance_prompt }: Options,
): Promise<number> {
  const score = await think(scoreImportance, { text: content }, importance_prompt);
  return score.importance / TASK_SCALE;
}

function tierFor(score: number, options: Options): string | null {
  if (score >= options.high_threshold) return options.high_tier;
  return score >= options.middle_threshold ? options.middle_tier : null;
}
