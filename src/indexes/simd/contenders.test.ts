import fc from "fast-check";
import { expect, test } from "vitest";
import { Contenders } from "./contenders.ts";

test("whatever the true scores are within their errors, the k best are among the contenders", () => {
  const offers = fc.array(
    fc.record({
      truth: fc.integer({ min: -20, max: 20 }),
      error: fc.integer({ min: 0, max: 4 }),
      slip: fc.double({ min: -1, max: 1, noNaN: true }),
    }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(offers, fc.integer({ min: 1, max: 12 }), (given, k) => {
      const contenders = new Contenders(k, { excluded: new Set() });
      for (const [item, { truth, error, slip }] of given.entries()) {
        contenders.offer(item, truth + slip * error, error);
      }
      const left = contenders.ranked();
      const kth = given.map(({ truth }) => truth).sort((a, b) => b - a)[k - 1] ?? Number.NEGATIVE_INFINITY;
      const kept = new Set(left.map(({ item }) => item));
      for (const [item, { truth }] of given.entries()) if (truth >= kth) expect(kept.has(item)).toBe(true);
      for (const { item, score, error } of left) {
        expect(score + error).toBeGreaterThanOrEqual(given[item]?.truth ?? 0);
        expect(error).toBe(given[item]?.error);
      }
      expect(left.map(({ score }) => score)).toEqual(left.map(({ score }) => score).sort((a, b) => b - a));
    }),
  );
});

test("of a long, ever better stream only those in reach are held, and the excluded never", () => {
  const contenders = new Contenders(5, { excluded: new Set([9_999]) });
  for (let item = 0; item < 10_000; item++) contenders.offer(item, item, 2);
  expect(contenders.ranked().map(({ item }) => item)).toEqual([
    9998, 9997, 9996, 9995, 9994, 9993, 9992, 9991, 9990,
  ]);
});

test("whoever trusts the scores gets the k best, with all that tie for the last place", () => {
  const contenders = new Contenders(3, { excluded: new Set(), trusting: true });
  for (const [item, score] of [5, 9, 7, 7, 1, 7, 8].entries()) contenders.offer(item, score, 100);
  expect(contenders.ranked().map(({ item, score }) => [item, score])).toEqual([
    [1, 9],
    [6, 8],
    [2, 7],
    [3, 7],
    [5, 7],
  ]);
});
