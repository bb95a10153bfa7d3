/** How do the entries of one scope fall into segments? One timeline per value; in time mode it is cut at the gaps. */
import { OrderedOrdinals } from "./ordered-ordinals.ts";

export interface Segment {
  readonly key: string;
  /** Moments of the first and the last member, epoch milliseconds. */
  readonly start: number;
  readonly end: number;
  /** In the order they happened; never empty. */
  readonly members: Uint32Array;
}

export interface Order {
  /** By moment, then by id. */
  compare(a: number, b: number): number;
  momentOf(ordinal: number): number;
}

export class Timelines {
  readonly #order: Order;
  readonly #gapMs: number | undefined;
  readonly #byValue = new Map<string, OrderedOrdinals>();
  #segments: readonly Segment[] | undefined;

  /** Without a gap every value is one segment. */
  constructor(order: Order, gapMs?: number) {
    this.#order = order;
    this.#gapMs = gapMs;
  }

  get bytes(): number {
    return [...this.#byValue.values()].reduce((sum, timeline) => sum + timeline.bytes, 0);
  }

  add(value: string, ordinal: number): void {
    const timeline = this.#byValue.get(value) ?? new OrderedOrdinals(this.#order.compare);
    timeline.add(ordinal);
    this.#byValue.set(value, timeline);
    this.#segments = undefined;
  }

  remove(value: string, ordinal: number): void {
    const timeline = this.#byValue.get(value);
    timeline?.remove(ordinal);
    if (timeline?.size === 0) this.#byValue.delete(value);
    this.#segments = undefined;
  }

  /** All segments, in no particular order; they hold until the next change. */
  segments(): readonly Segment[] {
    this.#segments ??= [...this.#byValue].flatMap(([value, timeline]) =>
      this.#gapMs === undefined
        ? [this.#segment(value, timeline.all())]
        : cut(timeline.all(), this.#gapMs, this.#order).map((members) => this.#segment(undefined, members)),
    );
    return this.#segments;
  }

  #segment(key: string | undefined, members: Uint32Array): Segment {
    const start = this.#order.momentOf(members[0] as number);
    const end = this.#order.momentOf(members[members.length - 1] as number);
    return { key: key ?? String(start), start, end, members };
  }
}

/** How far a moment is from a segment, 0 inside it. */
export function distance({ start, end }: Segment, moment: number): number {
  return Math.max(start - moment, moment - end, 0);
}

/** Stretches of a timeline between which more than the gap passes. */
function cut(timeline: Uint32Array, gapMs: number, { momentOf }: Order): Uint32Array[] {
  const stretches: Uint32Array[] = [];
  let start = 0;
  for (let i = 1; i <= timeline.length; i++) {
    const before = momentOf(timeline[i - 1] as number);
    if (i < timeline.length && momentOf(timeline[i] as number) - before <= gapMs) continue;
    stretches.push(timeline.subarray(start, i));
    start = i;
  }
  return stretches;
}
