/**
 * Which entries carry a tag that stands in the text? The retrieval of SimpleMemory (S3-13 … S3-20): every tag of the
 * mirror is looked for in the chat text as a substring; entries are ordered by how many of their tags were hit, then by
 * the UTC day they were made on, then strength, then the moment they were made, each descending, and last by id.
 *
 * Score: hits + 1 / (2 + b), where b is how many other matching entries with as many hits come before by day, strength
 * and moment; entries equal in all of them score the same. Parts: `hits`, `day`, `strength`.
 *
 * The mirror only grows (C-32): the tags of a removed entry stay in it, without effect, until the index is tidied, loaded
 * or rebuilt; `stats().tags` says how many there are.
 */
import { z } from "zod";
import { invariant, MemoryError } from "../base/errors.ts";
import type { EntryId } from "../base/ids.ts";
import { parseInput } from "../base/parse-input.ts";
import { createTopK } from "../math/top-k.ts";
import { allowedOrdinals } from "./allowed-ordinals.ts";
import { grow } from "./grow.ts";
import {
  type Candidate,
  defineIndex,
  type Index,
  type IndexItem,
  type IndexQuery,
  type IndexStats,
} from "./index-contract.ts";
import { Ordinals } from "./ordinals.ts";
import { SnapshotReader, SnapshotWriter, snapshotCorrupt } from "./snapshot-bytes.ts";
import { TagMirror } from "./tag-mirror.ts";

const options = z.strictObject({
  /** Whether "Tea" must be written "Tea" in the text; if not, tags that differ only in case are one tag. */
  case_sensitive: z.boolean().default(true),
});
type Options = z.infer<typeof options>;

export interface TagStats extends IndexStats {
  /** Tags in the mirror, those that no entry carries any more among them. */
  readonly tags: number;
}

export const tagIndex = defineIndex<Options>({
  kind: "tag",
  family: "text",
  summary: "Entries whose tags stand in the text, most tags first.",
  options,
  create: (given) => new Tag(given),
});

const MAGIC = "tag";
const VERSION = 1;
const DAY_MS = 86_400_000;
const noParams = z.strictObject({});

class Tag implements Index {
  readonly kind = "tag";
  readonly needs = { fields: ["tags", "createdAt", "strength"] };
  readonly #caseSensitive: boolean;
  #ordinals = new Ordinals();
  /** Tag → ordinals of the entries that carry it. */
  #mirror = new TagMirror<Set<number>>();
  /** By ordinal. */
  #tags: (readonly string[])[] = [];
  #createdAt: Float64Array = new Float64Array(16);
  #strengths: Float64Array = new Float64Array(16);

  constructor(given: Options) {
    this.#caseSensitive = given.case_sensitive;
  }

  add(items: readonly IndexItem[]): void {
    for (const { id, scope, entry } of items) {
      invariant(entry !== undefined, "A tag index was fed an item without its entry");
      this.#removeOne(id);
      const ordinal = this.#ordinals.add(id, scope);
      this.#createdAt = grow(this.#createdAt, ordinal + 1, (length) => new Float64Array(length));
      this.#strengths = grow(this.#strengths, ordinal + 1, (length) => new Float64Array(length));
      this.#createdAt[ordinal] = entry.createdAt;
      this.#strengths[ordinal] = entry.strength;
      this.#bind(ordinal, [...new Set(entry.tags.map((tag) => this.#folded(tag)))]);
    }
  }

  remove(ids: readonly EntryId[]): void {
    for (const id of ids) this.#removeOne(id);
  }

  query(query: IndexQuery): Candidate[] {
    parseInput(noParams, query.params ?? {}, "query of a tag index");
    if (query.text === undefined) {
      throw new MemoryError(
        "input_invalid",
        "A tag index was asked without a text. Valid: a query with the text in which tags are looked for.",
      );
    }
    if (query.vector !== undefined) {
      throw new MemoryError(
        "input_invalid",
        "A tag index does not read vectors. Valid: a query without a vector.",
      );
    }
    const { matching, hits } = this.#match(query.text, query);
    query.onMatch?.(matching.length);
    const allowed = allowedOrdinals(this.#ordinals, query.allow);
    const first = createTopK(Math.min(query.limit, matching.length), (a, b) => this.#compare(a, b) < 0);
    for (const ordinal of matching) if (allowed(ordinal)) first.push(ordinal, hits[ordinal] as number);
    const best = [...first.drain().items];
    const before = this.#countBefore(best, matching, hits);
    return best.map((ordinal, place) => {
      const count = hits[ordinal] as number;
      const parts = { hits: count, day: this.#day(ordinal), strength: this.#strengths[ordinal] as number };
      return { id: this.#ordinals.idAt(ordinal), score: count + 1 / (2 + (before[place] ?? 0)), parts };
    });
  }

  save(): Uint8Array {
    const writer = new SnapshotWriter(MAGIC, VERSION).text(String(this.#caseSensitive));
    this.#ordinals.save(writer);
    const { end } = this.#ordinals;
    const used = [...this.#mirror.entries()].filter(([, holders]) => holders.size > 0);
    writer
      .float64(this.#createdAt.subarray(0, end))
      .float64(this.#strengths.subarray(0, end))
      .texts(used.map(([tag]) => tag))
      .uint32(Uint32Array.from(used, ([, holders]) => holders.size))
      .uint32(Uint32Array.from(used.flatMap(([, holders]) => [...holders])));
    return writer.finish();
  }

  load(bytes: Uint8Array): void {
    const reader = new SnapshotReader(bytes, MAGIC, VERSION);
    if (reader.text() !== String(this.#caseSensitive))
      throw snapshotCorrupt("it treats letter case otherwise");
    const ordinals = Ordinals.load(reader);
    const createdAt = reader.float64(ordinals.end);
    const strengths = reader.float64(ordinals.end);
    const tags = reader.texts();
    const counts = reader.uint32(tags.length);
    const holders = reader.uint32(counts.reduce((sum, count) => sum + count, 0));
    reader.end();
    this.#ordinals = ordinals;
    this.#createdAt = createdAt;
    this.#strengths = strengths;
    this.#mirror = new TagMirror();
    const carried = Array.from({ length: ordinals.end }, (): string[] => []);
    let place = 0;
    for (const [i, tag] of tags.entries()) {
      const own = holders.subarray(place, place + (counts[i] as number));
      for (const ordinal of own) carried[ordinal]?.push(tag);
      this.#mirror.set(tag, new Set(own));
      place += own.length;
    }
    this.#tags = carried;
  }

  /** The mirror is made anew of the tags that are carried (S3-17). */
  tidy(): void {
    const mirror = new TagMirror<Set<number>>();
    for (const [tag, holders] of this.#mirror.entries()) if (holders.size > 0) mirror.set(tag, holders);
    this.#mirror = mirror;
  }

  stats(): TagStats {
    const bindings = this.#tags.reduce((sum, tags) => sum + tags.length, 0);
    const arrays = this.#createdAt.byteLength + this.#strengths.byteLength + this.#ordinals.bytes;
    return { items: this.#ordinals.size, bytes: arrays + 40 * bindings, tags: this.#mirror.size };
  }

  #bind(ordinal: number, tags: readonly string[]): void {
    this.#tags[ordinal] = tags;
    for (const tag of tags) {
      const holders = this.#mirror.get(tag);
      if (holders === undefined) this.#mirror.set(tag, new Set([ordinal]));
      else holders.add(ordinal);
    }
  }

  #removeOne(id: EntryId): void {
    const ordinal = this.#ordinals.remove(id);
    if (ordinal < 0) return;
    for (const tag of this.#tags[ordinal] ?? []) this.#mirror.get(tag)?.delete(ordinal);
    this.#tags[ordinal] = [];
  }

  #folded(text: string): string {
    return this.#caseSensitive ? text : text.toLowerCase();
  }

  /** Every visible entry with a hit, and how many hits each ordinal has. */
  #match(text: string, { scopes }: IndexQuery): { matching: readonly number[]; hits: Uint16Array } {
    const visible = new Uint8Array(this.#ordinals.scopeCount);
    for (const scope of scopes) visible[this.#ordinals.scopeNumber(scope)] = 1;
    const hits = new Uint16Array(this.#ordinals.end);
    const matching: number[] = [];
    for (const holders of this.#mirror.scan(this.#folded(text))) {
      for (const ordinal of holders) {
        if (visible[this.#ordinals.scopeAt(ordinal)] !== 1) continue;
        if (hits[ordinal] === 0) matching.push(ordinal);
        hits[ordinal] = (hits[ordinal] as number) + 1;
      }
    }
    return { matching, hits };
  }

  /** For each of the best, in order: how many of the matching come before by more than the id, with as many hits. */
  #countBefore(best: readonly number[], matching: readonly number[], hits: Uint16Array): number[] {
    const overtaken = new Array<number>(best.length + 1).fill(0);
    const fewest = hits[best.at(-1) ?? 0] as number;
    for (const ordinal of matching) {
      // Most have fewer hits than the last of the best: they come before none.
      if ((hits[ordinal] as number) < fewest) continue;
      const place = this.#firstBehind(ordinal, best, hits);
      overtaken[place] = (overtaken[place] ?? 0) + 1;
    }
    let sum = 0;
    return best.map((_, place) => {
      const sameHits = place > 0 && hits[best[place] as number] === hits[best[place - 1] as number];
      sum = (sameHits ? sum : 0) + (overtaken[place] ?? 0);
      return sum;
    });
  }

  /** The first of the best that has as many hits as the ordinal and comes behind it; best.length if none does. */
  #firstBehind(ordinal: number, best: readonly number[], hits: Uint16Array): number {
    let low = 0;
    let high = best.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = best[middle] as number;
      const ahead = (hits[other] as number) - (hits[ordinal] as number) || this.#compareAge(ordinal, other);
      if (ahead < 0) high = middle;
      else low = middle + 1;
    }
    return low < best.length && hits[best[low] as number] === hits[ordinal] ? low : best.length;
  }

  #day(ordinal: number): number {
    return Math.floor((this.#createdAt[ordinal] as number) / DAY_MS);
  }

  /** Later day, then greater strength, then later moment first; 0 if all are equal. */
  #compareAge(a: number, b: number): number {
    return (
      this.#day(b) - this.#day(a) ||
      (this.#strengths[b] as number) - (this.#strengths[a] as number) ||
      (this.#createdAt[b] as number) - (this.#createdAt[a] as number)
    );
  }

  #compare(a: number, b: number): number {
    return this.#compareAge(a, b) || this.#ordinals.compare(a, b);
  }
}
