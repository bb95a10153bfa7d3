/** What is compared, by whom, and from when on does it count? The settings of conflict detection, as a preset writes them. */
import { z } from "zod";
import type { Statement } from "../tasks/rules/conflict.ts";

export const CONFLICT_DETECTORS = ["attribute_key", "similarity", "polarity", "llm_verify"] as const;
export type DetectorName = (typeof CONFLICT_DETECTORS)[number];

/** All from the preset; code has no defaults (C-30). */
export const conflictOptions = z.strictObject({
  /** In the order they are asked. */
  detectors: z.array(z.enum(CONFLICT_DETECTORS)).min(1),
  /** More alike than this is suspect (S1-23: 0.8). */
  similarity_threshold: z.number().min(0).max(1),
  /** A new statement that names no attribute of anybody clashes with nothing (S1-25). */
  require_attribute_key: z.boolean(),
  /** A model's verdict counts from this confidence on; below, the rules' verdict stays. */
  min_confidence: z.number().min(0).max(1),
});
export type ConflictOptions = z.infer<typeof conflictOptions>;

export interface ConflictCandidate extends Statement {
  /** To the new statement, 0 to 1, where the caller has measured it. */
  readonly similarity?: number | undefined;
}
