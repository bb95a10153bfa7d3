/**
 * How well does a text answer a bag of words? Okapi BM25 (Robertson & Zaragoza, The Probabilistic Relevance Framework:
 * BM25 and Beyond, 2009, §3), with the idf that is never negative:
 *
 *     score(q, d) = Σ over the words t of q:  idf(t) · tf · (k1 + 1) / (tf + k1 · (1 − b + b · |d| / average |d|))
 *     idf(t)      = ln(1 + (N − df + 0.5) / (df + 0.5))
 *
 * A word that stands twice in the query counts twice. Everything that is the same for all texts of one query is taken
 * out of the loop: `weight` holds idf and k1 + 1, the norm is linear in the text's length.
 */

export interface Bm25Params {
  /** How soon repeating a word stops helping; 0 makes it a yes or no. */
  readonly k1: number;
  /** How much long texts are held back: 0 not at all, 1 in full proportion to their length. */
  readonly b: number;
}

/** k1 · (1 − b + b · length / average) as constant + perWord · length. */
export interface LengthNorm {
  readonly constant: number;
  readonly perWord: number;
}

/** Rarity of a word that stands in `containing` of `texts` texts. */
export function inverseDocumentFrequency(texts: number, containing: number): number {
  return Math.log(1 + (texts - containing + 0.5) / (containing + 0.5));
}

/** The largest share a word can bring, reached by endless repetition. */
export function wordWeight(idf: number, timesInQuery: number, { k1 }: Bm25Params): number {
  return timesInQuery * idf * (k1 + 1);
}

export function lengthNorm(averageLength: number, { k1, b }: Bm25Params): LengthNorm {
  return { constant: k1 * (1 - b), perWord: averageLength === 0 ? 0 : (k1 * b) / averageLength };
}

/** The share of one word in the score of one text: `norm` is constant + perWord · length of the text. */
export function wordShare(weight: number, timesInText: number, norm: number): number {
  return (weight * timesInText) / (timesInText + norm);
}
