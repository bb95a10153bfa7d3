import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { greedyClusters, type Matrix, nearestNeighbours, nearestRows } from "./clustering.ts";

const matrixOf = (rows: readonly (readonly number[])[]): Matrix => ({
  values: Float32Array.from(rows.flat()),
  dimension: rows[0]?.length ?? 1,
});
const rowsOf3 = fc.array(fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 3, maxLength: 3 }), {
  minLength: 1,
  maxLength: 12,
});
/** The definition, in float64. */
function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, v, i) => sum + v * (y[i] ?? 0), 0);
  const scale = Math.sqrt(dot(a, a)) * Math.sqrt(dot(b, b));
  return scale === 0 ? 0 : dot(a, b) / scale;
}

describe("nearest", () => {
  test("equals a full sort by cosine, ties by the smaller row, without the row itself", () => {
    fc.assert(
      fc.property(rowsOf3, fc.nat(14), (rows, k) => {
        const all = nearestNeighbours(matrixOf(rows), { k });
        for (const [row, found] of all.entries()) {
          const expected = rows
            .map((other, at) => ({ row: at, similarity: cosine(rows[row] ?? [], other) }))
            .filter((other) => other.row !== row)
            .map(({ similarity }) => similarity.toFixed(12))
            .sort((a, b) => Number(b) - Number(a))
            .slice(0, k);
          expect(found.map(({ similarity }) => similarity.toFixed(12)).map(Number)).toEqual(
            expected.map(Number),
          );
          expect(found.map((other) => other.row)).not.toContain(row);
          for (const [place, other] of found.entries()) {
            const next = found[place + 1];
            if (next?.similarity === other.similarity) expect(next.row).toBeGreaterThan(other.row);
          }
        }
      }),
    );
  });

  test("of a query: length is no matter, a minimum leaves the unlike out, zeros are like nothing", () => {
    const matrix = matrixOf([
      [1, 0],
      [10, 0],
      [1, 1],
      [0, 0],
      [-1, 0],
    ]);
    const found = nearestRows(matrix, Float32Array.of(5, 0), { k: 9, minimum: 0.1 });
    expect(found.map(({ row }) => row)).toEqual([0, 1, 2]);
    expect(found[1]?.similarity).toBe(1);
    expect(nearestRows(matrix, Float32Array.of(0, 0), { k: 1 })).toEqual([{ row: 0, similarity: 0 }]);
    expect(nearestRows(matrix, Float32Array.of(1, 0), { k: 0 })).toEqual([]);
  });
});

describe("greedy clusters", () => {
  const two = matrixOf([
    [1, 0],
    [0, 1],
    [0.99, 0.1],
    [0.1, 0.99],
    [0.98, 0.2],
    [-1, -1],
  ]);

  test("groups of at least the smallest size, leader first", () => {
    expect(greedyClusters(two, { threshold: 0.95, minSize: 2 })).toEqual([
      [0, 2, 4],
      [1, 3],
    ]);
    expect(greedyClusters(two, { threshold: 0.95, minSize: 3 })).toEqual([[0, 2, 4]]);
    expect(greedyClusters(two, { threshold: 0.95, minSize: 1 })).toHaveLength(3);
    expect(greedyClusters(matrixOf([]), { threshold: 0.5, minSize: 1 })).toEqual([]);
  });

  test("rows of a group that was too small stay free for a later leader", () => {
    const chain = matrixOf([
      [1, 0],
      [0.9, 0.435],
      [0.62, 0.785],
      [0.88, 0.475],
    ]);
    expect(greedyClusters(chain, { threshold: 0.89, minSize: 3 })).toEqual([[1, 2, 3]]);
  });

  test("no row twice; every member is like its leader; no free rows are left that would make a cluster", () => {
    fc.assert(
      fc.property(rowsOf3, fc.integer({ min: 1, max: 4 }), (rows, minSize) => {
        const threshold = 0.8;
        const clusters = greedyClusters(matrixOf(rows), { threshold, minSize });
        const placed = clusters.flat();
        expect(new Set(placed).size).toBe(placed.length);
        for (const [leader = -1, ...members] of clusters) {
          expect(members.length + 1).toBeGreaterThanOrEqual(minSize);
          for (const row of members) {
            expect(cosine(rows[leader] ?? [], rows[row] ?? [])).toBeGreaterThan(threshold - 1e-6);
            expect(row).toBeGreaterThan(leader);
          }
        }
        const free = [...rows.keys()].filter((row) => !placed.includes(row));
        for (const leader of free) {
          const like = free.filter(
            (row) => row > leader && cosine(rows[leader] ?? [], rows[row] ?? []) > threshold + 1e-6,
          );
          expect(like.length + 1).toBeLessThan(Math.max(minSize, 1));
        }
      }),
    );
  });
});
