/**
 * Where does the talk turn to another topic? The division that is the cheapest to describe: words that were said before in
 * the same stretch cost little, and every stretch costs something by itself (Utiyama & Isahara, ACL 2001). Likeness of
 * neighbours (TextTiling) needs words on both sides of every gap, which short turns do not have. Two things that talk has
 * and text has not are counted beside the words: who says "by the way" turns, and who answers a question does not.
 */
import { tokenize } from "./tokenize.ts";
import { announcesShift } from "./topic-shift.ts";

export interface SegmentOptions {
  /** Fewest turns of a segment. @default 2 */
  readonly minTurns?: number;
  /** Most turns of a segment. @default 100 */
  readonly maxTurns?: number;
}

export interface Segment {
  /** Index of its first turn. */
  readonly start: number;
  /** Index after its last turn. */
  readonly end: number;
}

/** In logarithms of the number of words; measured on stretches of different conversations put together. */
const COST = { stretch: 2.5, shift: -2, answer: 1 } as const;

/** Segments that together hold every turn once, in order. */
export function segmentTopics(turns: readonly string[], options: SegmentOptions = {}): Segment[] {
  const { minTurns = 2, maxTurns = 100 } = options;
  if (turns.length === 0) return [];
  const tokens = turns.map((turn) => tokenize(turn));
  const all = tokens.flat();
  const unit = Math.log(Math.max(2, all.length));
  const vocabulary = new Set(all).size;
  const opening = turns.map((turn, place) => unit * costOfOpening(turn, turns[place - 1]));
  const best = turns.map(() => Number.POSITIVE_INFINITY);
  const from = turns.map(() => 0);
  for (let start = 0; start < turns.length; start++) {
    const before = start === 0 ? 0 : (best[start - 1] ?? 0);
    if (before === Number.POSITIVE_INFINITY) continue;
    const words = wordCost(vocabulary);
    for (let last = start; last < turns.length && last - start < maxTurns; last++) {
      const cost = before + (opening[start] ?? 0) + words.add(tokens[last] ?? []);
      if (last - start + 1 < minTurns || cost >= (best[last] ?? 0)) continue;
      best[last] = cost;
      from[last] = start;
    }
  }
  if (best.at(-1) === Number.POSITIVE_INFINITY) return [{ start: 0, end: turns.length }];
  return walkBack(from);
}

function costOfOpening(turn: string, before: string | undefined): number {
  if (before === undefined) return COST.stretch;
  return (
    COST.stretch +
    (announcesShift(turn) ? COST.shift : 0) +
    (/[?？]\s*$/u.test(before) && !announcesShift(turn) ? COST.answer : 0)
  );
}

/** What it costs to name the words of a growing stretch: −Σ log of (times said + 1) / (words + vocabulary). */
function wordCost(vocabulary: number): { add(tokens: readonly string[]): number } {
  const counts = new Map<string, number>();
  let size = 0;
  let saved = 0;
  return {
    add(tokens) {
      for (const token of tokens) {
        const count = counts.get(token) ?? 0;
        saved += (count + 1) * Math.log(count + 2) - count * Math.log(count + 1);
        counts.set(token, count + 1);
        size++;
      }
      return size * Math.log(size + vocabulary) - saved;
    },
  };
}

function walkBack(from: readonly number[]): Segment[] {
  const out: Segment[] = [];
  for (let end = from.length; end > 0; ) {
    const start = from[end - 1] ?? 0;
    out.unshift({ start, end });
    end = start;
  }
  return out;
}
