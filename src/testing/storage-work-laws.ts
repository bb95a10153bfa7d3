/** The part of the storage suite that is about scanning, jobs, registries, size and lifetime. */
import { expect, test } from "vitest";
import type { Entry } from "../base/entry.ts";
import { where } from "../base/filter.ts";
import { PUBLIC, type Scope } from "../base/scope.ts";
import { makeTurn } from "../base/turn.ts";
import type { Storage, Write } from "../storage/storage.ts";
import { ALICE, BOB, CAUSE, NOON, type StorageWorld } from "./storage-world.ts";

export function workLaws(world: StorageWorld): void {
  const { clock, ids } = world;
  const insert = world.insert.bind(world);
  const get = world.get.bind(world);

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
    const scan = async (filter: Parameters<typeof world.storage.scan>[1]["filter"], limit = 99) =>
      (await world.storage.scan(ALICE, { collection: "notes", filter, limit })).map((e) => e.content);
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
    const some = [made[7], made[3]].flatMap((entry) => entry?.id ?? []);
    expect(await scan(where.in("id", some))).toEqual(["n3", "n7"]);
    expect(await scan(where.in("id", []))).toEqual([]);
    const late = where.range("happenedAt", { gte: NOON + 23 });
    expect(await scan(where.or(where.in("id", some), late))).toEqual(["n3", "n7", "n23", "n24"]);
    const firstOdd = where.and(where.eq("kind", "odd"), where.range("metadata.n", { lt: 4 }));
    expect(await scan(where.or(firstOdd, late))).toEqual(["n1", "n3", "n23", "n24"]);
    expect(await scan(where.or())).toEqual([]);
    const others = Array.from({ length: 2000 }, (_, n) => where.eq("kind", `kind ${n}`));
    expect(await scan(where.or(...others, late))).toEqual(["n23", "n24"]);
    expect(await scan(where.and(...others.map(where.not), late))).toEqual(["n23", "n24"]);
    expect(await scan(where.in("tier", ["stm", null]))).toHaveLength(25);
    expect(await scan(where.and(where.in("id", some), where.not(where.in("kind", ["even", "偶"]))))).toEqual([
      "n3",
      "n7",
    ]);
    // What has no tier is in none of them.
    expect(await scan(where.not(where.in("tier", ["stm", "ltm"])))).toHaveLength(25);
    expect(await scan(where.not(where.in("id", [...some, "nobody"])))).toHaveLength(23);
    const page = await world.storage.scan(ALICE, { collection: "notes", after: made[22]?.id, limit: 9 });
    expect(page.map((e) => e.content)).toEqual(["n23", "n24"]);
  });

  test("vitals are what policies read, of the scope's own entries that none has superseded, page by page", async () => {
    const anchor = { value: 0.25, at: NOON };
    const full = await insert(ALICE, {
      content: "a",
      kind: "fact",
      tier: "stm",
      pinned: true,
      importance: 0.5,
      strength: 3,
      energyAnchor: anchor,
      accessCount: 2,
      lastAccessAt: NOON + 5,
    });
    const plain = await insert(ALICE, { content: "乙" });
    const old = await insert(ALICE, { content: "old" });
    await insert(PUBLIC, { content: "everybody's" });
    await insert(BOB, { content: "Bob's" });
    const superseded: Write = { op: "entry-update", id: old.id, fields: { supersededBy: plain.id } };
    await world.storage.commit(ALICE, [superseded], CAUSE);
    const vitals = (after?: Entry["id"], limit = 9) =>
      world.storage.vitals(ALICE, { collection: "notes", after, limit });
    const read = await vitals();
    expect(read.map(({ id }) => id)).toEqual([full.id, plain.id]);
    for (const one of read) expect(await get(ALICE, one.id)).toMatchObject(one);
    expect(read[0]).toMatchObject({ kind: "fact", tier: "stm", pinned: true, energyAnchor: anchor });
    expect(await vitals(undefined, 1)).toEqual(read.slice(0, 1));
    expect(await vitals(full.id)).toEqual(read.slice(1));
    expect(await world.storage.vitals(ALICE, { collection: "others", limit: 9 })).toEqual([]);
  });

  test("find gives the ids that match, whoever decides", async () => {
    const fact = await insert(ALICE, { content: "a", kind: "fact", tags: ["x", "y"], metadata: { n: 1 } });
    const note = await insert(ALICE, { content: "b", kind: "note", tags: ["y"], importance: 0.5 });
    await insert(BOB, { content: "c", kind: "fact", tags: ["x"], metadata: { n: 1 } });
    const find = async (filter: Parameters<Storage["find"]>[2]) => [
      ...(await world.storage.find(ALICE, "notes", filter)),
    ];
    expect(await find(undefined)).toEqual([fact.id, note.id]);
    expect(await find(where.eq("kind", "fact"))).toEqual([fact.id]);
    expect(
      await find(where.and(where.eq("supersededBy", null), where.range("importance", { gte: 0.5 }))),
    ).toEqual([note.id]);
    expect(await find(where.contains("tags", "x"))).toEqual([fact.id]);
    expect(await find(where.not(where.eq("metadata.n", 1)))).toEqual([note.id]);
    expect(await find(where.range("importance", {}))).toEqual([note.id]);
    // Bounds that a column of whole numbers cannot hold bound it nevertheless.
    expect(await find(where.range("happenedAt", { gt: 0.5, lt: 1e300 }))).toEqual([fact.id, note.id]);
    expect(await find(where.range("strength", { gte: 2 ** 40 }))).toEqual([]);
  });

  test("a standing job is one row: put again it waits again, put while it runs it runs once more", async () => {
    const job = { id: ids.plain(), kind: "derive", payload: {}, runAt: NOON, standing: true };
    const put = (runAt = clock.now()) =>
      world.storage.commit(ALICE, [{ op: "job-put", job: { ...job, runAt } }], CAUSE);
    const lease = () => world.storage.jobs.lease({ owner: "w", leaseMs: 100, limit: 5, kinds: ["derive"] });
    const state = async () =>
      (await world.storage.jobs.list(ALICE, { kind: "derive" })).map((one) => one.state);
    clock.set(NOON);
    await put();
    await put();
    expect(await lease()).toMatchObject([{ id: job.id, attempts: 1 }]);
    await put();
    await world.storage.jobs.complete(job.id, "w");
    expect(await state()).toEqual(["waiting"]);
    expect(await lease()).toMatchObject([{ attempts: 1 }]);
    await world.storage.jobs.complete(job.id, "w");
    expect(await state()).toEqual(["done"]);
    await put();
    expect(await lease()).toMatchObject([{ attempts: 1 }]);
    await world.storage.jobs.fail(job.id, "w", "model down", NOON + 400);
    await put();
    expect(await lease()).toEqual([]);
    // Who waits for it does not wait for its moment.
    const now = { owner: "w", leaseMs: 100, limit: 1, ids: [job.id] };
    expect(await world.storage.jobs.lease({ ...now, ids: ["other"] })).toEqual([]);
    expect(await world.storage.jobs.lease(now)).toHaveLength(1);
    await world.storage.jobs.fail(job.id, "w", "model down", NOON + 500);
    clock.set(NOON + 500);
    expect(await lease()).toMatchObject([{ attempts: 3, lastError: "model down" }]);
    await world.storage.jobs.fail(job.id, "w", "broken", null);
    await put();
    expect(await state()).toEqual(["waiting"]);
    expect(await lease()).toMatchObject([{ attempts: 1 }]);
    await world.storage.jobs.complete(job.id, "w");
  });

  test("a lease that is renewed outlives its first term; one that was lost cannot be renewed", async () => {
    const job = { id: ids.plain(), kind: "long", payload: {}, runAt: NOON };
    clock.set(NOON);
    await world.storage.commit(ALICE, [{ op: "job-put", job }], CAUSE);
    const lease = (owner: string) =>
      world.storage.jobs.lease({ owner, leaseMs: 100, limit: 5, kinds: ["long"] });
    expect(await lease("w1")).toHaveLength(1);
    clock.set(NOON + 90);
    await world.storage.jobs.renew(job.id, "w1", 100);
    clock.set(NOON + 150);
    expect(await lease("w2")).toEqual([]);
    clock.set(NOON + 200);
    expect(await lease("w2")).toHaveLength(1);
    await expect(world.storage.jobs.renew(job.id, "w1", 100)).rejects.toMatchObject({
      code: "job_not_found",
    });
    await world.storage.jobs.complete(job.id, "w2");
  });

  test("a job is leased once, comes back when its worker dies, and keeps its last error", async () => {
    const job = { id: ids.plain(), kind: "compress", payload: { window: 1 }, runAt: NOON + 10 };
    await world.storage.commit(ALICE, [{ op: "job-put", job }], CAUSE);
    const lease = (owner: string) => world.storage.jobs.lease({ owner, leaseMs: 100, limit: 5 });
    expect(await lease("w1")).toEqual([]);
    clock.advance(10);
    expect(await lease("w1")).toMatchObject([{ id: job.id, scope: ALICE, attempts: 1, state: "running" }]);
    expect(await lease("w2")).toEqual([]);
    clock.advance(100);
    expect(await lease("w2")).toMatchObject([{ id: job.id, attempts: 2 }]);
    await expect(world.storage.jobs.complete(job.id, "w1")).rejects.toMatchObject({ code: "job_not_found" });
    await world.storage.jobs.fail(job.id, "w2", "model down", clock.now() + 50);
    expect(await world.storage.jobs.list(ALICE, { state: "waiting", limit: 9 })).toMatchObject([
      { lastError: "model down" },
    ]);
    expect(await world.storage.jobs.list(BOB, { limit: 9 })).toEqual([]);
    clock.advance(50);
    expect(await world.storage.jobs.lease({ owner: "w3", leaseMs: 9, limit: 5, kinds: ["other"] })).toEqual(
      [],
    );
    await lease("w3");
    await world.storage.jobs.complete(job.id, "w3");
    expect(await world.storage.jobs.list(ALICE, { state: "done", limit: 9 })).toHaveLength(1);
  });

  test("a new index can take in what is there; a commit that knew another registry is refused", async () => {
    const [plain, withVector] = [
      await insert(ALICE, { content: "a" }),
      await insert(BOB, { content: "b" }, [{ space: "s", values: Float32Array.of(1) }]),
    ];
    const { registry } = await world.storage.feed.head();
    const all = await world.storage.putIndex(
      "notes",
      { name: "all", kind: "fifo", options: {} },
      { space: undefined, dimension: undefined },
    );
    const some = await world.storage.putIndex(
      "notes",
      { name: "some", kind: "vector_flat", options: {} },
      { space: "s", dimension: 1 },
    );
    expect(await world.storage.memberships(ALICE, [plain.id])).toEqual([[all.number]]);
    expect(await world.storage.memberships(BOB, [withVector.id])).toEqual([[all.number, some.number]]);
    await expect(world.storage.commit(ALICE, [], CAUSE, { registry })).rejects.toMatchObject({
      code: "version_conflict",
    });
    await world.storage.commit(ALICE, [], CAUSE, { registry: registry + 2 });
  });

  test("cursors remember a place", async () => {
    expect(await world.storage.cursor("windows")).toBe(0);
    await world.storage.commit(ALICE, [{ op: "cursor-put", name: "windows", seq: 40 }], CAUSE);
    expect(await world.storage.cursor("windows")).toBe(40);
  });

  test("a cursor moves in the same commit to the place of the turns before it", async () => {
    const turn = (scope: Scope): Write => ({
      op: "turn-append",
      turn: makeTurn({ text: "你好" }, { id: world.ids.turn(), scope, recordedAt: 1 }),
    });
    await world.storage.commit(BOB, [turn(BOB)], CAUSE);
    const move: Write = { op: "cursor-put", name: "windows", seq: "journal" };
    const { turns } = await world.storage.commit(ALICE, [turn(ALICE), turn(ALICE), move, turn(ALICE)], CAUSE);
    expect(await world.storage.cursor("windows")).toBe(turns[1]);
    const [last = 0] = turns.slice(-1);
    await world.storage.commit(BOB, [turn(BOB)], CAUSE);
    await expect(world.storage.commit(ALICE, [move], CAUSE, { lastTurn: last - 1 })).rejects.toMatchObject({
      code: "version_conflict",
    });
    await world.storage.commit(ALICE, [turn(ALICE)], CAUSE, { lastTurn: last });
  });

  test("whoever brings ids along learns which are taken, by whomever, and nothing else", async () => {
    const { id: entry } = await world.insert(BOB, { content: "Bob's" });
    const turn = world.ids.turn();
    const said = makeTurn({ text: "hello" }, { id: turn, scope: ALICE, recordedAt: 1 });
    await world.storage.commit(ALICE, [{ op: "turn-append", turn: said }], CAUSE);
    const free = world.ids.entry();
    expect(await world.storage.taken([entry, free, turn])).toEqual(new Set([entry, turn]));
    expect(await world.storage.taken([])).toEqual(new Set());
  });

  test("a batch of a thousand and an empty commit both work", async () => {
    const writes: Write[] = Array.from({ length: 1000 }, (_, n) => ({
      op: "entry-insert",
      entry: world.entryOf(ALICE, { content: `entry ${n}`, tags: [`t${n % 7}`] }),
      vectors: [{ space: "s", values: Float32Array.of(n + 1) }],
      indexes: [],
    }));
    await world.storage.commit(ALICE, writes, CAUSE);
    await world.storage.commit(ALICE, [], CAUSE);
    expect(await world.storage.stats()).toMatchObject({ entries: 1000, vectors: 1000, events: 1000 });
  });

  test("concurrent commits and reads never mix: a read sees whole commits of its own scope", async () => {
    const pair = (n: number): Write[] =>
      ["left", "right"].map((kind) => ({
        op: "entry-insert",
        entry: world.entryOf(n % 2 === 0 ? ALICE : BOB, { content: `c${n}`, kind }),
        vectors: [],
        indexes: [],
      }));
    const reads: Promise<Entry[]>[] = [];
    const writes: Promise<unknown>[] = [];
    for (let n = 0; n < 40; n++) {
      writes.push(world.storage.commit(n % 2 === 0 ? ALICE : BOB, pair(n), CAUSE));
      reads.push(world.storage.scan(ALICE, { collection: "notes", limit: 99 }));
    }
    for (const seen of await Promise.all(reads)) {
      expect(seen.filter((entry) => entry.scope !== ALICE)).toEqual([]);
      expect(seen.filter((entry) => entry.kind === "left")).toHaveLength(seen.length / 2);
    }
    await Promise.all(writes);
    expect(await world.storage.scan(ALICE, { collection: "notes", limit: 99 })).toHaveLength(40);
  });

  test("removing a collection removes its entries and their history", async () => {
    const entry = await insert(ALICE, { content: "gone" });
    await world.storage.removeCollection("notes");
    expect(await get(ALICE, entry.id)).toBeUndefined();
    expect(await world.storage.collections()).toEqual([]);
    expect(await world.storage.events(ALICE, { limit: 9 })).toEqual([]);
  });

  test("a closed storage says so, and closing twice is fine", async () => {
    await world.storage.close();
    await world.storage.close();
    await expect(world.storage.stats()).rejects.toMatchObject({ code: "storage_closed" });
  });

  test.skipIf(world.subject.reopen === undefined)("everything is there after a reopen", async () => {
    const entry = await insert(ALICE, { content: "kept", tags: ["t"] }, [
      { space: "s", values: Float32Array.of(1) },
    ]);
    const { id } = world.storage;
    await world.reopen();
    expect(world.storage.id).toBe(id);
    expect(await get(ALICE, entry.id)).toEqual(entry);
    expect((await insert(ALICE, { content: "more" })).content).toBe("more");
    expect(await world.storage.feed.head()).toMatchObject({ seq: 2 });
  });
}
