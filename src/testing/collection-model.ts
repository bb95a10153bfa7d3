/** What a collection should be, as simply as it can be said: a Map, and the operations that change it. */
import fc from "fast-check";
import { expect } from "vitest";
import type { EntryId } from "../base/ids.ts";
import { seededRandom } from "../base/random.ts";
import { type Scope, visibleScopes } from "../base/scope.ts";
import type { Vector } from "../base/vector.ts";
import type { Collection } from "../collection/collection.ts";
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
  | { readonly op: "delete" | "leave" | "join" | "touch" | "hide"; readonly pick: number };

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
      op: fc.constantFrom(
        "delete" as const,
        "leave" as const,
        "join" as const,
        "touch" as const,
        "hide" as const,
      ),
      pick: fc.nat(),
    }),
  },
);

interface ModelEntry {
  readonly id: EntryId;
  readonly scope: Scope;
  content: string;
  readonly vector: boolean;
  inWords: boolean;
  hidden: boolean;
  looks: number;
}

export class CollectionModel {
  readonly #entries = new Map<EntryId, ModelEntry>();

  entries(): ModelEntry[] {
    return [...this.#entries.values()];
  }

  async apply(notes: Collection, step: Operation): Promise<void> {
    if (step.op === "insert") {
      const content = step.words.join(" ");
      const vectors = step.vector ? [vectorOf(step.seed)] : [];
      const id = await notes.insert(step.scope, { content, vectors });
      this.#entries.set(id, {
        id,
        scope: step.scope,
        content,
        vector: step.vector,
        inWords: true,
        hidden: false,
        looks: 0,
      });
      return;
    }
    const entry = this.entries()[step.pick % this.#entries.size];
    if (entry === undefined) return;
    switch (step.op) {
      case "update":
        entry.content = step.words.join(" ");
        return notes.update(entry.scope, entry.id, { content: entry.content });
      case "delete":
        this.#entries.delete(entry.id);
        expect(await notes.delete(entry.scope, entry.id)).toBe(true);
        return;
      case "leave":
        entry.inWords = false;
        return notes.removeFromIndex(entry.scope, entry.id, "words");
      case "join":
        entry.inWords = true;
        return notes.insertToIndex(entry.scope, entry.id, "words");
      case "touch":
        entry.looks++;
        return notes.touch(entry.scope, [{ id: entry.id, addAccess: 1 }]);
      case "hide":
        entry.hidden = true;
        return notes.update(entry.scope, entry.id, { supersededBy: entry.id });
    }
  }

  async compare(notes: Collection): Promise<void> {
    for (const scope of SAMPLE_SCOPES) {
      const visible = this.entries().filter((entry) => visibleScopes(scope).includes(entry.scope));
      const shown = visible.filter((entry) => !entry.hidden);
      const stored = await notes.scan(scope, { limit: 1000 });
      expect(stored.map(({ id, content, accessCount }) => [id, content, accessCount])).toEqual(
        visible
          .map(({ id, content, looks }) => [id, content, looks])
          .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      );
      const queued = await notes.retrieve(scope, { index: "recent", topK: 1000 });
      expect(idsOf(queued)).toEqual(idsOf(shown));
      const near = await notes.retrieve(scope, { index: "meaning", vector: vectorOf(1), topK: 1000 });
      expect(idsOf(near)).toEqual(idsOf(shown.filter((entry) => entry.vector)));
      for (const word of WORDS) {
        const found = await notes.retrieve(scope, { index: "words", text: word, topK: 1000 });
        expect(idsOf(found)).toEqual(
          idsOf(shown.filter((entry) => entry.inWords && entry.content.includes(word))),
        );
      }
    }
  }
}

function idsOf(entries: readonly { readonly id: EntryId }[]): EntryId[] {
  return entries.map((entry) => entry.id).sort();
}
