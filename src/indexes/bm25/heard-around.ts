/**
 * How well does a text answer together with what was said around it? BM25 of which each neighbour's words count a share, the
 * less the further off: a reply "Yes, twice!" answers by the question before it. As if the neighbours' words stood in the
 * text so many times; what that text would be is never written anywhere, so an added or a removed turn costs nothing else.
 *
 * Words are added up one by one, the heaviest first. Once those that are left can lift nobody new among the best, they are
 * heard only by the few texts that may still get there (the idea of MaxScore, see max-score.ts): common words weigh little and
 * are long to read.
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
import { Earshot } from "./earshot.ts";
import { HeardCounts } from "./heard-counts.ts";
import { type Best, HeardTally, type Wanted } from "./heard-tally.ts";
import { type PostingRun, seek, timesAt } from "./posting-run.ts";
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

export interface Heard extends Best {
  /** The score of one of them, word by word; good until the next change. */
  readonly explain: (ordinal: number) => Record<string, number>;
}

/** One word of the query, its postings in each queried segment, how many those are, and what it weighs over all of them. */
interface HeardWord {
  readonly word: string;
  /** What its share is called. */
  readonly part: string;
  readonly runs: ReadonlyMap<TextSegment, readonly PostingRun[]>;
  readonly postings: number;
  /** More than this it brings to no text. */
  readonly weight: number;
}

/** How long a text is with its neighbours is found out before the next query. */
const UNKNOWN = -1;
/** Sums of weights and sums of shares are rounded differently; this much more than covers it. */
const SLACK = 1 + 1e-9;
/** When the words that are left bring at most this part of what the last of the best has, few can still catch up. */
const FEW_CONTEND = 0.65;
/** So many of those found are looked at in the time that reading one posting takes. */
const LOOKS_PER_POSTING = 16;

export class HeardAround {
  readonly #params: Bm25Params;
  readonly #texts: AroundTexts;
  readonly #links: SaidAround;
  readonly #earshot: Earshot;
  readonly #counts: HeardCounts;
  readonly #tally: HeardTally;
  /** The numbers of those that `#earshot` found. */
  readonly #nearDocs: Uint32Array;
  /** By ordinal: words in the text and, as they count, around it; and of whom they are `UNKNOWN`. */
  #lengths = new Float32Array(16);
  #unmeasured: number[] = [];

  constructor(
    { around, ...params }: AroundOptions,
    texts: AroundTexts,
    links = new SaidAround(texts.compare),
  ) {
    this.#params = params;
    this.#texts = texts;
    this.#links = links;
    this.#earshot = new Earshot(links, around);
    this.#counts = new HeardCounts(this.#earshot, texts.docOf);
    this.#tally = new HeardTally(this.#earshot);
    this.#nearDocs = new Uint32Array(this.#earshot.near.length);
  }

  get bytes(): number {
    const parts = [this.#links, this.#counts, this.#tally].reduce((sum, { bytes }) => sum + bytes, 0);
    return parts + this.#lengths.byteLength + 8 * this.#unmeasured.length;
  }

  add(ordinal: number, session: string | undefined): void {
    this.#links.add(ordinal, session);
    this.#lengths = grow(this.#lengths, ordinal + 1, (length) => new Float32Array(length));
    this.#forgetLengths(ordinal);
    this.#counts.add(this.#texts.segmentOf(ordinal), ordinal);
  }

  remove(ordinal: number): void {
    this.#counts.remove(this.#texts.segmentOf(ordinal));
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
    around.#lengths = new Float32Array(ordinals.end);
    around.#unmeasured = [...heldOrdinals(ordinals)];
    for (const ordinal of around.#unmeasured) around.#lengths[ordinal] = UNKNOWN;
    return around;
  }

  search(segments: readonly TextSegment[], words: readonly string[], wanted: Wanted): Heard {
    this.#tally.makeRoom(this.#links.before.length);
    this.#measure();
    const size = segments.reduce((sum, segment) => sum + segment.size, 0);
    const length = segments.reduce((sum, segment) => sum + segment.totalLength, 0);
    // As if everybody had all neighbours: few stand at the end of a session.
    const whole = 1 + 2 * this.#earshot.shares.reduce((sum, share) => sum + share, 0);
    const norm = lengthNorm((whole * length) / Math.max(size, 1), this.#params);
    const heard = this.#weigh(segments, words, size);
    this.#addUpAll(heard, norm, wanted);
    const best = this.#tally.drain(wanted, (a, b) => this.#texts.compare(a, b) < 0);
    return { ...best, explain: (ordinal) => this.#explain(heard, norm, ordinal) };
  }

  #addUpAll(heard: readonly HeardWord[], norm: LengthNorm, wanted: Wanted): void {
    const tally = this.#tally;
    // For each word: what it and those after it can bring.
    const rest = new Float64Array(heard.length + 1);
    for (const [place, { weight }] of [...heard.entries()].reverse())
      rest[place] = (rest[place + 1] as number) + weight;
    let brought = 0;
    for (const [place, { word, runs, postings, weight }] of heard.entries()) {
      const most = rest[place] as number;
      if (!tally.isContest && most < brought && tally.found < LOOKS_PER_POSTING * postings) {
        const least = tally.leastOfBest(wanted);
        if (most < FEW_CONTEND * least) tally.letContend(least - SLACK * most);
      }
      for (const [segment, ofWord] of runs) for (const run of ofWord) tally.hear(word, segment, run);
      tally.addUp(weight, norm, this.#lengths);
      brought += weight;
    }
  }

  /** Heaviest first: shares are added in the same order however the query puts its words. */
  #weigh(segments: readonly TextSegment[], words: readonly string[], size: number): readonly HeardWord[] {
    const times = new Map<string, number>();
    for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
    const heard: HeardWord[] = [];
    for (const [word, inQuery] of times) {
      const runs = new Map(segments.map((segment) => [segment, segment.runs(word)]));
      let [count, postings] = [0, 0];
      for (const [segment, ofWord] of runs) {
        count += this.#counts.count(segment, word, ofWord);
        for (const { start, end } of ofWord) postings += end - start;
      }
      if (count === 0) continue;
      const weight = wordWeight(inverseDocumentFrequency(size, count), inQuery, this.#params);
      heard.push({ word, part: `term:${word}`, runs, postings, weight });
    }
    return heard.sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1));
  }

  #explain(heard: readonly HeardWord[], norm: LengthNorm, ordinal: number): Record<string, number> {
    const segment = this.#texts.segmentOf(ordinal);
    const lengthPart = norm.constant + norm.perWord * (this.#lengths[ordinal] as number);
    const count = this.#earshot.look(ordinal);
    const { near, nearShares } = this.#earshot;
    const docs = this.#nearDocs;
    let first = Number.POSITIVE_INFINITY;
    let last = 0;
    for (let i = 0; i < count; i++) {
      const doc = this.#texts.docOf(near[i] as number);
      docs[i] = doc;
      if (doc < first) first = doc;
      if (doc > last) last = doc;
    }
    const parts: Record<string, number> = {};
    for (const { word, part, runs, weight } of heard) {
      let times = 0;
      for (const run of runs.get(segment) ?? []) {
        // Those around it are mostly close by.
        const start = seek(run.docs, first, run.start, run.end);
        if (start === run.end || (run.docs[start] as number) > last) continue;
        for (let i = 0; i < count; i++) {
          const doc = docs[i] as number;
          const place = seek(run.docs, doc, start, run.end);
          if (place < run.end && run.docs[place] === doc) {
            times += (nearShares[i] as number) * timesAt(run, place, segment, word);
          }
        }
      }
      if (times > 0) parts[part] = wordShare(weight, times, lengthPart);
    }
    return parts;
  }

  #measure(): void {
    for (const ordinal of this.#unmeasured) {
      // Removed since.
      if (this.#lengths[ordinal] !== UNKNOWN) continue;
      const { lengths } = this.#texts.segmentOf(ordinal);
      const count = this.#earshot.look(ordinal);
      let length = 0;
      for (let i = 0; i < count; i++) {
        const words = lengths[this.#texts.docOf(this.#earshot.near[i] as number)] as number;
        length += (this.#earshot.nearShares[i] as number) * words;
      }
      this.#lengths[ordinal] = length;
    }
    this.#unmeasured = [];
  }

  /** Of the text and of whoever hears it. */
  #forgetLengths(ordinal: number): void {
    const count = this.#earshot.look(ordinal);
    for (let i = 0; i < count; i++) {
      const near = this.#earshot.near[i] as number;
      if (this.#lengths[near] !== UNKNOWN) this.#unmeasured.push(near);
      this.#lengths[near] = UNKNOWN;
    }
  }
}
