/**
 * Who can still be among the k best when scores are known only up to an error? The k-th best of the lower bounds is a
 * floor under the true k-th score, so an item whose upper bound stays below the floor is out, whatever its true score.
 * Whoever trusts the scores as they are gets the k best of those and whoever ties with the last.
 */
import { createTopK, type TopK } from "../../math/top-k.ts";

export interface Contender {
  readonly item: number;
  readonly score: number;
  /** The true score is no further away. */
  readonly error: number;
}

export interface ContendersOptions {
  readonly excluded: ReadonlySet<number>;
  /** What scores less does not matter, however few there are. @default however little */
  readonly least?: number | undefined;
  /** Whether scores are taken as they are: the floor is then higher, and fewer contend. @default false */
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

  offer(item: number, score: number, error: number): void {
    const doubt = this.#doubt(error);
    if (score + doubt < this.floor || this.#excluded.has(item)) return;
    this.#lowerBounds.push(item, score - doubt);
    this.floor = Math.max(this.floor, this.#lowerBounds.threshold());
    this.#held.push({ item, score, error });
    if (this.#held.length >= this.#tidyAt) this.#tidy();
  }

  /** All that may be among the k best, likeliest first. */
  ranked(): readonly Contender[] {
    this.#tidy();
    return this.#held.sort((a, b) => b.score - a.score);
  }

  /** Lets go of those the floor has passed by now. */
  #tidy(): void {
    this.#held = this.#held.filter(({ score, error }) => score + this.#doubt(error) >= this.floor);
    this.#tidyAt = Math.max(1024, 2 * this.#held.length);
  }

  #doubt(error: number): number {
    return this.#trusting ? 0 : error;
  }
}
