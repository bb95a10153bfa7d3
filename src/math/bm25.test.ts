import fc from "fast-check";
import { expect, test } from "vitest";
import { inverseDocumentFrequency, lengthNorm, wordShare, wordWeight } from "./bm25.ts";

/** The formula as it stands in Robertson & Zaragoza (2009), with the never-negative idf. */
function textbook(
  texts: number,
  df: number,
  tf: number,
  length: number,
  average: number,
  k1: number,
  b: number,
) {
  const idf = Math.log(1 + (texts - df + 0.5) / (df + 0.5));
  return (idf * (tf * (k1 + 1))) / (tf + k1 * (1 - b + (b * length) / average));
}

test("weight, norm and share together are the textbook formula", () => {
  const count = fc.integer({ min: 1, max: 100_000 });
  const params = fc.record({
    k1: fc.double({ min: 0, max: 3, noNaN: true }),
    b: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(count, count, count, count, count, params, (a, c, tf, length, average, { k1, b }) => {
      const [df, texts] = [Math.min(a, c), Math.max(a, c)];
      const norm = lengthNorm(average, { k1, b });
      const weight = wordWeight(inverseDocumentFrequency(texts, df), 1, { k1, b });
      const share = wordShare(weight, tf, norm.constant + norm.perWord * length);
      const expected = textbook(texts, df, tf, length, average, k1, b);
      expect(Math.abs(share - expected)).toBeLessThanOrEqual(1e-12 * Math.max(1, expected));
    }),
  );
});

test("known values: a word in 2 of 10 texts, twice in a text of average length", () => {
  expect(inverseDocumentFrequency(10, 2)).toBeCloseTo(Math.log(4.4), 12);
  const { constant, perWord } = lengthNorm(25, { k1: 1.2, b: 0.75 });
  expect(constant + perWord * 25).toBeCloseTo(1.2, 12);
  expect(wordShare(wordWeight(1, 1, { k1: 1.2, b: 0.75 }), 2, 1.2)).toBeCloseTo(4.4 / 3.2, 12);
});

test("a word that is everywhere still counts a little, a word asked twice counts twice", () => {
  expect(inverseDocumentFrequency(1000, 1000)).toBeGreaterThan(0);
  expect(wordWeight(0.7, 2, { k1: 1.2, b: 0.75 })).toBe(2 * wordWeight(0.7, 1, { k1: 1.2, b: 0.75 }));
});

test("texts without a single word have no average length to be measured by", () => {
  expect(lengthNorm(0, { k1: 1.2, b: 0.75 })).toEqual({ constant: 1.2 * 0.25, perWord: 0 });
});
