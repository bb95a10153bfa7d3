/**
 * Is there a gain, or was the best of many settings only lucky? For every fold the best setting is chosen on the other folds
 * and scored on the fold left out, whose questions had no part in choosing it. What is reported is that score against the
 * preset as it is, question by question. A setting is also chosen on everything, to be used; how well it does on the data it
 * was chosen on is not reported, for the best of forty settings looks better than it is.
 *
 * Each fold has a search of its own: one search over everything would carry what the fold left out knows into the settings
 * that the others choose from. Searches share their first settings, and nothing is scored twice.
 */
import { differenceEstimate, estimate } from "../measures/bootstrap.ts";
import type { Estimate } from "../result.ts";
import { checkFolds, foldsOf } from "./folds.ts";
import { firstSettings, type Space, search } from "./search.ts";
import { type Setting, settingKey } from "./setting.ts";

/** Question → value; questions that cannot be measured are not in it. */
export type CaseScores = ReadonlyMap<string, number>;

export interface Validation extends Space {
  /** Ids. */
  readonly cases: readonly string[];
  readonly folds: number;
  /** Null: the setting does not fit the preset. */
  score(setting: Setting, ofCase: string): Promise<CaseScores | null>;
  /** Told how many scores are there, of how many at most. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface FoldResult {
  /** The cases left out. */
  readonly cases: readonly string[];
  readonly questions: number;
  /** Chosen on the other folds. */
  readonly chosen: Setting;
  /** On the cases left out: the preset as it is, and what the chosen setting adds. */
  readonly before: number;
  readonly gain: number;
}

export type Verdict = "gain" | "loss" | "chance";

export interface Validated {
  /** The preset as it is, over all questions: nothing was chosen for it. */
  readonly before: Estimate;
  /** On the folds left out, over all questions, paired by question. */
  readonly gain: Estimate;
  /** "chance": the interval of the gain holds 0. */
  readonly verdict: Verdict;
  readonly folds: readonly FoldResult[];
  /** Chosen on everything: what to use. */
  readonly chosen: Setting;
  /** Settings that were scored, and those that did not fit the preset. */
  readonly settings: number;
  readonly unfit: number;
}

export async function crossValidate(given: Validation): Promise<Validated> {
  const { cases, seed } = given;
  const count = Math.min(given.folds, cases.length);
  checkFolds(cases.length, given.folds);
  const bench = benchOf(given, count);
  const base = await bench.scoreStart();
  const measured = cases
    .map((id) => ({ id, questions: base.get(id)?.size ?? 0 }))
    .filter(({ questions }) => questions > 0);
  // Told before all other settings are scored in vain.
  checkFolds(measured.length, given.folds);
  await bench.scoreOthers();
  const everything = measured.map(({ id }) => id);
  const folds: FoldResult[] = [];
  const pairs: Pairs[] = [];
  for (const left of foldsOf(measured, given.folds, seed)) {
    const chosen = await bench.choose(everything.filter((id) => !left.includes(id)));
    const found = await bench.compare(chosen, left);
    const before = meanOf(found.before);
    folds.push({
      cases: left,
      questions: found.before.length,
      chosen,
      before,
      gain: meanOf(found.after) - before,
    });
    pairs.push(found);
  }
  const chosen = await bench.choose(everything);
  const before = pairs.flatMap((one) => one.before);
  const after = pairs.flatMap((one) => one.after);
  const gain = differenceEstimate(before, after, seed);
  return { before: estimate(before, seed), gain, verdict: verdictOf(gain), folds, chosen, ...bench.counts() };
}

interface Pairs {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** What is asked of scores: the first settings on all cases, the best setting on some cases, one setting on others. */
function benchOf(given: Validation, folds: number) {
  const { cases, tries, onProgress } = given;
  const first = firstSettings(given);
  const refining = tries - first.length;
  // Every case is in all searches but the one that leaves it out, and in the one over everything.
  const total = cases.length * (first.length + refining * folds);
  const fits = new Map<string, boolean>();
  const base = new Map<string, CaseScores>();
  let done = 0;
  const advance = (count: number): void => {
    done += count;
    if (count > 0) onProgress?.(done, total);
  };
  const score = async (setting: Setting, ofCase: string): Promise<CaseScores | null> => {
    const scores = await given.score(setting, ofCase);
    fits.set(settingKey(setting), scores !== null);
    return scores;
  };
  const compare = async (setting: Setting, on: readonly string[]): Promise<Pairs> => {
    const pairs: Pairs[] = [];
    for (const ofCase of on) pairs.push(paired(base.get(ofCase), await score(setting, ofCase)));
    return { before: pairs.flatMap((one) => one.before), after: pairs.flatMap((one) => one.after) };
  };
  return {
    compare,

    /** The preset as it is, which is the first of the first settings. */
    async scoreStart(): Promise<ReadonlyMap<string, CaseScores>> {
      onProgress?.(0, total);
      for (const ofCase of cases) {
        base.set(ofCase, (await score(given.start, ofCase)) ?? new Map());
        advance(1);
      }
      return base;
    },

    async scoreOthers(): Promise<void> {
      for (const setting of first.slice(1)) {
        for (const ofCase of cases) {
          await score(setting, ofCase);
          advance(1);
        }
      }
    },

    /** The best on these cases, by the mean over their questions. */
    async choose(on: readonly string[]): Promise<Setting> {
      let steps = 0;
      const { setting } = await search(given, async (tried) => {
        const { after } = await compare(tried, on);
        steps++;
        if (steps > first.length) advance(on.length);
        return fits.get(settingKey(tried)) === true ? meanOf(after) : null;
      });
      // A search that ended early is as good as done.
      advance((tries - Math.max(steps, first.length)) * on.length);
      return setting;
    },

    /** Settings that were scored, and those that did not fit the preset. */
    counts: () => ({ settings: fits.size, unfit: [...fits.values()].filter((one) => !one).length }),
  };
}

/** An interval that only touches 0 holds it. */
export function verdictOf({ low, high }: Estimate): Verdict {
  if (low > 0) return "gain";
  return high < 0 ? "loss" : "chance";
}

/** By the questions that the preset as it is was measured on; one that another setting could not answer counts 0. */
function paired(base: CaseScores | undefined, scores: CaseScores | null): Pairs {
  const questions = [...(base ?? [])];
  return {
    before: questions.map(([, value]) => value),
    after: questions.map(([question]) => scores?.get(question) ?? 0),
  };
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
