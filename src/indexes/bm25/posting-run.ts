/** Some postings of one word: which documents hold it, in ascending order, and how often. */

export interface PostingRun {
  readonly docs: Uint32Array;
  /** How often the word stands in each document; `FULL` means "that or more, ask for the exact number". */
  readonly times: Uint8Array;
  /** The run is the elements from `start` up to, not including, `end`. */
  readonly start: number;
  readonly end: number;
}

/** Of a word that stands nowhere. */
export const NO_POSTINGS: PostingRun = { docs: new Uint32Array(), times: new Uint8Array(), start: 0, end: 0 };

/** One byte per posting is enough: a word that stands more often than this in one document is looked up elsewhere. */
export const FULL = 255;

/** Stands for the number or length of a document that was removed. */
export const GONE = 0xffff_ffff;

/** How often the word stands in the document at this place of its postings. */
export function timesAt(
  { docs, times }: PostingRun,
  place: number,
  segment: { exactTimes(doc: number, word: string): number },
  word: string,
): number {
  const known = times[place] as number;
  return known === FULL ? segment.exactTimes(docs[place] as number, word) : known;
}

/** The place of the first posting, from `start` on, whose document is `doc` or a later one; galloping, then halving. */
export function seek(docs: Uint32Array, doc: number, start: number, end: number): number {
  let step = 1;
  let low = start;
  while (low + step < end && (docs[low + step] as number) < doc) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, end);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((docs[middle] as number) < doc) low = middle + 1;
    else high = middle;
  }
  return low;
}
