/**
 * Which entries lie under a key? An entry's keys are the text, or the texts, of one field. A key that is given is looked
 * up; a similar one, or one that stands in a text, is found among the keys there are, never among the contents.
 *
 * Similarity of two keys: 1 − edit distance / letters of the longer (Levenshtein, 1966), over code points, full-width
 * and traditional characters taken as their plain forms; of a key that stands in the text: 1. An entry gets the sum of the
 * best similarity to each key asked for. Score: that sum, less a billionth for every newer match that is as similar, so
 * that of two entries under one key the newest comes first. Parts: `similarity`, `age`.
 */
import { z } from "zod";
import { invariant, MemoryError } from "../base/errors.ts";
import { readField } from "../base/filter.ts";
import type { EntryId } from "../base/ids.ts";
import type { Json } from "../base/json.ts";
import { parseInput } from "../base/parse-input.ts";
import { createTopK } from "../math/top-k.ts";
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
import { type Similarities, Vocabulary } from "./key-vocabulary.ts";
import { Ordinals } from "./ordinals.ts";
import { SnapshotReader, SnapshotWriter, snapshotCorrupt } from "./snapshot-bytes.ts";

const options = z.strictObject({
  /** Where the key stands, or the list of keys. */
  field: entryField,
  /** Whether "Tea" and "tea" are two keys. */
  case_sensitive: z.boolean().default(true),
});
type Options = z.infer<typeof options>;

/** Of a query without a text. */
const params = z.strictObject({
  keys: z.array(z.string()).min(1),
  /** How similar a key must be to count; at 1 it must be the same. */
  threshold: z.number().gt(0).max(1).default(1),
});

export const keyIndex = defineIndex<Options>({
  kind: "key",
  family: "text",
  summary: "Entries by key, the same or a similar one, newest first.",
  options,
  create: (given) => new Key(given),
});

const noParams = z.strictObject({});
const MAGIC = "key";
const VERSION = 1;
/** Far less than two similarities can differ by, and far more than a number of this size can lose. */
const NEWER = 1e-9;

class Key implements Index {
  readonly kind = "key";
  readonly needs: IndexNeeds;
  readonly #options: Options;
  #ordinals = new Ordinals();
  /** By ordinal. */
  #keys: (readonly string[])[] = [];
  #positions: Float64Array = new Float64Array(16);
  #vocabularies = new ByScope(() => new Vocabulary());

  constructor(given: Options) {
    this.#options = given;
    this.needs = { fields: [given.field] };
  }

  add(items: readonly IndexItem[]): void {
    for (const { id, scope, position, entry } of items) {
      invariant(entry !== undefined, "A key index was fed an item without its entry");
      this.#removeOne(id);
      const ordinal = this.#ordinals.add(id, scope);
      this.#positions = grow(this.#positions, ordinal + 1, (length) => new Float64Array(length));
      this.#positions[ordinal] = position;
      this.#bind(ordinal, this.#foldAll(textsOf(readField(entry, this.#options.field))));
    }
  }

  remove(ids: readonly EntryId[]): void {
    for (const id of ids) this.#removeOne(id);
  }

  query(query: IndexQuery): Candidate[] {
    if (query.vector !== undefined) {
      throw new MemoryError(
        "input_invalid",
        "A key index does not read vectors. Valid: a text, or params.keys with params.threshold for similar keys.",
      );
    }
    const matching = this.#matching(query);
    const similarities = addUp(
      this.#vocabularies.visible(this.#ordinals, query.scopes).flatMap((vocabulary) => matching(vocabulary)),
    );
    const isAllowed = allowedOrdinals(this.#ordinals, query.allow);
    // A place counts all that are as similar, allowed or not: among allowed ones alone it cannot be told.
    const wanted = query.allow === undefined ? query.limit : similarities.size;
    return this.#ranked(similarities, wanted)
      .filter(({ ordinal }) => isAllowed(ordinal))
      .slice(0, query.limit)
      .map(({ ordinal, similarity, newer }) => {
        const age = 0 - NEWER * newer;
        return { id: this.#ordinals.idAt(ordinal), score: similarity + age, parts: { similarity, age } };
      });
  }

  save(): Uint8Array {
    const writer = new SnapshotWriter(MAGIC, VERSION).text(JSON.stringify(this.#options));
    this.#ordinals.save(writer);
    const keys = Array.from({ length: this.#ordinals.end }, (_, ordinal) => this.#keys[ordinal] ?? []);
    writer
      .float64(this.#positions.subarray(0, this.#ordinals.end))
      .uint32(Uint32Array.from(keys, (own) => own.length))
      .texts(keys.flat());
    return writer.finish();
  }

  load(bytes: Uint8Array): void {
    const reader = new SnapshotReader(bytes, MAGIC, VERSION);
    if (reader.text() !== JSON.stringify(this.#options)) throw snapshotCorrupt("its options are others");
    const ordinals = Ordinals.load(reader);
    const positions = reader.float64(ordinals.end);
    const counts = reader.uint32(ordinals.end);
    const texts = reader.texts();
    reader.end();
    if (counts.reduce((sum, count) => sum + count, 0) !== texts.length)
      throw snapshotCorrupt("its keys are not as many as it says");
    this.#ordinals = ordinals;
    this.#positions = positions;
    this.#keys = [];
    this.#vocabularies = new ByScope(() => new Vocabulary());
    let place = 0;
    for (const ordinal of heldOrdinals(ordinals)) {
      const end = place + (counts[ordinal] as number);
      this.#bind(ordinal, texts.slice(place, end));
      place = end;
    }
  }

  stats(): IndexStats {
    const bindings = this.#keys.reduce((sum, own) => sum + own.length, 0);
    return {
      items: this.#ordinals.size,
      bytes: this.#ordinals.bytes + this.#positions.byteLength + 40 * bindings,
    };
  }

  #bind(ordinal: number, keys: readonly string[]): void {
    this.#keys[ordinal] = keys;
    const vocabulary = this.#vocabularies.partOf(this.#ordinals, ordinal);
    for (const key of keys) vocabulary.add(key, ordinal);
  }

  #removeOne(id: EntryId): void {
    const ordinal = this.#ordinals.ordinalOf(id);
    if (ordinal < 0) return;
    const vocabulary = this.#vocabularies.partOf(this.#ordinals, ordinal);
    for (const key of this.#keys[ordinal] ?? []) vocabulary.remove(key, ordinal);
    this.#keys[ordinal] = [];
    this.#ordinals.remove(id);
  }

  /** For each key asked for, or each that stands in the text: who lies under it or one like it. */
  #matching({ text, params: given = {} }: IndexQuery): (vocabulary: Vocabulary) => readonly Similarities[] {
    if (text !== undefined) {
      parseInput(noParams, given, "params of a key query with a text, which takes none");
      return (vocabulary) => vocabulary.standingIn(this.#fold(text));
    }
    const { keys, threshold } = parseInput(params, given, "query of a key index");
    return (vocabulary) => this.#foldAll(keys).map((key) => vocabulary.like(key, threshold));
  }

  #fold(text: string): string {
    const folded = text.normalize("NFKC").trim();
    return this.#options.case_sensitive ? folded : folded.toLowerCase();
  }

  #foldAll(keys: readonly string[]): string[] {
    return [...new Set(keys.map((key) => this.#fold(key)))].filter((key) => key !== "");
  }

  /** The first few: most similar first, then newest, then by id; each with how many as similar are newer. */
  #ranked(similarities: Similarities, limit: number): readonly Ranked[] {
    const best = createTopK(Math.min(limit, similarities.size), (a, b) => {
      const newer = (this.#positions[b] as number) - (this.#positions[a] as number);
      return (newer || this.#ordinals.compare(a, b)) < 0;
    });
    for (const [ordinal, similarity] of similarities) best.push(ordinal, similarity);
    const { items, scores } = best.drain();
    let first = 0;
    let newer = 0;
    return Array.from(items, (ordinal, place) => {
      const similarity = scores[place] as number;
      const before = items[place - 1];
      if (before === undefined || scores[place - 1] !== similarity) {
        first = place;
        newer = 0;
      } else if (this.#positions[before] !== this.#positions[ordinal]) newer = place - first;
      return { ordinal, similarity, newer };
    });
  }
}

interface Ranked {
  readonly ordinal: number;
  readonly similarity: number;
  readonly newer: number;
}

/** One list, the most usual case, is its own sum. */
function addUp(lists: readonly Similarities[]): Similarities {
  const [only, ...others] = lists.filter(({ size }) => size > 0);
  if (only === undefined || others.length === 0) return only ?? new Map();
  const sums = new Map(only);
  for (const list of others) {
    for (const [ordinal, similarity] of list) sums.set(ordinal, (sums.get(ordinal) ?? 0) + similarity);
  }
  return sums;
}

function textsOf(value: Json | undefined): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string");
}
