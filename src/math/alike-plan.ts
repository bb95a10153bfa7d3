/**
 * How are those that are alike found with the least work? By hash tables over the vectors as they are, by hash tables over
 * what sets them apart from their mean, or, where neither helps, by comparing all pairs. A sample of pairs tells what each
 * way would cost.
 *
 * Vectors of texts mostly point the same way: their angles are small, and hashes of them collide without being alike.
 * Their differences are as long without the mean as with it. So two at cosine t are d = √(2 − 2t) apart either way, and
 * with remainders of length s or more their angle is at most that of the cosine 1 − d²/2s². Those few with shorter
 * remainders, near the mean, are compared with all.
 */
import type { Random } from "../base/random.ts";
import { dotRows, meanRow, type Rows } from "./unit-rows.ts";

export interface AlikePlan {
  /** What is taken off each vector before it is hashed. */
  readonly mean: Float64Array;
  /** Rows that are compared with all others. */
  readonly central: readonly number[];
  /** The cosine, after taking the mean off, of the least alike pair that must be found. */
  readonly cosine: number;
  /** Signs to a table, and how many tables; 0: all pairs are compared. */
  readonly bits: number;
  readonly tables: number;
  /** Words of signs that every candidate is checked by. */
  readonly checkedWords: number;
}

export interface AlikeWanted {
  readonly threshold: number;
  readonly missChance: number;
}

const SAMPLED_PAIRS = 600;
/** Parts of all rows that may be compared with all others. */
const CENTRAL_SHARES = [0.002, 0.01, 0.03];
const MOST_BITS = 16;
const MOST_TABLES = 512;
const CHECKED_WORDS = [8, 16, 32];
/** A pair at the threshold differs in more signs than this many standard deviations above the mean once in 4000. */
const CHECK_SLACK = 3.5;
/**
 * What it costs, in multiplications, to look at a pair at all, at a word of its signs, and at an earlier table it may have
 * met in; and to find a sign.
 */
const COST = { pair: 25, word: 2, earlier: 2, sign: 30 } as const;

/** In how many of so many signs a pair at that cosine may differ. */
export function mostDiffering(cosine: number, signs: number): number {
  const chance = Math.acos(cosine) / Math.PI;
  return Math.ceil(signs * chance + CHECK_SLACK * Math.sqrt(signs * chance * (1 - chance)));
}

export function planAlikeJoin(rows: Rows, wanted: AlikeWanted, random: Random): AlikePlan {
  const mean = meanRow(rows);
  const pairs = samplePairs(rows, mean, random);
  const lengths = remainders(rows, mean);
  const sorted = lengths.toSorted();
  const apart = Math.sqrt(Math.max(0, 2 - 2 * wanted.threshold));
  const plain = {
    mean: new Float64Array(rows.dimension),
    shortest: 0,
    cosine: Math.min(1, wanted.threshold),
  };
  const centred = CENTRAL_SHARES.map((share) => {
    const shortest = sorted[Math.floor(share * rows.count)] ?? 0;
    return { mean, shortest, cosine: shortest === 0 ? -1 : 1 - apart ** 2 / (2 * shortest ** 2) };
  });
  let best: { readonly cost: number; readonly way: Omit<AlikePlan, "central"> & { shortest: number } } = {
    cost: allPairs(rows.count) * rows.dimension,
    way: { ...plain, bits: 0, tables: 0, checkedWords: 0 },
  };
  for (const way of [plain, ...centred]) {
    if (way.cosine <= 0) continue;
    const chances = pairs.map((pair) => 1 - Math.acos(way === plain ? pair.plain : pair.centred) / Math.PI);
    const centrals = way === plain ? 0 : lengths.filter((length) => length < way.shortest).length;
    for (let bits = 1; bits <= MOST_BITS; bits++) {
      const tables = tablesNeeded(way.cosine, bits, wanted.missChance);
      if (tables > MOST_TABLES) break;
      for (const checkedWords of CHECKED_WORDS) {
        const given = { cosine: way.cosine, bits, tables, checkedWords };
        const cost = costOf(rows, given, chances) + centrals * rows.count * rows.dimension;
        if (cost < best.cost) best = { cost, way: { ...way, bits, tables, checkedWords } };
      }
    }
  }
  const { shortest, ...way } = best.way;
  return { ...way, central: [...lengths.keys()].filter((row) => (lengths[row] as number) < shortest) };
}

/** A pair is missed if it shares no bucket in any table. */
function tablesNeeded(cosine: number, bits: number, missChance: number): number {
  const same = (1 - Math.acos(cosine) / Math.PI) ** bits;
  return Math.max(1, Math.ceil(Math.log(missChance) / Math.log(1 - Math.min(same, 1 - 1e-9))));
}

function costOf(
  { count, dimension }: Rows,
  { cosine, bits, tables, checkedWords }: Omit<AlikePlan, "mean" | "central">,
  chances: readonly number[],
): number {
  const signs = Math.max(32 * checkedWords, bits * tables);
  const most = mostDiffering(cosine, 32 * checkedWords);
  let perPair = 0;
  for (const same of chances) {
    const meets = same ** bits;
    const passes = chanceBelow(most, 32 * checkedWords, 1 - same);
    // Of those that do not pass, part of the words already tells it.
    perPair += tables * meets * (COST.pair + COST.word * checkedWords * (passes < 0.5 ? 0.7 : 1));
    perPair +=
      passes * (tables * meets * COST.earlier * (tables / 2) + (1 - (1 - meets) ** tables) * dimension);
  }
  const pairs = allPairs(count) * (perPair / Math.max(1, chances.length));
  return count * (COST.sign * signs + 4 * bits * tables) + pairs;
}

/** Chance that of so many signs, each differing with that chance, at most `most` differ: a normal curve, by a logistic one. */
function chanceBelow(most: number, signs: number, chance: number): number {
  const deviation = Math.sqrt(signs * chance * (1 - chance));
  if (deviation === 0) return signs * chance <= most ? 1 : 0;
  return 1 / (1 + Math.exp((-1.702 * (most - signs * chance)) / deviation));
}

function allPairs(count: number): number {
  return (count * (count - 1)) / 2;
}

interface SampledPair {
  readonly plain: number;
  readonly centred: number;
}

function samplePairs(rows: Rows, mean: Float64Array, random: Random): SampledPair[] {
  if (rows.count < 2) return [];
  return Array.from({ length: SAMPLED_PAIRS }, () => {
    const one = Math.floor(random.next() * rows.count);
    const other = (one + 1 + Math.floor(random.next() * (rows.count - 1))) % rows.count;
    return { plain: clamped(dotRows(rows, one, other)), centred: centredCosine(rows, mean, one, other) };
  });
}

function centredCosine({ values, dimension }: Rows, mean: Float64Array, one: number, other: number): number {
  let [product, a, b] = [0, 0, 0];
  for (let i = 0; i < dimension; i++) {
    const x = (values[one * dimension + i] as number) - (mean[i] as number);
    const y = (values[other * dimension + i] as number) - (mean[i] as number);
    product += x * y;
    a += x * x;
    b += y * y;
  }
  return a === 0 || b === 0 ? 1 : clamped(product / Math.sqrt(a * b));
}

function clamped(cosine: number): number {
  return Math.min(1, Math.max(-1, cosine));
}

/** How long each row is without the mean. */
function remainders({ values, dimension, count }: Rows, mean: Float64Array): Float64Array {
  const lengths = new Float64Array(count);
  for (let row = 0; row < count; row++) {
    let sum = 0;
    for (let i = 0; i < dimension; i++)
      sum += ((values[row * dimension + i] as number) - (mean[i] as number)) ** 2;
    lengths[row] = Math.sqrt(sum);
  }
  return lengths;
}
