/** What does a reader of results see of a run? Its summary, its questions, and what a model answered. */
import type { Estimate, ModelUse, QuestionLine, RunSummary } from "../result.ts";

/** Readers see the first ten of a question's hits. */
export const MOST_HITS = 10;

export interface Run {
  readonly summary: RunSummary;
  /**
   * Each question once, as it was asked last, in the order in which the stream came to them: that of the summary, so that the
   * same draws give the same intervals.
   */
  readonly questions: readonly QuestionLine[];
  /** Where a model answered from what was recalled; its measures stand among the others. */
  readonly judged?: JudgedSummary | undefined;
}

/** What of answers and their judgement a report shows. */
export interface JudgedSummary {
  readonly models: { readonly answer: string; readonly judge: string };
  /** Over the questions that expect an answer; over those that cannot be answered. */
  readonly overall: Estimates;
  readonly abstain: Estimates;
  /** Judge → "all" or how wrong answers were made → the share that it let pass. */
  readonly falsePositives: Readonly<Record<string, Estimates>>;
  /** Questions without an answer or a judgement, by why. */
  readonly failed: Readonly<Record<string, number>>;
  readonly cost: { readonly answers: ModelUse; readonly judges: ModelUse; readonly planted: ModelUse };
}

type Estimates = Readonly<Record<string, Estimate>>;

/** Names a question within a run: its id is unique in the data set, but results may be joined by hand. */
export function keyOf({ case: one, question }: Pick<QuestionLine, "case" | "question">): string {
  return JSON.stringify([one, question]);
}
