import { expect, test } from "vitest";
import { minMax } from "./min-max.ts";

test("scales to [0, 1]; equal values become what the caller says", () => {
  expect(minMax([4, 2, 3], 1)).toEqual([1, 0, 0.5]);
  expect(minMax([-1, 1], 1)).toEqual([0, 1]);
  expect(minMax([7, 7], 1)).toEqual([1, 1]);
  expect(minMax([7], 0.5)).toEqual([0.5]);
  expect(minMax([], 1)).toEqual([]);
});
