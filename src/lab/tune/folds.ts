/**
 * Which cases are left out together? A case is never split: the turns of one conversation are in every question of it, so a
 * setting that was chosen on half of a conversation has seen the other half. Folds are filled evenly by their questions,
 * largest case first; cases of one size fall by the seed.
 */
import { MemoryError } from "../../base/errors.ts";
import { seededRandom } from "../../base/random.ts";
import { shuffled } from "../shuffled.ts";

export interface FoldCase {
  readonly id: string;
  /** Questions that can be measured. */
  readonly questions: number;
}

/** As many folds as asked for, or as there are cases; each with the ids of its cases, in the order given. */
export function foldsOf(cases: readonly FoldCase[], folds: number, seed: number): string[][] {
  checkFolds(cases.length, folds);
  const bins = Array.from({ length: Math.min(folds, cases.length) }, () => ({
    questions: 0,
    ids: new Set<string>(),
  }));
  const order = shuffled(cases, seededRandom(seed)).toSorted((a, b) => b.questions - a.questions);
  for (const { id, questions } of order) {
    // Fewest questions first, then fewest cases: no fold stays empty.
    const bin = bins.reduce((least, one) =>
      one.questions < least.questions || (one.questions === least.questions && one.ids.size < least.ids.size)
        ? one
        : least,
    );
    bin.questions += questions;
    bin.ids.add(id);
  }
  return bins.map(({ ids }) => cases.map(({ id }) => id).filter((id) => ids.has(id)));
}

/** What is chosen must be scored on something it was not chosen on. */
export function checkFolds(cases: number, folds: number): void {
  if (!Number.isSafeInteger(folds) || folds < 2)
    throw new MemoryError(
      "option_invalid",
      `Folds: ${folds}. A gain is measured on cases that the setting was not chosen on. Valid: a whole number from 2 on.`,
    );
  if (cases < 2)
    throw new MemoryError(
      "input_invalid",
      `There ${cases === 1 ? "is one case" : "are no cases"} with questions that can be measured. A gain is measured on cases that the setting was not chosen on. Valid: a data set of two such cases or more, or another measure.`,
    );
}
