import { expect, test } from "vitest";
import { gaussian, seededRandom, systemRandom } from "./random.ts";

test("the same seed gives the same numbers, another seed others, all in [0, 1)", () => {
  const draw = (seed: number) => {
    const random = seededRandom(seed);
    return Array.from({ length: 1000 }, () => random.next());
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  for (const value of [...draw(7), ...Array.from({ length: 100 }, () => systemRandom.next())]) {
    expect(value >= 0 && value < 1).toBe(true);
  }
});

test("normal numbers have mean 0 and variance 1", () => {
  const random = seededRandom(1);
  const values = Array.from({ length: 20_000 }, () => gaussian(random));
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  expect(Math.abs(mean)).toBeLessThan(0.03);
  expect(Math.abs(variance - 1)).toBeLessThan(0.05);
});
