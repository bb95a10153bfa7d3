/**
 * Maximal marginal relevance (Carbonell & Goldstein, SIGIR 1998): pick one after another the item that is most relevant
 * and least like what was picked before, by λ·relevance − (1−λ)·(greatest similarity to a picked one).
 * O(k·n): the greatest similarity of each waiting item is carried along, not recomputed.
 */

export interface MmrInput {
  /** One number per item. */
  readonly relevance: ArrayLike<number>;
  /** How alike two items are, by their numbers; on the scale of `relevance`. */
  readonly similarity: (a: number, b: number) => number;
  /** 1: relevance only; 0: variety only. */
  readonly lambda: number;
  /** How many to pick at most. */
  readonly k: number;
}

export interface MmrPick {
  readonly item: number;
  readonly score: number;
  /** Greatest similarity to an earlier pick; 0 for the first. */
  readonly redundancy: number;
}

/** The picks in order; of equals the item with the smaller number goes first. */
export function maximalMarginalRelevance({ relevance, similarity, lambda, k }: MmrInput): MmrPick[] {
  const waiting = new Set(Array.from(relevance, (_, item) => item));
  const redundancy = new Float64Array(relevance.length).fill(Number.NEGATIVE_INFINITY);
  const picks: MmrPick[] = [];
  while (picks.length < k && waiting.size > 0) {
    let best: MmrPick | undefined;
    for (const item of waiting) {
      const alike = picks.length === 0 ? 0 : (redundancy[item] as number);
      const score = lambda * (relevance[item] as number) - (1 - lambda) * alike;
      if (best === undefined || score > best.score) best = { item, score, redundancy: alike };
    }
    if (best === undefined) break;
    picks.push(best);
    waiting.delete(best.item);
    for (const item of waiting) {
      redundancy[item] = Math.max(redundancy[item] as number, similarity(best.item, item));
    }
  }
  return picks;
}
