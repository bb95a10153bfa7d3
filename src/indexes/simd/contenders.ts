/**
 * Who can still be among the k best when scores are known only up to an error? The k-th best of the lower bounds is a
 * floor under the true k-th score, so an item whose upper bound stays below the floor is out, whatever its true score.
 */
import { createTopK, type TopK } from "../../math/top-k.ts";

export interface Contender {
  readonly item: number;
  readonly score: number;
  /** The true score is at most this. */
  readonly upper: number;
}

export class Contenders {
  /** What an upper bound must reach to matter; grows with every good offer. */
  floor: number;
  readonly #lowerBounds: TopK;
  readonly #excluded: ReadonlySet<number>;
  #held: Contender[] = [];
  #tidyAt = 1024;

  /** `least`: what scores less does not matter, however few there are. */
  constructor(k: number, excluded: ReadonlySet<number>, least = Number.NEGATIVE_INFINITY) {
    this.floor = least;
    this.#lowerBounds = createTopK(k, () => false);
    this.#excluded = excluded;
  }

  offer(item: number, score: number, error: number): void {
    const upper = score + error;
    if (upper < this.floor || this.#excluded.has(item)) return;
    this.#lowerBounds.push(item, score - error);
    this.floor = Math.max(this.floor, this.#lowerBounds.threshold());
    this.#held.push({ item, score, upper });
    if (this.#held.length >= this.#tidyAt) this.#tidy();
  }

  /** All that may be among the k best, likeliest first. */
  ranked(): readonly Contender[] {
    this.#tidy();
    return this.#held.sort((a, b) => b.score - a.score);
  }

  /** Lets go of those the floor has passed by now. */
  #tidy(): void {
    this.#held = this.#held.filter(({ upper }) => upper >= this.floor);
    this.#tidyAt = Math.max(1024, 2 * this.#held.length);
  }
}
