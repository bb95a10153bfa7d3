/**
 * Which words and pairs does a run of text without spaces hold? Words come from the dictionary of `Intl.Segmenter`;
 * pairs of neighbouring characters are added, because a name or a new word that the dictionary cuts wrongly must still
 * be found. A pair across two words is left out where one of them is a function word.
 */
import { HAN, HANGUL } from "./char-class.ts";
import { simplify } from "./simplify.ts";
import { CHINESE_STOP_WORDS } from "./stop-words.ts";

const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

export interface SpacelessOptions {
  /** HAN, HANGUL or SPACELESS: what the whole run is made of. */
  readonly kind: number;
  readonly keepStopWords: boolean;
}

export function pushSpacelessTokens(text: string, options: SpacelessOptions, out: string[]): void {
  if (options.kind === HANGUL) {
    // Korean is spaced, but particles cling to the noun: the pairs find the noun without them.
    out.push(text);
    if (text.length > 2) pushPairs(text, out);
    return;
  }
  // The dictionary must see Japanese as it is written; Chinese is cut alike in both scripts if simplified first.
  const isJapanese = KANA.test(text);
  const run = isJapanese ? text : simplify(text);
  const found = out.length;
  pushWords(run, options, out);
  if (isJapanese) for (let i = found; i < out.length; i++) out[i] = simplify(out[i] ?? "");
}

const KANA = /[\u3041-\u30fa]/;

function pushWords(run: string, options: SpacelessOptions, out: string[]): void {
  let before = "";
  for (const { segment } of segmenter.segment(run)) {
    const isStop = !options.keepStopWords && isFunctionWord(segment);
    if (options.kind === HAN) {
      if (before !== "" && !isStop) pushBoundaryPair(before, segment, out);
      if (characterCount(segment) > 2) pushPairs(segment, out);
    }
    if (!isStop) out.push(withoutAspect(segment));
    before = isStop ? "" : segment;
  }
}

/** 养了 is 养: the dictionary holds many verbs together with their 了. */
function withoutAspect(word: string): string {
  return word.length === 2 && word.endsWith("了") ? word.charAt(0) : word;
}

function pushPairs(text: string, out: string[]): void {
  const characters = text.length === characterCount(text) ? text : Array.from(text);
  for (let i = 1; i < characters.length; i++) out.push(`${characters[i - 1]}${characters[i]}`);
}

function pushBoundaryPair(before: string, after: string, out: string[]): void {
  const last = Array.from(before.slice(-2)).at(-1) ?? "";
  const first = String.fromCodePoint(after.codePointAt(0) ?? 0);
  // A pair with a particle or an inflection in it is grammar, not content.
  if (!IS_GRAMMAR.test(last + first)) out.push(last + first);
}

const IS_GRAMMAR = /[的了着吗呢吧啊呀嘛啦\u3041-\u309f]/;

/** A function word, a function word with a particle that the dictionary left on it (去了, 我们的), or one hiragana. */
function isFunctionWord(word: string): boolean {
  if (CHINESE_STOP_WORDS.has(word)) return true;
  if (word.length === 1) return word >= "\u3041" && word <= "\u309f";
  return "的了着吗呢吧啊呀嘛啦".includes(word.slice(-1)) && CHINESE_STOP_WORDS.has(word.slice(0, -1));
}

function characterCount(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) !== 0xdc00) count++;
  return count;
}
