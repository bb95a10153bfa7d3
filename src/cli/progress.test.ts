import { expect, test, vi } from "vitest";
import { clockTime, progressOn } from "./progress.ts";

function drawn(isTTY: boolean) {
  const lines: string[] = [];
  const stream = { isTTY, write: (text: string) => lines.push(text) };
  return { lines, progress: progressOn(stream, 100, "steps", (time) => `${time} left`) };
}

test("the time left is the caller's word, else it follows from the rate", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const { lines, progress } = drawn(true);
    progress.add(10);
    expect(lines.at(-1)).toContain("10/100 steps");
    expect(lines.at(-1)).not.toContain("left");
    vi.advanceTimersByTime(10_000);
    progress.add(10);
    expect(lines.at(-1)).toContain("20/100 steps, 2.0/s, 0:40 left");
    vi.advanceTimersByTime(1000);
    progress.reach(30, 120, 3_725_000);
    expect(lines.at(-1)).toContain("30/120 steps, 2.7/s, 1:02:05 left");
    vi.advanceTimersByTime(1000);
    progress.reach(120, 120, 5000);
    expect(lines.at(-1)).not.toContain("left");
  } finally {
    vi.useRealTimers();
  }
});

test("in a log it is a line now and then", () => {
  const { lines, progress } = drawn(false);
  for (let step = 0; step < 100; step++) progress.add(1);
  progress.end();
  expect(lines).toHaveLength(2);
  expect(lines.at(-1)).toMatch(/^100\/100 steps, \d+\/s\n$/);
});

test("times are read as on a clock", () => {
  expect([0, 999, 65_000, 3_600_000].map(clockTime)).toEqual(["0:00", "0:01", "1:05", "1:00:00"]);
});
