/**
 * Who can still be among the k best when scores are known only up to an error? The k-th best of the lower bounds is a
 * floor under the true k-th score, so an item whose upper bound stays below the floor is out, whatever its true score.
 * Whoever trusts the scores as they are gets the k best of those and whoever ties with the last.
 */
import { createTopK, type TopK } from "../../math/top-k.ts";

export interface Contender {
  readonly item: number;
  readonly score: number;
  /** The true score is at most this. */
  readonly upper: number;
}

export interface ContendersOptions {
  readonly excluded: ReadonlySet<number>;
  /** What scores less does not matter, however few there are. @default however little */
  readonly least?: number | undefined;
  /** Whether errors are passed over. @default false */
  readonly trusting?: boolean | undefined;
}

export class Contenders {
  /** What an upper bound must reach to matter; grows with every good offer. */
  floor: number;
  readonly #lowerBounds: TopK;
  readonly #excluded: ReadonlySet<number>;
  readonly #trusting: boolean;
  #held: Contender[] = [];
  #tidyAt = 1024;

  constructor(
    k: number,
    { excluded, least = Number.NEGATIVE_INFINITY, trusting = false }: ContendersOptions,
  ) {
    this.floor = least;
    this.#trusting = trusting;
    this.#lowerBounds = createTopK(k, () => false);
    this.#excluded = excluded;
  }

  offer(item: number, score: number, most: number): void {
    const error = this.#trusting ? 0 : most;
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
