/**
 * In which language is a text written, as far as its script tells? A Han character weighs as much as a Latin word. Kana
 * or Hangul make it neither English nor Chinese; French in Latin letters cannot be told from English this way.
 */
import { charClass, DIGIT, HAN, HANGUL, LETTER, LOWER, SPACELESS, UPPER } from "./char-class.ts";

export type Language = "en" | "zh" | "other";

export interface ScriptShares {
  readonly language: Language;
  /** Shares of Han characters, Latin words and all else (kana, hangul, Cyrillic words …) in their sum; 0 without letters. */
  readonly han: number;
  readonly latin: number;
  readonly other: number;
}

/** "other" is also the answer for a text without letters. */
export function detectLanguage(text: string): Language {
  return scriptShares(text).language;
}

export function scriptShares(text: string): ScriptShares {
  let han = 0;
  let latin = 0;
  let other = 0;
  let before = 0;
  for (const character of text) {
    const kind = classOf(character);
    if (kind === HAN) {
      if (isKana(character)) other++;
      else han++;
    } else if (kind === HANGUL || kind === SPACELESS) other++;
    else if (kind === LOWER && before !== LOWER) latin++;
    else if (kind === LETTER && before !== LETTER) other++;
    before = kind;
  }
  const total = han + latin + other;
  if (total === 0) return { language: "other", han: 0, latin: 0, other: 0 };
  const shares = { han: han / total, latin: latin / total, other: other / total };
  return { language: choose(han, latin, other), ...shares };
}

/** Letters of one word count as one class, whatever their case or accent. */
function classOf(character: string): number {
  const kind = charClass(character.codePointAt(0) ?? 0);
  if (kind === UPPER || kind === DIGIT) return kind === UPPER ? LOWER : 0;
  return kind === LETTER && /\p{Script=Latin}|\p{M}/u.test(character) ? LOWER : kind;
}

function isKana(character: string): boolean {
  return /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(character);
}

function choose(han: number, latin: number, other: number): Language {
  // Japanese mixes kanji with at least a few kana; a stray の does not make Chinese Japanese.
  if (other > (han + latin) * 0.2) return "other";
  return han >= latin ? "zh" : "en";
}
