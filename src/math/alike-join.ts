/**
 * Who among many is alike to whom? The k nearest of every vector, of those with at least a given cosine, without comparing
 * all pairs: vectors are hashed into many tables by the signs of random projections; those that share a bucket of some
 * table and differ in few signs altogether are compared exactly.
 *
 * Two vectors at angle θ differ in a sign with chance θ/π (Charikar, STOC 2002). With w signs to a bucket and b tables a
 * pair is missed with chance (1 − (1 − θ/π)^w)^b: tables are added until that is small enough for a pair that just reaches
 * the threshold. Pairs that are more alike are missed far more seldom.
 */
import type { Random } from "../base/random.ts";
import { bitCount } from "./lsh.ts";
import { createRotation } from "./random-rotation.ts";

export interface AlikeJoinOptions {
  readonly k: number;
  /** Least cosine, above 0. */
  readonly threshold: number;
  /** Chance that a pair that just reaches the threshold is missed. */
  readonly missChance: number;
}

export interface AlikeJoin {
  /** By place of the vector: who is alike to it, most alike first. */
  readonly neighbors: readonly (readonly { readonly place: number; readonly cosine: number }[])[];
  /** Exact comparisons made, of the n (n − 1) / 2 there could be. */
  readonly compared: number;
}

/** Signs that every candidate is checked by before it is compared exactly. */
const CHECKED_WORDS = 8;
/** A pair at the threshold differs in more signs than this many standard deviations above the mean once in 4000. */
const CHECK_SLACK = 3.5;
/** Of a table; more of them only sort out more of what the check would sort out anyway. */
const MOST_TABLE_BITS = 16;
const MOST_TABLES = 512;

/** Vectors of one dimension, none of them zero. */
export function alikeJoin(
  vectors: readonly Float32Array[],
  options: AlikeJoinOptions,
  random: Random,
): AlikeJoin {
  const { k, threshold } = options;
  const units = unitRows(vectors);
  const { bits, tables } = planTables(vectors.length, options);
  const words = Math.max(CHECKED_WORDS, Math.ceil((bits * tables) / 32));
  const signs = signsOf(units, words, random);
  const mostDiffering = differing(threshold, CHECKED_WORDS * 32);
  const best = vectors.map((): Best => ({ places: [], cosines: [] }));
  let compared = 0;
  const meet = (one: number, other: number): void => {
    if (!differsLittle(signs, one * words, other * words, mostDiffering)) return;
    compared++;
    const cosine = dotRows(units, one, other);
    if (cosine < threshold) return;
    offer(best[one], k, other, cosine);
    offer(best[other], k, one, cosine);
  };
  for (let table = 0; table < tables; table++)
    eachPair(signs, words, vectors.length, table * bits, bits, meet);
  return {
    compared,
    neighbors: best.map(({ places, cosines }) =>
      places.map((place, rank) => ({ place, cosine: cosines[rank] ?? 0 })),
    ),
  };
}

/** Buckets small enough to go through, tables enough to miss little. */
function planTables(
  count: number,
  { threshold, missChance }: AlikeJoinOptions,
): { readonly bits: number; readonly tables: number } {
  const same = 1 - Math.acos(Math.min(1, threshold)) / Math.PI;
  const needed = (bits: number): number =>
    Math.max(1, Math.ceil(Math.log(missChance) / Math.log(1 - Math.min(same ** bits, 1 - 1e-9))));
  let bits = Math.min(MOST_TABLE_BITS, Math.max(1, Math.floor(Math.log2(Math.max(2, count))) - 6));
  while (bits > 1 && needed(bits) > MOST_TABLES) bits--;
  return { bits, tables: Math.min(needed(bits), MOST_TABLES) };
}

/** In how many of so many signs a pair at the threshold may differ. */
function differing(threshold: number, bits: number): number {
  const chance = Math.acos(Math.min(1, threshold)) / Math.PI;
  return Math.ceil(bits * chance + CHECK_SLACK * Math.sqrt(bits * chance * (1 - chance)));
}

interface Rows {
  readonly values: Float32Array;
  readonly dimension: number;
  readonly count: number;
}

function unitRows(vectors: readonly Float32Array[]): Rows {
  const dimension = vectors[0]?.length ?? 0;
  const values = new Float32Array(vectors.length * dimension);
  for (const [row, vector] of vectors.entries()) {
    let sum = 0;
    for (let i = 0; i < dimension; i++) sum += (vector[i] as number) ** 2;
    const scale = 1 / Math.sqrt(sum);
    for (let i = 0; i < dimension; i++) values[row * dimension + i] = (vector[i] as number) * scale;
  }
  return { values, dimension, count: vectors.length };
}

/** `words` words of signs per row, one row after another. */
function signsOf({ values, dimension, count }: Rows, words: number, random: Random): Int32Array {
  const signs = new Int32Array(count * words);
  for (let done = 0; done < words; ) {
    const rotation = createRotation(dimension, random);
    const more = Math.min(words - done, rotation.size / 32);
    for (let row = 0; row < count; row++) {
      const turned = rotation.turn(values, row * dimension);
      for (let bit = 0; bit < more * 32; bit++) {
        if ((turned[bit] as number) < 0) continue;
        const word = row * words + done + (bit >>> 5);
        signs[word] = (signs[word] as number) | (1 << (bit & 31));
      }
    }
    done += more;
  }
  return signs;
}

/** All pairs of rows with the same signs from `first` on, by a counting sort of their buckets. */
function eachPair(
  signs: Int32Array,
  words: number,
  count: number,
  first: number,
  bits: number,
  meet: (one: number, other: number) => void,
): void {
  const keys = new Uint16Array(count);
  const ends = new Int32Array(2 ** bits + 1);
  for (let row = 0; row < count; row++) {
    let key = 0;
    for (let bit = first; bit < first + bits; bit++)
      key = (key << 1) | (((signs[row * words + (bit >>> 5)] as number) >>> (bit & 31)) & 1);
    keys[row] = key;
    ends[key + 1] = (ends[key + 1] as number) + 1;
  }
  for (let key = 0; key < 2 ** bits; key++) ends[key + 1] = (ends[key + 1] as number) + (ends[key] as number);
  const order = new Int32Array(count);
  const next = ends.slice();
  for (let row = 0; row < count; row++) {
    const place = next[keys[row] as number] as number;
    order[place] = row;
    next[keys[row] as number] = place + 1;
  }
  for (let key = 0; key < 2 ** bits; key++) {
    const start = ends[key] as number;
    for (let a = start + 1; a < (ends[key + 1] as number); a++)
      for (let b = start; b < a; b++) meet(order[a] as number, order[b] as number);
  }
}

function differsLittle(signs: Int32Array, one: number, other: number, most: number): boolean {
  let count = 0;
  for (let word = 0; word < CHECKED_WORDS; word++) {
    count += bitCount((signs[one + word] as number) ^ (signs[other + word] as number));
    if (count > most) return false;
  }
  return true;
}

function dotRows({ values, dimension }: Rows, one: number, other: number): number {
  const a = one * dimension;
  const b = other * dimension;
  let sum = 0;
  for (let i = 0; i < dimension; i++) sum += (values[a + i] as number) * (values[b + i] as number);
  return sum;
}

interface Best {
  readonly places: number[];
  readonly cosines: number[];
}

/** Keeps the k best, each once, most alike first; ties by place. */
function offer(best: Best | undefined, k: number, place: number, cosine: number): void {
  if (best === undefined || best.places.includes(place)) return;
  const { places, cosines } = best;
  let rank = places.length;
  while (rank > 0 && isBefore(place, cosine, places[rank - 1] as number, cosines[rank - 1] as number)) rank--;
  if (rank >= k) return;
  places.splice(rank, 0, place);
  cosines.splice(rank, 0, cosine);
  if (places.length > k) {
    places.pop();
    cosines.pop();
  }
}

function isBefore(place: number, cosine: number, otherPlace: number, otherCosine: number): boolean {
  return cosine > otherCosine || (cosine === otherCosine && place < otherPlace);
}
