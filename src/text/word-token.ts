/** In what form is a single word matched? Accents folded, English stemmed, function words marked by "". */
import { stem } from "./stem.ts";
import { ENGLISH_STOP_WORDS } from "./stop-words.ts";

/** Longer runs of letters are not words; cutting them bounds a term's size. */
const MAX_TOKEN_LENGTH = 128;
/** Enough for the working vocabulary of a large corpus; when full it starts anew. */
const CACHE_SIZE = 1 << 16;
/** V8 lets a part of 13 or more characters share, and so keep alive, the text it was cut from. */
const SHARED_SLICE_LENGTH = 13;

const cache = new Map<string, string>();

/** The token of a lower-case word of letters, or "" if it is an English function word. */
export function wordToken(word: string): string {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const own = ownCopy(word);
  const token = ENGLISH_STOP_WORDS.has(own) ? "" : formOf(own);
  if (cache.size >= CACHE_SIZE) cache.clear();
  cache.set(own, token);
  return token;
}

/** The same text, holding no longer text in memory. */
export function ownCopy(text: string): string {
  if (text.length < SHARED_SLICE_LENGTH) return text;
  return text.slice(0, MAX_TOKEN_LENGTH).split("").join("");
}

function formOf(word: string): string {
  const folded = isPlain(word) ? word : foldAccents(word);
  return isPlain(folded) ? stem(folded) : folded;
}

function isPlain(word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i);
    if (code < 97 || code > 122) return false;
  }
  return true;
}

const LIGATURES: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["đ", "d"],
  ["ł", "l"],
  ["ı", "i"],
]);

/** "café" → "cafe". Latin only: elsewhere a mark may make another letter (й is not и). */
function foldAccents(word: string): string {
  if (!/\p{Script=Latin}/u.test(word)) return word;
  return word
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[ßæœøđłı]/g, (letter) => LIGATURES.get(letter) ?? letter);
}
