/** Who hears a text, and how much of it? The text itself in full, those said around it a share, the less the further off. */
import type { SaidAround } from "./said-around.ts";

/** Shares are rounded to this: sums of them are exact, so a score does not depend on the order in which texts came. */
const GRAIN = 2 ** -40;

export class Earshot {
  readonly links: SaidAround;
  /** What a word counts one, two … texts away. */
  readonly shares: Float64Array;
  /** What `look` found: the text and those around it, and the share of each. */
  readonly near: Uint32Array;
  readonly nearShares: Float64Array;

  constructor(links: SaidAround, around: readonly number[]) {
    this.links = links;
    this.shares = Float64Array.from(around, (share) => GRAIN * Math.max(1, Math.round(share / GRAIN)));
    this.near = new Uint32Array(1 + 2 * around.length);
    this.nearShares = new Float64Array(1 + 2 * around.length);
  }

  /**
   * The text and those it hears, who hear it, too: all in one scope, for a session has one. Gives how many. Whoever is
   * `absent` is passed over, as if it had never been said.
   */
  look(ordinal: number, absent?: ReadonlySet<number>): number {
    const { before, after } = this.links;
    let previous = ordinal;
    let next = ordinal;
    this.near[0] = ordinal;
    this.nearShares[0] = 1;
    let count = 1;
    for (const share of this.shares) {
      if (previous >= 0) previous = step(before, previous, absent);
      if (next >= 0) next = step(after, next, absent);
      if (previous >= 0) {
        this.near[count] = previous;
        this.nearShares[count++] = share;
      }
      if (next >= 0) {
        this.near[count] = next;
        this.nearShares[count++] = share;
      }
    }
    return count;
  }
}

function step(links: Int32Array, from: number, absent: ReadonlySet<number> | undefined): number {
  let ordinal = links[from] as number;
  while (absent?.has(ordinal)) ordinal = links[ordinal] as number;
  return ordinal;
}
