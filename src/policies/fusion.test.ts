import { describe, expect, test } from "vitest";
import { MemoryError } from "../base/errors.ts";
import { fuse, fusionSchema } from "./fusion.ts";

const LISTS = [
  {
    name: "vector",
    hits: [
      { id: "a", score: 0.9 },
      { id: "b", score: 0.5 },
    ],
  },
  {
    name: "graph",
    hits: [
      { id: "c", score: 0.5 },
      { id: "b", score: 0.25 },
    ],
  },
];
const weights = { vector: 0.7, graph: 0.3 };
const by = (options: object) => fuse(LISTS, fusionSchema.parse(options));
const scores = (options: object) => by(options).map(({ id, score }) => [id, Number(score.toFixed(6))]);

describe("[C-33] four strategies", () => {
  test("[S0-60] rrf: ranks alone, k and weights count", () => {
    expect(by({ strategy: "rrf", rrf_k: 60, weights: null })[0]).toEqual({
      id: "b",
      score: 2 / 62,
      parts: { vector: 1 / 62, graph: 1 / 62 },
    });
    expect(scores({ strategy: "rrf", rrf_k: 0, weights })).toEqual([
      ["a", 0.7],
      ["b", 0.5],
      ["c", 0.3],
    ]);
  });

  test("weighted: each list scaled first", () => {
    expect(scores({ strategy: "weighted", weights })).toEqual([
      ["a", 0.7],
      ["c", 0.3],
      ["b", 0],
    ]);
    expect(scores({ strategy: "weighted", weights: null }).slice(0, 2)).toEqual([
      ["a", 1],
      ["c", 1],
    ]);
  });

  test("[S4-17] raw_weighted: 0.7·vector + 0.3·activation as they are, with the parts", () => {
    expect(scores({ strategy: "raw_weighted", weights })).toEqual([
      ["a", 0.63],
      ["b", 0.425],
      ["c", 0.15],
    ]);
    expect(Object.keys(by({ strategy: "raw_weighted", weights })[1]?.parts ?? {})).toEqual([
      "vector",
      "graph",
    ]);
  });

  test("[S2-28] union: first seen first", () => {
    expect(by({ strategy: "union" }).map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });

  test("no lists give no hits, whatever the strategy", () => {
    expect(fuse([], { strategy: "weighted", weights: { vector: 1 } })).toEqual([]);
  });
});

describe("wrong options", () => {
  test("a list without a weight is refused by its name", () => {
    expect(() => by({ strategy: "weighted", weights: { vector: 1 } })).toThrow(MemoryError);
    expect(() => by({ strategy: "weighted", weights: { vector: 1, grap: 1 } })).toThrow(
      /"graph".*Did you mean "grap"/,
    );
  });

  test.each([
    { strategy: "rrf", weights: null },
    { strategy: "union", weights: null },
    { strategy: "weighted", rrf_k: 60, weights: null },
    { strategy: "sum" },
  ])("%o is refused: an option that would do nothing is none", (options) => {
    expect(fusionSchema.safeParse(options).success).toBe(false);
  });
});
