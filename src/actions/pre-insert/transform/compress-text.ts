/**
 * What is left of a text when only a part of it may stay? Its most central sentences (TextRank) in their order, and of a
 * single sentence that is too long its beginning.
 */
import { type Sentence, splitSentences } from "../../../text/sentences.ts";
import { chooseSentences } from "../../../text/summary.ts";
import { splitWords } from "../../../text/words.ts";

/** So many sentences vote for each other: of more, the time would grow faster than the text. */
const STRETCH = 100;

/** `ratio`: how much of its length may stay, above 0; from 1 on the text stays as it is. */
export function compressText(text: string, ratio: number): string {
  if (ratio >= 1) return text;
  const most = Math.max(1, Math.floor(text.length * ratio));
  const sentences = splitSentences(text);
  let kept = "";
  for (let from = 0; from < sentences.length; from += STRETCH) {
    const stretch = sentences.slice(from, from + STRETCH);
    for (const place of chosenOf(stretch, ratio)) {
      const before = sentences[from + place - 1];
      const sentence = stretch[place];
      if (sentence === undefined) continue;
      const between = text.slice(before === undefined ? 0 : endOf(before), sentence.index);
      const gap = kept === "" || between === "" ? "" : between.includes("\n") ? "\n" : " ";
      kept += `${gap}${sentence.text}`;
    }
  }
  return kept.length <= most ? kept : firstWords(kept, most);
}

/** Places of the most central sentences of a stretch, within its share of the length. */
function chosenOf(stretch: readonly Sentence[], ratio: number): number[] {
  const first = stretch[0];
  const last = stretch.at(-1);
  if (first === undefined || last === undefined) return [];
  const length = endOf(last) - first.index;
  return chooseSentences(
    stretch.map((sentence) => sentence.text),
    { sentences: stretch.length, maxLength: Math.max(1, Math.floor(length * ratio)) },
  );
}

function endOf({ index, text }: Sentence): number {
  return index + text.length;
}

/** At least the first word. */
function firstWords(text: string, most: number): string {
  const ends = splitWords(text).map(({ text: word, index }) => index + word.length);
  const end = ends.findLast((at) => at <= most) ?? ends[0] ?? text.length;
  return text.slice(0, end);
}
