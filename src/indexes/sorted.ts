/**
 * Which entries come first by the value of a field, and which lie between two bounds? Numbers sort before texts, texts
 * by code unit (as filters compare them); an entry whose field holds neither is a member that is never found. This is
 * `search_with_sort` and `search_range` (S0-49); the oldest entry is `limit: 1` by a time, all ids are no bounds at all.
 *
 * Score: among numbers alone the value itself, with its sign turned when ascending; as soon as the range holds a text,
 * minus the number of members of the range that come before. Parts: `value` of a number, `rank` of a text.
 */
import { z } from "zod";
import { invariant, MemoryError } from "../base/errors.ts";
import { readField } from "../base/filter.ts";
import type { EntryId } from "../base/ids.ts";
import { parseInput } from "../base/parse-input.ts";
import { allowedOrdinals } from "./allowed-ordinals.ts";
import { ByScope, heldOrdinals } from "./by-scope.ts";
import { entryField } from "./entry-field.ts";
import {
  type Candidate,
  defineIndex,
  type Index,
  type IndexItem,
  type IndexNeeds,
  type IndexQuery,
  type IndexStats,
} from "./index-contract.ts";
import { firstPlace, OrderedOrdinals, takeFirst } from "./ordered-ordinals.ts";
import { Ordinals } from "./ordinals.ts";
import { SnapshotReader, SnapshotWriter, snapshotCorrupt } from "./snapshot-bytes.ts";

const options = z.strictObject({ field: entryField });
type Options = z.infer<typeof options>;

const bound = z.union([z.number(), z.string()]).optional();
const params = z
  .strictObject({
    order: z.enum(["asc", "desc"]).default("asc"),
    /** Both inclusive; a number bounds numbers and a text bounds texts. */
    from: bound,
    to: bound,
  })
  .refine(({ from, to }) => from === undefined || to === undefined || typeof from === typeof to, {
    error: "from and to must both be numbers or both be texts",
  });
type Params = z.infer<typeof params>;
type Value = number | string;

export const sortedIndex = defineIndex<Options>({
  kind: "sorted",
  family: "text",
  summary: "Entries in the order of a field, whole or between two bounds.",
  options,
  create: (given) => new Sorted(given),
});

const MAGIC = "sorted";
const VERSION = 1;

class Sorted implements Index {
  readonly kind = "sorted";
  readonly needs: IndexNeeds;
  readonly #field: string;
  #ordinals = new Ordinals();
  /** By ordinal; undefined where the field holds neither number nor text. */
  #values: (Value | undefined)[] = [];
  #lists = new ByScope(() => new OrderedOrdinals(this.#compare));

  constructor({ field }: Options) {
    this.#field = field;
    this.needs = { fields: [field] };
  }

  add(items: readonly IndexItem[]): void {
    for (const { id, scope, entry } of items) {
      invariant(entry !== undefined, "A sorted index was fed an item without its entry");
      this.#removeOne(id);
      const ordinal = this.#ordinals.add(id, scope);
      const value = readField(entry, this.#field);
      const list = this.#lists.partOf(this.#ordinals, ordinal);
      this.#values[ordinal] = typeof value === "number" || typeof value === "string" ? value : undefined;
      if (this.#values[ordinal] !== undefined) list.add(ordinal);
    }
  }

  remove(ids: readonly EntryId[]): void {
    for (const id of ids) this.#removeOne(id);
  }

  query(query: IndexQuery): Candidate[] {
    const asked = parseInput(params, query.params ?? {}, "query of a sorted index");
    if (query.text !== undefined) {
      throw new MemoryError(
        "input_invalid",
        `A sorted index was asked for a text, but it is ordered by "${this.#field}". Valid: a query without a text; params order, from and to.`,
      );
    }
    const backwards = asked.order === "desc";
    const ranges = this.#lists
      .visible(this.#ordinals, query.scopes)
      .map((list) => this.#within(list.all(), asked));
    const allowed = allowedOrdinals(this.#ordinals, query.allow);
    const ties = (a: number, b: number): boolean => this.#values[a] === this.#values[b];
    const taken = ranges.flatMap((sorted) => takeFirst({ sorted, backwards }, query.limit, allowed, ties));
    const sign = backwards ? -1 : 1;
    taken.sort(
      (a, b) => sign * compareValues(this.#valueOf(a), this.#valueOf(b)) || this.#ordinals.compare(a, b),
    );
    const ranked = ranges.some((range) => typeof this.#values[range.at(-1) ?? -1] === "string");
    return taken.slice(0, query.limit).map((ordinal) => {
      const value = this.#valueOf(ordinal);
      const rank = ranked ? this.#rank(value, ranges, backwards) : 0;
      const score = ranked || typeof value === "string" ? 0 - rank : 0 - sign * value;
      return {
        id: this.#ordinals.idAt(ordinal),
        score,
        parts: typeof value === "number" ? { value } : { rank },
      };
    });
  }

  save(): Uint8Array {
    const writer = new SnapshotWriter(MAGIC, VERSION).text(this.#field);
    this.#ordinals.save(writer);
    const values = this.#values;
    const texts = values.flatMap((value, ordinal) => (typeof value === "string" ? [ordinal] : []));
    const numbers = values.flatMap((value, ordinal) => (typeof value === "number" ? [ordinal] : []));
    writer.uint32(Uint32Array.from(texts)).texts(texts.map((ordinal) => String(values[ordinal])));
    writer
      .uint32(Uint32Array.from(numbers))
      .float64(Float64Array.from(numbers, (ordinal) => Number(values[ordinal])));
    return writer.finish();
  }

  load(bytes: Uint8Array): void {
    const reader = new SnapshotReader(bytes, MAGIC, VERSION);
    const field = reader.text();
    if (field !== this.#field) throw snapshotCorrupt(`it is ordered by "${field}", not by "${this.#field}"`);
    const ordinals = Ordinals.load(reader);
    const values = new Array<Value | undefined>(ordinals.end);
    const texts = reader.uint32();
    for (const [i, text] of reader.texts(texts.length).entries()) values[texts[i] as number] = text;
    const numbers = reader.uint32();
    for (const [i, value] of reader.float64(numbers.length).entries()) values[numbers[i] as number] = value;
    reader.end();
    this.#ordinals = ordinals;
    this.#values = values;
    this.#lists = new ByScope(() => new OrderedOrdinals(this.#compare));
    for (const ordinal of heldOrdinals(ordinals)) {
      const list = this.#lists.partOf(ordinals, ordinal);
      if (values[ordinal] !== undefined) list.add(ordinal);
    }
  }

  stats(): IndexStats {
    const lists = this.#lists.all.reduce((sum, list) => sum + list.bytes, 0);
    return { items: this.#ordinals.size, bytes: lists + this.#ordinals.bytes + 8 * this.#values.length };
  }

  readonly #compare = (a: number, b: number): number =>
    compareValues(this.#valueOf(a), this.#valueOf(b)) || this.#ordinals.compare(a, b);

  #valueOf(ordinal: number): Value {
    const value = this.#values[ordinal];
    invariant(value !== undefined, "An entry without a value got into a sorted list");
    return value;
  }

  #removeOne(id: EntryId): void {
    const ordinal = this.#ordinals.ordinalOf(id);
    if (ordinal < 0) return;
    const list = this.#lists.partOf(this.#ordinals, ordinal);
    if (this.#values[ordinal] !== undefined) list.remove(ordinal);
    this.#values[ordinal] = undefined;
    this.#ordinals.remove(id);
  }

  /** The stretch between the bounds; a missing bound ends where the other one's kind of value ends. */
  #within(sorted: Uint32Array, { from, to }: Params): Uint32Array {
    const lowest = from ?? (typeof to === "string" ? "" : Number.NEGATIVE_INFINITY);
    const start = firstPlace(sorted, (ordinal) => compareValues(this.#valueOf(ordinal), lowest) >= 0);
    const highest = to ?? (typeof from === "number" ? Number.POSITIVE_INFINITY : undefined);
    if (highest === undefined) return sorted.subarray(start);
    const end = firstPlace(sorted, (ordinal) => compareValues(this.#valueOf(ordinal), highest) > 0);
    return sorted.subarray(start, Math.max(start, end));
  }

  /** How many members of the ranges come strictly before the value. */
  #rank(value: Value, ranges: readonly Uint32Array[], backwards: boolean): number {
    return ranges.reduce((sum, range) => {
      const before = firstPlace(
        range,
        (ordinal) => compareValues(this.#valueOf(ordinal), value) >= (backwards ? 1 : 0),
      );
      return sum + (backwards ? range.length - before : before);
    }, 0);
  }
}

/** Numbers by size, then texts by code unit: −1, 0 or 1. */
function compareValues(a: Value, b: Value): number {
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
