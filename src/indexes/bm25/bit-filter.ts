/**
 * Which documents of a window hold enough of the words to matter? Every word has a bit per document and an upper bound
 * on what it brings. "The bounds of the words present reach the threshold" is a boolean function of those bits; it is
 * unfolded into a small decision diagram (Bryant, Graph-based algorithms for boolean function manipulation, 1986) and
 * worked out for 32 documents with each operation.
 */
import type { PostingRun } from "./posting-run.ts";

/** How many documents are looked at together: their sums fit the processor's nearest cache. */
export const WINDOW = 4096;
const WORDS = WINDOW / 32;
const MOST_NODES = 64;
/** Most steps of unfolding: a long question has more ways to reach the threshold than anybody could try. */
const MOST_STEPS = 1024;

/** One bit per document of a run. */
export interface DocBits {
  readonly present: Int32Array;
  /** Where the word stands more than once. */
  readonly repeated: Int32Array;
}

/** Where the word's bit is set the result of `high`, and always that of `low`, which never holds more. */
interface Node {
  readonly word: number;
  readonly high: Int32Array;
  readonly low: Int32Array;
  readonly result: Int32Array;
}

/** What the words from some word on decide, the same for every sum of the words before in [from, to). */
interface Unfolded {
  readonly from: number;
  readonly to: number;
  readonly bits: Int32Array;
}

export class BitFilter {
  readonly #none = new Int32Array(WORDS);
  readonly #all = new Int32Array(WORDS).fill(-1);
  readonly #results = Array.from({ length: MOST_NODES }, () => new Int32Array(WORDS));
  readonly #nodes: Node[] = [];
  #root: Int32Array = this.#none;

  /** Makes it pass what reaches the threshold; false if that is too intricate to be worth it. */
  aim(bounds: readonly number[], threshold: number): boolean {
    this.#nodes.length = 0;
    const rest = bounds.map((_, i) => bounds.slice(i).reduce((sum, bound) => sum + bound, 0));
    const known: Unfolded[][] = bounds.map(() => []);
    let steps = 0;
    const unfold = (word: number, sum: number): Unfolded => {
      if (this.#isTooIntricate(++steps)) return { from: sum, to: sum, bits: this.#none };
      const missing = threshold - (rest[word] ?? 0);
      if (sum >= threshold) return { from: threshold, to: Number.POSITIVE_INFINITY, bits: this.#all };
      if (sum < missing) return { from: Number.NEGATIVE_INFINITY, to: missing, bits: this.#none };
      const same = known[word]?.find(({ from, to }) => from <= sum && sum < to);
      if (same !== undefined) return same;
      const bound = bounds[word] ?? 0;
      const high = unfold(word + 1, sum + bound);
      const low = unfold(word + 1, sum);
      const bits = this.#node(word, high.bits, low.bits);
      const made = {
        from: Math.max(high.from - bound, low.from),
        to: Math.min(high.to - bound, low.to),
        bits,
      };
      known[word]?.push(made);
      return made;
    };
    this.#root = unfold(0, 0).bits;
    return !this.#isTooIntricate(steps);
  }

  /** The documents that pass in the window that starts at `first`: puts their numbers into `docs`, gives how many. */
  pass(bits: readonly DocBits[], first: number, docs: Uint32Array): number {
    for (const { word, high, low, result } of this.#nodes) {
      const present = bits[word]?.present ?? this.#none;
      choose(present, first >> 5, high, low, result);
    }
    return listBits(this.#root, first, docs);
  }

  #isTooIntricate(steps: number): boolean {
    return this.#nodes.length >= MOST_NODES || steps > MOST_STEPS;
  }

  #node(word: number, high: Int32Array, low: Int32Array): Int32Array {
    const result = this.#results[this.#nodes.length];
    if (high === low || result === undefined) return low;
    this.#nodes.push({ word, high, low, result });
    return result;
  }
}

/** The bits of a run of documents below `docEnd`, with room for a window that starts at the last of them. */
export function docBits(run: PostingRun, docEnd: number): DocBits {
  const { docs, times, start, end } = run;
  const length = (docEnd >> 5) + 1 + WORDS;
  const present = new Int32Array(length);
  const repeated = new Int32Array(length);
  for (let place = start; place < end; place++) {
    const doc = docs[place] as number;
    const bit = 1 << (doc & 31);
    present[doc >> 5] = (present[doc >> 5] as number) | bit;
    if ((times[place] as number) > 1) repeated[doc >> 5] = (repeated[doc >> 5] as number) | bit;
  }
  return { present, repeated };
}

function choose(
  bits: Int32Array,
  offset: number,
  high: Int32Array,
  low: Int32Array,
  result: Int32Array,
): void {
  for (let i = 0; i < WORDS; i++) {
    result[i] = ((bits[offset + i] as number) & (high[i] as number)) | (low[i] as number);
  }
}

function listBits(bits: Int32Array, first: number, docs: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < WORDS; i++) {
    for (let left = bits[i] as number; left !== 0; left &= left - 1) {
      docs[count] = first + 32 * i + 31 - Math.clz32(left & -left);
      count++;
    }
  }
  return count;
}
