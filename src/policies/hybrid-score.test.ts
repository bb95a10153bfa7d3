import fc from "fast-check";
import { expect, test } from "vitest";
import { hybridScores, keywordScore, nameBoost } from "./hybrid-score.ts";

const CURVE = [
  { up_to_terms: 3, middle: 5, steepness: 0.7 },
  { up_to_terms: 6, middle: 7, steepness: 0.6 },
  { up_to_terms: 9, middle: 9, steepness: 0.5 },
  { up_to_terms: 15, middle: 10, steepness: 0.5 },
  { up_to_terms: null, middle: 12, steepness: 0.5 },
];
const BOOST = { weight: 0.5, crowding: 0.001 };
const TOTALS = { keyword: 1, boost: 0.5 };

test("[P13-3] a BM25 score of 5 for a question of three words counts 0.5; longer questions need more", () => {
  expect(keywordScore(5, 3, CURVE)).toBeCloseTo(0.5, 12);
  expect([4, 9, 15, 16].map((terms, step) => keywordScore([7, 9, 10, 12][step] ?? 0, terms, CURVE))).toEqual([
    0.5, 0.5, 0.5, 0.5,
  ]);
  expect(keywordScore(5, 4, CURVE)).toBeLessThan(0.5);
});

test("[P13-4] a name 0.8 alike adds 0.4 where one memory has it, and 0.4 / 1.1 where eleven do", () => {
  expect(nameBoost(0.8, 1, BOOST)).toBeCloseTo(0.4, 12);
  expect(nameBoost(0.8, 11, BOOST)).toBeCloseTo(0.4 / 1.1, 12);
});

test("[P13-5] 0.6, 0.5 and 0.4 make 1.5 of 2.5; parts that no candidate has do not count against any", () => {
  expect(hybridScores([{ semantic: 0.6, keyword: 0.5, boost: 0.4 }], TOTALS)[0]).toBeCloseTo(0.6, 12);
  expect(hybridScores([{ semantic: 0.6, keyword: 0, boost: 0 }], TOTALS)).toEqual([0.6]);
  const [one, other] = hybridScores(
    [
      { semantic: 0.6, keyword: 0.5, boost: 0 },
      { semantic: 0.8, keyword: 0, boost: 0 },
    ],
    TOTALS,
  );
  expect([one, other]).toEqual([expect.closeTo(0.55, 12), expect.closeTo(0.4, 12)]);
});

test("law: a score never exceeds one, and more of a part never lowers it", () => {
  const part = fc.double({ min: 0.001, max: 1, noNaN: true });
  fc.assert(
    fc.property(part, part, part, part, (semantic, keyword, boost, more) => {
      const [score = 0, higher = 0] = hybridScores(
        [
          { semantic, keyword, boost },
          { semantic, keyword: keyword + more, boost },
        ],
        TOTALS,
      );
      expect(score).toBeLessThanOrEqual(1);
      expect(higher).toBeGreaterThanOrEqual(score);
    }),
  );
});
