import fc from "fast-check";
import { expect, test } from "vitest";
import { createTopK } from "./top-k.ts";

test("top-k equals a full sort, ties by the smaller item", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), fc.integer({ min: 0, max: 20 }), (scores, k) => {
      const heap = createTopK(k, (a, b) => a < b);
      for (const [item, score] of scores.entries()) heap.push(item, score);
      const expected = [...scores.entries()].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, k);
      const { items, scores: best } = heap.drain();
      expect([...items]).toEqual(expected.map(([item]) => item));
      expect([...best]).toEqual(expected.map(([, score]) => score));
    }),
  );
});

test("the threshold is −∞ until the heap is full, then the k-th best", () => {
  const heap = createTopK(2, (a, b) => a < b);
  heap.push(0, 5);
  expect(heap.threshold()).toBe(Number.NEGATIVE_INFINITY);
  heap.push(1, 3);
  heap.push(2, 4);
  expect(heap.threshold()).toBe(4);
  expect([...heap.drain().items]).toEqual([0, 2]);
});
