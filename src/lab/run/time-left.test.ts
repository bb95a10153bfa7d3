import { expect, test } from "vitest";
import { type RunProgress, timeLeft } from "./time-left.ts";

const run = (turns: [number, number, number], questions: [number, number, number]): RunProgress => ({
  done: { turns: turns[0], questions: questions[0] },
  total: { turns: turns[1], questions: questions[1] },
  spent: { turns: turns[0], turnsMs: turns[2], questions: questions[0], questionsMs: questions[2] },
});

test("turns and questions count by their own rates", () => {
  // 50 turns at 10 ms, 90 questions at 100 ms.
  expect(timeLeft([run([50, 100, 500], [10, 100, 1000])], 1)).toBe(500 + 9000);
});

test("what nobody has seen yet is guessed by what has been seen; nothing is said of nothing", () => {
  expect(timeLeft([run([0, 100, 0], [0, 100, 0])], 1)).toBeUndefined();
  expect(timeLeft([run([50, 100, 500], [0, 100, 0])], 1)).toBe(500 + 1000);
  const waiting = run([0, 100, 0], [0, 100, 0]);
  expect(timeLeft([run([100, 100, 1000], [100, 100, 200]), waiting], 1)).toBe(1000 + 200);
});

test("what an earlier process did is done, and no part of the rate", () => {
  const resumed = { ...run([0, 100, 0], [0, 0, 0]), done: { turns: 90, questions: 0 } };
  const going = { ...resumed, spent: { turns: 5, turnsMs: 50, questions: 0, questionsMs: 0 } };
  expect(timeLeft([going], 1)).toBe(100);
});

test("runs at once share the time, but none is over before its own end", () => {
  const [long, short] = [run([10, 100, 100], [0, 0, 0]), run([90, 100, 900], [0, 0, 0])];
  expect(timeLeft([long, long], 2)).toBe(900);
  expect(timeLeft([long, short], 2)).toBe(900);
  expect(timeLeft([long, short], 1)).toBe(1000);
});
