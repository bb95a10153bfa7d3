/**
 * Does a storage carry collections? One copy of the data, many indexes, scopes apart, whatever happens in between. The
 * heart is a comparison with a plain Map after any sequence of operations, before and after a reopen.
 */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Clock, manualClock } from "../base/clock.ts";
import type { ErrorCode } from "../base/errors.ts";
import { where } from "../base/filter.ts";
import { parseScope, type Scope } from "../base/scope.ts";
import type { Collection } from "../collection/collection.ts";
import { CollectionManager } from "../collection/collection-manager.ts";
import type { Storage } from "../storage/storage.ts";
import { CollectionModel, INDEXES, operation, SPACE, vectorOf } from "./collection-model.ts";

export interface CollectionSubject {
  readonly name: string;
  create(clock: Clock): Promise<Storage>;
  reopen?(storage: Storage, clock: Clock): Promise<Storage>;
  destroy?(): Promise<void>;
  /** Random sequences compared with the model. @default 25 */
  readonly runs?: number;
}

const [ALICE, BOB] = [parseScope("alice"), parseScope("bob")];

export function testCollection(subject: CollectionSubject): void {
  describe(`collection on ${subject.name}`, () => {
    const clock = manualClock(Date.UTC(2026, 4, 1));
    let storage: Storage;
    let manager: CollectionManager;
    let notes: Collection;
    const open = async (): Promise<void> => {
      manager = new CollectionManager(storage, { clock });
    };
    const reopen = async (): Promise<void> => {
      if (subject.reopen === undefined) {
        await manager.storeAll();
        await open();
      } else {
        await manager.close();
        storage = await subject.reopen(storage, clock);
        await open();
      }
      notes = await manager.get("notes");
    };
    beforeEach(async () => {
      storage = await subject.create(clock);
      await open();
      notes = await manager.create({ name: "notes", profile: "hybrid", indexes: INDEXES });
    });
    afterEach(async () => {
      await manager.close();
      await subject.destroy?.();
    });
    const refuses = (code: ErrorCode, promise: Promise<unknown>): Promise<void> =>
      expect(promise).rejects.toMatchObject({ code });
    const contents = async (scope: Scope, text: string): Promise<string[]> =>
      (await notes.retrieve(scope, { index: "words", text })).map((hit) => hit.content);

    test("[S0-6, S0-59] one insert is found through every index, with the parts of its score", async () => {
      const id = await notes.insert(ALICE, { content: "我们在北京吃火锅", vectors: [vectorOf(1)] });
      const [byWord] = await notes.retrieve(ALICE, { index: "words", text: "火锅" });
      const [byMeaning] = await notes.retrieve(ALICE, { index: "meaning", vector: vectorOf(1) });
      const [byTime] = await notes.retrieve(ALICE, { index: "recent" });
      expect([byWord?.id, byMeaning?.id, byTime?.id]).toEqual([id, id, id]);
      expect(byMeaning?.scoreParts.cosine).toBeCloseTo(1, 6);
      const parts = Object.values(byWord?.scoreParts ?? {});
      expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(byWord?.score ?? 0, 9);
    });

    test("[S0-4, S0-44, S0-58] [C-12] one manager owns collections of vector, text and graph indexes, made from one description", async () => {
      expect((await notes.listIndexes()).map(({ name, kind }) => [name, kind])).toEqual([
        ["words", "text_bm25"],
        ["meaning", "vector_flat"],
        ["recent", "fifo"],
        ["links", "graph"],
      ]);
      expect(await manager.get("notes")).toBe(notes);
      expect(await manager.list()).toEqual([{ name: "notes", profile: "hybrid", open: true }]);
    });

    test("[C-17] [C-18] calls take one object; a hit is flat: id, content, score, metadata, tier, scoreParts", async () => {
      const first = await notes.insert(ALICE, { content: "a violin", indexes: ["words"] });
      const id = await notes.insert(ALICE, {
        content: "the violin lesson",
        indexes: ["words", "links"],
        vectors: [vectorOf(1)],
        metadata: { teacher: "Okafor" },
        tier: "stm",
        edges: [{ to: first, type: "temporal" }],
      });
      const [hit] = await notes.retrieve(ALICE, {
        index: "words",
        text: "lesson",
        topK: 1,
        filter: where.eq("tier", "stm"),
      });
      expect(hit).toMatchObject({
        id,
        content: "the violin lesson",
        metadata: { teacher: "Okafor" },
        tier: "stm",
      });
      expect(hit?.score).toBeGreaterThan(0);
      expect(Object.keys(hit?.scoreParts ?? {})).toEqual(["term:lesson"]);
      expect(await notes.edges(ALICE, [id])).toMatchObject([{ to: first, type: "temporal" }]);
    });

    test("[S0-8] what was said is journalled in the same transaction and cited as a source", async () => {
      const id = await notes.insert(ALICE, {
        content: "Mia plays violin",
        turn: { text: "I play violin", speaker: "Mia" },
      });
      const [turn] = await storage.turns(ALICE, { limit: 5 });
      expect((await notes.get(ALICE, id))?.sources).toEqual([turn?.id]);
    });

    test("[S0-7, S0-46] leaving one index keeps the data; joining another adds it; deleting removes both", async () => {
      const id = await notes.insert(ALICE, {
        content: "violin lesson",
        indexes: ["recent"],
        vectors: [vectorOf(2)],
      });
      expect(await contents(ALICE, "violin")).toEqual([]);
      await notes.insertToIndex(ALICE, id, "words");
      expect(await contents(ALICE, "violin")).toEqual(["violin lesson"]);
      await notes.removeFromIndex(ALICE, id, "words");
      expect(await contents(ALICE, "violin")).toEqual([]);
      expect(await notes.get(ALICE, id)).toBeDefined();
      expect(await notes.delete(ALICE, id)).toBe(true);
      expect(await notes.delete(ALICE, id)).toBe(false);
      expect(await notes.retrieve(ALICE, { index: "recent" })).toEqual([]);
    });

    test("[S0-61] [C-9] a move from queue to vector index keeps id and vector", async () => {
      const id = await notes.insert(ALICE, {
        content: "first page",
        indexes: ["recent"],
        vectors: [vectorOf(3)],
      });
      await notes.move(ALICE, id, ["recent"], ["meaning"]);
      expect(await notes.retrieve(ALICE, { index: "recent" })).toEqual([]);
      const [hit] = await notes.retrieve(ALICE, { index: "meaning", vector: vectorOf(3) });
      expect(hit).toMatchObject({ id, content: "first page" });
      expect(await storage.vectors(ALICE, SPACE, [id])).toEqual([vectorOf(3).values]);
    });

    test("[S0-47] an update is found under its new words only", async () => {
      const id = await notes.insert(ALICE, { content: "likes coffee" });
      await notes.update(ALICE, id, { content: "likes tea", metadata: { revised: true } });
      expect(await contents(ALICE, "coffee")).toEqual([]);
      const [hit] = await notes.retrieve(ALICE, { index: "words", text: "tea" });
      expect(hit).toMatchObject({ id, metadata: { revised: true } });
    });

    test("[S0-60] [C-33] several indexes fuse by reciprocal rank, weight or union, each part kept", async () => {
      const both = await notes.insert(ALICE, { content: "violin in Berlin", vectors: [vectorOf(4)] });
      const one = await notes.insert(ALICE, { content: "violin", vectors: [vectorOf(5)] });
      for (const fusion of ["rrf", "weighted", "union"] as const) {
        const hits = await notes.retrieveMulti(ALICE, {
          queries: [
            { index: "words", text: "violin berlin" },
            { index: "meaning", vector: vectorOf(4), weight: 2 },
          ],
          fusion,
        });
        expect(hits.map((hit) => hit.id)).toEqual([both, one]);
        expect(Object.keys(hits[0]?.scoreParts ?? {})).toEqual(
          expect.arrayContaining([`${fusion}.words`, `${fusion}.meaning`, "meaning.cosine"]),
        );
      }
    });

    test("[C-11] superseded entries stay and are left out of answers", async () => {
      const old = await notes.insert(ALICE, { content: "lives in Berlin" });
      const fresh = await notes.insert(ALICE, { content: "lives in Paris" });
      await notes.update(ALICE, old, { supersededBy: fresh });
      expect(await contents(ALICE, "lives")).toEqual(["lives in Paris"]);
      expect(await notes.retrieve(ALICE, { index: "words", text: "lives", superseded: true })).toHaveLength(
        2,
      );
    });

    test("exactly topK, or all that match, under a selective filter", async () => {
      const items = Array.from({ length: 300 }, (_, n) => ({
        content: `coffee ${n}`,
        metadata: { n },
        vectors: [vectorOf(n)],
      }));
      await notes.insertMany(ALICE, items);
      for (const [filter, count] of [
        [where.range("metadata.n", { gte: 290 }), 10],
        [where.range("metadata.n", { gte: 297 }), 3],
        [where.eq("kind", "nothing"), 0],
      ] as const) {
        expect(
          await notes.retrieve(ALICE, { index: "words", text: "coffee", topK: 10, filter }),
        ).toHaveLength(count);
        expect(
          await notes.retrieve(ALICE, { index: "meaning", vector: vectorOf(1), topK: 10, filter }),
        ).toHaveLength(count);
      }
    });

    test("[C-35] edges are walked within what the caller sees", async () => {
      const [a, b] = [
        await notes.insert(ALICE, { content: "a" }),
        await notes.insert(ALICE, { content: "b" }),
      ];
      await notes.link(ALICE, [
        { from: a, to: b, type: "causal" },
        { from: a, to: b, type: "temporal", weight: 2 },
      ]);
      const walk = { index: "links", params: { mode: "neighbors", from: [b] } };
      expect((await notes.retrieve(ALICE, walk)).map((hit) => hit.id)).toEqual([a]);
      expect(await notes.retrieve(BOB, walk)).toEqual([]);
      await notes.unlink(ALICE, [{ from: a, to: b, type: "causal" }]);
      expect(await notes.edges(ALICE, [a])).toMatchObject([{ type: "temporal", weight: 2 }]);
    });

    test("a touch counts without another index hearing of it", async () => {
      const id = await notes.insert(ALICE, { content: "coffee" });
      await notes.touch(ALICE, [
        { id, addAccess: 1 },
        { id, addAccess: 1, lastAccessAt: 5 },
      ]);
      expect(await notes.get(ALICE, id)).toMatchObject({ accessCount: 2, lastAccessAt: 5 });
      expect(await contents(ALICE, "coffee")).toEqual(["coffee"]);
    });

    test("[S0-45] an index can be added over what is there, listed and dropped", async () => {
      await notes.insert(ALICE, { content: "old coffee", happenedAt: 5 });
      await notes.insert(BOB, { content: "new coffee", happenedAt: 9 });
      await notes.createIndex({
        name: "by-time",
        kind: "sorted",
        options: { field: "happenedAt" },
        fill: true,
      });
      expect((await notes.listIndexes()).map((index) => index.name)).toContain("by-time");
      expect(await notes.retrieve(ALICE, { index: "by-time" })).toHaveLength(1);
      await notes.deleteIndex("by-time");
      await refuses("index_not_found", notes.retrieve(ALICE, { index: "by-time" }));
    });

    test("bad input is refused with its code, and nothing is written", async () => {
      const insert = (item: object) => notes.insert(ALICE, { content: "x", ...item });
      await refuses(
        "dimension_mismatch",
        insert({ vectors: [{ space: SPACE, values: Float32Array.of(1) }] }),
      );
      await refuses("vector_invalid", insert({ vectors: [{ space: SPACE, values: new Float32Array(4) }] }));
      await refuses(
        "vector_invalid",
        insert({ vectors: [{ space: SPACE, values: Float32Array.of(Number.NaN, 1, 1, 1) }] }),
      );
      await refuses("vector_invalid", insert({ indexes: ["meaning"] }));
      await refuses("index_not_found", insert({ indexes: ["wrods"] }));
      await refuses("text_too_large", insert({ content: "x".repeat(10_000_000) }));
      await refuses("text_invalid", insert({ content: "half \ud800 pair" }));
      await refuses("text_invalid", insert({ content: "nul \u0000 byte" }));
      await refuses("text_invalid", insert({ content: "bell \u0007" }));
      await refuses("text_invalid", insert({ content: "  " }));
      await refuses("input_invalid", insert({ importance: 2 }));
      await refuses("input_invalid", insert({ unknownField: 1 }));
      await refuses(
        "embedder_mismatch",
        notes.retrieve(ALICE, {
          index: "meaning",
          vector: { space: "other", values: new Float32Array(4).fill(1) },
        }),
      );
      await refuses(
        "input_invalid",
        notes.retrieve(ALICE, { index: "words", text: "x", filter: where.eq("knid", "x") }),
      );
      await refuses("input_invalid", notes.retrieve(ALICE, { index: "words", text: "x", topK: -1 }));
      await refuses("name_taken", manager.create({ name: "notes", profile: "kv" }));
      await refuses(
        "name_taken",
        notes.createIndex({ name: "words", kind: "fifo", options: { capacity: 1 } }),
      );
      await refuses("unknown_name", notes.createIndex({ name: "n", kind: "vektor", options: {} }));
      await refuses(
        "option_invalid",
        notes.createIndex({ name: "n", kind: "fifo", options: { capacity: 0 } }),
      );
      await refuses(
        "option_invalid",
        notes.createIndex({ name: "../n", kind: "fifo", options: { capacity: 1 } }),
      );
      await refuses("unknown_name", manager.create({ name: "other", profile: "hybird" }));
      expect(await notes.scan(ALICE)).toEqual([]);
    });

    test("[S0-43] a profile forbids index families it does not hold", async () => {
      const kv = await manager.create({ name: "kv", profile: "kv" });
      await refuses(
        "index_kind_forbidden",
        kv.createIndex({ name: "v", kind: "vector_flat", options: { space: SPACE, dimension: 4 } }),
      );
      await refuses(
        "index_kind_forbidden",
        manager.create({
          name: "vdb",
          profile: "vdb",
          indexes: [{ name: "t", kind: "text_bm25", options: {} }],
        }),
      );
      expect(await manager.has("vdb")).toBe(false);
    });

    test("[S0-51..S0-54] the manager creates, lists, unloads, deletes and clears", async () => {
      manager.register({ name: "queue", families: ["text"] });
      await manager.create({ name: "q", profile: "queue" });
      expect(await manager.list("queue")).toEqual([{ name: "q", profile: "queue", open: true }]);
      await manager.unload("q");
      expect(await manager.list("queue")).toEqual([{ name: "q", profile: "queue", open: false }]);
      expect((await manager.get("q")).profile).toBe("queue");
      await manager.delete("q");
      await refuses("collection_not_found", manager.get("q"));
      await manager.clear();
      expect(await manager.list()).toEqual([]);
    });

    test("[S0-48] after a reopen everything is found again", async () => {
      await notes.insert(ALICE, { content: "kept coffee", vectors: [vectorOf(6)] });
      await contents(ALICE, "coffee");
      await notes.store();
      await notes.insert(ALICE, { content: "later coffee", vectors: [vectorOf(7)] });
      await reopen();
      expect((await contents(ALICE, "coffee")).sort()).toEqual(["kept coffee", "later coffee"]);
      expect(await notes.retrieve(ALICE, { index: "meaning", vector: vectorOf(7) })).toHaveLength(2);
    });

    test("any sequence of operations agrees with a plain Map, before and after a reopen", {
      timeout: 120_000,
    }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 20 }), async (operations) => {
          const model = new CollectionModel();
          for (const step of operations) await model.apply(notes, step);
          await model.compare(notes);
          await reopen();
          await model.compare(notes);
          for (const { id, scope } of model.entries()) await notes.delete(scope, id);
        }),
        { numRuns: subject.runs ?? 25, seed: 7 },
      );
    });
  });
}
