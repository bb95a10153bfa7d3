/** How much of what answers a question is among the first k? Rankings by score, and recall over many questions. */

export interface Judged {
  /** Places of the documents that answer it. */
  readonly relevant: ReadonlySet<number>;
  /** Places of all documents, best first. */
  readonly ranking: readonly number[];
}

/** Places by descending score; equal scores in the order of their places. */
export function rank(scores: ArrayLike<number>): number[] {
  const places = Array.from({ length: scores.length }, (_, place) => place);
  return places.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
}

/** Mean over the questions, in per cent. */
export function recallAt(k: number, judged: readonly Judged[]): number {
  const shares = judged.map(({ relevant, ranking }) => {
    const found = ranking.slice(0, k).filter((place) => relevant.has(place)).length;
    return found / relevant.size;
  });
  return (100 * shares.reduce((sum, share) => sum + share, 0)) / shares.length;
}
