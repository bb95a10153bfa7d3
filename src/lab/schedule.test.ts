import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LabCase, LabQuestion } from "./dataset.ts";
import { pointsOf, stopsOf } from "./schedule.ts";

test("[B.0.5] points are round(turns · i / points), none twice, rising", () => {
  expect(pointsOf(10, 4)).toEqual([3, 5, 8, 10]);
  expect(pointsOf(3, 10)).toEqual([1, 2, 3]);
  expect(pointsOf(7, 1)).toEqual([7]);
  expect(pointsOf(0, 5)).toEqual([0]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 50 }), (turns, points) => {
      const all = pointsOf(turns, points);
      expect(all.at(-1)).toBe(turns);
      expect(all).toEqual([...new Set(all)].sort((a, b) => a - b));
      expect(all.length).toBeLessThanOrEqual(Math.min(turns, points));
    }),
  );
});

describe("what is asked where", () => {
  const question = (id: string, more: Partial<LabQuestion> = {}): LabQuestion => ({
    ...{ id, text: `${id}?`, category: "1", expects: "answer", evidence: [], sessions: [], answers: [] },
    ...more,
  });
  const one: LabCase = {
    id: "c",
    turns: ["a", "b", "c", "d"].map((ref, place) => ({ ref, session: place < 2 ? "s1" : "s2", text: ref })),
    questions: [
      question("early", { evidence: ["a"] }),
      question("both", { evidence: ["c", "a"] }),
      question("session", { sessions: ["s1"] }),
      question("unlabelled", { expects: "abstain" }),
      question("placed", { evidence: ["a"], after: 3 }),
      question("beyond", { after: 99 }),
    ],
  };
  const asked = (points: number) =>
    stopsOf(one, points).map(({ point, isPoint, questions }) => [
      point.turns,
      isPoint,
      questions.map(({ id }) => id).join(" "),
    ]);

  test("with one point all at the end, those with a place of their own right there", () => {
    expect(asked(1)).toEqual([
      [3, false, "placed"],
      [4, true, "early both session unlabelled beyond"],
    ]);
    expect(stopsOf({ ...one, questions: [] }, 1)).toHaveLength(1);
  });

  test("with several, all that can be told by then, again and again", () => {
    expect(asked(4)).toEqual([
      [1, true, "early"],
      [2, true, "early session"],
      [3, true, "early both session placed"],
      [4, true, "early both session unlabelled placed beyond"],
    ]);
    expect(stopsOf(one, 4).map(({ point }) => point.number)).toEqual([1, 2, 3, 4]);
  });
});
