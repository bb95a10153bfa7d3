/**
 * Is the second run better than the first, or is it chance? The same questions, paired: what makes a question hard for both does
 * not widen the interval, so a difference shows here that two tables beside each other cannot tell. Questions that expect no
 * answer stand apart.
 */
import { MemoryError } from "../../base/errors.ts";
import { validNames } from "../../base/nearest-name.ts";
import { differenceEstimate, estimate } from "../measures/bootstrap.ts";
import type { Estimate, QuestionLine } from "../result.ts";
import { shortHash } from "./figures.ts";
import { byName, mainMeasure } from "./measure-names.ts";
import { keyOf, type Run } from "./run.ts";

export interface ComparedQuestion {
  readonly case: string;
  readonly question: string;
  readonly text: string;
  readonly category: string;
  readonly expects: QuestionLine["expects"];
  readonly a: number;
  readonly b: number;
}

export interface Difference {
  readonly a: Estimate;
  readonly b: Estimate;
  /** b − a. */
  readonly difference: Estimate;
  /** Whether the interval leaves out 0. */
  readonly isTold: boolean;
  /** Questions that b answers better, worse, and as well. */
  readonly gains: number;
  readonly losses: number;
  readonly same: number;
}

export interface Comparison {
  readonly measure: string;
  readonly dataset: string;
  /** Over the questions that expect an answer and were measured in both runs. */
  readonly overall: Difference;
  readonly byCategory: Readonly<Record<string, Difference>>;
  /** Over those that cannot be answered; null where none was measured. */
  readonly abstain: Difference | null;
  /** In one of the runs only, or not measured there. */
  readonly leftOut: number;
  /** By how much, greatest first; those with the same value are not among them. */
  readonly changed: readonly ComparedQuestion[];
}

/** `measure` unsaid: the one that reports sort by. */
export function compareRuns(a: Run, b: Run, measure?: string): Comparison {
  refuseOtherData(a, b);
  const names = measuredIn(a).filter((name) => measuredIn(b).includes(name));
  const chosen = measure ?? mainMeasure(names);
  if (chosen === undefined || !names.includes(chosen)) {
    throw new MemoryError(
      "unknown_name",
      `The measure "${chosen ?? ""}" was not taken in both runs. ${validNames(chosen ?? "", names)}`,
    );
  }
  const { pairs, leftOut } = pairsOf(a, b, chosen);
  const answered = pairs.filter(({ expects }) => expects === "answer");
  const abstaining = pairs.filter(({ expects }) => expects === "abstain");
  const { seed } = a.summary;
  if (answered.length === 0) {
    throw new MemoryError(
      "input_invalid",
      `The runs have no question in common that expects an answer and has a value of "${chosen}" in both. Valid: two runs of the same cases, or another measure: ${names.join(", ")}.`,
    );
  }
  const categories = [...Map.groupBy(answered, ({ category }) => category)];
  return {
    measure: chosen,
    dataset: a.summary.dataset.name,
    overall: differenceOf(answered, seed),
    byCategory: Object.fromEntries(
      categories
        .sort(([left], [right]) => byName(left, right))
        .map(([name, some]) => [name, differenceOf(some, seed)]),
    ),
    abstain: abstaining.length === 0 ? null : differenceOf(abstaining, seed),
    leftOut,
    changed: pairs
      .filter((pair) => pair.a !== pair.b)
      .sort((x, y) => Math.abs(y.b - y.a) - Math.abs(x.b - x.a) || byName(x.question, y.question)),
  };
}

function pairsOf(
  a: Run,
  b: Run,
  measure: string,
): { readonly pairs: readonly ComparedQuestion[]; readonly leftOut: number } {
  const others = new Map(b.questions.map((line) => [keyOf(line), line]));
  const all = new Set([...a.questions, ...b.questions].map(keyOf));
  const pairs = a.questions.flatMap((line): ComparedQuestion[] => {
    const left = line.measures[measure] ?? null;
    const right = others.get(keyOf(line))?.measures[measure] ?? null;
    if (left === null || right === null) return [];
    const { case: one, question, text, category, expects } = line;
    return [{ case: one, question, text, category, expects, a: left, b: right }];
  });
  return { pairs, leftOut: all.size - pairs.length };
}

function differenceOf(pairs: readonly ComparedQuestion[], seed: number): Difference {
  const [left, right] = [pairs.map(({ a }) => a), pairs.map(({ b }) => b)];
  const difference = differenceEstimate(left, right, seed);
  const gains = pairs.filter(({ a, b }) => b > a).length;
  const losses = pairs.filter(({ a, b }) => b < a).length;
  return {
    a: estimate(left, seed),
    b: estimate(right, seed),
    difference,
    isTold: difference.low > 0 || difference.high < 0,
    gains,
    losses,
    same: pairs.length - gains - losses,
  };
}

function refuseOtherData({ summary: a }: Run, { summary: b }: Run): void {
  if (a.dataset.hash === b.dataset.hash) return;
  const name = ({ run, dataset }: Run["summary"]): string =>
    `${run} is of ${dataset.name} (${dataset.kind}, ${shortHash(dataset.hash)})`;
  throw new MemoryError(
    "input_invalid",
    `The two runs are of different data sets and cannot be compared: ${name(a)}, ${name(b)}. Valid: two runs of the same files.`,
  );
}

function measuredIn({ questions }: Run): string[] {
  const names = questions.flatMap(({ measures }) =>
    Object.entries(measures).flatMap(([name, value]) => (value === null ? [] : [name])),
  );
  return [...new Set(names)];
}
