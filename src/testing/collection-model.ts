/** What a collection should be, as simply as it can be said: a Map, and the operations that change it. */
import fc from "fast-check";
import { expect } from "vitest";
import { where } from "../base/filter.ts";
import type { EntryId } from "../base/ids.ts";
import { seededRandom } from "../base/random.ts";
import { type Scope, visibleScopes } from "../base/scope.ts";
import type { Vector } from "../base/vector.ts";
import type { Collection } from "../collection/collection.ts";
import { cosine } from "../math/cosine.ts";
import type { NewIndex } from "../storage/registry.ts";
import { SAMPLE_SCOPES, sampleVector } from "./sample.ts";

export const SPACE = "suite-4d";
const WORDS = ["coffee", "violin", "berlin", "火锅", "北京", "birthday"] as const;
export const INDEXES: readonly NewIndex[] = [
  { name: "words", kind: "text_bm25", options: {} },
  { name: "meaning", kind: "vector_flat", options: { space: SPACE, dimension: 4 } },
  { name: "recent", kind: "fifo", options: { capacity: 1000 } },
  { name: "links", kind: "graph", options: {} },
];

export function vectorOf(seed: number): Vector {
  return { space: SPACE, values: sampleVector(4, seededRandom(seed)) };
}

export type Operation =
  | {
      readonly op: "insert";
      readonly scope: Scope;
      readonly words: readonly string[];
      readonly seed: number;
      readonly vector: boolean;
    }
  | { readonly op: "update"; readonly pick: number; readonly words: readonly string[] }
  | { readonly op: "revector" | "link" | "unlink"; readonly pick: number; readonly other: number }
  | { readonly op: (typeof SIMPLE)[number]; readonly pick: number };

const SIMPLE = ["delete", "leave", "join", "touch", "hide", "move", "move"] as const;
const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 });
export const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant("insert" as const),
      scope: fc.constantFrom(...SAMPLE_SCOPES),
      words,
      seed: fc.nat(),
      vector: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("update" as const), pick: fc.nat(), words }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constantFrom("revector" as const, "link" as const, "link" as const, "unlink" as const),
      pick: fc.nat(),
      other: fc.nat(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constantFrom(...SIMPLE), pick: fc.nat() }) },
);

interface ModelEntry {
  readonly id: EntryId;
  readonly scope: Scope;
  readonly kind: string;
  content: string;
  /** The seed of its vector, if it has one. */
  vector: number | undefined;
  inWords: boolean;
  inMeaning: boolean;
  /** When it joined the queue, if it is there. */
  queued: number | undefined;
  /** Who took its place, if anybody did. */
  replacedBy: EntryId | null;
  looks: number;
}

interface ModelEdge {
  readonly from: EntryId;
  readonly to: EntryId;
  readonly scope: Scope;
}

export class CollectionModel {
  readonly #entries = new Map<EntryId, ModelEntry>();
  #edges: ModelEdge[] = [];
  #now = 0;

  entries(): ModelEntry[] {
    return [...this.#entries.values()];
  }

  async apply(notes: Collection, step: Operation): Promise<void> {
    if (step.op === "insert") return this.#insert(notes, step);
    const entry = this.entries()[step.pick % this.#entries.size];
    if (entry === undefined) return;
    const { id, scope } = entry;
    switch (step.op) {
      case "update":
        entry.content = step.words.join(" ");
        return notes.update(scope, id, { content: entry.content });
      case "revector":
        entry.vector = step.other;
        return notes.update(scope, id, { vectors: [vectorOf(step.other)] });
      case "link":
      case "unlink":
        return this.#relink(notes, step.op, entry, step.other);
      case "delete":
        return this.#delete(notes, entry);
      case "leave":
        entry.inWords = false;
        return notes.removeFromIndex(scope, id, "words");
      case "join":
        entry.inWords = true;
        return notes.insertToIndex(scope, id, "words");
      case "touch":
        entry.looks++;
        return notes.touch(scope, [{ id, addAccess: 1 }]);
      case "hide":
        return this.#hide(notes, entry);
      case "move":
        return this.#move(notes, entry);
    }
  }

  /** What it had replaced is back, or passes on to what had replaced it. */
  async #delete(notes: Collection, { id, scope, replacedBy }: ModelEntry): Promise<void> {
    this.#entries.delete(id);
    this.#edges = this.#edges.filter(({ from, to }) => from !== id && to !== id);
    for (const other of this.entries()) if (other.replacedBy === id) other.replacedBy = replacedBy;
    expect(await notes.delete(scope, id)).toBe(true);
  }

  /** Replaced by the newest that can do it. */
  async #hide(notes: Collection, entry: ModelEntry): Promise<void> {
    const by = this.#visible(entry.scope).findLast((other) => other !== entry && other.replacedBy === null);
    if (by === undefined) return;
    entry.replacedBy = by.id;
    await notes.supersede(entry.scope, [entry.id], by.id);
  }

  async #insert(notes: Collection, step: Extract<Operation, { readonly op: "insert" }>): Promise<void> {
    const { scope, vector } = step;
    const [content, kind] = [step.words.join(" "), step.words[0] ?? ""];
    const vectors = vector ? [vectorOf(step.seed)] : [];
    const id = await notes.insert(scope, { content, kind, vectors });
    this.#entries.set(id, {
      id,
      scope,
      kind,
      content,
      vector: vector ? step.seed : undefined,
      inWords: true,
      inMeaning: vector,
      queued: ++this.#now,
      replacedBy: null,
      looks: 0,
    });
  }

  /** From the queue to the vectors where it can be, from there back to the end of the queue. */
  async #move(notes: Collection, entry: ModelEntry): Promise<void> {
    if (entry.vector === undefined) return;
    const back = entry.inMeaning;
    entry.inMeaning = !back;
    entry.queued = back ? ++this.#now : undefined;
    const [from, to] = back ? ["meaning", "recent"] : ["recent", "meaning"];
    await notes.move(entry.scope, entry.id, { from: [from], to: [to] });
  }

  async #relink(notes: Collection, op: "link" | "unlink", entry: ModelEntry, other: number): Promise<void> {
    const { scope, id: from } = entry;
    const targets = this.#visible(scope);
    const to = targets[other % targets.length]?.id;
    if (to === undefined || to === from) return;
    this.#edges = this.#edges.filter((edge) => edge.from !== from || edge.to !== to);
    if (op === "link") this.#edges.push({ from, to, scope });
    await notes[op](scope, [{ from, to, type: "link" }]);
  }

  #visible(scope: Scope): ModelEntry[] {
    return this.entries().filter((entry) => visibleScopes(scope).includes(entry.scope));
  }

  async compare(notes: Collection): Promise<void> {
    for (const scope of SAMPLE_SCOPES) {
      const visible = this.#visible(scope);
      const shown = visible.filter((entry) => entry.replacedBy === null);
      const stored = await notes.scan(scope, { limit: 1000 });
      expect(stored.map(({ id, content, accessCount }) => [id, content, accessCount])).toEqual(
        visible
          .map(({ id, content, looks }) => [id, content, looks])
          .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      );
      const queue = shown
        .filter(({ queued }) => queued !== undefined)
        .sort((a, b) => (b.queued ?? 0) - (a.queued ?? 0));
      const queued = await notes.retrieve(scope, { index: "recent", topK: 1000 });
      expect(queued.map(({ id }) => id)).toEqual(queue.map(({ id }) => id));
      await compareMeaning(notes, scope, shown);
      await this.#compareLinks(notes, scope, visible);
      for (const word of WORDS) await compareWord(notes, scope, word, shown, queue);
    }
  }

  async #compareLinks(notes: Collection, scope: Scope, visible: readonly ModelEntry[]): Promise<void> {
    const seen = new Map(visible.map((entry) => [entry.id, entry]));
    const edges = this.#edges.filter(
      (edge) => visibleScopes(scope).includes(edge.scope) && seen.has(edge.from) && seen.has(edge.to),
    );
    const stored = await notes.edges(scope, [...seen.keys()]);
    expect(stored.map(({ from, to }) => `${from} ${to}`).sort()).toEqual(
      edges.map(({ from, to }) => `${from} ${to}`).sort(),
    );
    for (const id of visible.slice(0, 3).map((entry) => entry.id)) {
      const expected = edges.flatMap(({ from, to }) => (from === id ? [to] : to === id ? [from] : []));
      const params = { mode: "neighbors", from: [id] };
      const around = await notes.retrieve(scope, { index: "links", params, topK: 1000 });
      expect(idsOf(around)).toEqual(
        [...new Set(expected)].filter((near) => seen.get(near)?.replacedBy === null).sort(),
      );
    }
  }
}

async function compareMeaning(notes: Collection, scope: Scope, shown: readonly ModelEntry[]): Promise<void> {
  const near = await notes.retrieve(scope, { index: "meaning", vector: vectorOf(1), topK: 1000 });
  expect(idsOf(near)).toEqual(idsOf(shown.filter((entry) => entry.inMeaning)));
  const seeds = new Map(shown.map((entry) => [entry.id, entry.vector]));
  for (const { id, score } of near)
    expect(score).toBeCloseTo(cosine(vectorOf(1).values, vectorOf(seeds.get(id) ?? 0).values), 4);
}

async function compareWord(
  notes: Collection,
  scope: Scope,
  word: string,
  shown: readonly ModelEntry[],
  queue: readonly ModelEntry[],
): Promise<void> {
  const question = { index: "words", text: word };
  const worded = shown.filter((entry) => entry.inWords && entry.content.includes(word));
  const found = await notes.retrieve(scope, { ...question, topK: 1000 });
  expect(idsOf(found)).toEqual(idsOf(worded));
  const filter = where.eq("kind", word);
  const few = await notes.retrieve(scope, { ...question, filter, topK: 1 });
  expect(few).toHaveLength(worded.some(({ kind }) => kind === word) ? 1 : 0);
  const several = { queries: [question, { index: "recent" }], topK: 1000, filter };
  const both = new Set([...worded, ...queue].filter(({ kind }) => kind === word));
  expect(idsOf(await notes.retrieveMulti(scope, several))).toEqual(idsOf([...both]));
}

function idsOf(entries: readonly { readonly id: EntryId }[]): EntryId[] {
  return entries.map((entry) => entry.id).sort();
}
