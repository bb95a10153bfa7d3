import fc from "fast-check";
import { expect, test } from "vitest";
import { gaussian, seededRandom } from "../../base/random.ts";
import { abstention } from "./abstention.ts";

function lines(known: readonly (number | null)[], unknown: readonly (number | null)[]) {
  return [
    ...known.map((confidence) => ({ expects: "answer" as const, confidence })),
    ...unknown.map((confidence) => ({ expects: "abstain" as const, confidence })),
  ];
}

const areaOf = (known: readonly (number | null)[], unknown: readonly (number | null)[]) =>
  abstention(lines(known, unknown), 1, 10)?.mean;

test("share of the pairs that are told right, ties half, and nothing found is the least sure", () => {
  // 0.9 beats both; 0.5 ties with one and beats the other; nothing beats none: 3.5 of 6.
  expect(areaOf([0.9, 0.5, null], [0.5, 0.1])).toBeCloseTo(3.5 / 6, 12);
  expect(areaOf([2, 3], [-1, null])).toBe(1);
  expect(areaOf([null, null], [null])).toBe(0.5);
  expect(areaOf([0.1], [0.2, 0.3])).toBe(0);
});

test("null where there is nothing to be told apart", () => {
  expect(abstention(lines([1, 2], []), 1)).toBeNull();
  expect(abstention(lines([], [1]), 1)).toBeNull();
  expect(abstention([], 1)).toBeNull();
});

test("a question that failed is not one that was doubted", () => {
  const failed = { expects: "answer" as const, confidence: null, error: "The file is locked." };
  const one = abstention([...lines([2], [1]), failed], 1);
  expect(one).toMatchObject({ mean: 1, count: 2 });
});

test("law: what counting every pair gives", () => {
  const confidences = fc.array(fc.constantFrom(null, 0, 0.25, 0.5, 1), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(confidences, confidences, (known, unknown) => {
      const pairs = known.flatMap((a) => unknown.map((b) => (Math.sign((a ?? -1) - (b ?? -1)) + 1) / 2));
      const area = pairs.reduce((sum, pair) => sum + pair, 0) / pairs.length;
      expect(areaOf(known, unknown)).toBeCloseTo(area, 12);
    }),
  );
});

test("the interval holds the truth in about 95 of 100 experiments, and follows the seed", () => {
  const random = seededRandom(3);
  const normal = (count: number, mean: number) =>
    Array.from({ length: count }, () => mean + gaussian(random));
  // Of two normal distributions one apart: Φ(1 / √2).
  const TRUTH = 0.76025;
  let held = 0;
  for (let seed = 0; seed < 200; seed++) {
    const one = abstention(lines(normal(80, 1), normal(40, 0)), seed, 300);
    if (one !== null && one.low <= TRUTH && TRUTH <= one.high) held++;
  }
  expect(held / 200).toBeGreaterThan(0.89);
  expect(held / 200).toBeLessThan(0.99);
  const same = lines(normal(30, 1), normal(30, 0));
  expect(abstention(same, 1)).toEqual(abstention(same, 1));
  expect(abstention(same, 1)?.low).not.toBe(abstention(same, 2)?.low);
});
