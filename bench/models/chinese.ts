/** Chinese: does the embedder find turns that words alone do not? The hundred pairs of zh-pairs.ts, three ways. */
import { inverseDocumentFrequency, lengthNorm, wordShare, wordWeight } from "../../src/math/bm25.ts";
import { dot } from "../../src/math/cosine.ts";
import { minMax } from "../../src/math/min-max.ts";
import type { LocalEmbedder } from "../../src/models/local/local-embedder.ts";
import { tokenize } from "../../src/text/tokenize.ts";
import { cachedVectors } from "./cached-vectors.ts";
import { type Judged, rank, recallAt } from "./recall.ts";
import { ZH_PAIRS } from "./zh-pairs.ts";

export interface ChineseScores {
  readonly lexical: (k: number) => number;
  readonly dense: (k: number) => number;
  /** Half and half, each brought to [0, 1] by its own smallest and largest. */
  readonly mixed: (k: number) => number;
}

export async function scoreChinese(embedder: LocalEmbedder): Promise<ChineseScores> {
  const turns = ZH_PAIRS.map(({ turn }) => turn);
  const documents = await cachedVectors(embedder, turns);
  const texts = ZH_PAIRS.map(({ query }) => query);
  const queries = await cachedVectors(embedder, texts, { as: "query" });
  const byWords = bm25(turns);
  const rankings = texts.map((text, i) => {
    const query = queries[i] ?? new Float32Array();
    const lexical = byWords(text);
    const dense = documents.map((document) => dot(query, document));
    const words = minMax(lexical, 0);
    const mixed = minMax(dense, 0).map((score, place) => score / 2 + (words[place] ?? 0) / 2);
    return { lexical, dense, mixed };
  });
  const recall = (scores: (typeof rankings)[number][keyof (typeof rankings)[number]][]) => {
    const judged = scores.map((one, i): Judged => ({ relevant: new Set([i]), ranking: rank(one) }));
    return (k: number) => recallAt(k, judged);
  };
  return {
    lexical: recall(rankings.map(({ lexical }) => lexical)),
    dense: recall(rankings.map(({ dense }) => dense)),
    mixed: recall(rankings.map(({ mixed }) => mixed)),
  };
}

/** Scores of all documents for a query. */
function bm25(documents: readonly string[]): (query: string) => number[] {
  const params = { k1: 1.2, b: 0.75 };
  const words = documents.map(tokenize);
  const average = words.reduce((sum, one) => sum + one.length, 0) / words.length;
  const norm = lengthNorm(average, params);
  const containing = new Map<string, number>();
  for (const one of words) {
    for (const word of new Set(one)) containing.set(word, (containing.get(word) ?? 0) + 1);
  }
  return (query) =>
    words.map((document) => {
      let score = 0;
      for (const word of tokenize(query)) {
        const times = document.filter((one) => one === word).length;
        const idf = inverseDocumentFrequency(documents.length, containing.get(word) ?? 0);
        score += wordShare(wordWeight(idf, 1, params), times, norm.constant + norm.perWord * document.length);
      }
      return score;
    });
}
