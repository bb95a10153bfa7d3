import { expect, test } from "vitest";
import { manualClock, systemClock } from "./clock.ts";

test("[C-21] the manual clock stands until it is moved; both speak epoch milliseconds", () => {
  const clock = manualClock(1000);
  expect([clock.now(), clock.now()]).toEqual([1000, 1000]);
  clock.advance(500);
  expect(clock.now()).toBe(1500);
  clock.set(3);
  expect(clock.now()).toBe(3);
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1000);
});
