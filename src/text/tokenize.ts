/**
 * Which words of a text can be searched for? Documents and queries pass through this one function, so what it does to
 * one it does to the other: NFKC, lower case, English stems without function words, Chinese words and character pairs
 * in simplified form, and whole numbers, identifiers, e-mails and URLs beside their parts. Pure; the caches behind it
 * only save time.
 *
 * The common case, a run of Latin letters, is scanned by char code and looked up in a cache of finished words; only
 * what is glued together ("v1.5", "foo_bar", "a@b.com") or written without spaces takes a slower path.
 */
import {
  ASCII_CLASSES,
  charClass,
  DIGIT,
  HAN,
  LETTER,
  LOWER,
  PICTOGRAPH,
  SEPARATOR,
  UPPER,
} from "./char-class.ts";
import { compoundEnd, JOINERS, pushCompoundTokens, pushMixedToken } from "./compound-tokens.ts";
import { pushSpacelessTokens } from "./spaceless-tokens.ts";
import { ownCopy, wordToken } from "./word-token.ts";

/** Changes whenever the tokens of some text may change: an index made under another id must be rebuilt. */
export const TOKENIZER_ID = `neuromem-1-icu-${process.versions.icu ?? "none"}`;

/** The tokens of a text, in order, repetitions kept. A text of nothing but function words keeps them. */
export function tokenize(text: string): string[] {
  const clean = isAscii(text) ? text : normalize(text);
  const out = scan(clean, false);
  return out.length > 0 ? out : scan(clean, true);
}

/** Abbreviations that are function words when written small. */
const CAPITAL_WORDS: ReadonlySet<string> = new Set(["US", "IT", "WHO"]);
const SHORTEST_CAMEL_PART = 3;
const PLUS = 43;
const HASH = 35;
const APOSTROPHE = 39;
/** The 's of "José's", where the word before is not plain enough to be a compound. */
const POSSESSIVE = /^'s(?![\p{L}\p{N}])/iu;
/** A bit of the shape beside the classes: a capital follows a small letter. */
const CAMEL = 1 << 7;
const LETTERS_ONLY = (1 << LOWER) | (1 << UPPER) | (1 << LETTER) | CAMEL;

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}

/** NFKC with plain apostrophes and hyphens, and without the one letter (İ) that grows when it is lowered. */
function normalize(text: string): string {
  const folded = text.normalize("NFKC");
  if (!/[‘’ʼ‐İ]/.test(folded)) return folded;
  return folded.replace(/[‘’ʼ]/g, "'").replaceAll("‐", "-").replaceAll("İ", "I");
}

function scan(text: string, keepStopWords: boolean): string[] {
  const out: string[] = [];
  const lower = text.toLowerCase();
  let i = 0;
  while (i < text.length) {
    const kind = classAt(text, i);
    if (kind === SEPARATOR) i++;
    else if (kind <= DIGIT) i = scanWord(text, lower, i, keepStopWords, out);
    else i = scanOther(lower, i, kind, keepStopWords, out);
  }
  return out;
}

/** One word of letters and digits, with all that is glued to it; returns where it ends. */
function scanWord(
  source: string,
  lower: string,
  start: number,
  keepStopWords: boolean,
  out: string[],
): number {
  let shape = 0;
  let before = SEPARATOR;
  let end = start;
  for (; end < source.length; end++) {
    const code = source.charCodeAt(end);
    const kind = code < 128 ? (ASCII_CLASSES[code] as number) : classAt(source, end);
    if (kind === SEPARATOR || kind > DIGIT) break;
    shape |= 1 << kind;
    if (kind === UPPER && before === LOWER) shape |= CAMEL;
    before = kind;
    if (kind === LETTER && isHighSurrogate(code)) end++;
  }
  const next = source.charCodeAt(end);
  if (next < 128 && JOINERS[next] === 1) {
    const glued = (shape & (1 << LETTER)) === 0 ? compoundEnd(source, start, end) : end;
    if (glued > end) {
      pushCompoundTokens(lower.slice(start, glued), keepStopWords, out);
      return glued;
    }
  } else if (next === PLUS || next === HASH) {
    const sign = languageSign(source, start, end);
    if (sign !== "") {
      out.push(lower.slice(start, end) + sign);
      return end + sign.length;
    }
  }
  const word = lower.slice(start, end);
  if ((shape & ~LETTERS_ONLY) !== 0) {
    if (shape === 1 << DIGIT) out.push(ownCopy(word));
    else pushMixedToken(word, out);
    return end;
  }
  const token = wordToken(word);
  if (token !== "") out.push(token);
  else if (keepStopWords || isCapitalWord(source, start, end)) out.push(word);
  if ((shape & CAMEL) !== 0) pushCamelParts(source.slice(start, end), out);
  return next === APOSTROPHE && POSSESSIVE.test(source.slice(end, end + 3)) ? end + 2 : end;
}

/** A run without spaces, or a pictograph; returns where it ends. */
function scanOther(text: string, start: number, kind: number, keepStopWords: boolean, out: string[]): number {
  let end = start + unitsAt(text, start);
  if (kind === PICTOGRAPH) {
    out.push(text.slice(start, end));
    return end;
  }
  while (end < text.length && classAt(text, end) === kind) end += unitsAt(text, end);
  const found = out.length;
  pushSpacelessTokens(text.slice(start, end), { kind, keepStopWords }, out);
  if (kind === HAN) for (let i = found; i < out.length; i++) out[i] = ownCopy(out[i] ?? "");
  return end;
}

function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return ASCII_CLASSES[code] as number;
  return charClass(isHighSurrogate(code) ? (text.codePointAt(at) ?? SEPARATOR) : code);
}

function unitsAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

function isHighSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xd800;
}

/** "C++", "C#", "F#": signs that belong to the name. */
function languageSign(text: string, start: number, end: number): string {
  if (text.startsWith("++", end) && classAfter(text, end + 2) === SEPARATOR) return "++";
  return end - start === 1 && text[end] === "#" && classAfter(text, end + 1) === SEPARATOR ? "#" : "";
}

function classAfter(text: string, at: number): number {
  return at < text.length ? classAt(text, at) : SEPARATOR;
}

/** In a text that is not all capitals, "US" is the country. */
function isCapitalWord(text: string, start: number, end: number): boolean {
  return end - start <= 3 && CAPITAL_WORDS.has(text.slice(start, end)) && /[a-z]/.test(text);
}

function pushCamelParts(word: string, out: string[]): void {
  for (const part of word.split(/(?<=[a-z])(?=[A-Z])/)) {
    if (part.length < SHORTEST_CAMEL_PART) continue;
    const token = wordToken(part.toLowerCase());
    if (token !== "") out.push(token);
  }
}
