import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Fused,
  fuseByRawScore,
  fuseByReciprocalRank,
  fuseByUnion,
  fuseByWeightedScore,
  type RankedList,
} from "./fusion.ts";

const vector = {
  name: "vector",
  hits: [
    { id: "a", score: 0.9 },
    { id: "b", score: 0.7 },
    { id: "c", score: 0.5 },
  ],
};
const text = {
  name: "text",
  hits: [
    { id: "b", score: 12 },
    { id: "d", score: 2 },
  ],
};

describe("fusion of several lists", () => {
  test("reciprocal rank: the sum of 1 / (60 + rank), with each list's share", () => {
    const fused = fuseByReciprocalRank([vector, text]);
    expect(fused.map(({ id }) => id)).toEqual(["b", "a", "d", "c"]);
    expect(fused[0]?.score).toBeCloseTo(1 / 62 + 1 / 61, 12);
    expect(fused[0]?.parts).toEqual({ vector: 1 / 62, text: 1 / 61 });
    expect(fused[3]).toEqual({ id: "c", score: 1 / 63, parts: { vector: 1 / 63 } });
  });

  test("reciprocal rank: k and weights count", () => {
    const [first] = fuseByReciprocalRank([{ ...vector, weight: 3 }, text], 0);
    expect(first).toEqual({ id: "a", score: 3, parts: { vector: 3 } });
  });

  test("weighted: min-max per list; what a list misses counts 0", () => {
    const fused = fuseByWeightedScore([
      { ...vector, weight: 0.7 },
      { ...text, weight: 0.3 },
    ]);
    const score = new Map(fused.map(({ id, score }) => [id, score]));
    expect(score.get("a")).toBeCloseTo(0.7, 12);
    expect(score.get("b")).toBeCloseTo(0.7 * 0.5 + 0.3, 12);
    expect(score.get("c")).toBe(0);
    expect(score.get("d")).toBe(0);
    expect(fused.map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
  });

  test("weighted: a list of equal scores votes 1 for each", () => {
    const flat = { name: "flat", hits: ["x", "y"].map((id) => ({ id, score: -3 })) };
    expect(fuseByWeightedScore([flat])).toEqual([
      { id: "x", score: 1, parts: { flat: 1 } },
      { id: "y", score: 1, parts: { flat: 1 } },
    ]);
  });

  test("[S4-17] raw scores: 0.7·vector + 0.3·activation, neither rescaled", () => {
    const activation = {
      name: "graph",
      weight: 0.3,
      hits: [
        { id: "b", score: 0.5 },
        { id: "e", score: 0.25 },
      ],
    };
    const fused = fuseByRawScore([{ ...vector, weight: 0.7 }, activation]);
    expect(fused.map(({ id }) => id)).toEqual(["b", "a", "c", "e"]);
    expect(fused[0]?.score).toBeCloseTo(0.7 * 0.7 + 0.3 * 0.5, 12);
    expect(fused[1]?.score).toBeCloseTo(0.63, 12);
    expect(fused[3]).toEqual({ id: "e", score: 0.075, parts: { graph: 0.075 } });
  });

  test("[S2-28] union: first seen first, each id once, the lists' own scores kept", () => {
    expect(fuseByUnion([text, vector])).toEqual([
      { id: "b", score: 1, parts: { text: 12, vector: 0.7 } },
      { id: "d", score: 1 / 2, parts: { text: 2 } },
      { id: "a", score: 1 / 3, parts: { vector: 0.9 } },
      { id: "c", score: 1 / 4, parts: { vector: 0.5 } },
    ]);
  });

  test("an id that comes twice in a list counts where it comes first", () => {
    const hits = ["a", "b", "a"].map((id, place) => ({ id, score: -place }));
    expect(fuseByReciprocalRank([{ name: "l", hits }]).map(({ id, score }) => [id, score])).toEqual([
      ["a", 1 / 61],
      ["b", 1 / 62],
    ]);
    expect(fuseByUnion([{ name: "l", hits }]).map(({ id }) => id)).toEqual(["a", "b"]);
  });
});

const lists: fc.Arbitrary<RankedList<string>[]> = fc
  .array(
    fc
      .uniqueArray(
        fc.record({ id: fc.constantFrom(..."abcdefgh"), score: fc.integer({ min: -5, max: 5 }) }),
        {
          selector: ({ id }) => id,
        },
      )
      .map((hits) => hits.sort((a, b) => b.score - a.score)),
    { maxLength: 4 },
  )
  .map((all) => all.map((hits, at) => ({ name: `list ${at}`, hits })));

test.each([
  { name: "reciprocal rank", fuse: (given: RankedList<string>[]) => fuseByReciprocalRank(given) },
  { name: "raw scores", fuse: (given: RankedList<string>[]) => fuseByRawScore(given) },
  { name: "weighted", fuse: (given: RankedList<string>[]) => fuseByWeightedScore(given) },
])(
  "$name: every id once, best first, ties by id, the score is the sum of its parts; the order of lists is no matter",
  ({ fuse }) => {
    const rounded = (fused: Fused<string>[]) => fused.map(({ id, score }) => [id, score.toFixed(12)]);
    fc.assert(
      fc.property(lists, (given) => {
        const fused = fuse(given);
        expect(fused.map(({ id }) => id).sort()).toEqual(
          [...new Set(given.flatMap(({ hits }) => hits.map(({ id }) => id)))].sort(),
        );
        const sorted = [...fused].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
        expect(fused).toEqual(sorted);
        for (const { score, parts } of fused) {
          expect(score).toBeCloseTo(
            Object.values(parts).reduce((sum, part) => sum + part, 0),
            12,
          );
        }
        expect(new Map(rounded(fuse(given.toReversed())).map(([id, score]) => [id, score]))).toEqual(
          new Map(rounded(fused).map(([id, score]) => [id, score])),
        );
      }),
    );
  },
);
