import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BlendWeights, blendScores, type Signs, spreadOut } from "./blend.ts";

const WEIGHTS: BlendWeights = {
  ...{ nearness: 1, words: 0.2, speaker: 0.14, kind: 0.12 },
  ...{ question: 0.08, repeat: 1, company: 0.5, bridge: 0.2, crowding: 0.1 },
};
const PLAIN: Signs = {
  ...{ nearness: 0.5, words: 0, isBySpeaker: false, holdsKind: false },
  ...{ isQuestion: false, isRepeat: false, session: null },
};

describe("blendScores", () => {
  test("adds up every sign, and every part of a score is told", () => {
    const all = {
      ...PLAIN,
      words: 0.5,
      isBySpeaker: true,
      holdsKind: true,
      isQuestion: true,
      isRepeat: true,
      session: "one",
    };
    const [one] = blendScores([all], WEIGHTS);
    // 0.5 + 0.1 + 0.14 + 0.12 − 0.08 = 0.78, and half of the session's best, which is itself; less 1.
    expect(one?.score).toBeCloseTo(0.17, 12);
    expect(one?.parts).toEqual({
      ...{ nearness: 0.5, words: 0.1, speaker: 0.14, kind: 0.12, question: -0.08 },
      ...{ company: expect.closeTo(0.39, 12), repeat: -1 },
    });
  });

  test("company comes from the best of the same session and of no other", () => {
    const [weak, strong, other] = blendScores(
      [
        { ...PLAIN, nearness: 0.2, session: "one" },
        { ...PLAIN, nearness: 0.8, session: "one" },
        { ...PLAIN, nearness: 0.4, session: "two" },
      ],
      WEIGHTS,
    );
    expect(weak?.score).toBeCloseTo(0.2 + 0.4, 12);
    expect(strong?.score).toBeCloseTo(0.8 + 0.4, 12);
    expect(other?.score).toBeCloseTo(0.4 + 0.2, 12);
  });

  test("what is of no session is its own company, so that it does not lose by standing alone", () => {
    const [alone, accompanied] = blendScores([PLAIN, { ...PLAIN, session: "one" }], WEIGHTS);
    expect(alone?.score).toBe(accompanied?.score);
  });

  test("the parts add up to the score, whatever the signs", () => {
    const signs = fc.record({
      nearness: fc.double({ min: -1, max: 1, noNaN: true }),
      words: fc.double({ min: 0, max: 1, noNaN: true }),
      ...{ isBySpeaker: fc.boolean(), holdsKind: fc.boolean() },
      ...{ isQuestion: fc.boolean(), isRepeat: fc.boolean() },
      session: fc.constantFrom(null, "one", "two"),
    });
    fc.assert(
      fc.property(fc.array(signs), (given) => {
        for (const { score, parts } of blendScores(given, WEIGHTS)) {
          expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 9);
        }
      }),
    );
  });
});

describe("spreadOut", () => {
  const placed = (item: string, session: string | null, score: number) => ({ item, session, score });
  const ranked = [
    placed("a1", "a", 1),
    placed("a2", "a", 0.95),
    placed("a3", "a", 0.94),
    placed("b1", "b", 0.9),
    placed("lone", null, 0.8),
  ];

  test("every one taken makes the next of its session pay", () => {
    const kept = spreadOut(ranked, 0.1, 4);
    // After a1, a2 counts 0.85 and b1 0.9; after a2, a3 counts 0.74 and lone 0.8.
    expect(kept.map(({ item }) => item)).toEqual(["a1", "b1", "a2", "lone"]);
    expect(kept.map(({ score }) => Number(score.toFixed(4)))).toEqual([1, 0.9, 0.85, 0.8]);
    expect(kept.map(({ crowded }) => crowded)).toEqual([0, 0, 0.1, 0]);
  });

  test("without crowding the order stays, ties too", () => {
    const ties = [placed("first", "a", 1), placed("second", "a", 1), placed("third", "b", 1)];
    expect(spreadOut(ties, 0, 3).map(({ item }) => item)).toEqual(["first", "second", "third"]);
    expect(spreadOut(ranked, 0, 2).map(({ item }) => item)).toEqual(["a1", "a2"]);
  });
});
