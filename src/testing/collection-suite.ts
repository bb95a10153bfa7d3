/**
 * Does a storage carry collections? One copy of the data, many indexes, scopes apart, whatever happens in between. The
 * heart is a comparison with a plain Map after any sequence of operations, before and after a reopen.
 */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { where } from "../base/filter.ts";
import { inputLaws } from "./collection-input-laws.ts";
import { lifecycleLaws } from "./collection-lifecycle-laws.ts";
import { CollectionModel, operation, SPACE, vectorOf } from "./collection-model.ts";
import { recallLaws } from "./collection-recall-laws.ts";
import { ALICE, BOB, type CollectionSubject, CollectionWorld } from "./collection-world.ts";
import { writeLaws } from "./collection-write-laws.ts";

export function testCollection(subject: CollectionSubject): void {
  describe(`collection on ${subject.name}`, () => {
    const world = new CollectionWorld(subject);
    const contents = world.contents.bind(world);
    const refuses = world.refuses.bind(world);
    beforeEach(() => world.start());
    afterEach(() => world.stop());

    test("[S0-6, S0-59] one insert is found through every index, with the parts of its score", async () => {
      const id = await world.notes.insert(ALICE, { content: "我们在北京吃火锅", vectors: [vectorOf(1)] });
      const [byWord] = await world.notes.retrieve(ALICE, { index: "words", text: "火锅" });
      const [byMeaning] = await world.notes.retrieve(ALICE, { index: "meaning", vector: vectorOf(1) });
      const [byTime] = await world.notes.retrieve(ALICE, { index: "recent" });
      expect([byWord?.id, byMeaning?.id, byTime?.id]).toEqual([id, id, id]);
      expect(byMeaning?.scoreParts.cosine).toBeCloseTo(1, 6);
      const parts = Object.values(byWord?.scoreParts ?? {});
      expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(byWord?.score ?? 0, 9);
    });

    test("[S0-4, S0-44, S0-58] [C-12] one manager owns collections of vector, text and graph indexes, made from one description", async () => {
      expect((await world.notes.listIndexes()).map(({ name, kind }) => [name, kind])).toEqual([
        ["words", "text_bm25"],
        ["meaning", "vector_flat"],
        ["recent", "fifo"],
        ["links", "graph"],
      ]);
      expect(await world.manager.get("notes")).toBe(world.notes);
      expect(await world.manager.list()).toEqual([{ name: "notes", profile: "hybrid", open: true }]);
    });

    test("[C-17] [C-18] calls take one object; a hit is flat: id, content, score, metadata, tier, scoreParts", async () => {
      const first = await world.notes.insert(ALICE, { content: "a violin", indexes: ["words"] });
      const id = await world.notes.insert(ALICE, {
        content: "the violin lesson",
        indexes: ["words", "links"],
        vectors: [vectorOf(1)],
        metadata: { teacher: "Okafor" },
        tier: "stm",
        edges: [{ to: first, type: "temporal" }],
      });
      const [hit] = await world.notes.retrieve(ALICE, {
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
      expect(await world.notes.edges(ALICE, [id])).toMatchObject([{ to: first, type: "temporal" }]);
    });

    test("[S0-8] what was said is journalled in the same transaction and cited as a source", async () => {
      const id = await world.notes.insert(ALICE, {
        content: "Mia plays violin",
        turn: { text: "I play violin", speaker: "Mia" },
      });
      const [turn] = await world.storage.turns(ALICE, { limit: 5 });
      expect((await world.notes.get(ALICE, id))?.sources).toEqual([turn?.id]);
    });

    test("[S0-7, S0-46] leaving one index keeps the data; joining another adds it; deleting removes both", async () => {
      const id = await world.notes.insert(ALICE, {
        content: "violin lesson",
        indexes: ["recent"],
        vectors: [vectorOf(2)],
      });
      expect(await contents(ALICE, "violin")).toEqual([]);
      await world.notes.insertToIndex(ALICE, id, "words");
      expect(await contents(ALICE, "violin")).toEqual(["violin lesson"]);
      await world.notes.removeFromIndex(ALICE, id, "words");
      expect(await contents(ALICE, "violin")).toEqual([]);
      expect(await world.notes.get(ALICE, id)).toBeDefined();
      expect(await world.notes.delete(ALICE, id)).toBe(true);
      expect(await world.notes.delete(ALICE, id)).toBe(false);
      expect(await world.notes.retrieve(ALICE, { index: "recent" })).toEqual([]);
    });

    test("[S0-61] [C-9] a move from queue to vector index keeps id and vector", async () => {
      const id = await world.notes.insert(ALICE, {
        content: "first page",
        indexes: ["recent"],
        vectors: [vectorOf(3)],
      });
      await world.notes.move(ALICE, id, { from: ["recent"], to: ["meaning"], fields: { tier: "mtm" } });
      expect(await world.notes.retrieve(ALICE, { index: "recent" })).toEqual([]);
      const [hit] = await world.notes.retrieve(ALICE, { index: "meaning", vector: vectorOf(3) });
      expect(hit).toMatchObject({ id, content: "first page", tier: "mtm" });
      expect(await world.notes.vectors(ALICE, SPACE, [id])).toEqual([vectorOf(3).values]);
      expect(await world.notes.memberships(ALICE, [id])).toEqual([["meaning"]]);
    });

    test("[S0-47] an update is found under its new words only", async () => {
      const id = await world.notes.insert(ALICE, { content: "likes coffee" });
      await world.notes.update(ALICE, id, { content: "likes tea", metadata: { revised: true } });
      expect(await contents(ALICE, "coffee")).toEqual([]);
      const [hit] = await world.notes.retrieve(ALICE, { index: "words", text: "tea" });
      expect(hit).toMatchObject({ id, metadata: { revised: true } });
    });

    test("[S0-60] [C-33] several indexes fuse by reciprocal rank, weight or union, each part kept", async () => {
      const both = await world.notes.insert(ALICE, { content: "violin in Berlin", vectors: [vectorOf(4)] });
      const one = await world.notes.insert(ALICE, { content: "violin", vectors: [vectorOf(5)] });
      for (const fusion of ["rrf", "weighted", "union"] as const) {
        const hits = await world.notes.retrieveMulti(ALICE, {
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
      const old = await world.notes.insert(ALICE, { content: "lives in Berlin" });
      const fresh = await world.notes.insert(ALICE, { content: "lives in Paris" });
      await world.notes.update(ALICE, old, { supersededBy: fresh });
      expect(await contents(ALICE, "lives")).toEqual(["lives in Paris"]);
      expect(
        await world.notes.retrieve(ALICE, { index: "words", text: "lives", superseded: true }),
      ).toHaveLength(2);
    });

    test("exactly topK, or all that match, under a selective filter", async () => {
      const items = Array.from({ length: 300 }, (_, n) => ({
        content: `coffee ${n}`,
        metadata: { n },
        vectors: [vectorOf(n)],
      }));
      await world.notes.insertMany(ALICE, items);
      for (const [filter, count] of [
        [where.range("metadata.n", { gte: 290 }), 10],
        [where.range("metadata.n", { gte: 297 }), 3],
        [where.eq("kind", "nothing"), 0],
      ] as const) {
        expect(
          await world.notes.retrieve(ALICE, { index: "words", text: "coffee", topK: 10, filter }),
        ).toHaveLength(count);
        expect(
          await world.notes.retrieve(ALICE, { index: "meaning", vector: vectorOf(1), topK: 10, filter }),
        ).toHaveLength(count);
      }
    });

    test("[C-35] edges are walked within what the caller sees", async () => {
      const [a, b] = [
        await world.notes.insert(ALICE, { content: "a" }),
        await world.notes.insert(ALICE, { content: "b" }),
      ];
      await world.notes.link(ALICE, [
        { from: a, to: b, type: "causal" },
        { from: a, to: b, type: "temporal", weight: 2 },
      ]);
      const walk = { index: "links", params: { mode: "neighbors", from: [b] } };
      expect((await world.notes.retrieve(ALICE, walk)).map((hit) => hit.id)).toEqual([a]);
      expect(await world.notes.retrieve(BOB, walk)).toEqual([]);
      await world.notes.unlink(ALICE, [{ from: a, to: b, type: "causal" }]);
      expect(await world.notes.edges(ALICE, [a])).toMatchObject([{ type: "temporal", weight: 2 }]);
    });

    test("[S0-45] an index can be added over what is there, listed and dropped", async () => {
      await world.notes.insert(ALICE, { content: "old coffee", happenedAt: 5 });
      await world.notes.insert(BOB, { content: "new coffee", happenedAt: 9 });
      await world.notes.createIndex({
        name: "by-time",
        kind: "sorted",
        options: { field: "happenedAt" },
        fill: true,
      });
      expect((await world.notes.listIndexes()).map((index) => index.name)).toContain("by-time");
      expect(await world.notes.retrieve(ALICE, { index: "by-time" })).toHaveLength(1);
      await world.notes.deleteIndex("by-time");
      await refuses("index_not_found", world.notes.retrieve(ALICE, { index: "by-time" }));
    });

    test("[S0-43] a profile forbids index families it does not hold", async () => {
      const kv = await world.manager.create({ name: "kv", profile: "kv" });
      await refuses(
        "index_kind_forbidden",
        kv.createIndex({ name: "v", kind: "vector_flat", options: { space: SPACE, dimension: 4 } }),
      );
      await refuses(
        "index_kind_forbidden",
        world.manager.create({
          name: "vdb",
          profile: "vdb",
          indexes: [{ name: "t", kind: "text_bm25", options: {} }],
        }),
      );
      expect(await world.manager.has("vdb")).toBe(false);
    });

    test("opening again adds described indexes that are new and refuses what differs", async () => {
      await world.notes.insert(ALICE, { content: "old coffee" });
      const more = { name: "by-time", kind: "sorted", options: { field: "happenedAt" } };
      const again = await world.manager.open({
        name: "notes",
        profile: "hybrid",
        indexes: [{ name: "words", kind: "text_bm25" }, more],
      });
      expect(await again.retrieve(ALICE, { index: "by-time" })).toHaveLength(1);
      await refuses("name_taken", world.manager.open({ name: "notes", profile: "kv" }));
      await refuses(
        "name_taken",
        world.manager.open({ name: "notes", profile: "hybrid", indexes: [{ name: "words", kind: "tag" }] }),
      );
    });

    test("[S0-51..S0-54] the manager creates, lists, unloads, deletes and clears", async () => {
      world.manager.register({ name: "queue", families: ["text"] });
      await world.manager.create({ name: "q", profile: "queue" });
      expect(await world.manager.list("queue")).toEqual([{ name: "q", profile: "queue", open: true }]);
      await world.manager.unload("q");
      expect(await world.manager.list("queue")).toEqual([{ name: "q", profile: "queue", open: false }]);
      expect((await world.manager.get("q")).profile).toBe("queue");
      await world.manager.delete("q");
      await refuses("collection_not_found", world.manager.get("q"));
      await world.manager.clear();
      expect(await world.manager.list()).toEqual([]);
    });

    test("[S0-48] after a reopen everything is found again", async () => {
      await world.notes.insert(ALICE, { content: "kept coffee", vectors: [vectorOf(6)] });
      await contents(ALICE, "coffee");
      await world.notes.store();
      await world.notes.insert(ALICE, { content: "later coffee", vectors: [vectorOf(7)] });
      await world.reopen();
      world.heard.length = 0;
      expect((await contents(ALICE, "coffee")).sort()).toEqual(["kept coffee", "later coffee"]);
      expect(await world.notes.retrieve(ALICE, { index: "meaning", vector: vectorOf(7) })).toHaveLength(2);
      if (world.storage.snapshots === undefined) return;
      expect(world.heardOf("snapshot-load").map(({ name }) => name)).toEqual([
        "notes/words",
        "notes/meaning",
      ]);
      expect(world.heardOf("index-rebuild")).toEqual([]);
    });

    inputLaws(world);
    writeLaws(world);
    recallLaws(world);
    lifecycleLaws(world);

    test("any sequence of operations agrees with a plain Map, before and after a reopen", {
      timeout: 120_000,
    }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 20 }), async (operations) => {
          const model = new CollectionModel();
          for (const step of operations) await model.apply(world.notes, step);
          await model.compare(world.notes);
          await world.reopen();
          await model.compare(world.notes);
          for (const { id, scope } of model.entries()) await world.notes.delete(scope, id);
        }),
        { numRuns: subject.runs ?? 25 },
      );
    });
  });
}
