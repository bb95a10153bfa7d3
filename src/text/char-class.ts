/** What kind of character is this, as far as finding words goes? One byte per UTF-16 unit, looked up in a table. */

export const SEPARATOR = 0;
export const LOWER = 1;
export const UPPER = 2;
/** A letter beyond a–z: accented Latin, Cyrillic, Arabic, Devanagari …, with the marks that belong to it. */
export const LETTER = 3;
export const DIGIT = 4;
/** Han and kana: written without spaces, words and pairs are both worth finding. */
export const HAN = 5;
export const HANGUL = 6;
/** Thai, Lao, Khmer, Burmese: written without spaces, words only. */
export const SPACELESS = 7;
export const PICTOGRAPH = 8;

/** The class of one code point. */
export function charClass(codePoint: number): number {
  return codePoint < 0x10000 ? (planeClasses()[codePoint] ?? SEPARATOR) : classify(codePoint);
}

/** The class of every char code below 128, for loops that cannot afford a call. */
export const ASCII_CLASSES: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  if (/[a-z]/.test(letter)) return LOWER;
  if (/[A-Z]/.test(letter)) return UPPER;
  return /[0-9]/.test(letter) ? DIGIT : SEPARATOR;
});

const HAN_OR_KANA = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}ー々〆]/u;
const WITHOUT_SPACES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The 65,536 classes of the basic plane, made when the first text beyond ASCII comes. */
let plane: Uint8Array | undefined;

function planeClasses(): Uint8Array {
  plane ??= Uint8Array.from({ length: 0x10000 }, (_, code) => classify(code));
  return plane;
}

function classify(codePoint: number): number {
  if (codePoint < 128) return ASCII_CLASSES[codePoint] ?? SEPARATOR;
  const text = String.fromCodePoint(codePoint);
  if (/[\p{L}\p{N}\p{M}]/u.test(text) || text === "ー") {
    if (HAN_OR_KANA.test(text)) return HAN;
    if (/\p{Script=Hangul}/u.test(text)) return HANGUL;
    if (WITHOUT_SPACES.test(text)) return SPACELESS;
    // U+FE00–FE0F choose an emoji's look; on their own they would make words of nothing.
    return /[︀-️\u{e0100}-\u{e01ef}]/u.test(text) ? SEPARATOR : LETTER;
  }
  return /\p{Extended_Pictographic}/u.test(text) ? PICTOGRAPH : SEPARATOR;
}
