/**
 * Who among many is alike to whom? The k nearest of every vector, of those with at least a given cosine, without comparing
 * all pairs: vectors are hashed into many tables by the signs of random projections; those that share a bucket of some
 * table and differ in few signs altogether are compared exactly, once. Equal vectors are one.
 *
 * Two vectors at angle θ differ in a sign with chance θ/π (Charikar, STOC 2002). With w signs to a bucket and b tables a
 * pair is missed with chance (1 − (1 − θ/π)^w)^b: there are tables enough to make that small for a pair that just reaches
 * the threshold. Pairs that are more alike are missed far more seldom. How many signs and tables, `alike-plan.ts` says.
 */
import type { Random } from "../base/random.ts";
import { type AlikePlan, mostDiffering, planAlikeJoin } from "./alike-plan.ts";
import { bitCount } from "./lsh.ts";
import { createRotation } from "./random-rotation.ts";
import { type DistinctRows, distinctRows, dotRows, type Rows } from "./unit-rows.ts";

export interface AlikeJoinOptions {
  readonly k: number;
  /** Least cosine, above 0. */
  readonly threshold: number;
  /** Chance that a pair that just reaches the threshold is missed. */
  readonly missChance: number;
}

export interface AlikeJoin {
  /** By place of the vector: who is alike to it, most alike first. */
  readonly neighbors: readonly (readonly Neighbor[])[];
  /** Exact comparisons made, of the n (n − 1) / 2 there could be. */
  readonly compared: number;
}

interface Neighbor {
  readonly place: number;
  readonly cosine: number;
}

/** Vectors of one dimension, none of them zero. */
export function alikeJoin(
  vectors: readonly Float32Array[],
  options: AlikeJoinOptions,
  random: Random,
): AlikeJoin {
  const { k, threshold } = options;
  const rows = distinctRows(vectors);
  const best = rows.members.map((): Best => ({ rows: [], cosines: [] }));
  let compared = 0;
  const compare = (one: number, other: number): void => {
    compared++;
    const cosine = dotRows(rows, one, other);
    if (cosine < threshold) return;
    offer(best[one], k, other, cosine);
    offer(best[other], k, one, cosine);
  };
  const plan = planAlikeJoin(rows, options, random);
  if (plan.bits === 0) {
    for (let one = 1; one < rows.count; one++) for (let other = 0; other < one; other++) compare(one, other);
  } else joinByTables(rows, plan, random, compare);
  return { compared, neighbors: byPlace(vectors.length, rows, best, k) };
}

function joinByTables(
  rows: Rows,
  plan: AlikePlan,
  random: Random,
  compare: (one: number, other: number) => void,
): void {
  const isCentral = new Uint8Array(rows.count);
  for (const one of plan.central) {
    for (let other = 0; other < rows.count; other++)
      if (other !== one && isCentral[other] === 0) compare(one, other);
    isCentral[one] = 1;
  }
  const hashed = Int32Array.from({ length: rows.count }, (_, row) => row).filter(
    (row) => isCentral[row] === 0,
  );
  const { bits, tables, checkedWords } = plan;
  const words = Math.max(checkedWords, Math.ceil((bits * tables) / 32));
  const signs = signsOf(rows, plan.mean, words, random);
  const most = mostDiffering(plan.cosine, 32 * checkedWords);
  for (let table = 0; table < tables; table++) {
    eachPair(signs, words, hashed, table * bits, bits, (one, other) => {
      const [a, b] = [one * words, other * words];
      if (differsLittle(signs, a, b, checkedWords, most) && !metBefore(signs, a, b, table, bits))
        compare(one, other);
    });
  }
}

/** `words` words of signs per row, one row after another. */
function signsOf(
  { values, dimension, count }: Rows,
  mean: Float64Array,
  words: number,
  random: Random,
): Int32Array {
  const signs = new Int32Array(count * words);
  const remainder = new Float32Array(dimension);
  for (let done = 0; done < words; ) {
    const rotation = createRotation(dimension, random);
    const more = Math.min(words - done, rotation.size / 32);
    for (let row = 0; row < count; row++) {
      for (let i = 0; i < dimension; i++)
        remainder[i] = (values[row * dimension + i] as number) - (mean[i] as number);
      const turned = rotation.turn(remainder, 0);
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
  rows: Int32Array,
  first: number,
  bits: number,
  meet: (one: number, other: number) => void,
): void {
  const keys = new Uint16Array(rows.length);
  const ends = new Int32Array(2 ** bits + 1);
  for (let place = 0; place < rows.length; place++) {
    const key = signsAt(signs, (rows[place] as number) * words, first, bits);
    keys[place] = key;
    ends[key + 1] = (ends[key + 1] as number) + 1;
  }
  for (let key = 0; key < 2 ** bits; key++) ends[key + 1] = (ends[key + 1] as number) + (ends[key] as number);
  const order = new Int32Array(rows.length);
  const next = ends.slice();
  for (let place = 0; place < rows.length; place++) {
    const key = keys[place] as number;
    order[next[key] as number] = rows[place] as number;
    next[key] = (next[key] as number) + 1;
  }
  for (let key = 0; key < 2 ** bits; key++) {
    const start = ends[key] as number;
    for (let a = start + 1; a < (ends[key + 1] as number); a++)
      for (let b = start; b < a; b++) meet(order[a] as number, order[b] as number);
  }
}

/** At most 16 signs of a row, from its sign `first` on. */
function signsAt(signs: Int32Array, row: number, first: number, bits: number): number {
  const word = row + (first >>> 5);
  const offset = first & 31;
  const low = (signs[word] as number) >>> offset;
  const high = offset + bits > 32 ? (signs[word + 1] as number) << (32 - offset) : 0;
  return (low | high) & (2 ** bits - 1);
}

/** Whether two rows share a bucket of an earlier table: then they were compared. */
function metBefore(signs: Int32Array, one: number, other: number, table: number, bits: number): boolean {
  for (let before = 0; before < table; before++) {
    const first = before * bits;
    if (signsAt(signs, one, first, bits) === signsAt(signs, other, first, bits)) return true;
  }
  return false;
}

function differsLittle(signs: Int32Array, one: number, other: number, words: number, most: number): boolean {
  let count = 0;
  for (let word = 0; word < words; word++) {
    count += bitCount((signs[one + word] as number) ^ (signs[other + word] as number));
    if (count > most) return false;
  }
  return true;
}

interface Best {
  readonly rows: number[];
  readonly cosines: number[];
}

/** Keeps the k best, most alike first; ties by row. */
function offer(best: Best | undefined, k: number, row: number, cosine: number): void {
  if (best === undefined) return;
  const { rows, cosines } = best;
  let rank = rows.length;
  while (rank > 0 && isBefore(row, cosine, rows[rank - 1] as number, cosines[rank - 1] as number)) rank--;
  if (rank >= k) return;
  rows.splice(rank, 0, row);
  cosines.splice(rank, 0, cosine);
  if (rows.length > k) {
    rows.pop();
    cosines.pop();
  }
}

function isBefore(row: number, cosine: number, otherRow: number, otherCosine: number): boolean {
  return cosine > otherCosine || (cosine === otherCosine && row < otherRow);
}

/** From distinct rows back to the vectors: those that are equal come first in each other's lists. */
function byPlace(count: number, { members }: DistinctRows, best: readonly Best[], k: number): Neighbor[][] {
  const lists = Array.from({ length: count }, (): Neighbor[] => []);
  for (const [row, places] of members.entries()) {
    const { rows = [], cosines = [] } = best[row] ?? {};
    const others: Neighbor[] = [];
    for (const [rank, other] of rows.entries()) {
      if (others.length >= k) break;
      const cosine = cosines[rank] ?? 0;
      others.push(...(members[other] ?? []).slice(0, k).map((place) => ({ place, cosine })));
    }
    const equal = places.slice(0, k + 1).map((place) => ({ place, cosine: 1 }));
    for (const own of places)
      lists[own] = [...equal.filter(({ place }) => place !== own), ...others].slice(0, k);
  }
  return lists;
}
