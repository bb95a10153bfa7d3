/** When do two statements say it in the same words? Words in the form they are searched for, and how many are shared. */
import { simplify } from "../../text/simplify.ts";
import { isStopWord } from "../../text/stop-words.ts";
import { tokenize } from "../../text/tokenize.ts";
import { splitWords } from "../../text/words.ts";

/** The text without case, width, script and punctuation: equal for texts that differ in nothing else. */
export function plainText(text: string): string {
  return simplify(text.normalize("NFKC"))
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/[^\p{L}\p{M}\p{N}']+|(?<!\p{L})'|'(?!\p{L})/gu, " ")
    .trim();
}

/** The content words of a text. Unlike search tokens they are words only: no pairs of characters, no parts. */
export function contentWords(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { text: word } of splitWords(plainText(text))) {
    const bare = word.replace(/(?<=.)(?:'s|了)$/u, "");
    if (isStopWord(bare.replaceAll("'", ""))) continue;
    // Searched for are also the pairs of characters in a longer word; 星期一 is no 星期.
    const [token] = /^\p{Script=Han}+$/u.test(bare) ? [bare] : tokenize(bare);
    if (token !== undefined) words.add(token);
  }
  return words;
}

/** Whether two statements begin with words of which neither is anywhere in the other: they speak of somebody else. */
export function haveOtherSubjects(first: ReadonlySet<string>, second: ReadonlySet<string>): boolean {
  const [one] = first;
  const [other] = second;
  return one !== undefined && other !== undefined && !second.has(one) && !first.has(other);
}

/** Whether two statements begin with the same word: only then does one of them say the same and more. */
export function haveSameSubject(first: ReadonlySet<string>, second: ReadonlySet<string>): boolean {
  const [one] = first;
  const [other] = second;
  return one === other;
}

/** Whether the words of one statement stand in the other in the same order. */
export function isWithin(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  const rest = others.values();
  return [...words].every((word) => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) if (next.value === word) return true;
    return false;
  });
}

export interface Overlap {
  /** How many words are in both. */
  readonly shared: number;
  /** Shared words as a part of the first and of the second text's words. */
  readonly ofFirst: number;
  readonly ofSecond: number;
  /** Shared words as a part of all words of both. */
  readonly jaccard: number;
}

export function overlapOf(first: ReadonlySet<string>, second: ReadonlySet<string>): Overlap {
  let shared = 0;
  for (const word of first) if (second.has(word)) shared++;
  const part = (size: number): number => (size === 0 ? 0 : shared / size);
  return {
    shared,
    ofFirst: part(first.size),
    ofSecond: part(second.size),
    jaccard: part(first.size + second.size - shared),
  };
}
