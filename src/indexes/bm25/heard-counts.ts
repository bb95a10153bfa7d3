/**
 * In how many texts is a word heard? More than hold it, and how many more only its postings tell: a word that comes up all
 * at once is heard in fewer texts than one that is everywhere. For common words, of which reading them all takes long, the
 * number is kept from query to query; what came since is looked at alone, and after a removal it is counted anew.
 */
import { grow } from "../grow.ts";
import type { Earshot } from "./earshot.ts";
import { type PostingRun, seek } from "./posting-run.ts";
import type { TextSegment } from "./text-segment.ts";

/** The number of words with so many postings is kept: there cannot be many of them. */
const COMMON = 1024;
/** Beyond so many new texts counting anew is as fast. */
const MOST_ADDED = 512;

/** Of a word and its number in a map, by estimate. */
const KEPT_BYTES = 100;

interface Kept {
  /** Texts that came since, by ordinal. */
  readonly added: number[];
  /** By word: its number when so many of `added` had come. */
  readonly counts: Map<string, { readonly count: number; readonly seen: number }>;
}

export class HeardCounts {
  readonly #earshot: Earshot;
  /** The number of a text in its segment, by ordinal. */
  readonly #docOf: (ordinal: number) => number;
  readonly #kept = new Map<TextSegment, Kept>();
  /** By ordinal: the last count in which the text was met. */
  #metIn = new Uint32Array();
  #counting = 0;

  constructor(earshot: Earshot, docOf: (ordinal: number) => number) {
    this.#earshot = earshot;
    this.#docOf = docOf;
  }

  get bytes(): number {
    let kept = 0;
    for (const { added, counts } of this.#kept.values()) kept += 8 * added.length + KEPT_BYTES * counts.size;
    return this.#metIn.byteLength + kept;
  }

  /** A text has come. */
  add(segment: TextSegment, ordinal: number): void {
    const added = this.#kept.get(segment)?.added;
    if (added === undefined) return;
    if (added.length < MOST_ADDED) added.push(ordinal);
    else this.#kept.delete(segment);
  }

  /** A text has gone. */
  remove(segment: TextSegment): void {
    this.#kept.delete(segment);
  }

  /** `runs`: the word's postings in the segment. */
  count(segment: TextSegment, word: string, runs: readonly PostingRun[]): number {
    if (runs.reduce((sum, { start, end }) => sum + end - start, 0) < COMMON)
      return this.#countAll(segment, runs);
    const kept = this.#kept.get(segment) ?? { added: [], counts: new Map() };
    this.#kept.set(segment, kept);
    const known = kept.counts.get(word);
    const seen = kept.added.length;
    if (known?.seen === seen) return known.count;
    const count =
      known === undefined
        ? this.#countAll(segment, runs)
        : known.count + this.#change(runs, kept.added.slice(known.seen));
    kept.counts.set(word, { count, seen });
    return count;
  }

  #countAll({ owners }: TextSegment, runs: readonly PostingRun[]): number {
    const { before, after } = this.#earshot.links;
    const reach = this.#earshot.shares.length;
    const counting = this.#nextCounting(before.length);
    const metIn = this.#metIn;
    let count = 0;
    for (const { docs, start, end } of runs) {
      for (let place = start; place < end; place++) {
        const ordinal = owners[docs[place] as number] as number;
        if (metIn[ordinal] !== counting) count++;
        metIn[ordinal] = counting;
        for (let previous = before[ordinal] as number, away = 0; previous >= 0 && away < reach; away++) {
          if (metIn[previous] !== counting) count++;
          metIn[previous] = counting;
          previous = before[previous] as number;
        }
        for (let next = after[ordinal] as number, away = 0; next >= 0 && away < reach; away++) {
          if (metIn[next] !== counting) count++;
          metIn[next] = counting;
          next = after[next] as number;
        }
      }
    }
    return count;
  }

  /** By how much the number grew, or shrank, since these came: those near them may hear it now, or no more. */
  #change(runs: readonly PostingRun[], added: readonly number[]): number {
    const fresh = new Set(added);
    const affected = new Set<number>();
    for (const ordinal of fresh) {
      const count = this.#earshot.look(ordinal);
      for (let i = 0; i < count; i++) affected.add(this.#earshot.near[i] as number);
    }
    let change = 0;
    for (const ordinal of affected) {
      if (this.#isHeardAt(ordinal, runs)) change++;
      if (!fresh.has(ordinal) && this.#isHeardAt(ordinal, runs, fresh)) change--;
    }
    return change;
  }

  #isHeardAt(ordinal: number, runs: readonly PostingRun[], absent?: ReadonlySet<number>): boolean {
    const count = this.#earshot.look(ordinal, absent);
    for (let i = 0; i < count; i++) {
      const doc = this.#docOf(this.#earshot.near[i] as number);
      for (const { docs, start, end } of runs) {
        const place = seek(docs, doc, start, end);
        if (place < end && docs[place] === doc) return true;
      }
    }
    return false;
  }

  #nextCounting(ordinals: number): number {
    this.#metIn = grow(this.#metIn, ordinals, (length) => new Uint32Array(length));
    if (this.#counting === 0xffff_ffff) {
      this.#metIn.fill(0);
      this.#counting = 0;
    }
    return ++this.#counting;
  }
}
