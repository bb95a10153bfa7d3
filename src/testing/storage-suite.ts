/**
 * Does a storage keep the contract? Called in a few lines by every back end; what it asserts is what the engine relies on.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeEdge } from "../base/edge.ts";
import type { EntryId } from "../base/ids.ts";
import { PUBLIC } from "../base/scope.ts";
import { makeTurn } from "../base/turn.ts";
import { aboutLaws } from "./storage-about-laws.ts";
import { historyLaws } from "./storage-history-laws.ts";
import { metadataLaws } from "./storage-metadata-laws.ts";
import { supersessionLaws } from "./storage-supersession-laws.ts";
import { undoLaws } from "./storage-undo-laws.ts";
import { workLaws } from "./storage-work-laws.ts";
import { ALICE, BOB, CAUSE, NOON, type StorageSubject, StorageWorld } from "./storage-world.ts";

export function testStorage(subject: StorageSubject): void {
  describe(`storage: ${subject.name}`, () => {
    const world = new StorageWorld(subject);
    const { clock, ids } = world;
    const insert = world.insert.bind(world);
    const get = world.get.bind(world);
    const refuses = world.refuses.bind(world);
    beforeEach(() => world.start());
    afterEach(() => world.stop());

    test("the journal keeps what was said, in order and unchanged, in any language", async () => {
      const turns = ["hello 👋", "我昨天去了火锅店。", 'quote " and \\ and \n line'].map((text) =>
        makeTurn(
          {
            text,
            session: "s1",
            speaker: "王芳",
            captions: ["a photo"],
            metadata: { a: [1, null] },
            zone: "Asia/Shanghai",
          },
          { id: ids.turn(), scope: ALICE, recordedAt: clock.now() },
        ),
      );
      const done = await world.storage.commit(
        ALICE,
        turns.map((turn) => ({ op: "turn-append", turn })),
        CAUSE,
      );
      expect(done.turns).toEqual([1, 2, 3]);
      expect(await world.storage.turns(ALICE, { session: "s1", limit: 10 })).toEqual(
        turns.map((turn, index) => ({ ...turn, seq: index + 1 })),
      );
      expect((await world.storage.turns(ALICE, { after: 1, limit: 1 })).map((turn) => turn.seq)).toEqual([2]);
      const [, second] = turns;
      const named = await world.storage.turns(ALICE, {
        ids: [second?.id ?? ids.turn(), ids.turn()],
        limit: 10,
      });
      expect(named.map((turn) => turn.text)).toEqual([second?.text]);
      expect(await world.storage.turns(BOB, { limit: 10 })).toEqual([]);
      await refuses("scope_forbidden", BOB, [
        {
          op: "turn-append",
          turn: makeTurn({ text: "forged" }, { id: ids.turn(), scope: ALICE, recordedAt: NOON }),
        },
      ]);
    });

    test("an entry comes back exactly as it went in", async () => {
      const entry = await insert(ALICE, {
        content: "Alice 喜欢 hot pot 🍲",
        kind: "fact",
        rationale: "she said so",
        tags: ["火锅", "food"],
        metadata: { topic: "food", nested: { deep: ["x", 1, true, null] } },
        happenedAt: NOON - 1,
        sources: ["t1"],
        importance: 0.25,
        strength: -3,
        pinned: true,
        energyAnchor: { value: 0.123456789, at: NOON },
        tier: "stm",
      });
      expect(await get(ALICE, entry.id)).toEqual(entry);
    });

    test("[S3-22..S3-24] [C-31] a scope sees itself and public, and nothing else", async () => {
      const mine = await insert(ALICE, { content: "mine" });
      const shared = await insert(PUBLIC, { content: "shared" });
      expect(await get(ALICE, mine.id)).toBeDefined();
      expect(await get(ALICE, shared.id)).toBeDefined();
      expect(await get(BOB, mine.id)).toBeUndefined();
      expect(await get(PUBLIC, mine.id)).toBeUndefined();
      expect((await world.storage.scan(BOB, { collection: "notes", limit: 9 })).map((e) => e.id)).toEqual([
        shared.id,
      ]);
      expect(await world.storage.events(BOB, { subject: mine.id, limit: 9 })).toEqual([]);
      expect(await world.storage.memberships(BOB, [mine.id])).toEqual([[]]);
    });

    test("[C-31] only the owner changes an entry; anyone who sees it may count a look", async () => {
      const mine = await insert(ALICE, { content: "mine" });
      const shared = await insert(PUBLIC, { content: "shared" });
      await refuses("entry_not_found", BOB, [{ op: "entry-remove", id: mine.id }]);
      await refuses("entry_not_found", BOB, [{ op: "entry-touch", id: mine.id, touch: { addAccess: 1 } }]);
      await refuses("scope_forbidden", BOB, [{ op: "entry-update", id: shared.id, fields: { kind: "x" } }]);
      await refuses("entry_not_found", BOB, [
        { op: "entry-insert", entry: world.entryOf(ALICE, { content: "x" }), vectors: [], indexes: [] },
      ]);
      const touch = { addAccess: 2, addUseful: 3, strength: 7, energyAnchor: { value: 0.5, at: NOON } };
      await world.storage.commit(BOB, [{ op: "entry-touch", id: shared.id, touch }], CAUSE);
      expect(await get(PUBLIC, shared.id)).toMatchObject({
        accessCount: 2,
        usefulCount: 3,
        strength: 7,
        energyAnchor: { value: 0.5, at: NOON },
      });
      await world.storage.commit(
        BOB,
        [{ op: "entry-touch", id: shared.id, touch: { addUseful: 1, energyAnchor: null } }],
        CAUSE,
      );
      expect(await get(PUBLIC, shared.id)).toMatchObject({
        accessCount: 2,
        usefulCount: 4,
        strength: 7,
        energyAnchor: null,
      });
    });

    test("a commit happens whole or not at all", async () => {
      const before = await world.storage.stats();
      await refuses("entry_not_found", ALICE, [
        {
          op: "turn-append",
          turn: makeTurn({ text: "hi" }, { id: ids.turn(), scope: ALICE, recordedAt: NOON }),
        },
        { op: "entry-insert", entry: world.entryOf(ALICE, { content: "half" }), vectors: [], indexes: [] },
        { op: "entry-remove", id: ids.entry() },
      ]);
      expect({ ...(await world.storage.stats()), bytes: 0 }).toEqual({ ...before, bytes: 0 });
      const entry = await insert(ALICE, { content: "whole" });
      await refuses("entry_exists", ALICE, [{ op: "entry-insert", entry, vectors: [], indexes: [] }]);
    });

    test("every change leaves an event that says who, why, and what it was before", async () => {
      const entry = await insert(ALICE, { content: "old", tags: ["a"] });
      clock.advance(5);
      await world.storage.commit(
        ALICE,
        [
          { op: "entry-update", id: entry.id, fields: { content: "new", tags: ["b"] }, contentHash: "h2" },
          { op: "entry-touch", id: entry.id, touch: { addAccess: 1, lastAccessAt: clock.now() } },
          { op: "entry-remove", id: entry.id },
        ],
        { actor: "alice", cause: "correction" },
      );
      const events = await world.storage.events(ALICE, { subject: entry.id, limit: 10 });
      expect(events.map((event) => event.operation)).toEqual([
        "entry-insert",
        "entry-update",
        "entry-touch",
        "entry-remove",
      ]);
      expect(events[1]).toMatchObject({
        actor: "alice",
        cause: "correction",
        at: NOON + 5,
        before: { content: "old", tags: ["a"], contentHash: "h" },
        after: { content: "new", tags: ["b"], contentHash: "h2" },
      });
      expect(events[2]).toMatchObject({ before: { accessCount: 0 }, after: { accessCount: 1 } });
      expect(events[3]?.before).toMatchObject({ entry: { content: "new", tags: ["b"], accessCount: 1 } });
      expect(await get(ALICE, entry.id)).toBeUndefined();
    });

    test("a commit that changes nothing writes no event", async () => {
      const entry = await insert(ALICE, { content: "same" });
      await world.storage.commit(
        ALICE,
        [
          { op: "entry-update", id: entry.id, fields: { content: "same" } },
          { op: "entry-touch", id: entry.id, touch: { addAccess: 0 } },
        ],
        CAUSE,
      );
      expect(await world.storage.events(ALICE, { limit: 9 })).toHaveLength(1);
      expect(await get(ALICE, entry.id)).toEqual(entry);
    });

    test("[S3-14..S3-17] tags are bound once, orphans stay until the sweep", async () => {
      const first = await insert(ALICE, { content: "x", tags: ["a", "b", "a"] });
      await insert(ALICE, { content: "y", tags: ["b"] });
      await world.storage.commit(
        ALICE,
        [{ op: "entry-update", id: first.id, fields: { tags: ["c"] } }],
        CAUSE,
      );
      expect((await get(ALICE, first.id))?.tags).toEqual(["c"]);
      expect(await world.storage.sweepTags()).toBe(1);
      expect(await world.storage.sweepTags()).toBe(0);
    });

    test("[C-22] vectors keep their space and their bits", async () => {
      const values = Float32Array.from([0.1, -2, 3e-7]);
      const entry = await insert(ALICE, { content: "v" }, [
        { space: "a", values },
        { space: "b", values: Float32Array.of(1) },
      ]);
      expect(await world.storage.vectors(ALICE, "a", [entry.id])).toEqual([values]);
      expect(await world.storage.vectors(ALICE, "c", [entry.id])).toEqual([undefined]);
      expect(await world.storage.vectors(BOB, "a", [entry.id])).toEqual([undefined]);
      await world.storage.commit(
        ALICE,
        [{ op: "vector-put", id: entry.id, vector: { space: "a", values: Float32Array.of(9) } }],
        CAUSE,
      );
      expect(await world.storage.vectors(ALICE, "a", [entry.id])).toEqual([Float32Array.of(9)]);
    });

    test("[C-35] several edge types per pair; an edge needs both ends in sight", async () => {
      const [a, b, hidden] = [
        await insert(ALICE, { content: "a" }),
        await insert(PUBLIC, { content: "b" }),
        await insert(BOB, { content: "c" }),
      ];
      const edge = (to: EntryId, type: string) =>
        makeEdge({ from: a.id, to, type, weight: 0.5 }, ALICE, NOON);
      await world.storage.commit(
        ALICE,
        [
          { op: "edge-put", edge: edge(b.id, "semantic") },
          { op: "edge-put", edge: edge(b.id, "causal") },
        ],
        CAUSE,
      );
      await refuses("entry_not_found", ALICE, [{ op: "edge-put", edge: edge(hidden.id, "semantic") }]);
      expect((await world.storage.edges(ALICE, "notes", [b.id])).map((e) => e.type)).toEqual([
        "causal",
        "semantic",
      ]);
      expect(await world.storage.edges(BOB, "notes", [b.id])).toEqual([]);
      await world.storage.commit(
        ALICE,
        [{ op: "edge-remove", edge: { from: a.id, to: b.id, type: "causal" } }],
        CAUSE,
      );
      await world.storage.commit(PUBLIC, [{ op: "entry-remove", id: b.id }], CAUSE);
      expect(await world.storage.edges(ALICE, "notes", [a.id])).toEqual([]);
      const last = (await world.storage.events(ALICE, { subject: a.id, limit: 9 })).at(-1);
      expect(last).toMatchObject({ operation: "edge-remove", before: { to: b.id, type: "semantic" } });
    });

    test("[S0-61] moving between indexes keeps the entry; the feed shows members in order", async () => {
      const stm = await world.storage.putIndex("notes", {
        name: "stm",
        kind: "fifo",
        options: { capacity: 10 },
      });
      const mtm = await world.storage.putIndex("notes", { name: "mtm", kind: "vector_flat", options: {} });
      await expect(
        world.storage.putIndex("notes", { name: "stm", kind: "fifo", options: {} }),
      ).rejects.toMatchObject({ code: "name_taken" });
      const entry = await insert(
        ALICE,
        { content: "x" },
        [{ space: "s", values: Float32Array.of(1, 2) }],
        [stm.number],
      );
      const { seq: head } = await world.storage.feed.head();
      await world.storage.commit(
        ALICE,
        [
          { op: "index-leave", id: entry.id, index: stm.number },
          { op: "index-join", id: entry.id, index: mtm.number },
        ],
        CAUSE,
      );
      expect(await world.storage.memberships(ALICE, [entry.id])).toEqual([[mtm.number]]);
      expect(await get(ALICE, entry.id)).toEqual(entry);
      const changes = await world.storage.feed.changes("notes", head, 9);
      expect(changes.map((change) => change.changed)).toEqual([
        [`index:${stm.number}`],
        [`index:${mtm.number}`],
      ]);
      const needs = { fields: ["content", "tags"], space: "s", edges: true };
      expect(await world.storage.feed.members("notes", stm.number, needs, undefined, 9)).toEqual([]);
      expect(await world.storage.feed.membersAmong("notes", mtm.number, needs, [entry.id])).toMatchObject([
        { id: entry.id, scope: ALICE, entry, vector: Float32Array.of(1, 2), edges: [] },
      ]);
      await world.storage.removeIndex("notes", "mtm");
      expect(await world.storage.memberships(ALICE, [entry.id])).toEqual([[]]);
    });

    historyLaws(world);
    undoLaws(world);
    workLaws(world);
    aboutLaws(world);
    supersessionLaws(world);
    metadataLaws(world);
  });
}
