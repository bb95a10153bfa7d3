/**
 * Which entries come in which order? A sorted array of ordinals that settles lazily: additions and removals are noted,
 * and the next reader pays for all of them at once, one pass over the array and a binary search per addition.
 */
import { grow } from "./grow.ts";

export class OrderedOrdinals {
  readonly #compare: (a: number, b: number) => number;
  #sorted: Uint32Array = new Uint32Array();
  #length = 0;
  readonly #added = new Set<number>();
  readonly #removed = new Set<number>();

  /** `compare` must be a strict order of different ordinals. */
  constructor(compare: (a: number, b: number) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#length + this.#added.size - this.#removed.size;
  }

  get bytes(): number {
    return this.#sorted.byteLength + 16 * (this.#added.size + this.#removed.size);
  }

  add(ordinal: number): void {
    this.#added.add(ordinal);
  }

  /** Must be called for an ordinal that is here, and before what it is sorted by changes. */
  remove(ordinal: number): void {
    if (!this.#added.delete(ordinal)) this.#removed.add(ordinal);
  }

  /** All ordinals in order; a view that holds until the next change. */
  all(): Uint32Array {
    if (this.#removed.size > 0) this.#drop();
    if (this.#added.size > 0) this.#insert();
    return this.#sorted.subarray(0, this.#length);
  }

  #drop(): void {
    const sorted = this.#sorted;
    let highest = 0;
    for (const ordinal of this.#removed) highest = Math.max(highest, ordinal);
    const gone = new Uint8Array(highest + 1);
    for (const ordinal of this.#removed) gone[ordinal] = 1;
    let kept = 0;
    for (let place = 0; place < this.#length; place++) {
      const ordinal = sorted[place] as number;
      if (ordinal < gone.length && gone[ordinal] === 1) continue;
      sorted[kept] = ordinal;
      kept++;
    }
    this.#length = kept;
    this.#removed.clear();
  }

  /** From the last addition to the first: what follows it moves up by as many places as additions are left. */
  #insert(): void {
    const added = [...this.#added].sort(this.#compare);
    const total = this.#length + added.length;
    this.#sorted = grow(this.#sorted, total, (length) => new Uint32Array(length));
    const sorted = this.#sorted;
    let end = this.#length;
    for (let left = added.length; left > 0; left--) {
      const ordinal = added[left - 1] as number;
      const held = sorted.subarray(0, end);
      const place = firstPlace(held, (other) => this.#compare(other, ordinal) > 0);
      sorted.copyWithin(place + left, place, end);
      sorted[place + left - 1] = ordinal;
      end = place;
    }
    this.#length = total;
    this.#added.clear();
  }
}

/** The first place whose ordinal passes the test, which all later ones must pass too; the length if none does. */
export function firstPlace(sorted: Uint32Array, passes: (ordinal: number) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(sorted[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export interface Stretch {
  readonly sorted: Uint32Array;
  /** From the start of the array on, or from its end back. */
  readonly backwards: boolean;
}

/**
 * The first `limit` accepted ordinals of the stretch, and any that tie with the last of them: enough to choose the
 * best `limit` of several stretches by score and id.
 */
export function takeFirst(
  { sorted, backwards }: Stretch,
  limit: number,
  accepts: (ordinal: number) => boolean,
  ties: (a: number, b: number) => boolean,
): number[] {
  const taken: number[] = [];
  for (let i = 0; i < sorted.length; i++) {
    const ordinal = sorted[backwards ? sorted.length - 1 - i : i] as number;
    const last = taken[limit - 1];
    if (taken.length >= limit && (last === undefined || !ties(last, ordinal))) break;
    if (accepts(ordinal)) taken.push(ordinal);
  }
  return taken;
}
