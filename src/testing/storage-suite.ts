/**
 * Does a storage keep the contract? Called in a few lines by every back end; what it asserts is what the engine relies on.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Clock, manualClock } from "../base/clock.ts";
import { makeEdge } from "../base/edge.ts";
import { type Entry, makeEntry, type NewEntry } from "../base/entry.ts";
import type { ErrorCode } from "../base/errors.ts";
import { where } from "../base/filter.ts";
import { createIds, type EntryId } from "../base/ids.ts";
import { PUBLIC, parseScope, type Scope } from "../base/scope.ts";
import { makeTurn } from "../base/turn.ts";
import type { Vector } from "../base/vector.ts";
import type { Cause, Storage, Write } from "../storage/storage.ts";

export interface StorageSubject {
  readonly name: string;
  /** A fresh, empty storage that takes its time from the clock. */
  create(clock: Clock): Promise<Storage>;
  /** The same data again after a close; leave out for storages that end with the process. */
  reopen?(storage: Storage, clock: Clock): Promise<Storage>;
  destroy?(): Promise<void>;
}

const ALICE = parseScope("alice");
const BOB = parseScope("bob");
const CAUSE: Cause = { actor: "suite", cause: "test" };
const NOON = Date.UTC(2026, 0, 15, 12);

export function testStorage(subject: StorageSubject): void {
  describe(`storage: ${subject.name}`, () => {
    const clock = manualClock(NOON);
    const ids = createIds(clock);
    let storage: Storage;
    beforeEach(async () => {
      clock.set(NOON);
      storage = await subject.create(clock);
      await storage.putCollection({ name: "notes", profile: "hybrid", indexes: [] });
    });
    afterEach(async () => {
      await storage.close();
      await subject.destroy?.();
    });

    const entryOf = (scope: Scope, fields: NewEntry): Entry =>
      makeEntry(fields, { id: ids.entry(), collection: "notes", scope, now: clock.now(), contentHash: "h" });
    const insert = async (
      scope: Scope,
      fields: NewEntry,
      vectors: Vector[] = [],
      indexes: number[] = [],
    ): Promise<Entry> => {
      const entry = entryOf(scope, fields);
      await storage.commit(scope, [{ op: "entry-insert", entry, vectors, indexes }], CAUSE);
      return entry;
    };
    const get = async (scope: Scope, id: EntryId): Promise<Entry | undefined> =>
      (await storage.entries(scope, "notes", [id]))[0];
    const refuses = (code: ErrorCode, scope: Scope, writes: Write[]): Promise<void> =>
      expect(storage.commit(scope, writes, CAUSE)).rejects.toMatchObject({ code });

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
      const done = await storage.commit(
        ALICE,
        turns.map((turn) => ({ op: "turn-append", turn })),
        CAUSE,
      );
      expect(done.turns).toEqual([1, 2, 3]);
      expect(await storage.turns(ALICE, { session: "s1", limit: 10 })).toEqual(
        turns.map((turn, index) => ({ ...turn, seq: index + 1 })),
      );
      expect((await storage.turns(ALICE, { after: 1, limit: 1 })).map((turn) => turn.seq)).toEqual([2]);
      expect(await storage.turns(BOB, { limit: 10 })).toEqual([]);
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
      expect((await storage.scan(BOB, { collection: "notes", limit: 9 })).map((e) => e.id)).toEqual([
        shared.id,
      ]);
      expect(await storage.events(BOB, { subject: mine.id, limit: 9 })).toEqual([]);
      expect(await storage.memberships(BOB, [mine.id])).toEqual([[]]);
    });

    test("[C-31] only the owner changes an entry; anyone who sees it may count a look", async () => {
      const mine = await insert(ALICE, { content: "mine" });
      const shared = await insert(PUBLIC, { content: "shared" });
      await refuses("entry_not_found", BOB, [{ op: "entry-remove", id: mine.id }]);
      await refuses("entry_not_found", BOB, [{ op: "entry-touch", id: mine.id, touch: { addAccess: 1 } }]);
      await refuses("scope_forbidden", BOB, [{ op: "entry-update", id: shared.id, fields: { kind: "x" } }]);
      await refuses("entry_not_found", BOB, [
        { op: "entry-insert", entry: entryOf(ALICE, { content: "x" }), vectors: [], indexes: [] },
      ]);
      await storage.commit(BOB, [{ op: "entry-touch", id: shared.id, touch: { addAccess: 2 } }], CAUSE);
      expect((await get(PUBLIC, shared.id))?.accessCount).toBe(2);
    });

    test("a commit happens whole or not at all", async () => {
      const before = await storage.stats();
      await refuses("entry_not_found", ALICE, [
        {
          op: "turn-append",
          turn: makeTurn({ text: "hi" }, { id: ids.turn(), scope: ALICE, recordedAt: NOON }),
        },
        { op: "entry-insert", entry: entryOf(ALICE, { content: "half" }), vectors: [], indexes: [] },
        { op: "entry-remove", id: ids.entry() },
      ]);
      expect({ ...(await storage.stats()), bytes: 0 }).toEqual({ ...before, bytes: 0 });
      const entry = await insert(ALICE, { content: "whole" });
      await refuses("entry_exists", ALICE, [{ op: "entry-insert", entry, vectors: [], indexes: [] }]);
    });

    test("every change leaves an event that says who, why, and what it was before", async () => {
      const entry = await insert(ALICE, { content: "old", tags: ["a"] });
      clock.advance(5);
      await storage.commit(
        ALICE,
        [
          { op: "entry-update", id: entry.id, fields: { content: "new", tags: ["b"] }, contentHash: "h2" },
          { op: "entry-touch", id: entry.id, touch: { addAccess: 1, lastAccessAt: clock.now() } },
          { op: "entry-remove", id: entry.id },
        ],
        { actor: "alice", cause: "correction" },
      );
      const events = await storage.events(ALICE, { subject: entry.id, limit: 10 });
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
      const head = await storage.feed.head();
      const done = await storage.commit(
        ALICE,
        [{ op: "entry-update", id: entry.id, fields: { content: "same" } }],
        CAUSE,
      );
      expect(done).toMatchObject({ previous: head, seq: head });
    });

    test("[S3-14..S3-17] tags are bound once, orphans stay until the sweep", async () => {
      const first = await insert(ALICE, { content: "x", tags: ["a", "b", "a"] });
      await insert(ALICE, { content: "y", tags: ["b"] });
      await storage.commit(ALICE, [{ op: "entry-update", id: first.id, fields: { tags: ["c"] } }], CAUSE);
      expect((await get(ALICE, first.id))?.tags).toEqual(["c"]);
      expect(await storage.sweepTags()).toBe(1);
      expect(await storage.sweepTags()).toBe(0);
    });

    test("[C-22] vectors keep their space and their bits", async () => {
      const values = Float32Array.from([0.1, -2, 3e-7]);
      const entry = await insert(ALICE, { content: "v" }, [
        { space: "a", values },
        { space: "b", values: Float32Array.of(1) },
      ]);
      expect(await storage.vectors(ALICE, "a", [entry.id])).toEqual([values]);
      expect(await storage.vectors(ALICE, "c", [entry.id])).toEqual([undefined]);
      expect(await storage.vectors(BOB, "a", [entry.id])).toEqual([undefined]);
      await storage.commit(
        ALICE,
        [{ op: "vector-put", id: entry.id, vector: { space: "a", values: Float32Array.of(9) } }],
        CAUSE,
      );
      expect(await storage.vectors(ALICE, "a", [entry.id])).toEqual([Float32Array.of(9)]);
    });

    test("[C-35] several edge types per pair; an edge needs both ends in sight", async () => {
      const [a, b, hidden] = [
        await insert(ALICE, { content: "a" }),
        await insert(PUBLIC, { content: "b" }),
        await insert(BOB, { content: "c" }),
      ];
      const edge = (to: EntryId, type: string) =>
        makeEdge({ from: a.id, to, type, weight: 0.5 }, ALICE, NOON);
      await storage.commit(
        ALICE,
        [
          { op: "edge-put", edge: edge(b.id, "semantic") },
          { op: "edge-put", edge: edge(b.id, "causal") },
        ],
        CAUSE,
      );
      await refuses("entry_not_found", ALICE, [{ op: "edge-put", edge: edge(hidden.id, "semantic") }]);
      expect((await storage.edges(ALICE, [b.id])).map((e) => e.type)).toEqual(["causal", "semantic"]);
      expect(await storage.edges(BOB, [b.id])).toEqual([]);
      await storage.commit(
        ALICE,
        [{ op: "edge-remove", edge: { from: a.id, to: b.id, type: "causal" } }],
        CAUSE,
      );
      await storage.commit(PUBLIC, [{ op: "entry-remove", id: b.id }], CAUSE);
      expect(await storage.edges(ALICE, [a.id])).toEqual([]);
      const last = (await storage.events(ALICE, { subject: a.id, limit: 9 })).at(-1);
      expect(last).toMatchObject({ operation: "edge-remove", before: { to: b.id, type: "semantic" } });
    });

    test("[S0-61] moving between indexes keeps the entry; the feed shows members in order", async () => {
      const stm = await storage.putIndex("notes", { name: "stm", kind: "fifo", options: { capacity: 10 } });
      const mtm = await storage.putIndex("notes", { name: "mtm", kind: "vector_flat", options: {} });
      await expect(
        storage.putIndex("notes", { name: "stm", kind: "fifo", options: {} }),
      ).rejects.toMatchObject({ code: "name_taken" });
      const entry = await insert(
        ALICE,
        { content: "x" },
        [{ space: "s", values: Float32Array.of(1, 2) }],
        [stm.number],
      );
      const head = await storage.feed.head();
      await storage.commit(
        ALICE,
        [
          { op: "index-leave", id: entry.id, index: stm.number },
          { op: "index-join", id: entry.id, index: mtm.number },
        ],
        CAUSE,
      );
      expect(await storage.memberships(ALICE, [entry.id])).toEqual([[mtm.number]]);
      expect(await get(ALICE, entry.id)).toEqual(entry);
      const changes = await storage.feed.changes("notes", head, 9);
      expect(changes.map((change) => change.changed)).toEqual([
        [`index:${stm.number}`],
        [`index:${mtm.number}`],
      ]);
      const needs = { entry: true, space: "s", edges: true };
      expect(await storage.feed.members(stm.number, needs, undefined, 9)).toEqual([]);
      expect(await storage.feed.membersAmong(mtm.number, needs, [entry.id])).toMatchObject([
        { id: entry.id, scope: ALICE, entry, vector: Float32Array.of(1, 2), edges: [] },
      ]);
      await storage.removeIndex("notes", "mtm");
      expect(await storage.memberships(ALICE, [entry.id])).toEqual([[]]);
    });

    test("a scan pages in order of id and honours any filter", async () => {
      const made: Entry[] = [];
      for (let n = 0; n < 25; n++) {
        made.push(
          await insert(ALICE, {
            content: `n${n}`,
            kind: n % 2 === 0 ? "even" : "odd",
            metadata: { n },
            happenedAt: NOON + n,
          }),
        );
      }
      const scan = async (filter: Parameters<typeof storage.scan>[1]["filter"], limit = 99) =>
        (await storage.scan(ALICE, { collection: "notes", filter, limit })).map((e) => e.content);
      expect(await scan(where.and(where.eq("kind", "even"), where.range("metadata.n", { lt: 5 })))).toEqual([
        "n0",
        "n2",
        "n4",
      ]);
      expect(await scan(where.range("happenedAt", { gte: NOON + 23 }))).toEqual(["n23", "n24"]);
      expect(await scan(where.not(where.eq("kind", "even")), 2)).toEqual(["n1", "n3"]);
      expect(await scan(where.or(where.eq("content", "n7"), where.in("metadata.n", [3])))).toEqual([
        "n3",
        "n7",
      ]);
      const page = await storage.scan(ALICE, { collection: "notes", after: made[22]?.id, limit: 9 });
      expect(page.map((e) => e.content)).toEqual(["n23", "n24"]);
    });

    test("a job is leased once, comes back when its worker dies, and keeps its last error", async () => {
      const job = { id: ids.plain(), kind: "compress", payload: { window: 1 }, runAt: NOON + 10 };
      await storage.commit(ALICE, [{ op: "job-put", job }], CAUSE);
      const lease = (owner: string) => storage.jobs.lease({ owner, leaseMs: 100, limit: 5 });
      expect(await lease("w1")).toEqual([]);
      clock.advance(10);
      expect(await lease("w1")).toMatchObject([{ id: job.id, scope: ALICE, attempts: 1, state: "running" }]);
      expect(await lease("w2")).toEqual([]);
      clock.advance(100);
      expect(await lease("w2")).toMatchObject([{ id: job.id, attempts: 2 }]);
      await expect(storage.jobs.complete(job.id, "w1")).rejects.toMatchObject({ code: "job_not_found" });
      await storage.jobs.fail(job.id, "w2", "model down", clock.now() + 50);
      expect(await storage.jobs.list(ALICE, "waiting", 9)).toMatchObject([{ lastError: "model down" }]);
      expect(await storage.jobs.list(BOB, undefined, 9)).toEqual([]);
      clock.advance(50);
      expect(await storage.jobs.lease({ owner: "w3", leaseMs: 9, limit: 5, kinds: ["other"] })).toEqual([]);
      await lease("w3");
      await storage.jobs.complete(job.id, "w3");
      expect(await storage.jobs.list(ALICE, "done", 9)).toHaveLength(1);
    });

    test("cursors remember a place", async () => {
      expect(await storage.cursor("windows")).toBe(0);
      await storage.commit(ALICE, [{ op: "cursor-put", name: "windows", seq: 40 }], CAUSE);
      expect(await storage.cursor("windows")).toBe(40);
    });

    test("a batch of a thousand and an empty commit both work", async () => {
      const writes: Write[] = Array.from({ length: 1000 }, (_, n) => ({
        op: "entry-insert",
        entry: entryOf(ALICE, { content: `entry ${n}`, tags: [`t${n % 7}`] }),
        vectors: [{ space: "s", values: Float32Array.of(n + 1) }],
        indexes: [],
      }));
      await storage.commit(ALICE, writes, CAUSE);
      await storage.commit(ALICE, [], CAUSE);
      expect(await storage.stats()).toMatchObject({ entries: 1000, vectors: 1000, events: 1000 });
    });

    test("concurrent commits and reads never mix", async () => {
      await Promise.all(
        Array.from({ length: 40 }, (_, n) => insert(n % 2 === 0 ? ALICE : BOB, { content: `c${n}` })),
      );
      expect(await storage.scan(ALICE, { collection: "notes", limit: 99 })).toHaveLength(20);
    });

    test("removing a collection removes its entries and their history", async () => {
      const entry = await insert(ALICE, { content: "gone" });
      await storage.removeCollection("notes");
      expect(await get(ALICE, entry.id)).toBeUndefined();
      expect(await storage.collections()).toEqual([]);
      expect(await storage.events(ALICE, { limit: 9 })).toEqual([]);
    });

    test("a closed storage says so, and closing twice is fine", async () => {
      await storage.close();
      await storage.close();
      await expect(storage.stats()).rejects.toMatchObject({ code: "storage_closed" });
    });

    test.skipIf(subject.reopen === undefined)("everything is there after a reopen", async () => {
      const entry = await insert(ALICE, { content: "kept", tags: ["t"] }, [
        { space: "s", values: Float32Array.of(1) },
      ]);
      const { id } = storage;
      await storage.close();
      storage = (await subject.reopen?.(storage, clock)) ?? storage;
      expect(storage.id).toBe(id);
      expect(await get(ALICE, entry.id)).toEqual(entry);
      expect((await insert(ALICE, { content: "more" })).content).toBe("more");
      expect(await storage.feed.head()).toBe(2);
    });
  });
}
