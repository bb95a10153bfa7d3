/**
 * How is a long text cut into pieces of so many tokens? Between paragraphs, sentences or words, never within one that
 * fits; what is too long by itself is cut at the next finer border. No character that can be seen is lost, and words of
 * languages without spaces are words, too.
 */
import { splitSentences } from "../../../text/sentences.ts";
import { estimateTokens } from "../../../text/token-count.ts";
import { splitWords } from "../../../text/words.ts";

export const CUT_STRATEGIES = ["fixed", "sentence", "paragraph"] as const;
export type CutStrategy = (typeof CUT_STRATEGIES)[number];

export interface CutOptions {
  /** Most tokens of a piece. */
  readonly size: number;
  /** Tokens at the end of a piece, in whole sentences or words, that the next one says again. */
  readonly overlap: number;
  readonly strategy: CutStrategy;
}

export interface Piece {
  readonly text: string;
  /** Its place in the whole text. */
  readonly start: number;
  readonly end: number;
}

export function cutText(text: string, options: CutOptions): string[] {
  return cutPieces(text, options).map((piece) => piece.text);
}

export function cutPieces(text: string, { size, overlap, strategy }: CutOptions): Piece[] {
  const cuts = [...borders(text, FIRST_LEVEL[strategy], size), text.length];
  const last = cuts.length - 1;
  const slice = (from: number, to: number): string => text.slice(cuts[from], cuts[to]).trim();
  const fits = (from: number, to: number): boolean => to <= last && estimateTokens(slice(from, to)) <= size;
  const pieces: Piece[] = [];
  let first = 0;
  let done = 0;
  while (done < last) {
    // What is said again must leave room for something new.
    while (first < done && !fits(first, done + 1)) first++;
    const end = farthest(done + 1, (to) => fits(first, to));
    const piece = slice(first, end);
    if (piece !== "") {
      const start = text.indexOf(piece, cuts[first]);
      pieces.push({ text: piece, start, end: start + piece.length });
    }
    const before = first;
    done = end;
    first = end;
    while (first - 1 > before && estimateTokens(slice(first - 1, end)) <= overlap) first--;
  }
  return pieces;
}

/** What stands within so many tokens from the beginning, up to the end of a sentence where one ends there. */
export function firstTokens(text: string, size: number): string {
  return cutText(text, { size, overlap: 0, strategy: "sentence" })[0] ?? text;
}

type Level = "paragraph" | "sentence" | "word" | "character";

const FIRST_LEVEL: Readonly<Record<CutStrategy, Level>> = {
  paragraph: "paragraph",
  sentence: "sentence",
  fixed: "word",
};
const FINER: Readonly<Record<Level, Level | undefined>> = {
  paragraph: "sentence",
  sentence: "word",
  word: "character",
  character: undefined,
};

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

const STARTS: Readonly<Record<Level, (text: string) => number[]>> = {
  paragraph: (text) => [...text.matchAll(/(?:\r?\n)+/g)].map((gap) => gap.index + gap[0].length),
  sentence: (text) => splitSentences(text).map(({ index }) => index),
  word: (text) => splitWords(text).map(({ index }) => index),
  character: (text) => [...graphemes.segment(text)].map(({ index }) => index),
};

/** Where pieces may begin, ascending; the first is 0. */
function borders(text: string, level: Level, size: number): number[] {
  const starts = STARTS[level](text).filter((at) => at > 0 && at < text.length);
  const edges = [0, ...starts, text.length];
  const finer = FINER[level];
  return edges.slice(0, -1).flatMap((from, place) => {
    const part = text.slice(from, edges[place + 1]);
    if (finer === undefined || estimateTokens(part.trim()) <= size) return [from];
    return borders(part, finer, size).map((at) => from + at);
  });
}

/** The last place from `from` on that is good; leaps first, so that long texts are not read over and over. */
function farthest(from: number, isGood: (place: number) => boolean): number {
  let place = from;
  let step = 1;
  for (; isGood(place + step); step *= 2) place += step;
  for (; step >= 1; step = Math.floor(step / 2)) if (isGood(place + step)) place += step;
  return place;
}
