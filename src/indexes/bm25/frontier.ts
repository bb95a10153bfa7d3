/**
 * What is the best posting of a word? Whatever the average length, the largest share of a word in any score belongs to a
 * posting that no other one beats both in times and in shortness: the Pareto frontier of its list, a handful of pairs.
 */
import { type LengthNorm, wordShare } from "../../math/bm25.ts";
import { FULL, GONE, type PostingRun } from "./posting-run.ts";

export interface Posting {
  readonly times: number;
  /** Words in the whole text. */
  readonly length: number;
}

export function frontierOf(
  { docs, times, start, end }: PostingRun,
  lengths: Uint32Array,
  exactTimes: (doc: number) => number,
): readonly Posting[] {
  const shortest = new Uint32Array(FULL).fill(GONE);
  const postings: Posting[] = [];
  for (let place = start; place < end; place++) {
    const doc = docs[place] as number;
    const stored = times[place] as number;
    const length = lengths[doc] as number;
    if (stored === FULL) postings.push({ times: exactTimes(doc), length });
    else if (length < (shortest[stored] as number)) shortest[stored] = length;
  }
  for (const [howOften, length] of shortest.entries()) postings.push({ times: howOften, length });
  let limit = GONE;
  return postings
    .sort((a, b) => b.times - a.times || a.length - b.length)
    .filter(({ length }) => {
      const better = length < limit;
      limit = Math.min(limit, length);
      return better;
    });
}

export function largestShare(
  frontier: readonly Posting[],
  weight: number,
  { constant, perWord }: LengthNorm,
): number {
  const shares = frontier.map(({ times, length }) => wordShare(weight, times, constant + perWord * length));
  return Math.max(0, ...shares);
}
