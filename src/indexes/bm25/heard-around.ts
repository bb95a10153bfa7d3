/**
 * How well does a text answer together with what was said around it? BM25 of which each neighbour's words count a share, the
 * less the further off: a reply "Yes, twice!" answers by the question before it. As if the neighbours' words stood in the
 * text so many times; what that text would be is never written anywhere, so an added or a removed turn costs nothing else.
 * Every posting of every word is read, which a query of few words can afford (the bounds of MaxScore do not hold for sums):
 * word by word in plain loops, over arrays by ordinal that are kept from query to query and left as clean as they were.
 */
import {
  type Bm25Params,
  inverseDocumentFrequency,
  type LengthNorm,
  lengthNorm,
  wordShare,
  wordWeight,
} from "../../math/bm25.ts";
import { heldOrdinals } from "../by-scope.ts";
import { grow } from "../grow.ts";
import type { Ordinals } from "../ordinals.ts";
import type { SnapshotReader, SnapshotWriter } from "../snapshot-bytes.ts";
import type { Collector } from "./max-score.ts";
import { FULL, type PostingRun, seek } from "./posting-run.ts";
import { SaidAround } from "./said-around.ts";
import type { TextSegment } from "./text-segment.ts";

export interface AroundOptions extends Bm25Params {
  /** What a word counts one, two … texts away. */
  readonly around: readonly number[];
}

/** Where the texts are: the index's own tables, by ordinal. */
export interface AroundTexts {
  /** The order of two ids. */
  compare(a: number, b: number): number;
  segmentOf(ordinal: number): TextSegment;
  /** Its number there. */
  docOf(ordinal: number): number;
}

/** One word of the query, its postings in each queried segment, and what it weighs over all of them. */
interface HeardWord {
  readonly word: string;
  readonly runs: ReadonlyMap<TextSegment, readonly PostingRun[]>;
  readonly weight: number;
}

/** The score of a text that was offered, word by word. */
export type Explain = (ordinal: number) => Record<string, number>;

/** How long a text is with its neighbours is found out before the next query. */
const UNKNOWN = -1;
/** Shares are rounded to this: sums of them are exact, so a score does not depend on the order in which texts came. */
const GRAIN = 2 ** -40;

export class HeardAround {
  readonly #params: Bm25Params;
  readonly #shares: Float64Array;
  readonly #texts: AroundTexts;
  readonly #links: SaidAround;
  /** By ordinal: words in the text and, as they count, around it; and of whom they are `UNKNOWN`. */
  #lengths = new Float32Array(16);
  #unmeasured: number[] = [];
  /** By ordinal, 0 between queries: how often the word at hand is heard, and the sum over the words so far … */
  #heard = new Float64Array();
  #sums = new Float64Array();
  /** … 1 where these are not 0, and the ordinals of those, with one place to spare. */
  #isHeard = new Uint8Array();
  #hasSum = new Uint8Array();
  #heardIn = new Uint32Array();
  #found = new Uint32Array();
  /** See `#lookAround`. */
  readonly #near: Uint32Array;
  readonly #nearShares: Float64Array;

  constructor(
    { around, ...params }: AroundOptions,
    texts: AroundTexts,
    links = new SaidAround(texts.compare),
  ) {
    this.#params = params;
    this.#shares = Float64Array.from(around, (share) => GRAIN * Math.max(1, Math.round(share / GRAIN)));
    this.#texts = texts;
    this.#links = links;
    this.#near = new Uint32Array(1 + 2 * around.length);
    this.#nearShares = new Float64Array(1 + 2 * around.length);
  }

  get bytes(): number {
    const work = [this.#heard, this.#sums, this.#isHeard, this.#hasSum, this.#heardIn, this.#found];
    const arrays = [this.#lengths, ...work].reduce((sum, array) => sum + array.byteLength, 0);
    return arrays + 8 * this.#unmeasured.length + this.#links.bytes;
  }

  add(ordinal: number, session: string | undefined): void {
    this.#links.add(ordinal, session);
    this.#lengths = grow(this.#lengths, ordinal + 1, (length) => new Float32Array(length));
    this.#forgetLengths(ordinal);
  }

  remove(ordinal: number): void {
    this.#forgetLengths(ordinal);
    this.#links.remove(ordinal);
    this.#lengths[ordinal] = 0;
  }

  /** `end`: one past the highest ordinal. */
  save(writer: SnapshotWriter, end: number): void {
    this.#links.save(writer, end);
  }

  static load(
    reader: SnapshotReader,
    ordinals: Ordinals,
    options: AroundOptions,
    texts: AroundTexts,
  ): HeardAround {
    const links = SaidAround.load(reader, ordinals.end, texts.compare);
    const around = new HeardAround(options, texts, links);
    around.#lengths = new Float32Array(ordinals.end).fill(UNKNOWN);
    around.#unmeasured = [...heldOrdinals(ordinals)];
    return around;
  }

  /** Offers every text in which a word is heard. What is given back is good until the next change. */
  search(segments: readonly TextSegment[], words: readonly string[], collector: Collector): Explain {
    this.#makeRoom();
    this.#measure();
    const size = segments.reduce((sum, segment) => sum + segment.size, 0);
    const length = segments.reduce((sum, segment) => sum + segment.totalLength, 0);
    // As if everybody had all neighbours: few stand at the end of a session.
    const whole = 1 + 2 * this.#shares.reduce((sum, share) => sum + share, 0);
    const norm = lengthNorm((whole * length) / Math.max(size, 1), this.#params);
    const times = new Map<string, number>();
    for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
    const heard: HeardWord[] = [];
    let found = 0;
    // In an order of their own: shares are added in the same one however the query puts its words.
    for (const [word, inQuery] of [...times].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const runs = new Map(segments.map((segment) => [segment, segment.runs(word)]));
      let count = 0;
      for (const [segment, both] of runs) {
        for (const run of both) count = this.#hear(word, segment, run, count);
      }
      if (count === 0) continue;
      const weight = wordWeight(inverseDocumentFrequency(size, count), inQuery, this.#params);
      found = this.#addUp(weight, norm, count, found);
      heard.push({ word, runs, weight });
    }
    this.#offer(found, collector);
    return (ordinal) => this.#explain(heard, norm, ordinal);
  }

  /** Adds how often a word is heard by one run of its postings; `count` and the answer: in how many texts it is by now. */
  #hear(word: string, segment: TextSegment, run: PostingRun, count: number): number {
    const { docs, start, end } = run;
    const { before, after } = this.#links;
    const { owners } = segment;
    const [heard, isHeard, heardIn, shares] = [this.#heard, this.#isHeard, this.#heardIn, this.#shares];
    let all = count;
    // No branch on what is new: half of a common word's texts are, and nobody could foretell which.
    for (let place = start; place < end; place++) {
      const ordinal = owners[docs[place] as number] as number;
      const often = timesAt(run, place, segment, word);
      heardIn[all] = ordinal;
      all += 1 - (isHeard[ordinal] as number);
      isHeard[ordinal] = 1;
      heard[ordinal] = (heard[ordinal] as number) + often;
      let previous = ordinal;
      let next = ordinal;
      for (let away = 0; away < shares.length; away++) {
        const share = (shares[away] as number) * often;
        if (previous >= 0) previous = before[previous] as number;
        if (previous >= 0) {
          heardIn[all] = previous;
          all += 1 - (isHeard[previous] as number);
          isHeard[previous] = 1;
          heard[previous] = (heard[previous] as number) + share;
        }
        if (next >= 0) next = after[next] as number;
        if (next >= 0) {
          heardIn[all] = next;
          all += 1 - (isHeard[next] as number);
          isHeard[next] = 1;
          heard[next] = (heard[next] as number) + share;
        }
      }
    }
    return all;
  }

  /** What a word brings to the `count` texts it is heard in goes to their sums; `found` and the answer: how many have one. */
  #addUp(weight: number, norm: LengthNorm, count: number, found: number): number {
    const [heard, isHeard, heardIn, lengths] = [this.#heard, this.#isHeard, this.#heardIn, this.#lengths];
    const [sums, hasSum, withSum] = [this.#sums, this.#hasSum, this.#found];
    const { constant, perWord } = norm;
    let all = found;
    for (let i = 0; i < count; i++) {
      const ordinal = heardIn[i] as number;
      const length = lengths[ordinal] as number;
      const share = wordShare(weight, heard[ordinal] as number, constant + perWord * length);
      sums[ordinal] = (sums[ordinal] as number) + share;
      withSum[all] = ordinal;
      all += 1 - (hasSum[ordinal] as number);
      hasSum[ordinal] = 1;
      heard[ordinal] = 0;
      isHeard[ordinal] = 0;
    }
    return all;
  }

  #offer(found: number, collector: Collector): void {
    let threshold = collector.threshold();
    for (let i = 0; i < found; i++) {
      const ordinal = this.#found[i] as number;
      const sum = this.#sums[ordinal] as number;
      this.#sums[ordinal] = 0;
      this.#hasSum[ordinal] = 0;
      if (sum < threshold) continue;
      collector.offer(ordinal, sum);
      threshold = collector.threshold();
    }
  }

  #explain(heard: readonly HeardWord[], norm: LengthNorm, ordinal: number): Record<string, number> {
    const segment = this.#texts.segmentOf(ordinal);
    const length = this.#lengths[ordinal] as number;
    const count = this.#lookAround(ordinal);
    const docs = Array.from(this.#near.subarray(0, count), this.#texts.docOf);
    const first = Math.min(...docs);
    const last = Math.max(...docs);
    const parts: Record<string, number> = {};
    for (const { word, runs, weight } of heard) {
      let times = 0;
      for (const run of runs.get(segment) ?? []) {
        // Those around it are mostly close by.
        const start = seek(run.docs, first, run.start, run.end);
        if (start === run.end || (run.docs[start] as number) > last) continue;
        for (let i = 0; i < count; i++) {
          const doc = docs[i] as number;
          const place = seek(run.docs, doc, start, run.end);
          if (place < run.end && run.docs[place] === doc) {
            times += (this.#nearShares[i] as number) * timesAt(run, place, segment, word);
          }
        }
      }
      if (times > 0) parts[`term:${word}`] = wordShare(weight, times, norm.constant + norm.perWord * length);
    }
    return parts;
  }

  #measure(): void {
    for (const ordinal of this.#unmeasured) {
      // Removed since.
      if (this.#lengths[ordinal] !== UNKNOWN) continue;
      const { lengths } = this.#texts.segmentOf(ordinal);
      const count = this.#lookAround(ordinal);
      let length = 0;
      for (let i = 0; i < count; i++) {
        const words = lengths[this.#texts.docOf(this.#near[i] as number)] as number;
        length += (this.#nearShares[i] as number) * words;
      }
      this.#lengths[ordinal] = length;
    }
    this.#unmeasured = [];
  }

  /** Of the text and of whoever hears it. */
  #forgetLengths(ordinal: number): void {
    const count = this.#lookAround(ordinal);
    for (let i = 0; i < count; i++) {
      const near = this.#near[i] as number;
      if (this.#lengths[near] !== UNKNOWN) this.#unmeasured.push(near);
      this.#lengths[near] = UNKNOWN;
    }
  }

  /** The text and those it hears, who hear it, too: all in one segment, for a session has one scope. Gives how many. */
  #lookAround(ordinal: number): number {
    const { before, after } = this.#links;
    let previous = ordinal;
    let next = ordinal;
    let count = 0;
    const put = (near: number, share: number): void => {
      this.#near[count] = near;
      this.#nearShares[count++] = share;
    };
    put(ordinal, 1);
    for (const share of this.#shares) {
      if (previous >= 0) previous = before[previous] as number;
      if (next >= 0) next = after[next] as number;
      if (previous >= 0) put(previous, share);
      if (next >= 0) put(next, share);
    }
    return count;
  }

  #makeRoom(): void {
    const { length } = this.#links.before;
    if (this.#heard.length >= length) return;
    this.#heard = new Float64Array(length);
    this.#sums = new Float64Array(length);
    this.#isHeard = new Uint8Array(length);
    this.#hasSum = new Uint8Array(length);
    this.#heardIn = new Uint32Array(length + 1);
    this.#found = new Uint32Array(length + 1);
  }
}

/** How often the word stands in the text of a posting. */
function timesAt({ docs, times }: PostingRun, place: number, segment: TextSegment, word: string): number {
  const known = times[place] as number;
  return known === FULL ? segment.exactTimes(docs[place] as number, word) : known;
}
