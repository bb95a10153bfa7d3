import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MemoryError } from "../base/errors.ts";
import { type ConsolidationEntry, consolidationOptions, planConsolidation } from "./consolidation.ts";

const BIEM = consolidationOptions.parse({ recent: 100, similarity_threshold: 0.75, min_size: 3 });
const entry = (id: string, vector: number[], change: Partial<ConsolidationEntry<string>> = {}) => ({
  id,
  at: 0,
  vitality: 0.5,
  vector: Float32Array.from(vector),
  ...change,
});
const TEA = [
  entry("tea1", [1, 0], { vitality: 0.4 }),
  entry("tea2", [0.9, 0.1], { vitality: 0.9 }),
  entry("tea3", [0.95, 0.05], { vitality: 0.5 }),
];
const OTHERS = [entry("rain", [0, 1]), entry("wind", [-1, 0])];

describe("[S4-16] clusters to be summarised", () => {
  test("at least 3 alike make one, led by the liveliest, as sure as they are alive on average", () => {
    const [cluster, ...more] = planConsolidation([...TEA, ...OTHERS], [], BIEM);
    expect(more).toEqual([]);
    expect(cluster?.leader).toBe("tea2");
    expect(cluster?.members).toEqual(["tea2", "tea3", "tea1"]);
    expect(cluster?.confidence).toBeCloseTo(0.6, 12);
  });

  test("fewer, or less alike, make none", () => {
    expect(planConsolidation([...TEA.slice(1), ...OTHERS], [], BIEM)).toEqual([]);
    expect(planConsolidation(TEA, [], { ...BIEM, similarity_threshold: 0.9999 })).toEqual([]);
    expect(planConsolidation([], [], BIEM)).toEqual([]);
  });

  test("only the most recent are looked at", () => {
    const dated = TEA.map((one, at) => ({ ...one, at }));
    expect(planConsolidation(dated, [], { ...BIEM, recent: 3 })).toHaveLength(1);
    const busy = [...dated, entry("rain", [0, 1], { at: 9 })];
    expect(planConsolidation(busy, [], { ...BIEM, recent: 3 })).toEqual([]);
  });

  test("B.4: what was crystallised is not crystallised again, unless its sources changed", () => {
    expect(planConsolidation(TEA, [["tea3", "tea1", "tea2"]], BIEM)).toEqual([]);
    const grown = [...TEA, entry("tea4", [1, 0])];
    expect(planConsolidation(grown, [["tea3", "tea1", "tea2"]], BIEM)).toHaveLength(1);
  });

  test("a second round over the same entries finds nothing; no entry is in two clusters", () => {
    const vector = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 2, maxLength: 2 });
    const rows = fc.array(fc.tuple(vector, fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 30 });
    fc.assert(
      fc.property(rows, (given) => {
        const entries = given.map(([one, vitality], i) => entry(`e${i}`, one, { vitality, at: i % 5 }));
        const clusters = planConsolidation(entries, [], BIEM);
        const members = clusters.flatMap((cluster) => cluster.members);
        expect(new Set(members).size).toBe(members.length);
        for (const { members: ids } of clusters) expect(ids.length).toBeGreaterThanOrEqual(3);
        const again = planConsolidation(
          entries.toReversed(),
          clusters.map((one) => one.members),
          BIEM,
        );
        expect(again).toEqual([]);
      }),
    );
  });

  test("vectors of different spaces are refused", () => {
    expect(() => planConsolidation([entry("a", [1]), entry("b", [1, 2])], [], BIEM)).toThrow(MemoryError);
  });
});
