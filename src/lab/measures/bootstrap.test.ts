import { expect, test } from "vitest";
import { MemoryError } from "../../base/errors.ts";
import { type Random, seededRandom } from "../../base/random.ts";
import { differenceEstimate, estimate, estimateAll } from "./bootstrap.ts";

/** As many ones as chance has it. */
function tosses(count: number, chance: number, random: Random): number[] {
  return Array.from({ length: count }, () => Number(random.next() < chance));
}

test("of as many ones as zeros the interval is about two standard errors to each side", () => {
  const values = Array.from({ length: 400 }, (_, place) => place % 2);
  const { mean, low, high, count } = estimate(values, 7);
  expect([mean, count]).toEqual([0.5, 400]);
  // 1.96 · √(0.25 / 400) = 0.049
  expect(0.5 - low).toBeCloseTo(0.049, 2);
  expect(high - 0.5).toBeCloseTo(0.049, 2);
});

test("the interval holds the truth in about 95 of 100 experiments", () => {
  const random = seededRandom(11);
  const EXPERIMENTS = 600;
  let held = 0;
  for (let seed = 0; seed < EXPERIMENTS; seed++) {
    const { low, high } = estimate(tosses(120, 0.3, random), seed, 400);
    if (low <= 0.3 && 0.3 <= high) held++;
  }
  // One standard error to each side would hold it in 68, three in 99.7.
  expect(held / EXPERIMENTS).toBeGreaterThan(0.91);
  expect(held / EXPERIMENTS).toBeLessThan(0.98);
});

test("skewed values have a skewed interval: it reaches further to where the few great ones are", () => {
  const values = Array.from({ length: 12 }, (_, place) => 2 ** place);
  const { mean, low, high } = estimate(values, 3);
  expect(low).toBeGreaterThan(0);
  expect(high - mean).toBeGreaterThan(1.2 * (mean - low));
});

test("the same seed gives the same interval, another one another", () => {
  const random = seededRandom(2);
  const values = Array.from({ length: 200 }, () => random.next());
  expect(estimate(values, 7)).toEqual(estimate(values, 7));
  const other = estimate(values, 8);
  expect(other.mean).toBe(estimate(values, 7).mean);
  expect(other.low).not.toBe(estimate(values, 7).low);
  expect(estimate(values, 7, 100).low).not.toBe(estimate(values, 7).low);
});

test("one value, or equal values, leave nothing open", () => {
  expect(estimate([0.25], 1)).toEqual({ mean: 0.25, low: 0.25, high: 0.25, count: 1 });
  expect(estimate([1, 1, 1], 1)).toEqual({ mean: 1, low: 1, high: 1, count: 3 });
});

test("there is no mean of nothing", () => {
  expect(() => estimate([], 1)).toThrow(MemoryError);
  expect(() => estimate([1], 1, 0)).toThrow(/one value and one draw/);
});

test("many lists at once are as each by itself, in their order, the empty ones left out", () => {
  const lists = new Map([
    ["recall@10", [1, 0, 0.5, 1]],
    ["newest@10", []],
    ["contains@10", [0, 1]],
    ["all@10", [1, 0, 0, 1]],
  ]);
  const all = estimateAll(lists, 5, 300);
  expect(Object.keys(all)).toEqual(["recall@10", "contains@10", "all@10"]);
  for (const [name, one] of Object.entries(all)) expect(one).toEqual(estimate(lists.get(name) ?? [], 5, 300));
});

test("two runs are compared question by question: what is hard for both does not widen the interval", () => {
  const random = seededRandom(4);
  const a = Array.from({ length: 100 }, () => Math.round(random.next() * 8) / 16);
  const b = a.map((value) => value + 0.25);
  expect(differenceEstimate(a, b, 1)).toEqual({ mean: 0.25, low: 0.25, high: 0.25, count: 100 });
  expect(differenceEstimate(b, a, 1).mean).toBe(-0.25);
});

test("runs that differ by chance alone are told apart in about 5 of 100 experiments", () => {
  const random = seededRandom(21);
  let told = 0;
  for (let seed = 0; seed < 400; seed++) {
    const { low, high } = differenceEstimate(tosses(100, 0.6, random), tosses(100, 0.6, random), seed, 400);
    if (low > 0 || high < 0) told++;
  }
  expect(told / 400).toBeGreaterThan(0.02);
  expect(told / 400).toBeLessThan(0.09);
});

test("runs of different questions are refused", () => {
  expect(() => differenceEstimate([1, 0], [1], 1)).toThrow(/one has 2 values and the other 1/);
});
