import fc from "fast-check";
import { expect, test } from "vitest";
import { blend } from "./blend.ts";
import { dot, norm } from "./cosine.ts";

const rounded = (values: Float32Array | undefined) => values && [...values].map((value) => +value.toFixed(6));

test("by hand: the weighted sum, with length one", () => {
  const [x, y] = [Float32Array.of(1, 0), Float32Array.of(0, 1)];
  expect(
    rounded(
      blend([
        { values: x, weight: 3 },
        { values: y, weight: 4 },
      ]),
    ),
  ).toEqual([0.6, 0.8]);
  expect(
    rounded(
      blend([
        { values: x, weight: 1 },
        { values: y, weight: 0 },
      ]),
    ),
  ).toEqual([1, 0]);
  expect(blend([{ values: x, weight: 1 }])).toBeInstanceOf(Float32Array);
});

test("how long a part is does not matter", () => {
  const parts = [
    { values: [100, 0], weight: 1 },
    { values: [0, 0.001], weight: 1 },
  ];
  const [x, y] = blend(parts) ?? [];
  expect(x).toBeCloseTo(Math.SQRT1_2, 6);
  expect(y).toBeCloseTo(Math.SQRT1_2, 6);
});

test("without a direction there is no blend, and a part without one counts nothing", () => {
  expect(blend([])).toBeUndefined();
  expect(blend([{ values: [0, 0], weight: 1 }])).toBeUndefined();
  expect(blend([{ values: [1, 2], weight: 0 }])).toBeUndefined();
  expect(
    blend([
      { values: [0.1, 0.7], weight: 1 },
      { values: [-0.2, -1.4], weight: 1 },
    ]),
  ).toBeUndefined();
  expect(
    rounded(
      blend([
        { values: [0, 0], weight: 5 },
        { values: [0, 2], weight: 1 },
      ]),
    ),
  ).toEqual([0, 1]);
});

const vector = fc
  .array(fc.float({ min: -10, max: 10, noNaN: true }), { minLength: 8, maxLength: 8 })
  .filter((values) => norm(values) > 0.01);

test("any blend has length one, changes nothing it was given, and leans to what weighs more", () => {
  fc.assert(
    fc.property(vector, vector, fc.float({ min: Math.fround(0.1), max: 5, noNaN: true }), (a, b, weight) => {
      const given = Float32Array.from(b);
      const blended = blend([
        { values: a, weight: 1 },
        { values: given, weight },
      ]);
      expect(given).toEqual(Float32Array.from(b));
      if (blended === undefined) return;
      expect(norm(blended)).toBeCloseTo(1, 5);
      const more = blend([
        { values: a, weight: 1 },
        { values: b, weight: weight * 2 },
      ]);
      if (more !== undefined) expect(dot(more, b)).toBeGreaterThanOrEqual(dot(blended, b) - 1e-4);
    }),
  );
});
