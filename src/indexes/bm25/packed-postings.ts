/**
 * Where do postings stay? Packed end to end, word after word, five bytes each: four for the document, one for how
 * often. A list only ever shrinks in place (documents that are gone are swept out of it); a merge makes new ones.
 */
import { snapshotCorrupt } from "../snapshot-bytes.ts";
import type { PostingLog } from "./posting-log.ts";
import { GONE, type PostingRun } from "./posting-run.ts";

export class PackedPostings {
  readonly docs: Uint32Array;
  readonly times: Uint8Array;
  /** By word: where its postings start, and how many there are. */
  readonly starts: Uint32Array;
  readonly counts: Uint32Array;

  constructor(docs: Uint32Array, times: Uint8Array, starts: Uint32Array, counts: Uint32Array) {
    this.docs = docs;
    this.times = times;
    this.starts = starts;
    this.counts = counts;
  }

  static empty(): PackedPostings {
    return new PackedPostings(new Uint32Array(), new Uint8Array(), new Uint32Array(), new Uint32Array());
  }

  /** Lists that stand end to end in the order of the words. */
  static of(docs: Uint32Array, times: Uint8Array, counts: Uint32Array): PackedPostings {
    const starts = new Uint32Array(counts.length);
    let total = 0;
    for (let word = 0; word < counts.length; word++) {
      starts[word] = total;
      total += counts[word] as number;
    }
    if (total !== docs.length) throw snapshotCorrupt("the lengths of its lists do not add up");
    return new PackedPostings(docs, times, starts, counts);
  }

  get bytes(): number {
    return 5 * this.docs.length + 8 * this.starts.length;
  }

  count(word: number): number {
    return word < this.counts.length ? (this.counts[word] as number) : 0;
  }

  run(word: number): PostingRun {
    const start = word < this.starts.length ? (this.starts[word] as number) : 0;
    return { docs: this.docs, times: this.times, start, end: start + this.count(word) };
  }

  /** Closes the gaps in the word's list that documents leave whose length says that they are gone. */
  sweep(word: number, lengths: Uint32Array): void {
    const { docs, times, start, end } = this.run(word);
    let kept = start;
    for (let place = start; place < end; place++) {
      const doc = docs[place] as number;
      if ((lengths[doc] as number) === GONE) continue;
      docs[kept] = doc;
      times[kept] = times[place] as number;
      kept++;
    }
    if (kept < end) this.counts[word] = kept - start;
  }
}

/**
 * One set of lists out of two. Both must have been swept; every document of the log is newer than every packed one.
 * `numbers` gives each document its new number, `GONE` to those that are gone.
 */
export function mergePostings(
  packed: PackedPostings,
  log: PostingLog,
  wordCount: number,
  numbers: Uint32Array,
): PackedPostings {
  const starts = new Uint32Array(wordCount);
  const counts = new Uint32Array(wordCount);
  let total = 0;
  for (let word = 0; word < wordCount; word++) {
    starts[word] = total;
    counts[word] = packed.count(word);
    total += packed.count(word) + log.count(word);
  }
  const docs = new Uint32Array(total);
  const times = new Uint8Array(total);
  for (let word = 0; word < wordCount; word++) {
    const run = packed.run(word);
    let to = starts[word] as number;
    for (let from = run.start; from < run.end; from++, to++) {
      docs[to] = numbers[run.docs[from] as number] as number;
      times[to] = run.times[from] as number;
    }
  }
  log.forEach((word, doc, howOften) => {
    const number = numbers[doc] as number;
    if (number === GONE) return;
    const to = (starts[word] as number) + (counts[word] as number);
    docs[to] = number;
    times[to] = howOften;
    counts[word] = (counts[word] as number) + 1;
  });
  return new PackedPostings(docs, times, starts, counts);
}
