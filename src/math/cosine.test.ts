import fc from "fast-check";
import { expect, test } from "vitest";
import { cosine, dot, norm, normalise } from "./cosine.ts";

const component = fc.float({ noNaN: true, noDefaultInfinity: true });
const pairs = fc
  .integer({ min: 1, max: 40 })
  .chain((length) =>
    fc.tuple(
      fc.float32Array({ minLength: length, maxLength: length, noNaN: true, noDefaultInfinity: true }),
      fc.float32Array({ minLength: length, maxLength: length, noNaN: true, noDefaultInfinity: true }),
    ),
  )
  .filter(([a, b]) => a.some((value) => value !== 0) && b.some((value) => value !== 0));

test("dot and norm by hand", () => {
  expect(dot([1, 2, 3], [4, -5, 6])).toBe(12);
  expect(norm([3, 4])).toBe(5);
  expect(cosine([1, 0], [1, 1])).toBeCloseTo(Math.SQRT1_2, 15);
  expect(cosine([1, 2], [-2, 1])).toBe(0);
});

test("cosine of any float32 vectors, however large or small, lies in [−1, 1] and is symmetric", () => {
  fc.assert(
    fc.property(pairs, ([a, b]) => {
      const value = cosine(a, b);
      expect(Math.abs(value)).toBeLessThanOrEqual(1);
      expect(cosine(b, a)).toBe(value);
      expect(cosine(a, b, dot(a, a))).toBe(value);
      expect(cosine(a, a)).toBe(1);
    }),
  );
});

test("normalising keeps the direction and gives length one", () => {
  fc.assert(
    fc.property(fc.array(component, { minLength: 1, maxLength: 40 }), (values) => {
      const vector = Float32Array.from(values);
      fc.pre(vector.some((value) => value !== 0));
      const unit = normalise(vector);
      expect(norm(unit)).toBeCloseTo(1, 12);
      expect(cosine(vector, unit)).toBeCloseTo(1, 12);
      expect(normalise(vector, new Float64Array(vector.length))).toEqual(unit);
    }),
  );
});
