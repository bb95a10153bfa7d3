import fc from "fast-check";
import { expect, test } from "vitest";
import { rankByBm25 } from "./bm25-rank.ts";

const PARAMS = { k1: 1.5, b: 0.75 };

test("the text with more and rarer of the words comes first; one without any has 0", () => {
  const texts = [
    ["mia", "likes", "tea"],
    ["mia", "moved", "to", "rome"],
    ["ben", "rides"],
  ];
  const ranked = rankByBm25(["where", "mia", "moved"], texts, PARAMS);
  expect(ranked.map(({ index }) => index)).toEqual([1, 0, 2]);
  expect(ranked[2]?.score).toBe(0);
});

test("law: every text once, scores in order and never negative", () => {
  const words = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 6 });
  fc.assert(
    fc.property(words, fc.array(words, { maxLength: 6 }), (query, texts) => {
      const ranked = rankByBm25(query, texts, PARAMS);
      expect(ranked.map(({ index }) => index).sort()).toEqual(texts.map((_, place) => place));
      ranked.forEach(({ score }, place) => {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(ranked[place - 1]?.score ?? Number.POSITIVE_INFINITY);
      });
    }),
  );
});
