/** The part of the storage suite that is about entries that take the place of others (C-11). */
import { expect, test } from "vitest";
import type { NewEntry } from "../base/entry.ts";
import type { EntryId } from "../base/ids.ts";
import { PUBLIC, type Scope } from "../base/scope.ts";
import type { Write } from "../storage/storage.ts";
import { ALICE, BOB, CAUSE, type StorageWorld } from "./storage-world.ts";

export function supersessionLaws(world: StorageWorld): void {
  const insert = async (scope: Scope, content: string) => (await world.insert(scope, { content })).id;
  const supersede = (id: EntryId, supersededBy: EntryId | null): Write => ({
    op: "entry-update",
    id,
    fields: { supersededBy },
  });
  const remove = (id: EntryId): Write => ({ op: "entry-remove", id });
  const commit = (scope: Scope, ...writes: Write[]) => world.storage.commit(scope, writes, CAUSE);
  const superseder = async (scope: Scope, id: EntryId) => (await world.get(scope, id))?.supersededBy;

  test("[C-11] only a current entry that the scope sees, of the same collection, takes another's place; in a circle nobody does", async () => {
    const [a, b, c] = [await insert(ALICE, "a"), await insert(ALICE, "乙"), await insert(ALICE, "c")];
    const [hidden, shared] = [await insert(BOB, "Bob's"), await insert(PUBLIC, "everybody's")];
    await world.storage.putCollection("others", "hybrid", []);
    const elsewhere = { ...world.entryOf(ALICE, { content: "elsewhere" }), collection: "others" };
    await commit(ALICE, { op: "entry-insert", entry: elsewhere, vectors: [], indexes: [] });

    for (const by of [hidden, world.ids.entry(), elsewhere.id])
      await world.refuses("entry_not_found", ALICE, [supersede(a, c), supersede(b, by)]);
    await world.refuses("input_invalid", ALICE, [supersede(a, c), supersede(b, b)]);
    await world.refuses("entry_superseded", ALICE, [supersede(a, b), supersede(b, a)]);
    await world.refuses("scope_forbidden", ALICE, [supersede(a, c), supersede(shared, c)]);
    expect([await superseder(ALICE, a), await superseder(ALICE, b)]).toEqual([null, null]);

    await commit(ALICE, supersede(a, b), supersede(b, shared));
    await world.refuses("entry_superseded", ALICE, [supersede(c, a)]);
    // What stays as it was is nobody's new claim.
    await commit(ALICE, supersede(a, b));
    expect(await superseder(ALICE, a)).toBe(b);
    await commit(ALICE, supersede(a, null));
    expect(await superseder(ALICE, a)).toBe(null);
  });

  test("[C-11] what comes back from elsewhere may come before what took its place, or after it was replaced in turn", async () => {
    const [a, b, c] = ["a", "乙", "c"].map((content) => world.entryOf(ALICE, { content }));
    if (a === undefined || b === undefined || c === undefined) throw new Error("three entries");
    const back = (entry: typeof a): Write => ({
      op: "entry-restore",
      entry,
      vectors: [],
      places: [],
    });
    await commit(ALICE, back({ ...a, supersededBy: b.id }));
    await commit(ALICE, back({ ...b, supersededBy: c.id }), back(c));
    expect([await superseder(ALICE, a.id), await superseder(ALICE, b.id)]).toEqual([b.id, c.id]);
    await commit(ALICE, remove(b.id));
    expect(await superseder(ALICE, a.id)).toBe(c.id);
  });

  test("[C-11] an entry that is born superseded keeps the same law", async () => {
    const [old, fresh] = [await insert(ALICE, "old"), await insert(ALICE, "fresh")];
    await commit(ALICE, supersede(old, fresh));
    const born = (fields: Partial<NewEntry>): Write => ({
      op: "entry-insert",
      entry: world.entryOf(ALICE, { content: "x", ...fields }),
      vectors: [],
      indexes: [],
    });
    await world.refuses("entry_not_found", ALICE, [born({ supersededBy: world.ids.entry() })]);
    await world.refuses("entry_superseded", ALICE, [born({ supersededBy: old })]);
    await commit(ALICE, born({ supersededBy: fresh }));
    expect(await world.storage.scan(ALICE, { collection: "notes", limit: 9 })).toHaveLength(3);
  });

  test("[C-11] what an entry had superseded is current again when it is removed, in the same commit and by an event", async () => {
    const [a, b, c] = [await insert(ALICE, "a"), await insert(ALICE, "b"), await insert(ALICE, "c")];
    await commit(ALICE, supersede(a, c), supersede(b, c));
    const { seq } = await world.storage.feed.head();
    const done = await commit(ALICE, remove(c));
    expect([await superseder(ALICE, a), await superseder(ALICE, b)]).toEqual([null, null]);
    const events = await world.storage.events(ALICE, { after: seq, limit: 9 });
    expect(
      events.map(({ operation, subject, before }) => [operation, subject, before?.supersededBy]),
    ).toEqual([
      ["entry-remove", c, undefined],
      ["entry-update", a, c],
      ["entry-update", b, c],
    ]);
    expect(events[1]).toMatchObject({ ...CAUSE, changed: ["supersededBy"], after: { supersededBy: null } });
    expect(events.at(-1)?.seq).toBe(done.seq);
  });

  test("[C-11] from the middle of a row of superseded entries it passes on to the one that is current", async () => {
    const ids = [];
    for (const content of ["a", "b", "c", "d"]) ids.push(await insert(ALICE, content));
    const [a, b, c, d] = ids as [EntryId, EntryId, EntryId, EntryId];
    await commit(ALICE, supersede(a, b), supersede(b, c), supersede(c, d));
    await commit(ALICE, remove(c), remove(b));
    expect(await superseder(ALICE, a)).toBe(d);
    await commit(ALICE, remove(d), remove(a));
    expect(await world.storage.scan(ALICE, { collection: "notes", limit: 9 })).toEqual([]);
  });

  test("[C-31] a private entry that a public one had superseded comes back without others hearing of it", async () => {
    const [mine, shared] = [await insert(ALICE, "mine"), await insert(PUBLIC, "shared")];
    await commit(ALICE, supersede(mine, shared));
    await commit(PUBLIC, remove(shared));
    expect(await superseder(ALICE, mine)).toBe(null);
    const [told] = (await world.storage.events(ALICE, { subject: mine, limit: 9 })).slice(-1);
    expect(told).toMatchObject({ operation: "entry-update", scope: ALICE, actor: "", cause: "" });
    expect(JSON.stringify(await world.storage.events(BOB, { limit: 99 }))).not.toContain(mine);
  });
}
