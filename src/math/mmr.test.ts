import fc from "fast-check";
import { expect, test } from "vitest";
import { maximalMarginalRelevance } from "./mmr.ts";

test("a near copy of the best gives way to something new", () => {
  const place = [0, 0.02, 1];
  const picks = maximalMarginalRelevance({
    relevance: [0.9, 0.89, 0.6],
    similarity: (a, b) => 1 - Math.abs((place[a] ?? 0) - (place[b] ?? 0)),
    lambda: 0.5,
    k: 3,
  });
  expect(picks.map(({ item }) => item)).toEqual([0, 2, 1]);
  expect(picks[0]).toEqual({ item: 0, score: 0.45, redundancy: 0 });
  expect(picks[2]?.redundancy).toBeCloseTo(0.98, 12);
});

test("λ = 1 is the order of relevance, ties by the smaller number; k cuts; every item at most once", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5 })), fc.nat(12), (relevance, k) => {
      const picks = maximalMarginalRelevance({ relevance, similarity: () => 1, lambda: 1, k });
      const expected = [...relevance.entries()].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, k);
      expect(picks.map(({ item }) => item)).toEqual(expected.map(([item]) => item));
    }),
  );
});

test("every pick is the best of its round, by the definition", () => {
  const unit = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(unit, unit), { maxLength: 8 }), unit, (items, lambda) => {
      const at = (item: number) => items[item]?.[1] ?? 0;
      const similarity = (a: number, b: number) => 1 - Math.abs(at(a) - at(b));
      const relevance = items.map(([value]) => value);
      const picks = maximalMarginalRelevance({ relevance, similarity, lambda, k: items.length });
      const picked: number[] = [];
      for (const { item, score } of picks) {
        const worth = (other: number) =>
          lambda * (relevance[other] ?? 0) -
          (1 - lambda) *
            Math.max(...(picked.length === 0 ? [0] : picked.map((one) => similarity(one, other))));
        expect(score).toBeCloseTo(worth(item), 12);
        for (const other of items.keys()) {
          if (!picked.includes(other)) expect(worth(other)).toBeLessThanOrEqual(score + 1e-12);
        }
        picked.push(item);
      }
      expect([...picked].sort((a, b) => a - b)).toEqual([...items.keys()]);
    }),
  );
});
