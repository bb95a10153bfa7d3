/** Which words stand in a text, as they are written and in order? Nothing is stemmed or left out: for reading, not for searching. */

export interface Word {
  readonly text: string;
  readonly index: number;
}

const OTHER = "(?:(?!\\p{Script=Han})[\\p{L}\\p{N}\\p{M}])+";
const RUN = new RegExp(`\\p{Script=Han}+|${OTHER}(?:['’.-]${OTHER})*`, "gu");
const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

/** Latin words with their inner apostrophes and hyphens; Chinese words as the dictionary cuts them. */
export function splitWords(text: string): Word[] {
  const out: Word[] = [];
  for (const match of text.matchAll(RUN)) {
    if (!/^\p{Script=Han}/u.test(match[0])) {
      out.push({ text: match[0], index: match.index });
      continue;
    }
    for (const { segment, index } of segmenter.segment(match[0])) {
      out.push({ text: segment, index: match.index + index });
    }
  }
  return out;
}
