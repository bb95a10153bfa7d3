/** Folds, the search and cross-validation by themselves: scores are functions of a setting, no memory anywhere. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../base/random.ts";
import { differenceEstimate } from "../measures/bootstrap.ts";
import { type CaseScores, crossValidate, type Verdict, verdictOf } from "./cross-validate.ts";
import { type Dimension, positionOf, type RangeDimension, valueAt } from "./dimension.ts";
import { foldsOf } from "./folds.ts";
import { firstSettings, type Space, search } from "./search.ts";
import type { Setting } from "./setting.ts";

const range = (
  path: string,
  low: number,
  high: number,
  more: Partial<RangeDimension> = {},
): RangeDimension => ({
  ...{ kind: "range", path, low, high, isLog: false, isWhole: false },
  ...more,
});
const TWO: readonly Dimension[] = [range("a", 0, 1), range("b", 0.001, 10, { isLog: true })];
const spaceOf = (dimensions: readonly Dimension[], start: Setting, tries = 40, seed = 7): Space => ({
  ...{ dimensions, start, tries, seed },
});

describe("positions and values", () => {
  test("a range is walked evenly, by factors, or in whole numbers, and ends where it is said to end", () => {
    expect([0, 0.5, 1].map((at) => valueAt(range("a", 0, 2), at))).toEqual([0, 1, 2]);
    expect([0, 0.5, 1].map((at) => valueAt(range("a", 0.01, 100, { isLog: true }), at))).toEqual([
      0.01, 1, 100,
    ]);
    expect([0, 0.3, 1].map((at) => valueAt(range("a", 1, 5, { isWhole: true }), at))).toEqual([1, 2, 5]);
    expect(valueAt(range("a", 0, 1), 1 / 3)).toBe(0.333);
    expect(valueAt(range("a", 1000, 1001), 1 / 3)).toBe(1000.333);
    expect(
      [0, 0.4, 0.99, 1].map((at) => valueAt({ kind: "choice", path: "a", values: ["甲", "乙"] }, at)),
    ).toEqual([...["甲", "甲", "乙", "乙"]]);
  });

  test("a value's position leads back to it; what is outside stands at the end, what is no number in the middle", () => {
    const positions = fc.double({ min: 0, max: 1, noNaN: true });
    const ranges = fc.constantFrom(range("a", -3, 5), range("a", 0.01, 100, { isLog: true }));
    fc.assert(
      fc.property(positions, ranges, (at, one) => {
        const value = valueAt(one, at);
        expect(valueAt(one, positionOf(one, value))).toBe(value);
      }),
    );
    expect(positionOf(range("a", 0, 1), 7)).toBe(1);
    expect(positionOf(range("a", 0, 1), null)).toBe(0.5);
  });
});

describe("folds", () => {
  test("never split a case, hold every case once, and none is empty", () => {
    const cases = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(cases, fc.integer({ min: 2, max: 8 }), fc.integer(), (sizes, count, seed) => {
        const given = sizes.map((questions, place) => ({ id: `案${place}`, questions }));
        const folds = foldsOf(given, count, seed);
        expect(folds).toHaveLength(Math.min(count, sizes.length));
        expect(folds.flat().sort()).toEqual(given.map(({ id }) => id).sort());
        expect(Math.min(...folds.map(({ length }) => length))).toBeGreaterThan(0);
      }),
    );
  });

  test("are filled evenly by questions, and otherwise by the seed", () => {
    const uneven = [90, 10, 20, 30, 50].map((questions, place) => ({ id: `c${place}`, questions }));
    const totals = foldsOf(uneven, 2, 1).map((ids) =>
      uneven.filter(({ id }) => ids.includes(id)).reduce((sum, one) => sum + one.questions, 0),
    );
    expect(totals.toSorted()).toEqual([100, 100]);
    const alike = Array.from({ length: 12 }, (_, place) => ({ id: `c${place}`, questions: 1 }));
    expect(foldsOf(alike, 3, 5)).toEqual(foldsOf(alike, 3, 5));
    expect(foldsOf(alike, 3, 5)).not.toEqual(foldsOf(alike, 3, 6));
    expect(foldsOf(alike, 3, 5).map(({ length }) => length)).toEqual([4, 4, 4]);
  });

  test("one case, no case or one fold is refused with what would be valid", () => {
    expect(() => foldsOf([{ id: "a", questions: 9 }], 5, 1)).toThrow("There is one case");
    expect(() => foldsOf([], 5, 1)).toThrow("Valid: a data set of two such cases or more");
    const two = [1, 2].map((place) => ({ id: `c${place}`, questions: 1 }));
    expect(() => foldsOf(two, 1, 1)).toThrow("Valid: a whole number from 2 on.");
    expect(() => foldsOf(two, 2.5, 1)).toThrow("Folds: 2.5.");
  });
});

describe("the search", () => {
  const hill = ({ a, b }: Setting): number => -((Number(a) - 0.83) ** 2) - (Math.log10(Number(b)) + 1.5) ** 2;

  test("comes near to the top of a hill, nearer than its first settings alone", async () => {
    const space = spaceOf(TWO, { a: 0, b: 10 });
    const { setting, score } = await search(space, async (one) => hill(one));
    expect(Number(setting.a)).toBeCloseTo(0.83, 1);
    expect(Math.log10(Number(setting.b))).toBeCloseTo(-1.5, 0);
    expect(score).toBeGreaterThan(Math.max(...firstSettings(space).map(hill)));
  });

  test("begins with the preset's own values, tries nothing twice and no more than it may", async () => {
    const seen: string[] = [];
    await search(spaceOf(TWO, { a: 0.4, b: 0.2 }, 25), async (setting) => {
      seen.push(JSON.stringify(setting));
      return hill(setting);
    });
    expect(seen[0]).toBe('{"a":0.4,"b":0.2}');
    expect(seen).toHaveLength(25);
    expect(new Set(seen).size).toBe(25);
  });

  test("the same seed tries the same settings, another seed others", async () => {
    const tried = async (seed: number): Promise<Setting[]> => {
      const seen: Setting[] = [];
      await search(spaceOf(TWO, { a: 0.5, b: 1 }, 20, seed), async (setting) => {
        seen.push(setting);
        return hill(setting);
      });
      return seen;
    };
    expect(await tried(3)).toEqual(await tried(3));
    expect(await tried(3)).not.toEqual(await tried(4));
  });

  test("its first settings are spread: every part of every range is drawn from", () => {
    const first = firstSettings(spaceOf(TWO, { a: 0.5, b: 1 }, 40)).slice(1);
    expect(first).toHaveLength(23);
    const tenths = new Set(first.map(({ a }) => Math.min(9, Math.floor(10 * Number(a)))));
    expect(tenths.size).toBe(10);
  });

  test("a few values are all tried, and the preset's own stays where nothing is better", async () => {
    const dimensions: Dimension[] = [
      { kind: "choice", path: "way", values: ["rrf", "加权"] },
      range("k", 1, 3, { isWhole: true }),
    ];
    const space = spaceOf(dimensions, { way: "rrf", k: 2 }, 10);
    expect(firstSettings(space)).toHaveLength(6);
    expect((await search(space, async () => 0.5)).setting).toEqual({ way: "rrf", k: 2 });
    const best = await search(space, async ({ way, k }) => (way === "加权" ? Number(k) : 0));
    expect(best).toEqual({ setting: { way: "加权", k: 3 }, score: 3 });
  });

  test("a setting that does not fit is passed over", async () => {
    const { setting } = await search(spaceOf([range("a", 0, 1)], { a: 0.2 }), async ({ a }) =>
      Number(a) > 0.5 ? null : Number(a),
    );
    expect(Number(setting.a)).toBeGreaterThan(0.4);
    expect(Number(setting.a)).toBeLessThanOrEqual(0.5);
  });
});

describe("cross-validation", () => {
  const WORLDS = 40;
  const ids = Array.from({ length: 6 }, (_, place) => `conv-${place}`);
  const questionsOf = (read: (question: number) => number): CaseScores =>
    new Map(Array.from({ length: 30 }, (_, question) => [`问${question}`, read(question)]));
  const given = (score: (setting: Setting, ofCase: string) => CaseScores | null) => ({
    ...spaceOf([range("a", 0, 1)], { a: 0.1 }, 24),
    cases: ids,
    folds: 3,
    score: async (setting: Setting, ofCase: string) => score(setting, ofCase),
  });
  /** The same number for the same words. */
  const chance = (...words: readonly unknown[]): number => {
    let hash = 17;
    for (const letter of JSON.stringify(words)) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
    return seededRandom(hash).next();
  };

  test("an option that matters everywhere is a gain, of the right size, chosen alike by every fold", async () => {
    const found = await crossValidate(
      given(({ a }, ofCase) =>
        questionsOf((question) => 0.3 + 0.4 * Number(a) + 0.1 * (chance(ofCase, question) - 0.5)),
      ),
    );
    expect(found.verdict).toBe("gain");
    expect(found.chosen).toEqual({ a: 1 });
    expect(found.folds.map(({ chosen }) => chosen.a)).toEqual([1, 1, 1]);
    expect(found.gain).toMatchObject({ count: 180, mean: expect.closeTo(0.36, 5) });
    expect(found.before.mean).toBeCloseTo(0.34, 1);
  });

  test("among worlds of pure noise a gain is told as seldom as an interval of 95 % may; fitted scores would tell it often", async () => {
    const [verdicts, fitted]: [Verdict[], Verdict[]] = [[], []];
    for (let world = 0; world < WORLDS; world++) {
      const noisy = ({ a }: Setting, ofCase: string): CaseScores =>
        questionsOf((question) => Number(chance(world, a, ofCase, question) < 0.5));
      const found = await crossValidate({ ...given(noisy), seed: world });
      const all = (setting: Setting): number[] => ids.flatMap((id) => [...noisy(setting, id).values()]);
      verdicts.push(found.verdict);
      fitted.push(verdictOf(differenceEstimate(all({ a: 0.1 }), all(found.chosen), world)));
    }
    const gains = (list: readonly Verdict[]): number => list.filter((verdict) => verdict === "gain").length;
    // 2.5 in 100 are expected above 0; more than one in eight would come once in ten thousand times.
    expect(gains(verdicts)).toBeLessThanOrEqual(WORLDS / 8);
    expect(gains(fitted)).toBeGreaterThan(WORLDS / 8);
  });

  test("what helps one fold's own cases and no other is not reported", async () => {
    const found = await crossValidate(
      given(({ a }, ofCase) =>
        questionsOf((question) =>
          Number(ofCase === "conv-2" && Number(a) > 0.7 ? 1 : chance(ofCase, question) < 0.5),
        ),
      ),
    );
    // The folds that train on it choose it and gain nothing; the fold that holds it has no reason to.
    expect(found.folds.find(({ cases }) => cases.includes("conv-2"))?.chosen).toEqual({ a: 0.1 });
    expect(found.folds.filter(({ chosen }) => Number(chosen.a) > 0.7)).toHaveLength(2);
    expect(found.gain).toMatchObject({ mean: 0, low: 0, high: 0 });
    expect(found.verdict).toBe("chance");
    expect(Number(found.chosen.a)).toBeGreaterThan(0.7);
  });

  test("a fold never learns from the cases it leaves out", async () => {
    // Whatever the case left out says, what is chosen without it is the same; with it, it is not.
    const scores = (isUp: boolean) => (setting: Setting, ofCase: string) =>
      questionsOf((question) => {
        if (ofCase !== "conv-1") return chance(setting.a, ofCase, question);
        return isUp ? 9 * Number(setting.a) : 9 - 9 * Number(setting.a);
      });
    const [one, other] = [
      await crossValidate(given(scores(true))),
      await crossValidate(given(scores(false))),
    ];
    const chosenWithout = ({ folds }: typeof one) =>
      folds.find(({ cases }) => cases.includes("conv-1"))?.chosen;
    expect(chosenWithout(one)).toEqual(chosenWithout(other));
    expect(one.folds.map(({ chosen }) => chosen)).not.toEqual(other.folds.map(({ chosen }) => chosen));
  });

  test("cases without a measured question are in no fold; two must be left", async () => {
    const some = await crossValidate(
      given(({ a }, ofCase) => (ofCase < "conv-3" ? questionsOf(() => Number(a)) : new Map())),
    );
    expect(some.folds.flatMap(({ cases }) => cases).sort()).toEqual(["conv-0", "conv-1", "conv-2"]);
    const one = given((_, ofCase) => (ofCase === "conv-0" ? questionsOf(() => 1) : new Map()));
    await expect(crossValidate(one)).rejects.toThrow("There is one case");
    await expect(crossValidate({ ...one, folds: 1 })).rejects.toThrow("Folds: 1.");
  });

  test("a question that a setting cannot answer counts 0, and a setting that does not fit is counted", async () => {
    const found = await crossValidate(
      given(({ a }) => {
        if (Number(a) > 0.6) return null;
        return Number(a) > 0.3 ? new Map([["问0", 1]]) : questionsOf(() => 0.2);
      }),
    );
    expect(found.chosen).toEqual({ a: 0.1 });
    expect(found.unfit).toBeGreaterThan(0);
    expect(found.settings).toBeGreaterThan(found.unfit);
  });

  test("progress rises to its end, and the same seed gives the same in every way", async () => {
    const told: [number, number][] = [];
    const noisy = given(({ a }, ofCase) => questionsOf((question) => chance(a, ofCase, question)));
    const first = await crossValidate({ ...noisy, onProgress: (done, total) => told.push([done, total]) });
    expect(told.at(-1)?.[0]).toBe(told.at(-1)?.[1]);
    expect(told.map(([done]) => done)).toEqual(told.map(([done]) => done).toSorted((a, b) => a - b));
    expect(await crossValidate(noisy)).toEqual(first);
    expect(await crossValidate({ ...noisy, seed: 8 })).not.toEqual(first);
  });

  test("an interval that touches 0 holds it", () => {
    const interval = (low: number, high: number) => verdictOf({ mean: 0, low, high, count: 9 });
    expect([interval(0, 0.2), interval(-0.1, 0), interval(0.01, 0.2), interval(-0.2, -0.01)]).toEqual([
      ...["chance", "chance", "gain", "loss"],
    ]);
  });
});
