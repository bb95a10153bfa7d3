/** The part of the collection suite that is about questions to several indexes: every option changes the answer. */
import { expect, test } from "vitest";
import { where } from "../base/filter.ts";
import type { EntryId } from "../base/ids.ts";
import { PUBLIC } from "../base/scope.ts";
import type { MultiRetrieval, Retrieval } from "../collection/retrieve.ts";
import { vectorOf } from "./collection-model.ts";
import { ALICE, type CollectionWorld } from "./collection-world.ts";

export function recallLaws(world: CollectionWorld): void {
  const words = { index: "words", text: "violin" };
  const meaning = { index: "meaning", vector: vectorOf(1) };
  const ask = async (request: Partial<MultiRetrieval>) =>
    world.notes.retrieveMulti(ALICE, { queries: [words, meaning], ...request });
  /** "by word" is alone in one list, "by meaning" in the other. */
  const insertTwo = async () => {
    await world.notes.insert(ALICE, { content: "violin", kind: "by word" });
    await world.notes.insert(ALICE, { content: "cello", kind: "by meaning", vectors: [vectorOf(1)] });
  };
  const kinds = async (request: Partial<MultiRetrieval>) => (await ask(request)).map(({ kind }) => kind);

  test("[S0-60] the weight of a question decides whose answer comes first", async () => {
    await insertTwo();
    for (const fusion of ["rrf", "weighted"] as const) {
      const heavy = (first: number, second: number) =>
        kinds({
          fusion,
          queries: [
            { ...words, weight: first },
            { ...meaning, weight: second },
          ],
        });
      expect(await heavy(2, 1)).toEqual(["by word", "by meaning"]);
      expect(await heavy(1, 2)).toEqual(["by meaning", "by word"]);
    }
  });

  test("[S0-60] the constant of reciprocal-rank fusion is the one given, 60 if none is", async () => {
    await insertTwo();
    expect((await ask({}))[0]?.score).toBeCloseTo(1 / 61, 9);
    expect((await ask({ rrfK: 1 }))[0]?.score).toBeCloseTo(1 / 2, 9);
    expect(await ask({ topK: 1 })).toHaveLength(1);
  });

  test("[S0-60] filter and superseded apply to every question", async () => {
    await insertTwo();
    expect(await kinds({ filter: where.eq("kind", "by meaning") })).toEqual(["by meaning"]);
    expect(await kinds({ filter: where.eq("kind", "by word") })).toEqual(["by word"]);
    const [first] = await ask({ filter: where.eq("kind", "by word") });
    const fresh = await world.notes.insert(ALICE, { content: "viola", kind: "fresh" });
    await world.notes.update(ALICE, first?.id ?? fresh, { supersededBy: fresh });
    expect(await kinds({})).toEqual(["by meaning"]);
    expect((await kinds({ superseded: true })).sort()).toEqual(["by meaning", "by word"]);
  });

  /** Three of Alice's, and a hundred public ones that every index puts before them. */
  const insertCrowd = async () => {
    const far = { content: "violin in Berlin, 还有北京的火锅", kind: "mine", vectors: [vectorOf(2)] };
    const mine = await world.notes.insertMany(ALICE, [far, far, { ...far, kind: "rare" }]);
    world.clock.advance(1000);
    const near = { content: "violin", kind: "crowd", vectors: [vectorOf(1)] };
    const crowd = await world.notes.insertMany(PUBLIC, new Array(100).fill(near));
    return { mine, crowd };
  };

  test.each<Retrieval>([words, meaning, { index: "recent" }])(
    "[C-31] own: exactly topK of the scope itself, or all, however many public ones come first: $index",
    async (question) => {
      const { mine, crowd } = await insertCrowd();
      const own = async (request: Partial<Retrieval>): Promise<EntryId[]> =>
        (await world.notes.retrieve(ALICE, { ...question, own: true, ...request })).map(({ id }) => id);
      for (const topK of [0, 1, 2, 3, 50]) {
        const found = await own({ topK });
        expect(found).toHaveLength(Math.min(topK, mine.length));
        expect(mine).toEqual(expect.arrayContaining(found));
      }
      expect(await own({ filter: where.eq("kind", "rare"), topK: 2 })).toEqual(mine.slice(2));
      expect(await own({ filter: where.eq("kind", "crowd"), topK: 2 })).toEqual([]);
      const seen = await world.notes.retrieve(ALICE, { ...question, topK: 3 });
      expect(seen.map(({ kind }) => kind)).toEqual(["crowd", "crowd", "crowd"]);
      const ofPublic = await world.notes.retrieve(PUBLIC, { ...question, topK: 200, own: true });
      expect(ofPublic).toHaveLength(crowd.length);
    },
  );

  test("least: what scores less is not returned, whichever index is asked", async () => {
    await insertTwo();
    await world.notes.insert(ALICE, { content: "violin and a bow and a case", vectors: [vectorOf(2)] });
    for (const question of [words, meaning]) {
      const all = await world.notes.retrieve(ALICE, question);
      const best = all[0]?.score ?? 0;
      expect(all.length).toBeGreaterThan(1);
      expect(await world.notes.retrieve(ALICE, { ...question, least: best })).toEqual(all.slice(0, 1));
      expect(await world.notes.retrieve(ALICE, { ...question, least: -2 })).toEqual(all);
      expect(await world.notes.retrieve(ALICE, { ...question, least: 1.01 * best })).toEqual([]);
    }
  });

  test("[C-31] own: a walk leads over public entries, and returns none", async () => {
    const { mine, crowd } = await insertCrowd();
    const [start, end] = mine as [EntryId, EntryId];
    const out = crowd.map((to) => ({ from: start, to, type: "link" }));
    const back = { from: crowd[0] as EntryId, to: end, type: "link" };
    await world.notes.link(ALICE, [...out, back]);
    const params = { mode: "neighbors", from: [start], hops: 2, direction: "out" };
    const walk = { index: "links", params, topK: 1 };
    expect(await world.notes.retrieve(ALICE, walk)).toMatchObject([{ scope: PUBLIC }]);
    expect(await world.notes.retrieve(ALICE, { ...walk, own: true })).toMatchObject([{ id: end }]);
  });

  test("[C-31] own applies to every question, to the newest and to a scan", async () => {
    const { mine } = await insertCrowd();
    expect((await ask({ own: true, topK: 9 })).map(({ id }) => id).sort()).toEqual([...mine].sort());
    const newest = await world.notes.newest(ALICE, { limit: 2, own: true });
    expect(newest.map(({ id }) => id)).toEqual(mine.slice(0, 2));
    const filter = where.eq("kind", "rare");
    expect(await world.notes.newest(ALICE, { limit: 2, own: true, filter })).toHaveLength(1);
    const scanned = await world.notes.scan(ALICE, { own: true, after: mine[0] });
    expect(scanned.map(({ id }) => id)).toEqual(mine.slice(1));
    expect(await world.notes.scan(ALICE, { limit: 200 })).toHaveLength(103);
  });
}
