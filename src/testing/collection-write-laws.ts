/** The part of the collection suite that is about writes: what they change, in which order, and who is told. */
import { expect, test } from "vitest";
import type { EntryId } from "../base/ids.ts";
import { PUBLIC } from "../base/scope.ts";
import { SPACE, vectorOf } from "./collection-model.ts";
import { ALICE, BOB, type CollectionWorld } from "./collection-world.ts";

export function writeLaws(world: CollectionWorld): void {
  const refuses = world.refuses.bind(world);
  const items = ["n0", "n1", "n2", "n3", "n4", "n5"].map((content) => ({ content }));

  test("[S0-47] an update of content or vector reaches hash and index", async () => {
    const id = await world.notes.insert(ALICE, { content: "coffee", vectors: [vectorOf(1)] });
    const twin = await world.notes.insert(ALICE, { content: "tea" });
    const near = async (seed: number) =>
      (await world.notes.retrieve(ALICE, { index: "meaning", vector: vectorOf(seed) }))[0]?.score;
    expect(await near(1)).toBeCloseTo(1, 6);
    await world.notes.update(ALICE, id, { content: "tea", vectors: [vectorOf(2)] });
    expect(await near(2)).toBeCloseTo(1, 6);
    expect(await near(1)).toBeLessThan(0.999);
    const [changed, same] = await world.notes.getMany(ALICE, [id, twin]);
    expect(changed?.contentHash).toMatch(/^[0-9a-f]{64}$/);
    expect(changed?.contentHash).toBe(same?.contentHash);
  });

  test("a touch keeps every observable, and no index but those that read it looks again", async () => {
    const id = await world.notes.insert(ALICE, { content: "coffee" });
    expect(await world.contents(ALICE, "coffee")).toEqual(["coffee"]);
    world.heard.length = 0;
    await world.notes.touch(ALICE, [
      { id, addAccess: 1, addUseful: 2, strength: 5 },
      { id, addAccess: 1, addStrength: 2, lastAccessAt: 5, energyAnchor: { value: 0.5, at: 7 } },
    ]);
    expect(await world.notes.get(ALICE, id)).toMatchObject({
      accessCount: 2,
      usefulCount: 2,
      strength: 7,
      lastAccessAt: 5,
      energyAnchor: { value: 0.5, at: 7 },
    });
    expect(await world.contents(ALICE, "coffee")).toEqual(["coffee"]);
    expect(world.heardOf("index-rebuild")).toEqual([]);
    expect(world.heardOf("index-catch-up").map(({ changes }) => changes)).toEqual([]);
  });

  test("a queue keeps the order of insertion: awake, asleep, and filled later", async () => {
    const newestFirst = items.map(({ content }) => content).reverse();
    expect(await world.queue()).toEqual([]);
    await world.notes.insertMany(ALICE, items);
    expect(await world.queue()).toEqual(newestFirst);
    await world.reopen();
    expect(await world.queue()).toEqual(newestFirst);
    await world.notes.createIndex({ name: "last", kind: "fifo", options: { capacity: 2 }, fill: true });
    expect(await world.queue("last")).toEqual(["n5", "n4"]);
    await world.notes.insert(ALICE, { content: "n6" });
    expect(await world.queue("last")).toEqual(["n6", "n5"]);
  });

  test("a vector index takes only what has a fitting vector: by filling, joining or moving", async () => {
    const bare = await world.notes.insert(ALICE, { content: "bare" });
    const other = { space: "other", values: Float32Array.of(1, 1) };
    const foreign = await world.notes.insert(ALICE, { content: "foreign", vectors: [other] });
    const fitting = await world.notes.insert(ALICE, { content: "fitting", vectors: [vectorOf(1)] });
    await world.notes.createIndex({
      name: "also",
      kind: "vector_flat",
      options: { space: SPACE, dimension: 4 },
      fill: true,
    });
    const number = (await world.notes.listIndexes()).at(-1)?.number;
    const members = await world.storage.memberships(ALICE, [bare, foreign, fitting]);
    expect(members.map((numbers) => numbers.includes(number ?? -1))).toEqual([false, false, true]);
    for (const id of [bare, foreign]) {
      await refuses("vector_invalid", world.notes.move(ALICE, id, { from: ["recent"], to: ["meaning"] }));
      await refuses("vector_invalid", world.notes.insertToIndex(ALICE, id, "meaning"));
    }
    expect(await world.queue()).toEqual(["fitting", "foreign", "bare"]);
    await world.notes.insertToIndex(ALICE, bare, "meaning", vectorOf(2));
    const near = await world.notes.retrieve(ALICE, { index: "meaning", vector: vectorOf(2) });
    expect(near[0]?.id).toBe(bare);
  });

  test("events say who and why: as given, or the library and the verb", async () => {
    const id = await world.notes.insert(ALICE, { content: "a" }, { actor: "planner", cause: "a plan" });
    await world.notes.update(ALICE, id, { content: "b" });
    const events = await world.storage.events(ALICE, { subject: id, limit: 9 });
    expect(events.map(({ actor, cause }) => [actor, cause])).toEqual([
      ["planner", "a plan"],
      ["library", "update"],
    ]);
  });

  test("[C-31] a private look at a public entry does not say whose it was", async () => {
    const id = await world.notes.insert(PUBLIC, { content: "shared" });
    await world.notes.touch(BOB, [{ id, addAccess: 1 }], { actor: "bob's agent", cause: "curious" });
    const [, look] = await world.storage.events(PUBLIC, { subject: id, limit: 9 });
    expect(look).toMatchObject({ operation: "entry-touch", actor: "", cause: "" });
  });

  test("[C-11] what a new entry supersedes leaves recall in the same transaction and stays readable", async () => {
    const old = await world.notes.insert(ALICE, { content: "lives in Berlin" });
    const foreign = await world.notes.insert(PUBLIC, { content: "shared" });
    await refuses(
      "scope_forbidden",
      world.notes.insert(ALICE, { content: "lives in Rome", supersedes: [old, foreign] }),
    );
    expect(await world.contents(ALICE, "lives")).toEqual(["lives in Berlin"]);
    const fresh = await world.notes.insert(ALICE, { content: "lives in Rome", supersedes: [old] });
    expect(await world.contents(ALICE, "lives")).toEqual(["lives in Rome"]);
    expect(await world.notes.get(ALICE, old)).toMatchObject({ supersededBy: fresh });
  });

  test("[C-19] work about an entry is put down once, with it, outlives a restart and is settled by its owner only", async () => {
    const name = "link";
    const id = await world.notes.insert(ALICE, { content: "a", work: [{ name, payload: { near: 2 } }] });
    await world.notes.putWork(ALICE, [{ id, name, payload: { near: 3 } }]);
    await world.notes.putWork(PUBLIC, [{ id, name: "other", payload: {} }]);
    await world.reopen();
    const [work, ...more] = await world.notes.work(ALICE, 9);
    expect(more).toEqual([]);
    expect(work?.payload).toEqual({ near: 2, name, entry: id });
    await refuses("job_not_found", world.notes.settleWork(BOB, work?.id ?? ""));
    await world.notes.settleWork(ALICE, work?.id ?? "");
    await refuses("job_not_found", world.notes.settleWork(ALICE, work?.id ?? ""));
    expect(await world.notes.work(ALICE, 9)).toEqual([]);
  });

  test("items of one insert may link to each other and to what is there, all or nothing", async () => {
    const old = await world.notes.insert(ALICE, { content: "old" });
    const [one, other] = [world.notes.newId(), world.notes.newId()];
    const edges = [
      { to: other, type: "link" },
      { from: old, to: one, type: "link" },
    ];
    const pair = [
      { id: one, content: "one", edges },
      { id: other, content: "other" },
    ];
    const hers = await world.notes.insert(BOB, { content: "hers" });
    const wrong = [...pair, { content: "third", edges: [{ to: hers, type: "link" }] }];
    await refuses("entry_not_found", world.notes.insertMany(ALICE, wrong));
    expect(await world.notes.getMany(ALICE, [one, other])).toEqual([undefined, undefined]);
    expect(await world.notes.insertMany(ALICE, pair)).toEqual([one, other]);
    const linked = await world.notes.edges(ALICE, [one]);
    expect(new Set(linked.map(({ from, to }) => `${from} ${to}`))).toEqual(
      new Set([`${one} ${other}`, `${old} ${one}`]),
    );
    await refuses("entry_exists", world.notes.insert(ALICE, { id: one, content: "again" }));
  });

  test("an insert with edges makes only the indexes that read edges look again", async () => {
    const words = () => world.contents(ALICE, "coffee");
    const around = async (id: EntryId) => {
      const params = { mode: "neighbors", from: [id], hops: 1, direction: "both" };
      return (await world.notes.retrieve(ALICE, { index: "links", params })).map(({ content }) => content);
    };
    const old = await world.notes.insert(ALICE, { content: "coffee" });
    expect(await words()).toEqual(["coffee"]);
    expect(await around(old)).toEqual([]);
    world.heard.length = 0;
    await world.notes.insert(ALICE, { content: "coffee cup", edges: [{ to: old, type: "link" }] });
    expect((await words()).sort()).toEqual(["coffee", "coffee cup"]);
    expect(world.heardOf("index-catch-up")).toEqual([]);
    expect(await around(old)).toEqual(["coffee cup"]);
    expect(world.heardOf("index-catch-up").map(({ index }) => index)).toEqual(["links"]);
    expect(world.heardOf("index-rebuild")).toEqual([]);
  });

  test("several are deleted together or not at all", async () => {
    const ids = await world.notes.insertMany(ALICE, items);
    const hers = await world.notes.insert(BOB, { content: "hers" });
    expect(await world.notes.deleteMany(ALICE, [])).toBe(true);
    expect(await world.notes.deleteMany(ALICE, [...ids.slice(0, 2), hers])).toBe(false);
    expect((await world.notes.getMany(ALICE, ids)).every((entry) => entry !== undefined)).toBe(true);
    expect(await world.notes.deleteMany(ALICE, ids.slice(0, 2))).toBe(true);
    const left = await world.notes.scan(ALICE);
    expect(left.map(({ id }) => id)).toEqual(ids.slice(2));
  });

  test("several are changed together, with their links, or not at all", async () => {
    const [a, b] = await world.notes.insertMany(ALICE, items);
    if (a === undefined || b === undefined) throw new Error("two are needed");
    const hers = await world.notes.insert(BOB, { content: "hers" });
    const change = { metadata: { seen: true } };
    const link = [{ from: a, to: b, type: "link" }];
    const all = [a, b, hers].map((id) => ({ id, change }));
    await expect(world.notes.updateMany(ALICE, all, undefined, link)).rejects.toThrow();
    expect((await world.notes.get(ALICE, a))?.metadata.seen).toBeUndefined();
    expect(await world.notes.edges(ALICE, [a])).toEqual([]);
    await world.notes.updateMany(ALICE, all.slice(0, 2), undefined, link);
    const changed = await world.notes.getMany(ALICE, [a, b]);
    expect(changed.map((entry) => entry?.metadata.seen)).toEqual([true, true]);
    expect(await world.notes.edges(ALICE, [a])).toHaveLength(1);
    await world.notes.updateMany(ALICE, []);
  });

  test("what is done twice at once happens once", async () => {
    const id = await world.notes.insert(ALICE, { content: "once" });
    const gone = await Promise.all([world.notes.delete(ALICE, id), world.notes.delete(ALICE, id)]);
    expect(gone.sort()).toEqual([false, true]);
    await world.manager.unload("notes");
    const [first, second] = await Promise.all([world.manager.get("notes"), world.manager.get("notes")]);
    expect(first).toBe(second);
  });
}
