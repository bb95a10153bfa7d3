import { expect, test } from "vitest";
import { linearAxis, logAxis } from "./axis.ts";

const place = { from: 0, to: 100 };

test.each([
  ["all the same and whole: never beyond it", [1, 1], [0.5, 1]],
  ["all the same, a share", [0.84], [0.5, 1]],
  ["nothing at all", [0, 0], [0, 1]],
  ["near the top", [0.97, 1], [0.97, 0.98, 0.99, 1]],
])("an axis of even steps holds its values: %s", (_, values, ticks) => {
  const axis = linearAxis({ ...place, values }, false);
  expect(axis.ticks).toEqual(ticks);
  for (const value of values) {
    expect(axis.place(value)).toBeGreaterThanOrEqual(0);
    expect(axis.place(value)).toBeLessThanOrEqual(100);
  }
});

test("from nought, where it is asked for; by ratios, where that tells more", () => {
  expect(linearAxis({ ...place, values: [40, 60] }, true).ticks).toEqual([0, 20, 40, 60]);
  const axis = logAxis({ ...place, values: [1, 100] });
  expect(axis.place(10)).toBe(50);
});
