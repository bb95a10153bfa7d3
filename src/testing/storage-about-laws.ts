/** The part of the storage suite that is about what belongs to an entry: its work, its places, its energy, its moment. */
import { expect, test } from "vitest";
import { ARCHIVED, type Entry } from "../base/entry.ts";
import { type Filter, where } from "../base/filter.ts";
import { PUBLIC, type Scope } from "../base/scope.ts";
import type { JobFilter, NewJob } from "../storage/job.ts";
import type { Write } from "../storage/storage.ts";
import { ALICE, BOB, CAUSE, NOON, type StorageWorld } from "./storage-world.ts";

const HOUR = 3_600_000;

export function aboutLaws(world: StorageWorld): void {
  const insert = world.insert.bind(world);
  const commit = (scope: Scope, ...writes: Write[]) => world.storage.commit(scope, writes, CAUSE);
  const putJob = (id: string, subject?: Entry, kind = "work:notes"): Write => {
    const job: NewJob = { id, kind, subject: subject?.id, payload: {}, runAt: NOON };
    return { op: "job-put", job };
  };
  const jobs = async (scope: Scope, filter: JobFilter = {}) => {
    const listed = await world.storage.jobs.list(scope, filter);
    expect(await world.storage.jobs.count(scope, filter)).toBe(listed.length);
    return listed.map(({ id }) => id);
  };

  test("[C-19] work about an entry goes with it, whoever put it down; other work stays", async () => {
    const [gone, stays] = [
      await insert(PUBLIC, { content: "gone" }),
      await insert(PUBLIC, { content: "stays" }),
    ];
    await commit(ALICE, putJob("a-gone", gone), putJob("a-stays", stays), putJob("a-free"));
    await commit(PUBLIC, putJob("p-gone", gone));
    await commit(PUBLIC, { op: "entry-remove", id: gone.id });
    expect(await jobs(ALICE)).toEqual(["a-free", "a-stays"]);
    await world.refuses("job_not_found", ALICE, [{ op: "job-settle", id: "a-gone" }]);
    await world.storage.removeCollection("notes");
    expect(await jobs(ALICE)).toEqual(["a-free"]);
  });

  test("[C-19] work about an entry is gone once it is settled and may come again; another job is kept as done", async () => {
    const entry = await insert(ALICE, { content: "a" });
    await commit(ALICE, putJob("about", entry), putJob("other"));
    await commit(ALICE, { op: "job-settle", id: "about" }, { op: "job-settle", id: "other" });
    expect(await jobs(ALICE)).toEqual(["other"]);
    expect(await jobs(ALICE, { state: "done" })).toEqual(["other"]);
    await commit(ALICE, putJob("about", entry), putJob("other"));
    expect(await jobs(ALICE, { state: "waiting" })).toEqual(["about"]);
  });

  test("jobs are listed and counted by kind, owner and entry, however many wait", async () => {
    const [one, other] = [await insert(ALICE, { content: "one" }), await insert(ALICE, { content: "other" })];
    const many = Array.from({ length: 1500 }, (_, n) => putJob(`j${String(n).padStart(4, "0")}`, one));
    await commit(ALICE, ...many, putJob("z-last", other), putJob("elsewhere", other, "work:others"));
    await commit(PUBLIC, putJob("public", undefined));
    await commit(BOB, putJob("bob", undefined));
    const kind = "work:notes";
    expect(await world.storage.jobs.count(ALICE, { kind, own: true })).toBe(1501);
    expect(await world.storage.jobs.count(ALICE, { kind })).toBe(1502);
    expect(await jobs(ALICE, { kind, own: true, subjects: [other.id] })).toEqual(["z-last"]);
    expect(await jobs(ALICE, { subjects: [other.id] })).toEqual(["elsewhere", "z-last"]);
    expect(await jobs(ALICE, { subjects: [] })).toEqual([]);
    expect(await jobs(BOB, { subjects: [one.id] })).toEqual([]);
    const first = await world.storage.jobs.list(ALICE, { kind, own: true, limit: 2 });
    expect(first.map(({ id, subject }) => [id, subject])).toEqual([
      ["j0000", one.id],
      ["j0001", one.id],
    ]);
  });

  test("an entry leaves all indexes at once; a new index takes in all but what is archived", async () => {
    const fill = { space: undefined, dimension: undefined };
    const put = (name: string) => world.storage.putIndex("notes", { name, kind: "fifo", options: {} }, fill);
    const numbers = [(await put("a")).number, (await put("b")).number];
    const away = await insert(ALICE, { content: "away" }, [], numbers);
    const stays = await insert(ALICE, { content: "stays", tier: "stm" }, [], numbers);
    const { seq } = await world.storage.feed.head();
    await commit(
      ALICE,
      { op: "index-leave", id: away.id, index: "all" },
      { op: "entry-update", id: away.id, fields: { tier: ARCHIVED } },
    );
    const changes = await world.storage.feed.changes("notes", seq, 9);
    expect(changes.map(({ changed }) => changed)).toEqual([...numbers.map((n) => [`index:${n}`]), ["tier"]]);
    const third = (await put("c")).number;
    const members = await world.storage.memberships(ALICE, [away.id, stays.id]);
    expect(members).toEqual([[], [...numbers, third]]);
    await world.refuses("entry_not_found", BOB, [{ op: "index-leave", id: stays.id, index: "all" }]);
  });

  test("an index keeps its number and its members under other options", async () => {
    const before = await world.storage.putIndex("notes", {
      name: "q",
      kind: "fifo",
      options: { capacity: 3 },
    });
    const entry = await insert(ALICE, { content: "a" }, [], [before.number]);
    const { registry } = await world.storage.feed.head();
    await world.storage.changeIndex("notes", "q", { capacity: 5 });
    const [record] = await world.storage.collections();
    expect(record?.indexes).toEqual([{ ...before, options: { capacity: 5 } }]);
    expect(await world.storage.memberships(ALICE, [entry.id])).toEqual([[before.number]]);
    expect(await world.storage.feed.head()).toMatchObject({ registry: registry + 1 });
  });

  test("[S4-12] energy is added to what is there when the look is written: no look at once is lost", async () => {
    const entry = await insert(ALICE, { content: "a", energyAnchor: { value: 0.5, at: NOON } });
    const bare = await insert(ALICE, { content: "b", lastAccessAt: NOON - 10 * HOUR });
    const look = (id: Entry["id"], by: number, at = NOON): Write => ({
      op: "entry-touch",
      id,
      touch: { boostEnergy: { by, initial: 0.5, decayPerHour: 0.1, at }, lastAccessAt: at, addAccess: 1 },
    });
    await Promise.all([1, 2, 3].map(() => commit(ALICE, look(entry.id, 0.1))));
    const energy = async (id: Entry["id"]) => (await world.get(ALICE, id))?.energyAnchor;
    expect((await energy(entry.id))?.value).toBeCloseTo(0.8, 12);
    // Faded first, then raised; a look dated before the anchor finds it unfaded and leaves its moment.
    await commit(ALICE, look(entry.id, 0.1, NOON + 10 * HOUR), look(entry.id, 0.2, NOON));
    expect(await energy(entry.id)).toEqual({
      value: expect.closeTo(0.8 / Math.E + 0.3, 12),
      at: NOON + 10 * HOUR,
    });
    await commit(ALICE, look(bare.id, 0));
    expect(await energy(bare.id)).toEqual({ value: expect.closeTo(0.5 / Math.E, 12), at: NOON });
    await commit(ALICE, look(bare.id, 2));
    expect((await energy(bare.id))?.value).toBe(1);
    await commit(ALICE, look(bare.id, -2));
    expect((await energy(bare.id))?.value).toBe(0);
  });

  test("the newest are those that happened last, of what the scope sees, ties by id, whoever decides the filter", async () => {
    const writes: Write[] = [];
    const made: Entry[] = [];
    for (let n = 0; n < 1300; n++) {
      const scope = [ALICE, BOB, PUBLIC][n % 3] ?? ALICE;
      // Many at one moment, and not in the order of insertion.
      const happenedAt = NOON + ((n * 7) % 50);
      const fields = { content: `n${n}`, metadata: { n }, happenedAt, tier: n % 2 === 0 ? ARCHIVED : null };
      made.push(world.entryOf(scope, fields));
    }
    for (const entry of made) writes.push({ op: "entry-insert", entry, vectors: [], indexes: [] });
    for (const scope of [ALICE, BOB, PUBLIC])
      await commit(
        scope,
        ...writes.filter((write) => write.op === "entry-insert" && write.entry.scope === scope),
      );
    const expected = (keep: (entry: Entry) => boolean, limit: number) =>
      made
        .filter((entry) => entry.scope !== BOB && keep(entry))
        .sort((a, b) => b.happenedAt - a.happenedAt || (a.id < b.id ? -1 : 1))
        .slice(0, limit)
        .map(({ content }) => content);
    const newest = async (filter: Filter | undefined, limit: number) =>
      (await world.storage.newest(ALICE, { collection: "notes", filter, limit })).map(
        ({ content }) => content,
      );
    expect(await newest(undefined, 30)).toEqual(expected(() => true, 30));
    const current = where.and(where.eq("supersededBy", null), where.not(where.eq("tier", ARCHIVED)));
    expect(await newest(current, 1000)).toEqual(expected(({ tier }) => tier === null, 1000));
    const rare = where.in("metadata.n", [0, 4, 600, 1297]);
    expect(await newest(rare, 9)).toEqual(
      expected(({ metadata }) => [0, 4, 600, 1297].includes(Number(metadata.n)), 9),
    );
    expect(await newest(where.eq("kind", "nothing"), 5)).toEqual([]);
    expect(await newest(undefined, 0)).toEqual([]);
  });
}
