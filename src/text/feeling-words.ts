/**
 * Which words of a feeling does a text hold, and how strongly are they meant? Shared by sentiment and emotions: finds
 * lexicon words, the negation before them ("not happy", 不开心), words of degree (very, 有点), and what a "but" outweighs.
 */

import { CHINESE_DEGREES, CHINESE_NEGATIONS } from "./lexicon/sentiment-chinese.ts";
import { ENGLISH_DEGREES, ENGLISH_NEGATIONS } from "./lexicon/sentiment-english.ts";
import { simplify } from "./simplify.ts";
import { stem } from "./stem.ts";
import { splitWords } from "./words.ts";

export interface FeelingWord<Value> {
  readonly value: Value;
  /** 1 as it stands; more with "very", less with "slightly" or before a "but". */
  readonly strength: number;
  readonly negated: boolean;
}

/** A lexicon ready for look-up: English by stem, Chinese by the word itself. */
export interface FeelingLexicon<Value> {
  readonly english: ReadonlyMap<string, Value>;
  readonly chinese: ReadonlyMap<string, Value>;
}

export function findFeelingWords<Value>(text: string, lexicon: FeelingLexicon<Value>): FeelingWord<Value>[] {
  const words = readWords(text, lexicon.chinese);
  const out: FeelingWord<Value>[] = [];
  const factors = butFactors(words);
  for (const [i, word] of words.entries()) {
    const value = valueIn(word, lexicon);
    if (value === undefined) continue;
    const context = contextOf(words, i);
    out.push({ value, strength: context.degree * (factors[i] ?? 1), negated: context.negated });
  }
  return out;
}

/** A lexicon's lists of words as a map from the form they are matched in. */
export function lexiconMap<Value>(
  lists: readonly (readonly [words: string, value: Value])[],
  language: "en" | "zh",
): Map<string, Value> {
  const map = new Map<string, Value>();
  for (const [words, value] of lists) {
    for (const word of words.split(/\s+/)) {
      if (word !== "") map.set(language === "en" ? stem(word) : word, value);
    }
  }
  return map;
}

const ENGLISH_NEGATION_SET: ReadonlySet<string> = new Set(ENGLISH_NEGATIONS.split(" "));
const CHINESE_NEGATION_SET: ReadonlySet<string> = new Set(CHINESE_NEGATIONS);
const BUT: ReadonlySet<string> = new Set([
  "but",
  "however",
  "although",
  "但",
  "但是",
  "不过",
  "可是",
  "然而",
  ".",
]);
/** How many words back a negation or a word of degree still reaches. */
const REACH = 3;
const BEFORE_BUT = 0.5;

/** Lower-case words and sentence ends ("."); Chinese words of the lexicon are kept together where the dictionary cuts them. */
function readWords(text: string, chinese: ReadonlyMap<string, unknown>): string[] {
  const plain = simplify(text.normalize("NFKC")).toLowerCase().replaceAll("’", "'");
  const out: string[] = [];
  let end = 0;
  for (const { text: word, index } of splitWords(plain)) {
    if (/[.!?。\n;]/.test(plain.slice(end, index))) out.push(".");
    end = index + word.length;
    const joined = `${out.at(-1) ?? ""}${word}`;
    const before = out.at(-1) ?? "";
    if (/^\p{Script=Han}/u.test(word) && /^\p{Script=Han}/u.test(before) && chinese.has(joined))
      out[out.length - 1] = joined;
    else out.push(...particlesApart(word, chinese));
  }
  return out;
}

/** 爱了, 哭着, 好累: where the whole is unknown, a known word inside it counts. */
function particlesApart(word: string, chinese: ReadonlyMap<string, unknown>): string[] {
  if (chinese.has(word) || !/^\p{Script=Han}{2,3}$/u.test(word)) return [word];
  if (/[了着过的]$/.test(word) && chinese.has(word.slice(0, -1))) return [word.slice(0, -1)];
  // The dictionary takes 我不 for a word.
  if (/[不没]$/.test(word)) return [word.slice(0, -1), word.slice(-1)];
  const head = word.charAt(0);
  const isMarked = CHINESE_NEGATION_SET.has(head) || Object.hasOwn(CHINESE_DEGREES, head);
  return isMarked && chinese.has(word.slice(1)) ? [head, word.slice(1)] : [word];
}

function valueIn<Value>(word: string, lexicon: FeelingLexicon<Value>): Value | undefined {
  if (/^\p{Script=Han}/u.test(word)) return lexicon.chinese.get(word);
  return /^[a-z]+$/.test(word) ? lexicon.english.get(stem(word)) : undefined;
}

function contextOf(words: readonly string[], at: number): { negated: boolean; degree: number } {
  let negated = false;
  let degree = 1;
  for (let back = 1; back <= REACH && at - back >= 0; back++) {
    const word = words[at - back] ?? "";
    if (BUT.has(word)) break;
    if (ENGLISH_NEGATION_SET.has(word) || CHINESE_NEGATION_SET.has(word)) negated = !negated;
    else degree *= ENGLISH_DEGREES[word] ?? CHINESE_DEGREES[word] ?? 1;
  }
  return { negated, degree };
}

/** In "nice, but expensive" the second part is what counts: what stands before a "but" of its sentence weighs less. */
function butFactors(words: readonly string[]): Float64Array {
  const out = new Float64Array(words.length);
  let factor = 1;
  for (let i = words.length - 1; i >= 0; i--) {
    out[i] = factor;
    if (words[i] === ".") factor = 1;
    else if (BUT.has(words[i] ?? "")) factor = BEFORE_BUT;
  }
  return out;
}
