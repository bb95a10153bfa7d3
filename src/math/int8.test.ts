import fc from "fast-check";
import { expect, test } from "vitest";
import { gaussian, seededRandom } from "../base/random.ts";
import { dot, normalise } from "./cosine.ts";
import { dotError, errorBesidesResidual, quantiseInt8, quantiseQuery } from "./int8.ts";

/** Vectors of every temper: even, sparse, with a giant component, or all the same. */
const vectors = fc
  .record({
    dimension: fc.integer({ min: 1, max: 300 }),
    seed: fc.nat(100_000),
    temper: fc.constantFrom("even", "sparse", "giant", "same"),
  })
  .map(({ dimension, seed, temper }) => {
    const random = seededRandom(seed);
    const values = Float64Array.from({ length: dimension }, () => gaussian(random));
    if (temper === "sparse") for (let i = 0; i < dimension; i++) if (i % 7 > 0) values[i] = 0;
    if (temper === "giant") values[Math.floor(random.next() * dimension)] = 1e20;
    if (temper === "same") values.fill(seed % 2 === 0 ? 3 : -3);
    return normalise(values);
  });

test("codes lie in −127 … 127, and the residual is what was lost, rounded up", () => {
  fc.assert(
    fc.property(vectors, (unit) => {
      const codes = new Int8Array(unit.length);
      const { scale, residual } = quantiseInt8(unit, codes);
      const lost = unit.map((value, i) => value - scale * (codes[i] ?? 0));
      expect(Math.max(...codes.map(Math.abs))).toBe(127);
      expect(residual).toBeGreaterThanOrEqual(Math.sqrt(dot(lost, lost)));
      expect(residual).toBeLessThanOrEqual(Math.sqrt(dot(lost, lost)) * 1.000001);
      expect([Math.fround(scale), Math.fround(residual)]).toEqual([scale, residual]);
      // The least-squares scale puts what is lost at a right angle to what is kept.
      expect(Math.abs(dot(lost, Float64Array.from(codes)) * scale)).toBeLessThan(1e-6);
    }),
  );
});

test("the true dot product is never further away than the bound says", () => {
  fc.assert(
    fc.property(vectors, fc.nat(100_000), fc.double({ min: 0, max: 1, noNaN: true }), (unit, seed, mix) => {
      const random = seededRandom(seed);
      const query = normalise(unit.map((value) => mix * value + (1 - mix) * gaussian(random)));
      const codes = new Int8Array(unit.length);
      const queryCodes = new Int16Array(unit.length);
      const row = quantiseInt8(unit, codes);
      const asked = quantiseQuery(query, queryCodes);
      const scanned = dot([...codes], [...queryCodes]) * row.scale * asked.scale;
      const bound = dotError(scanned, asked.residual, row.residual);
      expect(Math.abs(dot(unit, query) - scanned)).toBeLessThanOrEqual(bound);
      expect(bound).toBeLessThanOrEqual(errorBesidesResidual(asked.residual) + row.residual);
    }),
    { numRuns: 500 },
  );
});

test("the bound is tight where it matters: close to the query it is a fraction of the residual", () => {
  expect(dotError(0, 0, 0.008)).toBeCloseTo(0.008, 5);
  expect(dotError(0.9, 0, 0.008)).toBeLessThan(0.0036);
  expect(dotError(-0.99, 0, 0.008)).toBeLessThan(0.0012);
});

test("a query's codes have 14 bits, and no sum of products leaves 32 bits, up to 8192 dimensions", () => {
  for (const dimension of [1, 384, 2048, 8192]) {
    for (const value of [1, -1]) {
      const unit = normalise(new Float64Array(dimension).fill(value));
      const codes = new Int16Array(dimension);
      const { scale, residual } = quantiseQuery(unit, codes);
      const largest = codes.reduce((most, code) => Math.max(most, Math.abs(code)), 0);
      expect(largest).toBeLessThanOrEqual(8191);
      expect(largest * 127 * dimension).toBeLessThan(2 ** 31);
      expect(residual).toBeLessThan(1e-3);
      expect(scale * (codes[0] ?? 0)).toBeCloseTo(unit[0] ?? 0, 4);
    }
  }
});
