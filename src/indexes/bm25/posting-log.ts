/**
 * Where do new postings go? To the end of a log, in order of arrival, each linked to the one of the same word before
 * it: adding costs a few stores. Now and then the log is merged into the packed lists and starts again.
 */
import { grow } from "../grow.ts";
import { FULL, GONE, type PostingRun } from "./posting-run.ts";

export class PostingLog {
  #docs: Uint32Array = new Uint32Array(16);
  #times: Uint8Array = new Uint8Array(16);
  #words: Uint32Array = new Uint32Array(16);
  /** The place of the word's posting before this one plus one, 0 if there is none. */
  #before: Uint32Array = new Uint32Array(16);
  /** By word: the place of its newest posting plus one, and how many it has. */
  #newest: Uint32Array = new Uint32Array(16);
  #counts: Uint32Array = new Uint32Array(16);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** How many postings fit before the arrays must grow. */
  get capacity(): number {
    return this.#docs.length;
  }

  get bytes(): number {
    const perPosting = [this.#docs, this.#times, this.#words, this.#before];
    return [...perPosting, this.#newest, this.#counts].reduce((sum, array) => sum + array.byteLength, 0);
  }

  /** One more occurrence of the word in `doc`, the newest document; gives how many there are now, at most `FULL`. */
  add(word: number, doc: number): number {
    if (word >= this.#newest.length) {
      this.#newest = grow(this.#newest, word + 1, (length) => new Uint32Array(length));
      this.#counts = grow(this.#counts, word + 1, (length) => new Uint32Array(length));
    }
    const newest = this.#newest[word] as number;
    if (newest !== 0 && (this.#docs[newest - 1] as number) === doc) {
      const times = Math.min((this.#times[newest - 1] as number) + 1, FULL);
      this.#times[newest - 1] = times;
      return times;
    }
    if (this.#length === this.capacity) this.#growPostings();
    const place = this.#length++;
    this.#docs[place] = doc;
    this.#times[place] = 1;
    this.#words[place] = word;
    this.#before[place] = newest;
    this.#newest[word] = place + 1;
    this.#counts[word] = (this.#counts[word] as number) + 1;
    return 1;
  }

  count(word: number): number {
    return word < this.#counts.length ? (this.#counts[word] as number) : 0;
  }

  /** A copy of the word's postings, oldest first. */
  run(word: number): PostingRun {
    const end = this.count(word);
    const docs = new Uint32Array(end);
    const times = new Uint8Array(end);
    let place = end === 0 ? 0 : (this.#newest[word] as number);
    for (let i = end - 1; i >= 0; i--) {
      docs[i] = this.#docs[place - 1] as number;
      times[i] = this.#times[place - 1] as number;
      place = this.#before[place - 1] as number;
    }
    return { docs, times, start: 0, end };
  }

  /** Unlinks the word's postings in documents whose length says that they are gone. */
  sweep(word: number, lengths: Uint32Array): void {
    if (this.count(word) === 0) return;
    let kept = 0;
    let later = 0;
    for (let place = this.#newest[word] as number; place !== 0; place = this.#before[place - 1] as number) {
      if ((lengths[this.#docs[place - 1] as number] as number) === GONE) continue;
      if (later === 0) this.#newest[word] = place;
      else this.#before[later - 1] = place;
      later = place;
      kept++;
    }
    if (later === 0) this.#newest[word] = 0;
    else this.#before[later - 1] = 0;
    this.#counts[word] = kept;
  }

  /** Every posting in order of arrival, those of documents that are gone too. */
  forEach(visit: (word: number, doc: number, times: number) => void): void {
    for (let place = 0; place < this.#length; place++) {
      visit(this.#words[place] as number, this.#docs[place] as number, this.#times[place] as number);
    }
  }

  /** Forgets all postings but keeps the arrays for the next ones. */
  clear(): void {
    this.#length = 0;
    this.#newest.fill(0);
    this.#counts.fill(0);
  }

  #growPostings(): void {
    const length = 2 * this.capacity;
    const longer = (size: number): Uint32Array => new Uint32Array(size);
    this.#docs = grow(this.#docs, length, longer);
    this.#words = grow(this.#words, length, longer);
    this.#before = grow(this.#before, length, longer);
    this.#times = grow(this.#times, length, (size) => new Uint8Array(size));
  }
}
