/**
 * About how many tokens is a text for a language model? Counted by kinds of characters with rates measured on the
 * `o200k_base` vocabulary: a length divided by four is wrong by two thirds on Chinese. Other vocabularies differ by some
 * per cent; where a bill depends on it, ask the model's own tokenizer.
 */
import {
  charClass,
  DIGIT,
  HAN,
  HANGUL,
  LETTER,
  LOWER,
  PICTOGRAPH,
  SEPARATOR,
  SPACELESS,
  UPPER,
} from "./char-class.ts";
import { simplify } from "./simplify.ts";

/** Cuts a text as a model does; only how many pieces there are is asked. */
export type Tokenizer = (text: string) => { readonly length: number };

/** Exact where the model's own tokenizer is given (S1-20), else the estimate. */
export function countTokens(text: string, tokenizer?: Tokenizer): number {
  return tokenizer === undefined ? estimateTokens(text) : tokenizer(text).length;
}

/** An estimate of the number of tokens; 0 for an empty text. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let i = 0;
  while (i < text.length) {
    const kind = classAt(text, i);
    const contraction = isWord(kind) ? CONTRACTION.exec(text.slice(i, i + MAX_CONTRACTION)) : null;
    if (contraction !== null) {
      // "don't", "I'm", "it's" are in the vocabulary as they are.
      tokens += 1.15;
      i += contraction[0].length;
      continue;
    }
    const end = runEnd(text, i, kind);
    tokens += kind === SEPARATOR ? separatorTokens(text, i, end) : runTokens(text, i, end, kind);
    i = end;
  }
  return text === "" ? 0 : Math.max(1, Math.round(tokens));
}

/** Tokens per character of scripts that are cut below the word. */
const RATES: ReadonlyMap<number, number> = new Map([
  [HAN, 0.71],
  [HANGUL, 0.7],
  [SPACELESS, 0.5],
  [LETTER, 0.4],
  [PICTOGRAPH, 2],
]);
/** Traditional characters are rarer in the vocabulary. */
const TRADITIONAL_RATE = 1.2;
const DIGITS_PER_TOKEN = 3;
const CONTRACTION = /^[a-z]{1,9}['’](?:s|t|m|d|re|ve|ll)(?![a-z])/i;
const MAX_CONTRACTION = 14;

function classAt(text: string, at: number): number {
  return charClass(text.codePointAt(at) ?? 0);
}

function isWord(kind: number): boolean {
  return kind === LOWER || kind === UPPER;
}

function runEnd(text: string, start: number, kind: number): number {
  let end = start;
  let before = kind;
  while (end < text.length) {
    const next = classAt(text, end);
    // A capital after a small letter starts a new word: getUserName.
    const goes = isWord(kind) ? isWord(next) && !(next === UPPER && before === LOWER) : next === kind;
    if (!goes) break;
    before = next;
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return end;
}

function runTokens(text: string, start: number, end: number, kind: number): number {
  const length = end - start;
  if (isWord(kind)) return latinTokens(text.slice(start, end), start > 0 && text[start - 1] === " ");
  if (kind === DIGIT) return Math.ceil(length / DIGITS_PER_TOKEN) + (text[start - 1] === " " ? 1 : 0);
  if (kind === HAN) {
    const run = text.slice(start, end);
    const plain = simplify(run);
    let traditional = 0;
    for (let i = 0; i < run.length; i++) if (run[i] !== plain[i]) traditional++;
    return traditional * TRADITIONAL_RATE + (length - traditional) * (RATES.get(HAN) ?? 1);
  }
  return length * (RATES.get(kind) ?? 1);
}

/** Common words are one token whatever their length; names and rare words are cut. */
function latinTokens(word: string, afterSpace: boolean): number {
  const length = word.length;
  if (length > 2 && word === word.toUpperCase()) return length / 2.6;
  const isCapital = /^[A-Z]/.test(word);
  const long = Math.max(0, length - (isCapital ? 3 : 8)) * (isCapital ? 0.08 : 0.1);
  const veryLong = Math.max(0, length - 14) * 0.3;
  return 1 + long + veryLong + (afterSpace || length < 4 ? 0 : 0.12);
}

/** A space before a word belongs to the word; other spaces, lines and marks are tokens by the run. */
function separatorTokens(text: string, start: number, end: number): number {
  let tokens = 0;
  for (const [piece] of text.slice(start, end).matchAll(/[ \t]+|[\r\n]+|[^\s]+/gu)) {
    if (piece === " ") continue;
    if (/^\s/.test(piece)) tokens += 0.8;
    else if (/^[\x20-\x7e]+$/.test(piece)) tokens += piece.length < 4 ? 1 : piece.length / 3;
    else tokens += piece.length * 0.9;
  }
  return tokens;
}
