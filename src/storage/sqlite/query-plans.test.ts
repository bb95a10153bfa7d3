/** What is asked for one scope is read through an index of that scope alone, in order: never the whole table, no sorting. */
import { expect, test } from "vitest";
import { manualClock } from "../../base/clock.ts";
import { makeEntry } from "../../base/entry.ts";
import { where } from "../../base/filter.ts";
import { createIds } from "../../base/ids.ts";
import { parseScope } from "../../base/scope.ts";
import type { Sql, SqlDriver } from "../sql/driver.ts";
import { openSqlStorage } from "../sql/sql-storage.ts";
import { openSqliteDriver } from "./sqlite-driver.ts";

const ALICE = parseScope("alice");

const collection = "notes";

/** Writes down, for every reading statement, how SQLite goes about it. */
function explaining(driver: SqlDriver, plans: string[]): SqlDriver {
  const explained = (sql: Sql): Sql => ({
    ...sql,
    all: async (text, params) => {
      const steps = await sql.all(`EXPLAIN QUERY PLAN ${text}`, params);
      plans.push(steps.map(({ detail }) => String(detail)).join("; "));
      return sql.all(text, params);
    },
  });
  return { ...driver, read: (work) => driver.read((sql) => work(explained(sql))) };
}

test("reads of one scope walk an index of that scope", async () => {
  const plans: string[] = [];
  const storage = await openSqlStorage(explaining(openSqliteDriver(":memory:", { busyTimeoutMs: 0 }), plans));
  const id = createIds(manualClock(0)).entry();
  const current = where.and(where.eq("supersededBy", null), where.not(where.eq("tier", "archived")));
  const planOf = async (read: () => Promise<unknown>): Promise<string> => {
    plans.length = 0;
    await read();
    return plans.join("\n");
  };
  const work = { state: "waiting", kind: "work:notes", own: true } as const;
  const byOwner =
    /USING (COVERING )?INDEX memory_records_by_owner \(collection=\? AND memory_scope=\? AND id>\?\)/;
  const byTime = /USING INDEX memory_records_by_time \(collection=\? AND memory_scope=\?\)/;
  const byJobOwner = /USING (COVERING )?INDEX jobs_by_owner \(scope=\? AND kind=\? AND state=\?\)/;
  for (const [read, index] of [
    [() => storage.vitals(ALICE, { collection, limit: 9 }), byOwner],
    [() => storage.scan(ALICE, { collection, filter: current, limit: 9 }), byOwner],
    [() => storage.find(ALICE, collection, current), byOwner],
    [() => storage.find(ALICE, collection, where.eq("metadata.user", "mia")), byOwner],
    [() => storage.newest(ALICE, { collection, filter: current, limit: 9 }), byTime],
    [() => storage.jobs.list(ALICE, { ...work, limit: 9 }), byJobOwner],
    [() => storage.jobs.count(ALICE, work), byJobOwner],
  ] as const) {
    const plan = await planOf(read);
    expect(plan).toMatch(index);
    expect(plan).not.toMatch(/SCAN (memory_records|jobs)|TEMP B-TREE/);
  }
  const among = where.and(current, where.in("id", [id]));
  for (const read of [
    () => storage.scan(ALICE, { collection, filter: among, limit: 9 }),
    () => storage.find(ALICE, collection, among),
  ])
    expect(await planOf(read)).toMatch(/ AND id=\?\)|\(id=\?\)/);
  expect(await planOf(() => storage.jobs.list(ALICE, { ...work, subjects: [id] }))).toMatch(
    /jobs_by_subject/,
  );
  await storage.close();
});

test("of a filter on metadata only the rows that match are read", async () => {
  const driver = openSqliteDriver(":memory:", { busyTimeoutMs: 0 });
  let read = 0;
  const counting = (sql: Sql): Sql => ({
    ...sql,
    all: async (text, params) => {
      const rows = await sql.all(text, params);
      read += text.includes("FROM memory_records") ? rows.length : 0;
      return rows;
    },
  });
  const storage = await openSqlStorage({
    ...driver,
    read: (work) => driver.read((sql) => work(counting(sql))),
  });
  await storage.putCollection(collection, "hybrid", []);
  const ids = createIds(manualClock(0));
  const entries = Array.from({ length: 200 }, (_, n) =>
    makeEntry(
      { content: "x", metadata: { own: { 用户: `u${n}`, n } } },
      { id: ids.entry(), collection, scope: ALICE, now: 0, contentHash: "h" },
    ),
  );
  await storage.commit(
    ALICE,
    entries.map((entry) => ({ op: "entry-insert", entry, vectors: [], indexes: [] })),
    { actor: "test", cause: "test" },
  );
  for (const [filter, rows] of [
    [where.eq("metadata.own.用户", "u7"), 1],
    [where.in("metadata.own.n", [7, 8, "9"]), 2],
    [where.and(where.eq("metadata.own.n", 7), where.contains("content", "x")), 1],
    [where.or(where.eq("metadata.own.n", 7), where.eq("metadata.own.用户", "u8")), 2],
  ] as const) {
    read = 0;
    expect(await storage.scan(ALICE, { collection, filter, limit: 200 })).toHaveLength(rows);
    expect(read).toBe(rows);
  }
  await storage.close();
});
