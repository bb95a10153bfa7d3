/**
 * Which entries belong together? Segments are either stretches of time, parted wherever nothing happened for longer
 * than `gap_seconds`, or the entries that share the value of a field (a topic, a session). They are worked out from the
 * members alone, scope by scope, so the same members always make the same segments.
 *
 * A query names a segment by its key, by a moment (the segment around it or the nearest one), or not at all (the one
 * active last), and gets its members in the order they happened. `list` gives the first entry of every segment instead,
 * the one active last first. The key of a stretch of time is its start in epoch milliseconds, as the part `start` of
 * any answer has it; the key of a value is the value as text. An entry without a value is in no segment.
 *
 * Score: minus the moment it happened; with `list` the end of the segment. Parts: `start`, `end` and `size` of the segment.
 */
import { z } from "zod";
import { invariant, MemoryError } from "../base/errors.ts";
import { readField } from "../base/filter.ts";
import type { EntryId } from "../base/ids.ts";
import type { Json } from "../base/json.ts";
import { parseInput } from "../base/parse-input.ts";
import { allowedOrdinals } from "./allowed-ordinals.ts";
import { ByScope, heldOrdinals } from "./by-scope.ts";
import { entryField } from "./entry-field.ts";
import { grow } from "./grow.ts";
import {
  type Candidate,
  defineIndex,
  type Index,
  type IndexItem,
  type IndexNeeds,
  type IndexQuery,
  type IndexStats,
} from "./index-contract.ts";
import { takeFirst } from "./ordered-ordinals.ts";
import { Ordinals } from "./ordinals.ts";
import { distance, type Segment, Timelines } from "./segment-timelines.ts";
import { SnapshotReader, SnapshotWriter, snapshotCorrupt } from "./snapshot-bytes.ts";

const options = z.discriminatedUnion("by", [
  z.strictObject({ by: z.literal("time"), gap_seconds: z.number().min(0) }),
  z.strictObject({ by: z.literal("field"), field: entryField }),
]);
type Options = z.infer<typeof options>;

const params = z
  .strictObject({
    segment: z.string().optional(),
    /** Epoch milliseconds. */
    at: z.number().optional(),
    list: z.boolean().default(false),
  })
  .refine(
    ({ segment, at, list }) => [segment !== undefined, at !== undefined, list].filter(Boolean).length <= 1,
    {
      error: "only one of segment, at and list may be given",
    },
  );

type Params = z.infer<typeof params>;

export const segmentIndex = defineIndex<Options>({
  kind: "segment",
  family: "text",
  summary: "Entries that belong together in time or by a field's value.",
  options,
  create: (given) => new SegmentIndex(given),
});

const MAGIC = "segment";
const VERSION = 1;

class SegmentIndex implements Index {
  readonly kind = "segment";
  readonly needs: IndexNeeds;
  readonly #options: Options;
  #ordinals = new Ordinals();
  /** By ordinal: when it happened, and the value it belongs to (undefined: to none; "" for all of them in time mode). */
  #moments: Float64Array = new Float64Array(16);
  #values: (string | undefined)[] = [];
  #timelines = new ByScope(() => this.#emptyTimelines());

  constructor(given: Options) {
    this.#options = given;
    this.needs = { fields: given.by === "time" ? ["happenedAt"] : [given.field, "happenedAt"] };
  }

  add(items: readonly IndexItem[]): void {
    for (const { id, scope, entry } of items) {
      invariant(entry !== undefined, "A segment index was fed an item without its entry");
      this.#removeOne(id);
      const ordinal = this.#ordinals.add(id, scope);
      this.#moments = grow(this.#moments, ordinal + 1, (length) => new Float64Array(length));
      this.#moments[ordinal] = entry.happenedAt;
      this.#values[ordinal] = this.#options.by === "time" ? "" : keyOf(readField(entry, this.#options.field));
      this.#place(ordinal);
    }
  }

  remove(ids: readonly EntryId[]): void {
    for (const id of ids) this.#removeOne(id);
  }

  query(query: IndexQuery): Candidate[] {
    const asked = parseInput(params, query.params ?? {}, "query of a segment index");
    if (query.text !== undefined) {
      throw new MemoryError(
        "input_invalid",
        "A segment index was asked for a text. Valid: a query without a text; params segment, at or list.",
      );
    }
    const timelines = this.#timelines.visible(this.#ordinals, query.scopes);
    const segments = timelines.flatMap((timeline) => timeline.segments());
    const allowed = allowedOrdinals(this.#ordinals, query.allow);
    const found = asked.list
      ? this.#firsts(segments)
      : this.#members(this.#choose(segments, asked), query, allowed);
    return found
      .filter(({ ordinal }) => allowed(ordinal))
      .sort((a, b) => b.score - a.score || this.#ordinals.compare(a.ordinal, b.ordinal))
      .slice(0, query.limit)
      .map(({ ordinal, score, segment: { start, end, members } }) => {
        return { id: this.#ordinals.idAt(ordinal), score, parts: { start, end, size: members.length } };
      });
  }

  save(): Uint8Array {
    const { end } = this.#ordinals;
    const writer = new SnapshotWriter(MAGIC, VERSION).text(JSON.stringify(this.needs.fields));
    this.#ordinals.save(writer);
    const values = [...new Set(this.#values.filter((value) => value !== undefined))];
    const numbers = new Map<string | undefined, number>(values.map((value, number) => [value, number]));
    writer.float64(this.#moments.subarray(0, end)).texts(values);
    writer.int32(Int32Array.from({ length: end }, (_, ordinal) => numbers.get(this.#values[ordinal]) ?? -1));
    return writer.finish();
  }

  load(bytes: Uint8Array): void {
    const reader = new SnapshotReader(bytes, MAGIC, VERSION);
    const fields = reader.text();
    if (fields !== JSON.stringify(this.needs.fields))
      throw snapshotCorrupt(`it was made from the fields ${fields}`);
    const ordinals = Ordinals.load(reader);
    const moments = reader.float64(ordinals.end);
    const values = reader.texts();
    const numbers = reader.int32(ordinals.end);
    reader.end();
    this.#ordinals = ordinals;
    this.#moments = moments;
    this.#values = Array.from(numbers, (number) => values[number]);
    this.#timelines = new ByScope(() => this.#emptyTimelines());
    for (const ordinal of heldOrdinals(ordinals)) this.#place(ordinal);
  }

  stats(): IndexStats {
    const timelines = this.#timelines.all.reduce((sum, timeline) => sum + timeline.bytes, 0);
    const arrays = this.#moments.byteLength + 8 * this.#values.length;
    return { items: this.#ordinals.size, bytes: timelines + arrays + this.#ordinals.bytes };
  }

  #emptyTimelines(): Timelines {
    const momentOf = (ordinal: number): number => this.#moments[ordinal] as number;
    const compare = (a: number, b: number): number =>
      momentOf(a) - momentOf(b) || this.#ordinals.compare(a, b);
    return new Timelines(
      { compare, momentOf },
      this.#options.by === "time" ? 1000 * this.#options.gap_seconds : undefined,
    );
  }

  #place(ordinal: number): void {
    const value = this.#values[ordinal];
    const timelines = this.#timelines.partOf(this.#ordinals, ordinal);
    if (value !== undefined) timelines.add(value, ordinal);
  }

  #removeOne(id: EntryId): void {
    const ordinal = this.#ordinals.ordinalOf(id);
    if (ordinal < 0) return;
    const value = this.#values[ordinal];
    if (value !== undefined) this.#timelines.partOf(this.#ordinals, ordinal).remove(value, ordinal);
    this.#values[ordinal] = undefined;
    this.#ordinals.remove(id);
  }

  /** The segments of that key, one per scope at most, or the one segment nearest to the moment, or active last. */
  #choose(segments: readonly Segment[], { segment: key, at }: Params): readonly Segment[] {
    if (key !== undefined) return segments.filter((segment) => segment.key === key);
    const far = (segment: Segment): number => (at === undefined ? 0 : distance(segment, at));
    const [nearest] = [...segments].sort(
      (a, b) =>
        far(a) - far(b) || b.end - a.end || b.start - a.start || this.#ordinals.compare(first(a), first(b)),
    );
    return nearest === undefined ? [] : [nearest];
  }

  #firsts(segments: readonly Segment[]): readonly Found[] {
    return segments.map((segment) => ({ segment, ordinal: first(segment), score: segment.end }));
  }

  #members(
    segments: readonly Segment[],
    { limit }: IndexQuery,
    allowed: (ordinal: number) => boolean,
  ): readonly Found[] {
    const momentOf = (ordinal: number): number => this.#moments[ordinal] as number;
    const ties = (a: number, b: number): boolean => momentOf(a) === momentOf(b);
    return segments.flatMap((segment) =>
      takeFirst({ sorted: segment.members, backwards: false }, limit, allowed, ties).map((ordinal) => {
        return { segment, ordinal, score: 0 - momentOf(ordinal) };
      }),
    );
  }
}

interface Found {
  readonly segment: Segment;
  readonly ordinal: number;
  readonly score: number;
}

function first({ members }: Segment): number {
  return members[0] as number;
}

/** Texts, numbers and truth values name a segment; anything else names none. */
function keyOf(value: Json | undefined): string | undefined {
  const names = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return names ? String(value) : undefined;
}
