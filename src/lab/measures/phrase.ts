/**
 * Does a text hold an answer, word for word? Both are made plain as LoCoMo's scorer makes answers plain, and the answer's
 * words must stand in the text side by side: "art" is not in "party". Where a script sets no spaces every character is a
 * word, so spaces and punctuation do not matter there, and yet "2日" is not in "12日", nor is "Java" in "我用JavaScript".
 */
import { normalizeAnswer } from "./locomo-f1.ts";

/** Words in their order, each between marks that no plain word holds: texts and phrases are compared as strings. */
type PlainWords = string;

const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/gu;

/** "" where nothing is left, as of "The …!". */
export function plainWords(text: string): PlainWords {
  const ascii = text
    .replace(/[‘’]/g, "'")
    // The scorer knows ASCII punctuation only, and takes it away; a full-width comma is all that keeps two words apart.
    .replace(/(?![!-~])[\p{P}\p{S}]/gu, " ")
    .normalize("NFKC");
  return normalizeAnswer(ascii)
    .replace(WITHOUT_SPACES, " $& ")
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => `<${word}>`)
    .join("");
}

/** Place of the first text that holds any of the phrases; -1 where none does, null where no phrase says anything. */
export function firstHolding(texts: readonly string[], phrases: readonly string[]): number | null {
  const wanted = phrases.map(plainWords).filter((phrase) => phrase !== "");
  if (wanted.length === 0) return null;
  return texts.findIndex((text) => {
    const words = plainWords(text);
    return wanted.some((phrase) => words.includes(phrase));
  });
}
