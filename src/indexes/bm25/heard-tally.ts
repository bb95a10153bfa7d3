/**
 * How much does each text have by now? Sums over the words of one query, by ordinal, in plain loops over arrays that are kept
 * from query to query and left as clean as they were: a word is heard wherever it stands and around it, then what it brings
 * there is added up. From some word on only those may go on that can still be among the best.
 */
import { type LengthNorm, wordShare } from "../../math/bm25.ts";
import { createTopK } from "../../math/top-k.ts";
import type { Earshot } from "./earshot.ts";
import { type PostingRun, timesAt } from "./posting-run.ts";
import type { TextSegment } from "./text-segment.ts";

export interface Wanted {
  /** How many texts, and which may be among them. */
  readonly limit: number;
  readonly isAllowed: (ordinal: number) => boolean;
}

export interface Best {
  /** Best first. */
  readonly items: Int32Array;
  readonly scores: Float64Array;
}

/** So many times as many as are wanted: enough to see about how much the best will have. */
const LOOKS_PER_BEST = 50;
/** In earshot of a text that contends; such a text itself. */
const NEAR = 1;
const CONTENDS = 2;

export class HeardTally {
  readonly #earshot: Earshot;
  /** By ordinal, 0 between queries: how often the word at hand is heard, and the sum over the words so far … */
  #heard = new Float64Array();
  #sums = new Float64Array();
  /** … and the ordinals of those that are not 0, with one place to spare. */
  #heardIn = new Uint32Array();
  #found = new Uint32Array();
  #heardCount = 0;
  #foundCount = 0;
  /** By ordinal, 0 between queries: `NEAR` or `CONTENDS`; and the ordinals of those, if only some contend. */
  #standing = new Uint8Array();
  #contest: number[] | undefined;

  constructor(earshot: Earshot) {
    this.#earshot = earshot;
  }

  get bytes(): number {
    const work = [this.#heard, this.#sums, this.#heardIn, this.#found, this.#standing];
    return work.reduce((sum, array) => sum + array.byteLength, 0);
  }

  /** How many texts have something. */
  get found(): number {
    return this.#foundCount;
  }

  /** Whether only some are still heard. */
  get isContest(): boolean {
    return this.#contest !== undefined;
  }

  /** For so many ordinals; between queries. */
  makeRoom(length: number): void {
    if (this.#heard.length >= length) return;
    this.#heard = new Float64Array(length);
    this.#sums = new Float64Array(length);
    this.#heardIn = new Uint32Array(length + 1);
    this.#found = new Uint32Array(length + 1);
    this.#standing = new Uint8Array(length);
  }

  /** One run of the postings of the word at hand. */
  hear(word: string, segment: TextSegment, run: PostingRun): void {
    this.#heardCount =
      this.#contest === undefined ? this.#hearAll(word, segment, run) : this.#hearNear(word, segment, run);
  }

  /** The word at hand was heard to the end. */
  addUp(weight: number, { constant, perWord }: LengthNorm, lengths: Float32Array): void {
    const [heard, heardIn, sums, found] = [this.#heard, this.#heardIn, this.#sums, this.#found];
    const count = this.#heardCount;
    let all = this.#foundCount;
    for (let i = 0; i < count; i++) {
      const ordinal = heardIn[i] as number;
      const norm = constant + perWord * (lengths[ordinal] as number);
      const sum = sums[ordinal] as number;
      found[all] = ordinal;
      if (sum === 0) all++;
      sums[ordinal] = sum + wordShare(weight, heard[ordinal] as number, norm);
      heard[ordinal] = 0;
    }
    this.#foundCount = all;
    this.#heardCount = 0;
  }

  /**
   * The last of the best has at least this by now, and with more words can only get more. −∞: they are fewer. Only the first
   * that were found are looked at: the heaviest words found them.
   */
  leastOfBest({ limit, isAllowed }: Wanted): number {
    const [sums, found, count] = [
      this.#sums,
      this.#found,
      Math.min(this.#foundCount, LOOKS_PER_BEST * limit),
    ];
    const best = createTopK(limit, () => false);
    let least = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      const ordinal = found[i] as number;
      const sum = sums[ordinal] as number;
      if (sum <= least || !isAllowed(ordinal)) continue;
      best.push(ordinal, sum);
      least = best.threshold();
    }
    return least;
  }

  /** From now on words are heard only by those who have at least so much. */
  letContend(least: number): void {
    const { near } = this.#earshot;
    const [sums, found, standing, all] = [this.#sums, this.#found, this.#standing, this.#foundCount];
    const contest: number[] = [];
    for (let i = 0; i < all; i++) {
      const ordinal = found[i] as number;
      if ((sums[ordinal] as number) < least) continue;
      const count = this.#earshot.look(ordinal);
      for (let n = 0; n < count; n++) {
        const one = near[n] as number;
        if (standing[one] === 0) contest.push(one);
        standing[one] = n === 0 ? CONTENDS : Math.max(standing[one] as number, NEAR);
      }
    }
    this.#contest = contest;
  }

  /** The best, and everything is 0 again. Those that did not contend lack some words, and could not have got in with them. */
  drain({ limit, isAllowed }: Wanted, isEarlier: (a: number, b: number) => boolean): Best {
    const [sums, found, count] = [this.#sums, this.#found, this.#foundCount];
    const best = createTopK(limit, isEarlier);
    let least = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      const ordinal = found[i] as number;
      const sum = sums[ordinal] as number;
      sums[ordinal] = 0;
      if (sum < least || !isAllowed(ordinal)) continue;
      best.push(ordinal, sum);
      least = best.threshold();
    }
    for (const ordinal of this.#contest ?? []) this.#standing[ordinal] = 0;
    this.#contest = undefined;
    this.#foundCount = 0;
    return best.drain();
  }

  #hearAll(word: string, segment: TextSegment, run: PostingRun): number {
    const { docs, start, end } = run;
    const { owners } = segment;
    const { before, after } = this.#earshot.links;
    const { shares } = this.#earshot;
    const [heard, heardIn] = [this.#heard, this.#heardIn];
    let all = this.#heardCount;
    for (let place = start; place < end; place++) {
      const ordinal = owners[docs[place] as number] as number;
      const often = timesAt(run, place, segment, word);
      const own = heard[ordinal] as number;
      heardIn[all] = ordinal;
      if (own === 0) all++;
      heard[ordinal] = own + often;
      let previous = ordinal;
      let next = ordinal;
      for (let away = 0; away < shares.length; away++) {
        const share = (shares[away] as number) * often;
        if (previous >= 0) previous = before[previous] as number;
        if (previous >= 0) {
          const known = heard[previous] as number;
          heardIn[all] = previous;
          if (known === 0) all++;
          heard[previous] = known + share;
        }
        if (next >= 0) next = after[next] as number;
        if (next >= 0) {
          const known = heard[next] as number;
          heardIn[all] = next;
          if (known === 0) all++;
          heard[next] = known + share;
        }
      }
    }
    return all;
  }

  #hearNear(word: string, segment: TextSegment, run: PostingRun): number {
    const { docs, start, end } = run;
    const { owners } = segment;
    const { near, nearShares } = this.#earshot;
    const [heard, heardIn, standing] = [this.#heard, this.#heardIn, this.#standing];
    let all = this.#heardCount;
    for (let place = start; place < end; place++) {
      const ordinal = owners[docs[place] as number] as number;
      if (standing[ordinal] === 0) continue;
      const often = timesAt(run, place, segment, word);
      const hearers = this.#earshot.look(ordinal);
      for (let i = 0; i < hearers; i++) {
        const hearer = near[i] as number;
        if (standing[hearer] !== CONTENDS) continue;
        const known = heard[hearer] as number;
        heardIn[all] = hearer;
        if (known === 0) all++;
        heard[hearer] = known + (nearShares[i] as number) * often;
      }
    }
    return all;
  }
}
