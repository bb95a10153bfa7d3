/**
 * The beginning of a text, as much of it as fits: whole sentences; where not even the first fits, whole words of it, and
 * where not even a word does, characters. What fits is the caller's to say: so many tokens, so many words.
 */
import { splitSentences } from "./sentences.ts";
import { splitWords } from "./words.ts";

/** "" where nothing fits; the text itself, trimmed, where all of it does. */
export function leadingPart(text: string, fits: (part: string) => boolean): string {
  const whole = text.trim();
  if (fits(whole)) return whole;
  const sentences = splitSentences(whole).map(({ text: sentence, index }) => index + sentence.length);
  const words = (): number[] => splitWords(whole).map(({ text: word, index }) => index + word.length);
  const characters = (): number[] => {
    let end = 0;
    return Array.from(whole, (character) => {
      end += character.length;
      return end;
    });
  };
  for (const ends of [() => sentences, words, characters]) {
    const part = longest(whole, ends(), fits);
    if (part !== "") return part;
  }
  return "";
}

/** Longer parts cost more, nearly always: the place is halved, and what it gives is made sure of. */
function longest(text: string, ends: readonly number[], fits: (part: string) => boolean): string {
  let count = 0;
  let over = ends.length + 1;
  while (over - count > 1) {
    const middle = (count + over) >>> 1;
    if (fits(text.slice(0, ends[middle - 1]))) count = middle;
    else over = middle;
  }
  return count === 0 ? "" : text.slice(0, ends[count - 1]).trimEnd();
}
