import fc from "fast-check";
import { expect, test } from "vitest";
import { gaussian, type Random, seededRandom } from "../base/random.ts";
import { alikeJoin } from "./alike-join.ts";
import { cosine, norm } from "./cosine.ts";
import { createRotation } from "./random-rotation.ts";

const direction = (random: Random, dimension: number): Float32Array =>
  Float32Array.from({ length: dimension }, () => gaussian(random));

/** Groups of vectors around common middles. */
function clustered(seed: number, groups: number, each: number, dimension: number): Float32Array[] {
  const random = seededRandom(seed);
  return Array.from({ length: groups }, () => direction(random, dimension)).flatMap((middle) =>
    Array.from({ length: each }, () => {
      const noise = direction(random, dimension);
      return middle.map((value, i) => value + 0.5 * (noise[i] ?? 0));
    }),
  );
}

test("what is found is exact, nearest first, and next to nothing of what all pairs would find is missed", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 6 }), (seed, k) => {
      const vectors = clustered(seed, 40, 4, 48);
      const options = { k, threshold: 0.7, missChance: 0.005 };
      const { neighbors } = alikeJoin(vectors, options, seededRandom(seed));
      let found = 0;
      let wanted = 0;
      for (const [one, list] of neighbors.entries()) {
        const exact = vectors
          .map((other, place) => ({ place, cosine: cosine(vectors[one] ?? other, other) }))
          .filter(({ place, cosine: value }) => place !== one && value >= 0.7)
          .sort((a, b) => b.cosine - a.cosine)
          .slice(0, k);
        wanted += exact.length;
        found += exact.filter(({ place }) => list.some((near) => near.place === place)).length;
        expect(list.length).toBeLessThanOrEqual(k);
        for (const [rank, near] of list.entries()) {
          expect(near.cosine).toBeGreaterThanOrEqual(0.7 - 1e-6);
          expect(near.cosine).toBeLessThanOrEqual(list[rank - 1]?.cosine ?? 1.000001);
        }
      }
      expect(found).toBeGreaterThanOrEqual(0.98 * wanted);
    }),
    { numRuns: 20 },
  );
});

test("most pairs of unlike vectors are never compared", () => {
  const vectors = clustered(7, 1000, 2, 64);
  const { compared, neighbors } = alikeJoin(
    vectors,
    { k: 5, threshold: 0.7, missChance: 0.005 },
    seededRandom(1),
  );
  expect(compared).toBeLessThan((0.02 * vectors.length * (vectors.length - 1)) / 2);
  expect(neighbors.filter((list) => list.length > 0).length).toBeGreaterThan(1900);
});

test("one vector has no neighbour, none has none, and equal ones find each other", () => {
  const join = (vectors: Float32Array[]) =>
    alikeJoin(vectors, { k: 2, threshold: 0.9, missChance: 0.01 }, seededRandom(1)).neighbors;
  expect(join([])).toEqual([]);
  expect(join([Float32Array.of(1, 2)])).toEqual([[]]);
  const [first] = join([Float32Array.of(1, 2), Float32Array.of(2, 4), Float32Array.of(-1, 2)]);
  expect(first).toEqual([{ place: 1, cosine: expect.closeTo(1, 6) }]);
});

test("a rotation keeps angles", () => {
  const random = seededRandom(5);
  const [a, b] = [direction(random, 48), direction(random, 48)];
  const rotation = createRotation(48, random);
  const turnedA = Float64Array.from(rotation.turn(a, 0));
  const turnedB = Float64Array.from(rotation.turn(b, 0));
  expect(rotation.size).toBe(64);
  expect(cosine(turnedA, turnedB)).toBeCloseTo(cosine(a, b), 6);
  expect(norm(turnedA) / norm(turnedB)).toBeCloseTo(norm(a) / norm(b), 6);
});
