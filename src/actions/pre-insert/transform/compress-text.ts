/**
 * What is left of a text when only a part of it may stay? Its most central sentences (TextRank) in their order, and of a
 * single sentence that is too long its beginning.
 */
import { splitSentences } from "../../../text/sentences.ts";
import { chooseSentences } from "../../../text/summary.ts";
import { splitWords } from "../../../text/words.ts";

/** `ratio`: how much of its length may stay, above 0; from 1 on the text stays as it is. */
export function compressText(text: string, ratio: number): string {
  if (ratio >= 1) return text;
  const most = Math.max(1, Math.floor(text.length * ratio));
  const sentences = splitSentences(text);
  const chosen = chooseSentences(
    sentences.map((sentence) => sentence.text),
    { sentences: sentences.length, maxLength: most },
  );
  let kept = "";
  for (const place of chosen) {
    const sentence = sentences[place];
    if (sentence === undefined) continue;
    const before = text.slice(0, sentence.index);
    const gap = kept === "" ? "" : /\n\s*$/.test(before) ? "\n" : /\s$/.test(before) ? " " : "";
    kept += `${gap}${sentence.text}`;
  }
  return kept.length <= most ? kept : firstWords(kept, most);
}

/** At least the first word. */
function firstWords(text: string, most: number): string {
  const ends = splitWords(text).map(({ text: word, index }) => index + word.length);
  const end = ends.findLast((at) => at <= most) ?? ends[0] ?? text.length;
  return text.slice(0, end);
}
