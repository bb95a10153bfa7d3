/**
 * Which words stand in the texts of one scope? Documents are numbered in order of arrival; each word has a list of the
 * documents that hold it, the newest in a log, the others packed. A removed document is only marked: the lists forget
 * it when they are next read, and a merge closes the gaps in the numbers, so counts are always those of the living.
 */
import { grow } from "../grow.ts";
import type { SnapshotReader, SnapshotWriter } from "../snapshot-bytes.ts";
import { type DocBits, docBits } from "./bit-filter.ts";
import { frontierOf, type Posting } from "./frontier.ts";
import { mergePostings, PackedPostings } from "./packed-postings.ts";
import { PostingLog } from "./posting-log.ts";
import { FULL, GONE, NO_POSTINGS, type PostingRun } from "./posting-run.ts";

/** Small segments live in the log alone; in larger ones it holds between 1/16 and 1/8 of what is packed. */
const SMALLEST_MERGE = 4096;
const MERGE_RATIO = 16;
/** The bits of a word that stands in at least one of this many texts take no more room than its postings: they are kept. */
const DENSE = 32;

export class TextSegment {
  /** Told whenever a merge gives a document another number. */
  readonly #moved: (owner: number, doc: number) => void;
  /** Word → number; numbers follow the order of the map. */
  #words = new Map<string, number>();
  #packed = PackedPostings.empty();
  readonly #log = new PostingLog();
  /** By word: how many removals its lists already reflect. */
  #swept: Uint32Array = new Uint32Array(16);
  #removals = 0;
  /** By document: its number of words (`GONE` once removed), and whose text it is. */
  #lengths: Uint32Array = new Uint32Array(16);
  #owners: Uint32Array = new Uint32Array(16);
  #docEnd = 0;
  #size = 0;
  #totalLength = 0;
  /** Exact counts where a posting says `FULL`: document → word → times. */
  #often = new Map<number, Map<string, number>>();
  /** By number, copies of the newest postings of words that were asked for; valid until anything changes. */
  readonly #newest = new Map<number, PostingRun>();
  /** See `frontier`; valid until the next merge. */
  readonly #frontiers = new Map<string, readonly Posting[]>();
  /** See `bits`; valid until the next merge. */
  readonly #bits = new Map<string, DocBits>();

  constructor(moved: (owner: number, doc: number) => void) {
    this.#moved = moved;
  }

  /** How many texts are held, and their words in all. */
  get size(): number {
    return this.#size;
  }
  get totalLength(): number {
    return this.#totalLength;
  }
  get lengths(): Uint32Array {
    return this.#lengths;
  }
  get owners(): Uint32Array {
    return this.#owners;
  }

  /** The arrays exactly, the dictionary by estimate: a map entry, and a header and two bytes a letter for the word. */
  get bytes(): number {
    const arrays = this.#swept.byteLength + this.#lengths.byteLength + this.#owners.byteLength;
    const bits = [...this.#bits.values()].reduce((sum, { present }) => sum + 2 * present.byteLength, 0);
    const newest = [...this.#newest.values()].reduce((sum, { end }) => sum + 64 + 5 * end, 0);
    return arrays + bits + newest + this.#packed.bytes + this.#log.bytes + 64 * this.#words.size;
  }

  /** The new document's number. */
  add(owner: number, words: readonly string[]): number {
    if (this.#mergeIsDue(words.length)) this.#merge();
    this.#newest.clear();
    const doc = this.#docEnd++;
    this.#lengths = grow(this.#lengths, this.#docEnd, (length) => new Uint32Array(length));
    this.#owners = grow(this.#owners, this.#docEnd, (length) => new Uint32Array(length));
    this.#lengths[doc] = words.length;
    this.#owners[doc] = owner;
    for (const word of words) {
      if (this.#log.add(this.#numberFor(word), doc) === FULL) this.#countOften(doc, word);
    }
    this.#size++;
    this.#totalLength += words.length;
    return doc;
  }

  remove(doc: number): void {
    this.#totalLength -= at(this.#lengths, doc);
    this.#newest.clear();
    this.#lengths[doc] = GONE;
    this.#often.delete(doc);
    this.#size--;
    this.#removals++;
    if (this.#removals >= SMALLEST_MERGE && this.#removals > this.#size) this.#merge();
  }

  /** How many texts hold the word. */
  count(word: string): number {
    const number = this.#words.get(word);
    if (number === undefined) return 0;
    this.#sweep(number);
    return this.#packed.count(number) + this.#log.count(number);
  }

  /** The word's postings: the packed ones, then the newest. */
  runs(word: string): readonly [PostingRun, PostingRun] {
    const number = this.#words.get(word);
    if (number === undefined) return [NO_POSTINGS, NO_POSTINGS];
    this.#sweep(number);
    const newest = this.#newest.get(number) ?? this.#log.run(number);
    this.#newest.set(number, newest);
    return [this.#packed.run(number), newest];
  }

  /** How often the word stands in a document whose posting says `FULL`. */
  exactTimes(doc: number, word: string): number {
    return this.#often.get(doc)?.get(word) ?? FULL;
  }

  /** The best packed postings of a word; those of documents removed meanwhile may still be among them. */
  frontier(word: string): readonly Posting[] {
    const known = this.#frontiers.get(word);
    if (known !== undefined) return known;
    const frontier = frontierOf(this.runs(word)[0], this.#lengths, (doc) => this.exactTimes(doc, word));
    this.#frontiers.set(word, frontier);
    return frontier;
  }

  /** The packed documents of a word as bits; those of documents removed meanwhile may still be set. */
  bits(word: string): DocBits {
    const known = this.#bits.get(word);
    if (known !== undefined) return known;
    const [run] = this.runs(word);
    const bits = docBits(run, this.#docEnd);
    if ((run.end - run.start) * DENSE >= this.#docEnd) this.#bits.set(word, bits);
    return bits;
  }

  /** Merges first, so that only packed lists and living documents are written. */
  save(writer: SnapshotWriter): void {
    if (this.#log.length > 0 || this.#removals > 0) this.#merge();
    const often = [...this.#often].flatMap(([doc, counts]) =>
      [...counts].map(([word, times]) => ({ doc, word, times })),
    );
    writer
      .texts([...this.#words.keys()])
      .uint32(this.#packed.counts.subarray(0, this.#words.size))
      .uint32(this.#packed.docs)
      .bytes(this.#packed.times)
      .uint32(this.#lengths.subarray(0, this.#docEnd))
      .uint32(this.#owners.subarray(0, this.#docEnd))
      .texts(often.map(({ word }) => word))
      .uint32(Uint32Array.from(often, ({ doc }) => doc))
      .uint32(Uint32Array.from(often, ({ times }) => times));
  }

  static load(reader: SnapshotReader, moved: (owner: number, doc: number) => void): TextSegment {
    const segment = new TextSegment(moved);
    for (const word of reader.texts()) segment.#words.set(word, segment.#words.size);
    const counts = reader.uint32(segment.#words.size);
    const docs = reader.uint32();
    const times = reader.bytes(docs.length).slice();
    segment.#packed = PackedPostings.of(docs, times, counts);
    segment.#swept = new Uint32Array(counts.length);
    segment.#lengths = reader.uint32();
    segment.#size = segment.#lengths.length;
    segment.#docEnd = segment.#size;
    segment.#owners = reader.uint32(segment.#size);
    for (const length of segment.#lengths) segment.#totalLength += length;
    const words = reader.texts();
    const holders = reader.uint32(words.length);
    const exact = reader.uint32(words.length);
    for (const [i, word] of words.entries()) {
      const doc = at(holders, i);
      const known = segment.#often.get(doc) ?? new Map<string, number>();
      segment.#often.set(doc, known.set(word, at(exact, i)));
    }
    return segment;
  }

  #numberFor(word: string): number {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const number = this.#words.size;
    this.#words.set(ownCopy(word), number);
    this.#swept = grow(this.#swept, number + 1, (length) => new Uint32Array(length));
    this.#swept[number] = this.#removals;
    return number;
  }

  #countOften(doc: number, word: string): void {
    const counts = this.#often.get(doc) ?? new Map<string, number>();
    counts.set(word, (counts.get(word) ?? FULL - 1) + 1);
    this.#often.set(doc, counts);
  }

  #sweep(word: number): void {
    if (word >= this.#words.size || at(this.#swept, word) === this.#removals) return;
    this.#swept[word] = this.#removals;
    this.#packed.sweep(word, this.#lengths);
    this.#log.sweep(word, this.#lengths);
  }

  /** Rather than let the log grow: when it is large enough for the cost of copying what is packed to be small. */
  #mergeIsDue(coming: number): boolean {
    const { length, capacity } = this.#log;
    if (length + coming <= capacity || length < SMALLEST_MERGE) return false;
    return length * MERGE_RATIO >= this.#packed.docs.length;
  }

  #merge(): void {
    if (this.#removals > 0) for (let word = 0; word < this.#words.size; word++) this.#sweep(word);
    const numbers = new Uint32Array(this.#docEnd).fill(GONE);
    let next = 0;
    for (let doc = 0; doc < this.#docEnd; doc++) {
      if (at(this.#lengths, doc) === GONE) continue;
      numbers[doc] = next;
      this.#lengths[next] = at(this.#lengths, doc);
      this.#owners[next] = at(this.#owners, doc);
      if (next !== doc) this.#moved(at(this.#owners, doc), next);
      next++;
    }
    this.#packed = mergePostings(this.#packed, this.#log, this.#words.size, numbers);
    this.#often = new Map([...this.#often].map(([doc, counts]) => [at(numbers, doc), counts]));
    this.#docEnd = next;
    this.#log.clear();
    this.#newest.clear();
    this.#frontiers.clear();
    this.#bits.clear();
    this.#dropEmptyWords();
    this.#removals = 0;
    this.#swept.fill(0);
  }

  /** Words that no text holds any more, once they are a quarter of all. */
  #dropEmptyWords(): void {
    const { starts, counts } = this.#packed;
    let empty = 0;
    for (const count of counts) if (count === 0) empty++;
    if (4 * empty <= counts.length) return;
    const words = new Map<string, number>();
    for (const [word, number] of this.#words) {
      if (at(counts, number) === 0) continue;
      starts[words.size] = at(starts, number);
      counts[words.size] = at(counts, number);
      words.set(word, words.size);
    }
    this.#words = words;
    counts.fill(0, words.size);
  }
}

/** V8 lets a long word point into the text it was cut from; a copy lets that text go. */
function ownCopy(word: string): string {
  return word.length < 13 ? word : Buffer.from(word, "utf16le").toString("utf16le");
}

/** An element that is known to be there. */
function at(array: Uint32Array | Uint8Array, index: number): number {
  return array[index] as number;
}
