/**
 * Which bucket does a direction fall into, so that near directions tend to share one? Two families over a random
 * Gaussian matrix R, both blind to a vector's length:
 * - sign: one bit per column, set where x·R ≥ 0. Two vectors at angle θ differ in each bit with chance θ/π
 *   (Charikar, "Similarity estimation techniques from rounding algorithms", STOC 2002).
 * - argmax: F(x) = argmax([xR ; −xR]), the closest of ± each column, so 2 · columns buckets (Andoni et al., "Practical
 *   and optimal LSH for angular distance", NIPS 2015; the form TiM keeps its thoughts in).
 */
import { gaussian, type Random } from "../base/random.ts";
import { dot, type Numbers } from "./cosine.ts";

/** The bits of x, 32 to a word, least significant first. */
export type SignHash = (x: Numbers) => Uint32Array;

export function createSignHash(
  { dimension, bits }: { readonly dimension: number; readonly bits: number },
  random: Random,
): SignHash {
  const columns = gaussianColumns(bits, dimension, random);
  return (x) => {
    const words = new Uint32Array(Math.ceil(bits / 32));
    for (const [bit, column] of columns.entries()) {
      if (dot(x, column) >= 0) words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
    return words;
  };
}

/** In how many bits two hashes of the same length differ. */
export function hammingDistance(a: Uint32Array, b: Uint32Array): number {
  let count = 0;
  for (let word = 0; word < a.length; word++) count += bitCount((a[word] as number) ^ (b[word] as number));
  return count;
}

/** The bucket of x, from 0 to buckets − 1; −x falls into the bucket half way round. */
export type ArgmaxHash = (x: Numbers) => number;

/** `buckets` must be even: every column makes two. */
export function createArgmaxHash(
  { dimension, buckets }: { readonly dimension: number; readonly buckets: number },
  random: Random,
): ArgmaxHash {
  const columns = gaussianColumns(buckets / 2, dimension, random);
  return (x) => {
    let best = 0;
    let bestLength = -1;
    for (const [number, column] of columns.entries()) {
      const along = dot(x, column);
      if (Math.abs(along) <= bestLength) continue;
      bestLength = Math.abs(along);
      best = along >= 0 ? number : number + columns.length;
    }
    return best;
  };
}

function gaussianColumns(count: number, dimension: number, random: Random): readonly Float32Array[] {
  return Array.from({ length: count }, () =>
    Float32Array.from({ length: dimension }, () => gaussian(random)),
  );
}

/** Ones in a 32-bit word, by sums within ever wider fields. */
export function bitCount(word: number): number {
  let sums = word - ((word >>> 1) & 0x55555555);
  sums = (sums & 0x33333333) + ((sums >>> 2) & 0x33333333);
  sums = (sums + (sums >>> 4)) & 0x0f0f0f0f;
  return Math.imul(sums, 0x01010101) >>> 24;
}
