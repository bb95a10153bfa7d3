/** The part of the collection suite that is about what becomes of entries and indexes: replaced, archived, adjusted, worked on. */
import { expect, test } from "vitest";
import { ARCHIVED } from "../base/entry.ts";
import { where } from "../base/filter.ts";
import { PUBLIC } from "../base/scope.ts";
import { ALICE, BOB, type CollectionWorld, untyped } from "./collection-world.ts";

export function lifecycleLaws(world: CollectionWorld): void {
  const refuses = world.refuses.bind(world);
  const insert = (content: string, scope = ALICE) => world.notes.insert(scope, { content });
  const queueOf = (capacity: number) => ({
    name: "notes",
    profile: "hybrid",
    indexes: [{ name: "recent", kind: "fifo", options: { capacity } }],
  });

  test("[C-11] several entries are superseded in one transaction, or none; deleting the one that did brings them back", async () => {
    const [one, two] = [await insert("lives in Berlin"), await insert("米娅 lives 北京")];
    const fresh = await insert("lives in Rome");
    const [hers, shared] = [await insert("Bob lives", BOB), await insert("all lives", PUBLIC)];
    await refuses("entry_not_found", world.notes.supersede(ALICE, [one, two], hers));
    await refuses("entry_not_found", world.notes.supersede(ALICE, [one, two], world.notes.newId()));
    await refuses("input_invalid", world.notes.supersede(ALICE, [one, fresh], fresh));
    await refuses("input_invalid", world.notes.supersede(ALICE, [one], untyped("not an id")));
    await refuses("scope_forbidden", world.notes.supersede(ALICE, [one, shared], fresh));
    await refuses("entry_not_found", world.notes.supersede(ALICE, [one, world.notes.newId()], fresh));
    expect(await world.contents(ALICE, "lives")).toHaveLength(4);

    await world.notes.supersede(ALICE, [], fresh);
    await world.notes.supersede(ALICE, [one, two], fresh, { cause: "moved" });
    await refuses("entry_superseded", world.notes.supersede(ALICE, [fresh], one));
    await refuses("entry_superseded", world.notes.update(ALICE, fresh, { supersededBy: two }));
    expect((await world.contents(ALICE, "lives")).sort()).toEqual(["all lives", "lives in Rome"]);
    const [last] = (await world.storage.events(ALICE, { subject: one, limit: 9 })).slice(-1);
    expect(last).toMatchObject({ cause: "moved", after: { supersededBy: fresh } });

    await world.notes.delete(ALICE, fresh);
    expect((await world.contents(ALICE, "lives")).sort()).toEqual([
      "all lives",
      "lives in Berlin",
      "米娅 lives 北京",
    ]);
  });

  test("what is archived is in no index, also not in one that is added later; what is gone is passed over", async () => {
    const ids = [await insert("coffee one"), await insert("coffee two"), await insert("coffee three")];
    const [one, gone, three] = ids as [(typeof ids)[0], (typeof ids)[0], (typeof ids)[0]];
    const foreign = await insert("coffee of Bob", BOB);
    await world.notes.delete(ALICE, gone);
    const { seq } = await world.storage.feed.head();
    expect(await world.notes.archiveMany(ALICE, [one, gone, foreign, one], { cause: "old" })).toEqual([one]);
    const events = await world.storage.events(ALICE, { after: seq, limit: 99 });
    expect(new Set(events.map(({ subject, cause }) => `${subject} ${cause}`))).toEqual(
      new Set([`${one} old`]),
    );
    expect(await world.notes.archiveMany(ALICE, [gone])).toEqual([]);
    expect(await world.notes.memberships(ALICE, [one])).toEqual([[]]);
    expect(await world.notes.get(ALICE, one)).toMatchObject({ content: "coffee one", tier: ARCHIVED });
    expect(await world.contents(ALICE, "coffee")).toEqual(["coffee three"]);
    const shared = await insert("coffee for all", PUBLIC);
    await refuses("scope_forbidden", world.notes.archiveMany(ALICE, [three, shared]));
    expect(await world.notes.get(ALICE, three)).toMatchObject({ tier: null });

    const more = { name: "by-time", kind: "sorted", options: { field: "happenedAt" } };
    const again = await world.manager.open({ name: "notes", profile: "hybrid", indexes: [more] });
    await again.createIndex({ name: "last", kind: "fifo", options: { capacity: 9 }, fill: true });
    for (const index of ["by-time", "last"]) {
      const found = (await again.retrieve(ALICE, { index })).map(({ content }) => content);
      expect(found.sort()).toEqual(["coffee for all", "coffee three"]);
    }
  });

  test("two who archive and delete at once both come through", async () => {
    const ids = await world.notes.insertMany(
      ALICE,
      ["a", "b", "c", "d"].map((content) => ({ content })),
    );
    const [archived] = await Promise.all([
      world.notes.archiveMany(ALICE, ids),
      world.notes.deleteMany(ALICE, ids.slice(1, 3)),
    ]);
    expect(archived).toEqual(expect.arrayContaining([ids[0], ids[3]]));
    const left = await world.notes.scan(ALICE);
    expect(left.map(({ id, tier }) => [id, tier])).toEqual([
      [ids[0], ARCHIVED],
      [ids[3], ARCHIVED],
    ]);
  });

  test("[C-19] all work of an entry is found and counted behind a thousand others, and goes with the entry", async () => {
    const busy = await insert("busy");
    const one = await insert("one");
    const many = Array.from({ length: 1100 }, (_, n) => ({ id: busy, name: `w${n}`, payload: {} }));
    await world.notes.putWork(ALICE, many);
    world.clock.advance(1);
    await world.notes.putWork(ALICE, [
      { id: one, name: "link", payload: {} },
      { id: one, name: "move", payload: {} },
    ]);
    await world.notes.putWork(BOB, [{ id: one, name: "not hers", payload: {} }]);
    expect(await world.notes.countWork(ALICE)).toBe(1102);
    const names = async () => (await world.notes.workOf(ALICE, [one])).map(({ payload }) => payload.name);
    expect(await names()).toEqual(["link", "move"]);
    const [link] = await world.notes.workOf(ALICE, [one]);
    await world.notes.settleWork(ALICE, link?.id ?? "");
    expect(await names()).toEqual(["move"]);
    await world.notes.delete(ALICE, busy);
    expect(await world.notes.countWork(ALICE)).toBe(1);
    expect((await world.notes.work(ALICE, 9)).map(({ payload }) => payload.entry)).toEqual([one]);
    await world.notes.delete(ALICE, one);
    expect([await world.notes.countWork(ALICE), await world.notes.countWork(BOB)]).toEqual([0, 0]);
  });

  test("the newest by when they happened, filtered and in order", async () => {
    for (const [content, happenedAt] of [
      ["second", 20],
      ["third", 30],
      ["第一", 10],
    ] as const)
      await world.notes.insert(ALICE, { content, happenedAt, kind: content === "third" ? "x" : "y" });
    await world.notes.insert(BOB, { content: "Bob's", happenedAt: 99 });
    const newest = async (request: Parameters<typeof world.notes.newest>[1]) =>
      (await world.notes.newest(ALICE, request)).map(({ content }) => content);
    expect(await newest({ limit: 2 })).toEqual(["third", "second"]);
    expect(await newest({ filter: where.eq("kind", "y"), limit: 9 })).toEqual(["second", "第一"]);
    for (const wrong of [{}, { limit: -1 }, { limit: 1.5 }, { limit: 1, after: "x" }])
      await refuses("input_invalid", world.notes.newest(ALICE, untyped(wrong)));
  });

  test("a queue's capacity can be changed by opening it again, for whoever has it open", async () => {
    for (const content of ["a", "b", "c", "d"]) await insert(content);
    const reader = await world.anotherManager().get("notes");
    const queued = async (notes: typeof reader) =>
      (await notes.retrieve(ALICE, { index: "recent" })).map(({ content }) => content);
    expect(await queued(reader)).toEqual(["d", "c", "b", "a"]);
    await reader.store();
    const narrow = await world.manager.open(queueOf(2));
    expect([await queued(narrow), await queued(reader)]).toEqual([
      ["d", "c"],
      ["d", "c"],
    ]);
    const overflow = await narrow.retrieve(ALICE, { index: "recent", params: { mode: "overflow" } });
    expect(overflow.map(({ content }) => content)).toEqual(["a", "b"]);
    await world.reopen();
    expect(await queued(world.notes)).toEqual(["d", "c"]);
    expect(await queued(await world.manager.open(queueOf(3)))).toEqual(["d", "c", "b"]);
    await world.notes.insert(ALICE, { content: "e" });
    expect(await queued(world.notes)).toEqual(["e", "d", "c"]);
    expect(world.heardOf("warning-raise")).toEqual([]);
    await refuses("option_invalid", world.manager.open(queueOf(0)));
  });

  test("another difference is refused by name, and nothing is changed before it is", async () => {
    const words = { name: "words", kind: "text_bm25", options: { k1: 2 } };
    const description = { ...queueOf(2), indexes: [...queueOf(2).indexes, words] };
    await expect(world.manager.open(description)).rejects.toMatchObject({
      code: "name_taken",
      message: expect.stringMatching(/index "words" of the collection "notes" has k1 [\d.]+, not 2/),
    });
    const recent = (await world.notes.listIndexes()).find(({ name }) => name === "recent");
    expect(recent?.options).toEqual({ capacity: 1000 });
  });
}
