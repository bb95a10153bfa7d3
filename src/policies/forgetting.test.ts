import { describe, expect, test } from "vitest";
import { forgettingOptions, planForgetting } from "./forgetting.ts";

const entries = [
  { id: "b", vitality: 0.2, pinned: false },
  { id: "line", vitality: 0.3, pinned: false },
  { id: "a", vitality: 0.1, pinned: false },
  { id: "pinned", vitality: 0, pinned: true },
  { id: "b2", vitality: 0.2, pinned: false },
];
const plan = (change: object) =>
  planForgetting(entries, forgettingOptions.parse({ forget_below: 0.3, retention_min: 0, ...change }));

describe("a sweep", () => {
  test("[S1-13] forgets what is below the line, weakest first, and not what is on it", () => {
    expect(plan({})).toEqual(["a", "b", "b2"]);
    expect(plan({ forget_below: 0.05 })).toEqual([]);
  });

  test("[C-5] never forgets what is pinned", () => {
    expect(plan({ forget_below: 99 })).toEqual(["a", "b", "b2", "line"]);
  });

  test("keeps at least as many as told, the livelier ones", () => {
    expect(plan({ retention_min: 3 })).toEqual(["a", "b"]);
    expect(plan({ retention_min: 50 })).toEqual([]);
  });

  test("asked again of what is left, forgets nothing", () => {
    const gone = new Set(plan({}));
    const left = entries.filter(({ id }) => !gone.has(id));
    expect(planForgetting(left, { forget_below: 0.3, retention_min: 0 })).toEqual([]);
  });
});
