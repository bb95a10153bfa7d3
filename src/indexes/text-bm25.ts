/**
 * Which texts hold the words of the query? BM25 over an inverted index in typed arrays, one segment per scope. What is
 * rare and what is long is counted over the queried scopes only, so a score tells nothing about anybody else's texts.
 * Any word may match (OR); every word that does adds a part `term:<word>` to the score.
 */
import { z } from "zod";
import type { Entry } from "../base/entry.ts";
import { invariant, MemoryError } from "../base/errors.ts";
import { readField } from "../base/filter.ts";
import type { EntryId } from "../base/ids.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import { inverseDocumentFrequency, lengthNorm, wordWeight } from "../math/bm25.ts";
import { createTopK } from "../math/top-k.ts";
import { allowedOrdinals } from "./allowed-ordinals.ts";
import { dayText } from "./bm25/day-text.ts";
import { type AroundTexts, HeardAround } from "./bm25/heard-around.ts";
import { createWorkspace, maxScore } from "./bm25/max-score.ts";
import { explain, type QueryWord, readSegment } from "./bm25/read-segment.ts";
import { TextSegment } from "./bm25/text-segment.ts";
import { ByScope } from "./by-scope.ts";
import { entryField, textOfField } from "./entry-field.ts";
import { grow } from "./grow.ts";
import {
  type Candidate,
  defineIndex,
  type Index,
  type IndexDeps,
  type IndexItem,
  type IndexNeeds,
  type IndexQuery,
  type IndexStats,
} from "./index-contract.ts";
import { Ordinals } from "./ordinals.ts";
import { SnapshotReader, SnapshotWriter, snapshotCorrupt } from "./snapshot-bytes.ts";

const options = z.strictObject({
  /** What is searched: the content, another text field, or "metadata.<path>"; lists are joined by spaces. */
  field: entryField.default("content"),
  k1: z.number().min(0).default(1.2),
  b: z.number().min(0).max(1).default(0.75),
  /** What the words of the texts said one, two … before and after count in a text; [] if it stands for itself. */
  around: z.array(z.number().gt(0).max(1)).max(5).default([]),
  /** Whether the day on which it happened is among its words, in English and Chinese. */
  dates: z.boolean().default(false),
});
type Options = z.infer<typeof options>;

export const textBm25Index = defineIndex<Options>({
  kind: "text_bm25",
  family: "text",
  summary: "Full-text search by words, ranked with BM25.",
  options,
  create: (given, deps) => new TextBm25(given, deps),
});

/** Where a turn's memory tells its session. */
const SESSION = "metadata.session";

/** Sessions of different scopes are different sessions. */
function sessionOf(entry: Entry, scope: Scope): string | undefined {
  const session = readField(entry, SESSION);
  return typeof session === "string" ? `${scope}\n${session}` : undefined;
}

const MAGIC = "bm25";
const VERSION = 1;
const noParams = z.strictObject({});

class TextBm25 implements Index {
  readonly kind = "text_bm25";
  readonly needs: IndexNeeds;
  readonly #options: Options;
  readonly #deps: IndexDeps;
  readonly #workspace = createWorkspace();
  #ordinals = new Ordinals();
  #segments = new ByScope(() => new TextSegment(this.#moved));
  /** By ordinal: the document's number in its segment. */
  #docs: Uint32Array = new Uint32Array(16);
  readonly #texts: AroundTexts = {
    compare: (a, b) => this.#ordinals.compare(a, b),
    segmentOf: (ordinal) => this.#segments.partOf(this.#ordinals, ordinal),
    docOf: (ordinal) => this.#docs[ordinal] as number,
  };
  /** Who hears whom; there only if `around` asks. */
  #around: HeardAround | undefined;

  constructor(given: Options, deps: IndexDeps) {
    this.#options = given;
    this.#deps = deps;
    if (given.around.length > 0) this.#around = new HeardAround(given, this.#texts);
    this.needs = {
      fields: [
        given.field,
        ...(given.around.length > 0 ? [SESSION] : []),
        ...(given.dates ? ["happenedAt"] : []),
      ],
    };
  }

  add(items: readonly IndexItem[]): void {
    for (const { id, scope, entry } of items) {
      invariant(entry !== undefined, "A text index was fed an item without its entry");
      this.#removeOne(id);
      const ordinal = this.#ordinals.add(id, scope);
      const segment = this.#segments.partOf(this.#ordinals, ordinal);
      const words = this.#wordsOf(entry);
      this.#docs = grow(this.#docs, ordinal + 1, (length) => new Uint32Array(length));
      this.#docs[ordinal] = segment.add(ordinal, words);
      this.#around?.add(ordinal, sessionOf(entry, scope));
    }
  }

  remove(ids: readonly EntryId[]): void {
    for (const id of ids) this.#removeOne(id);
  }

  query(query: IndexQuery): Candidate[] {
    parseInput(noParams, query.params ?? {}, "query of a text_bm25 index");
    if (query.text === undefined) {
      throw new MemoryError(
        "input_invalid",
        "A text_bm25 index was asked without a text. Valid: a query with a text.",
      );
    }
    if (query.vector !== undefined) {
      throw new MemoryError(
        "input_invalid",
        "A text_bm25 index does not read vectors. Valid: a query without a vector.",
      );
    }
    return this.#around === undefined
      ? this.#query(query, query.text)
      : this.#queryAround(query, query.text, this.#around);
  }

  #query(query: IndexQuery, text: string): Candidate[] {
    const segments = this.#segments.visible(this.#ordinals, query.scopes);
    const size = segments.reduce((sum, segment) => sum + segment.size, 0);
    const length = segments.reduce((sum, segment) => sum + segment.totalLength, 0);
    const norm = lengthNorm(length / Math.max(size, 1), this.#options);
    const words = this.#weigh(this.#deps.tokenize(text), segments, size);
    const read = new Map(segments.map((segment) => [segment, readSegment(segment, words, norm)]));
    const best = createTopK(Math.min(query.limit, size), (a, b) => this.#ordinals.compare(a, b) < 0);
    const allowed = allowedOrdinals(this.#ordinals, query.allow);
    for (const [segment, { groups, texts }] of read) {
      const offer = (doc: number, score: number): void => {
        const owner = segment.owners[doc] as number;
        if (allowed(owner)) best.push(owner, score);
      };
      for (const runs of groups) {
        maxScore(runs, texts, { threshold: best.threshold, offer }, this.#workspace);
      }
    }
    const { items, scores } = best.drain();
    return Array.from(items, (ordinal, rank) => {
      const found = read.get(this.#segments.partOf(this.#ordinals, ordinal));
      invariant(found !== undefined, "A text was found in a scope that was not asked");
      const parts = explain(found, this.#docs[ordinal] as number);
      return { id: this.#ordinals.idAt(ordinal), score: scores[rank] as number, parts };
    });
  }

  #queryAround(query: IndexQuery, text: string, around: HeardAround): Candidate[] {
    const segments = this.#segments.visible(this.#ordinals, query.scopes);
    const size = segments.reduce((sum, segment) => sum + segment.size, 0);
    const isAllowed = allowedOrdinals(this.#ordinals, query.allow);
    const { items, scores, explain } = around.search(segments, this.#deps.tokenize(text), {
      limit: Math.min(query.limit, size),
      isAllowed,
    });
    return Array.from(items, (ordinal, rank) => {
      const score = scores[rank] as number;
      return { id: this.#ordinals.idAt(ordinal), score, parts: explain(ordinal) };
    });
  }

  save(): Uint8Array {
    const writer = new SnapshotWriter(MAGIC, VERSION).text(this.#settings());
    this.#ordinals.save(writer);
    for (const segment of this.#segments.all) segment.save(writer);
    this.#around?.save(writer, this.#ordinals.end);
    return writer.finish();
  }

  load(bytes: Uint8Array): void {
    const reader = new SnapshotReader(bytes, MAGIC, VERSION);
    const settings = reader.text();
    if (settings !== this.#settings()) {
      throw snapshotCorrupt(`it was made with ${settings} and this index has ${this.#settings()}`);
    }
    const ordinals = Ordinals.load(reader);
    const docs = new Uint32Array(ordinals.end);
    const segments = Array.from({ length: ordinals.scopeCount }, () => TextSegment.load(reader, this.#moved));
    const around = this.#around && HeardAround.load(reader, ordinals, this.#options, this.#texts);
    reader.end();
    let size = 0;
    for (const [scope, segment] of segments.entries()) {
      for (let doc = 0; doc < segment.size; doc++, size++) {
        const owner = segment.owners[doc] as number;
        if (owner >= ordinals.end || ordinals.scopeAt(owner) !== scope)
          throw snapshotCorrupt("a text belongs to nobody");
        docs[owner] = doc;
      }
    }
    if (size !== ordinals.size) throw snapshotCorrupt("texts are missing in it");
    this.#ordinals = ordinals;
    this.#segments = new ByScope(() => new TextSegment(this.#moved), segments);
    this.#docs = docs;
    this.#around = around;
  }

  stats(): IndexStats {
    const segments = this.#segments.all.reduce((sum, segment) => sum + segment.bytes, 0);
    const bytes = segments + this.#ordinals.bytes + this.#docs.byteLength + (this.#around?.bytes ?? 0);
    return { items: this.#ordinals.size, bytes };
  }

  readonly #moved = (owner: number, doc: number): void => {
    this.#docs[owner] = doc;
  };

  #removeOne(id: EntryId): void {
    const ordinal = this.#ordinals.ordinalOf(id);
    if (ordinal < 0) return;
    this.#segments.partOf(this.#ordinals, ordinal).remove(this.#docs[ordinal] as number);
    this.#around?.remove(ordinal);
    this.#ordinals.remove(id);
  }

  #wordsOf(entry: Entry): readonly string[] {
    const words = this.#deps.tokenize(textOfField(readField(entry, this.#options.field)));
    return this.#options.dates ? [...words, ...this.#deps.tokenize(dayText(entry.happenedAt))] : words;
  }

  /** Heaviest first: the order in which shares are added, the same however the index came about. */
  #weigh(words: readonly string[], segments: readonly TextSegment[], size: number): readonly QueryWord[] {
    const times = new Map<string, number>();
    for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
    const found: QueryWord[] = [];
    for (const [word, inQuery] of times) {
      const containing = segments.reduce((sum, segment) => sum + segment.count(word), 0);
      if (containing === 0) continue;
      const idf = inverseDocumentFrequency(size, containing);
      found.push({ word, weight: wordWeight(idf, inQuery, this.#options) });
    }
    return found.sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1));
  }

  /** What the snapshot must agree with: other words or other numbers would give other answers. */
  #settings(): string {
    const { around, dates, ...always } = this.#options;
    // Unsaid where they change nothing: a snapshot from before there was a choice is still good.
    const chosen = { ...(around.length > 0 && { around }), ...(dates && { dates }) };
    return JSON.stringify({ tokenizer: this.#deps.tokenizerId, ...always, ...chosen });
  }
}
