import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OVERLAP_FORMS, segmentScore, segmentScoreOptions, topicOverlap } from "./topic-overlap.ts";

describe("overlap of topics", () => {
  test("[P10-2] LD-Agent's of {a, b} and {b, c, d, e} is 0.375", () => {
    expect(topicOverlap(["a", "b"], ["b", "c", "d", "e"], "mean_share")).toBe(0.375);
  });

  test("B.0.2: Jaccard's of {a, b} and {b, c} is a third", () => {
    expect(topicOverlap(["a", "b"], ["b", "c"], "jaccard")).toBeCloseTo(1 / 3, 12);
  });

  test("whatever the case, width and Chinese script, and however often said", () => {
    for (const form of OVERLAP_FORMS) {
      expect(topicOverlap(["Tea", "ＴＥＡ "], ["tea"], form)).toBe(1);
      expect(topicOverlap(["旅行", "北京"], ["旅行", "北京", " "], form)).toBe(1);
      expect(topicOverlap(["電影"], ["电影"], form)).toBe(1);
    }
  });

  test("of nothing there is none; it is between 0 and 1, the same either way, and 1 with itself", () => {
    const words = fc.array(fc.constantFrom("tea", "rain", "北京", "旅行", "Ann"));
    fc.assert(
      fc.property(words, words, fc.constantFrom(...OVERLAP_FORMS), (a, b, form) => {
        const overlap = topicOverlap(a, b, form);
        expect(overlap).toBeGreaterThanOrEqual(0);
        expect(overlap).toBeLessThanOrEqual(1);
        expect(topicOverlap(b, a, form)).toBe(overlap);
        expect(topicOverlap(a, a, form)).toBe(a.length === 0 ? 0 : 1);
        expect(topicOverlap(a, [], form)).toBe(0);
      }),
    );
  });
});

describe("MemoryOS's Fscore", () => {
  const pypi = segmentScoreOptions.parse({
    overlap: "jaccard",
    similarity_weight: 1,
    overlap_weight: 1,
    time: null,
  });
  const page = {
    similarity: 0.4,
    keywords: [
      ["a", "b"],
      ["b", "c"],
    ],
    daysApart: 2,
  } as const;

  test("[P6-3] papers.md §6: 0.4 + 1/3 as released, 0.4 + 0.5 as evaluated", () => {
    expect(segmentScore(page, pypi)).toBeCloseTo(0.7333, 4);
    expect(segmentScore(page, { ...pypi, overlap: "mean_share" })).toBeCloseTo(0.9, 12);
  });

  test("B.0.3: the service's 0.5·cosine + 0.3·Jaccard + 0.2·0.95^|days|", () => {
    const service = segmentScoreOptions.parse({
      overlap: "jaccard",
      similarity_weight: 0.5,
      overlap_weight: 0.3,
      time: { weight: 0.2, factor_per_day: 0.95 },
    });
    expect(segmentScore(page, service)).toBeCloseTo(0.2 + 0.1 + 0.2 * 0.9025, 12);
    expect(segmentScore({ ...page, daysApart: -2 }, service)).toBe(segmentScore(page, service));
  });
});
