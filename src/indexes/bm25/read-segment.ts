/** What does a query read of one segment? For each of its words the packed and the newest postings, with weight and bound. */
import type { LengthNorm } from "../../math/bm25.ts";
import { largestShare } from "./frontier.ts";
import { shareAt, type Texts, type WeightedRun } from "./max-score.ts";
import { seek } from "./posting-run.ts";
import type { TextSegment } from "./text-segment.ts";

/** A word of the query and what it weighs over all queried segments. */
export interface QueryWord {
  readonly word: string;
  readonly weight: number;
}

export interface SegmentReading {
  /** Packed and newest runs, each in the order of the words; no document is in both groups. */
  readonly groups: readonly (readonly WeightedRun[])[];
  readonly texts: Texts;
}

export function readSegment(
  segment: TextSegment,
  words: readonly QueryWord[],
  norm: LengthNorm,
): SegmentReading {
  const packed: WeightedRun[] = [];
  const newest: WeightedRun[] = [];
  for (const { word, weight } of words) {
    const [older, newer] = segment.runs(word);
    const exactTimes = (doc: number): number => segment.exactTimes(doc, word);
    if (older.end > older.start) {
      const bound = largestShare(segment.frontier(word), weight, norm);
      packed.push({ ...older, word, weight, bound, bits: () => segment.bits(word), exactTimes });
    }
    if (newer.end > newer.start) {
      const bound = Number.POSITIVE_INFINITY;
      newest.push({ ...newer, word, weight, bound, bits: () => undefined, exactTimes });
    }
  }
  return { groups: [packed, newest], texts: { lengths: segment.lengths, norm } };
}

/** The score of one document, word by word. */
export function explain({ groups, texts }: SegmentReading, doc: number): Record<string, number> {
  const parts: Record<string, number> = {};
  for (const run of groups.flat()) {
    const place = seek(run.docs, doc, run.start, run.end);
    if (place < run.end && run.docs[place] === doc) parts[`term:${run.word}`] = shareAt(run, place, texts);
  }
  return parts;
}
