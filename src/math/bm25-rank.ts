/** Which of a few texts fit a bag of words best? Okapi BM25 over the texts at hand, without an index. */
import { type Bm25Params, inverseDocumentFrequency, lengthNorm, wordShare, wordWeight } from "./bm25.ts";

export interface Ranked {
  /** Place of the text in the given list. */
  readonly index: number;
  readonly score: number;
}

/** Texts as words; all of them, best first, equals in the given order. */
export function rankByBm25(
  query: readonly string[],
  texts: readonly (readonly string[])[],
  params: Bm25Params,
): Ranked[] {
  const sets = texts.map((words) => new Set(words));
  const average = texts.reduce((sum, words) => sum + words.length, 0) / Math.max(1, texts.length);
  const norm = lengthNorm(average, params);
  const scores = texts.map(() => 0);
  for (const word of new Set(query)) {
    const containing = sets.filter((set) => set.has(word)).length;
    if (containing === 0) continue;
    const times = query.filter((one) => one === word).length;
    const weight = wordWeight(inverseDocumentFrequency(texts.length, containing), times, params);
    for (const [index, words] of texts.entries()) {
      const inText = words.filter((one) => one === word).length;
      if (inText === 0) continue;
      const share = wordShare(weight, inText, norm.constant + norm.perWord * words.length);
      scores[index] = (scores[index] ?? 0) + share;
    }
  }
  return scores
    .map((score, index) => ({ index, score }))
    .sort((a, b) => b.score - a.score || a.index - b.index);
}
