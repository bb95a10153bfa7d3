/** How much does each replacement change? Question by question against the base, with the interval of the difference. */
import { compareRuns } from "../report/compare-runs.ts";
import { mainMeasure } from "../report/measure-names.ts";
import type { Run } from "../report/run.ts";
import type { Estimate } from "../result.ts";

export interface MeasuredDifference {
  readonly measure: string;
  /** Of the base, over the questions that both could be measured on. */
  readonly base: number;
  /** Of the variant less that of the base. */
  readonly difference: Estimate;
  /** Whether the interval leaves 0 out. */
  readonly isTold: boolean;
}

/** Over questions that expect an answer. What the variant has no value of is left out. */
export function differencesTo(base: Run, variant: Run, measures: readonly string[]): MeasuredDifference[] {
  return measures
    .filter((measure) => variant.summary.overall[measure] !== undefined)
    .map((measure) => {
      const { a, difference, isTold } = compareRuns(base, variant, measure).overall;
      return { measure, base: a.mean, difference, isTold };
    });
}

/** What the base is compared by where nobody says: the data set's main measure, and whether all evidence was found. */
export function usualMeasures({ summary }: Run): string[] {
  const names = Object.keys(summary.overall);
  const main = mainMeasure(names);
  const all = main?.startsWith("recall@") === true ? main.replace("recall@", "all@") : undefined;
  return [main, all, "mrr"].filter((name) => name !== undefined).filter((name) => names.includes(name));
}
