/**
 * A random rotation that is cheap to apply: three rounds of random sign flips, each followed by a Walsh–Hadamard transform,
 * O(d log d) instead of the O(d²) of a random matrix (Andoni et al., "Practical and optimal LSH for angular distance",
 * NIPS 2015, §4). Lengths are scaled by a constant, which the signs of the result do not notice.
 */
import type { Random } from "../base/random.ts";

export interface Rotation {
  /** Numbers in the result: the next power of two, and at least 32. */
  readonly size: number;
  /** Of the vector that starts at `start`. The result is overwritten by the next call. */
  turn(values: Float32Array, start: number): Float64Array;
}

const ROUNDS = 3;

export function createRotation(dimension: number, random: Random): Rotation {
  let size = 32;
  while (size < dimension) size *= 2;
  const flips = Int8Array.from({ length: ROUNDS * size }, () => (random.next() < 0.5 ? -1 : 1));
  const turned = new Float64Array(size);
  return {
    size,
    turn(values, start) {
      turned.fill(0);
      for (let i = 0; i < dimension; i++) turned[i] = values[start + i] as number;
      for (let round = 0; round < ROUNDS; round++) {
        for (let i = 0; i < size; i++)
          turned[i] = (turned[i] as number) * (flips[round * size + i] as number);
        hadamard(turned);
      }
      return turned;
    },
  };
}

/** In place, without scaling. */
function hadamard(values: Float64Array): void {
  for (let half = 1; half < values.length; half *= 2) {
    for (let start = 0; start < values.length; start += 2 * half) {
      for (let i = start; i < start + half; i++) {
        const a = values[i] as number;
        const b = values[i + half] as number;
        values[i] = a + b;
        values[i + half] = a - b;
      }
    }
  }
}
