import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gaussian, seededRandom } from "../base/random.ts";
import { createArgmaxHash, createSignHash, hammingDistance } from "./lsh.ts";

const DIMENSION = 24;
const vectors = fc.nat(1_000_000).map((seed) => vectorOf(seed));

function vectorOf(seed: number, dimension = DIMENSION): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from({ length: dimension }, () => gaussian(random));
}

describe("sign form", () => {
  test("one bit per column; the opposite vector has the opposite bits; length does not matter", () => {
    fc.assert(
      fc.property(
        vectors,
        fc.integer({ min: 1, max: 70 }),
        fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
        (x, bits, factor) => {
          const hash = createSignHash({ dimension: DIMENSION, bits }, seededRandom(3));
          const own = hash(x);
          expect(own.length).toBe(Math.ceil(bits / 32));
          expect(hammingDistance(own, hash(x.map((value) => factor * value)))).toBe(0);
          expect(hammingDistance(own, hash(x.map((value) => -value)))).toBe(bits);
        },
      ),
    );
  });

  test("two vectors differ in a bit with chance angle / π (Charikar 2002)", () => {
    const bits = 4000;
    const hash = createSignHash({ dimension: 2, bits }, seededRandom(11));
    for (const angle of [0.1, 0.5, 1, 2, 3]) {
      const share = hammingDistance(hash([1, 0]), hash([Math.cos(angle), Math.sin(angle)])) / bits;
      expect(Math.abs(share - angle / Math.PI)).toBeLessThan(0.03);
    }
  });
});

describe("argmax form", () => {
  test("[S0-70][P12-1][P12-2][P12-3] buckets are 2 · columns; −x is half way round; length does not matter", () => {
    fc.assert(
      fc.property(
        vectors,
        fc.integer({ min: 1, max: 40 }),
        fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
        (x, columns, factor) => {
          const buckets = 2 * columns;
          const bucketOf = createArgmaxHash({ dimension: DIMENSION, buckets }, seededRandom(5));
          const own = bucketOf(x);
          expect(own).toBeGreaterThanOrEqual(0);
          expect(own).toBeLessThan(buckets);
          expect(bucketOf(x.map((value) => factor * value))).toBe(own);
          expect(bucketOf(x.map((value) => -value))).toBe((own + columns) % buckets);
        },
      ),
    );
  });

  test("every bucket is used, and near vectors share one far more often than chance", () => {
    const buckets = 16;
    const bucketOf = createArgmaxHash({ dimension: DIMENSION, buckets }, seededRandom(9));
    const own = Array.from({ length: 2000 }, (_, seed) => bucketOf(vectorOf(seed)));
    expect(new Set(own).size).toBe(buckets);
    const together = own.filter((bucket, seed) => {
      const noise = vectorOf(seed + 10_000);
      return bucket === bucketOf(vectorOf(seed).map((value, i) => value + 0.1 * (noise[i] ?? 0)));
    });
    expect(together.length / own.length).toBeGreaterThan(0.8);
  });

  test("the same seed gives the same buckets", () => {
    const make = () => createArgmaxHash({ dimension: DIMENSION, buckets: 8 }, seededRandom(1));
    expect(make()(vectorOf(1))).toBe(make()(vectorOf(1)));
  });
});

test("hamming distance counts differing bits over all words", () => {
  expect(hammingDistance(Uint32Array.of(0b1011, 0xffff_ffff), Uint32Array.of(0b0010, 0))).toBe(34);
  expect(hammingDistance(Uint32Array.of(), Uint32Array.of())).toBe(0);
});
