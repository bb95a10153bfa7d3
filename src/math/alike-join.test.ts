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

const OPTIONS = { k: 5, threshold: 0.8, missChance: 0.005 };

test("equal vectors are compared with others once, and fill each other's lists", () => {
  const [one, other] = [Float32Array.of(1, 2, 3, 4), Float32Array.of(1, 2, 3, 4.1)];
  const vectors = Array.from({ length: 2000 }, (_, n) => (n % 2 === 0 ? one : other));
  const { compared, neighbors } = alikeJoin(vectors, { ...OPTIONS, k: 3 }, seededRandom(1));
  expect(compared).toBe(1);
  expect(neighbors[4]).toEqual([0, 2, 6].map((place) => ({ place, cosine: 1 })));
  expect(neighbors[1]?.map(({ place }) => place)).toEqual([3, 5, 7]);
});

test("no pair is compared twice, however alike all are", () => {
  const random = seededRandom(3);
  const vectors = Array.from({ length: 300 }, () => direction(random, 16).map((value) => 3 + 0.1 * value));
  const { compared } = alikeJoin(vectors, { ...OPTIONS, threshold: 0.99 }, random);
  expect(compared).toBeLessThanOrEqual((300 * 299) / 2);
});

test("vectors that all point much the same way are told apart all the same", () => {
  const random = seededRandom(9);
  const middle = direction(random, 64);
  // Cosines of about 0.5 to each other, and of about 0.9 within a pair.
  const vectors = clustered(7, 1000, 2, 64).map((own) =>
    own.map((value, i) => value + 1.05 * (middle[i] ?? 0)),
  );
  const { compared, neighbors } = alikeJoin(vectors, { ...OPTIONS, threshold: 0.85 }, random);
  expect(compared).toBeLessThan((0.1 * vectors.length * (vectors.length - 1)) / 2);
  let [found, wanted] = [0, 0];
  for (let one = 0; one < vectors.length; one += 20) {
    const exact = vectors
      .map((vector, place) => ({ place, cosine: cosine(vectors[one] ?? vector, vector) }))
      .filter(({ place, cosine: value }) => place !== one && value >= 0.85)
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, OPTIONS.k);
    wanted += exact.length;
    found += exact.filter(({ place }) => neighbors[one]?.some((near) => near.place === place)).length;
  }
  expect(wanted).toBeGreaterThan(50);
  expect(found).toBeGreaterThanOrEqual(0.97 * wanted);
});
