/** The storage contract over any SQL driver: binds the pieces of this folder, holds no logic of its own. */
import { type Clock, systemClock } from "../../base/clock.ts";
import { createIds } from "../../base/ids.ts";
import { parseScope } from "../../base/scope.ts";
import { checkText } from "../../base/text-input.ts";
import { silent, type Trace } from "../../base/trace.ts";
import { guardTrace } from "../guard-trace.ts";
import type { SnapshotStore } from "../snapshot-store.ts";
import type { Storage, StorageStats } from "../storage.ts";
import { commit } from "./commit.ts";
import type { SqlDriver } from "./driver.ts";
import {
  countReachingEdges,
  findIds,
  newestEntries,
  readEdges,
  readEntries,
  readMemberships,
  readOwnEdges,
  readTaken,
  readVectors,
  readVitals,
  scanEntries,
  visiblePair,
} from "./entry-reads.ts";
import { createFeed } from "./feed.ts";
import { createJobStore } from "./jobs.ts";
import { countTurns, readTurns } from "./journal.ts";
import { createRegistry } from "./registry.ts";
import { eventFromRow } from "./rows.ts";
import { migrate } from "./schema.ts";
import { readStates } from "./states.ts";
import { sweepTags } from "./tags.ts";

export interface SqlStorageOptions {
  readonly clock?: Clock | undefined;
  readonly trace?: Trace | undefined;
  readonly snapshots?: SnapshotStore | undefined;
}

export async function openSqlStorage(driver: SqlDriver, options: SqlStorageOptions = {}): Promise<Storage> {
  const clock = options.clock ?? systemClock;
  const trace = guardTrace(options.trace ?? silent);
  const { words } = driver;
  const id = await migrate(driver, createIds(clock).plain);
  return {
    id,
    durable: driver.durable,
    async commit(scope, writes, cause, options = {}) {
      const start = performance.now();
      const done = await commit(driver, clock, {
        scope: parseScope(scope),
        writes,
        cause: { actor: checkText(cause.actor, "actor"), cause: checkText(cause.cause, "cause") },
        registry: options.registry,
        collection: options.collection,
        lastTurn: options.lastTurn,
      });
      trace({ type: "storage-commit", writes: writes.length, seq: done.seq, ms: performance.now() - start });
      return done;
    },
    turns: (scope, query) => driver.read((sql) => readTurns({ sql, words }, scope, query)),
    countTurns: (scope) => driver.read((sql) => countTurns(sql, scope)),
    entries: (scope, collection, ids) =>
      driver.read(async (sql) => {
        const found = await readEntries({ sql, words }, scope, ids);
        return ids.map((id) => {
          const entry = found.get(id);
          return entry?.collection === collection ? entry : undefined;
        });
      }),
    scan: (scope, query) => driver.read((sql) => scanEntries({ sql, words }, scope, query)),
    states: (scope, query) => driver.read((sql) => readStates({ sql, words }, scope, query)),
    newest: (scope, query) => driver.read((sql) => newestEntries({ sql, words }, scope, query)),
    vitals: (scope, query) => driver.read((sql) => readVitals({ sql, words }, scope, query)),
    find: (scope, collection, filter, own) =>
      driver.read((sql) => findIds({ sql, words }, scope, { collection, filter, own })),
    vectors: (scope, space, ids) => driver.read((sql) => readVectors({ sql, words }, space, ids, scope)),
    edges: (scope, collection, ids) =>
      driver.read((sql) => readEdges({ sql, words }, scope, collection, ids)),
    ownEdges: (scope, collection, keys) =>
      driver.read((sql) => readOwnEdges({ sql, words }, scope, collection, keys)),
    countReaching: (scope, collection, ids, type) =>
      driver.read((sql) => countReachingEdges({ sql, words }, scope, collection, ids, type)),
    memberships: (scope, ids) =>
      driver.read(async (sql) => {
        const visible = await readEntries({ sql, words }, scope, ids);
        const found = await readMemberships({ sql, words }, ids);
        return ids.map((id) => (visible.has(id) ? (found.get(id) ?? []) : []));
      }),
    events: (scope, { subject, operation, after = 0, limit }) =>
      driver.read(async (sql) => {
        const ofSubject = subject === undefined ? "" : " AND subject = ?";
        const ofKind = operation === undefined ? "" : " AND operation = ?";
        const wanted = [subject, operation].filter((value) => value !== undefined);
        const rows = await sql.all(
          `SELECT * FROM events WHERE seq > ? AND scope IN (?, ?)${ofSubject}${ofKind} ORDER BY seq LIMIT ?`,
          [after, ...visiblePair(scope), ...wanted, limit],
        );
        return rows.map(eventFromRow);
      }),
    cursor: (name) =>
      driver.read(async (sql) =>
        Number((await sql.all("SELECT seq FROM cursors WHERE name = ?", [name]))[0]?.seq ?? 0),
      ),
    taken: (ids) => driver.read((sql) => readTaken({ sql, words }, ids)),
    jobs: createJobStore(driver, clock),
    feed: createFeed(driver),
    ...(options.snapshots === undefined ? {} : { snapshots: options.snapshots }),
    ...createRegistry(driver),
    sweepTags: () => driver.write(sweepTags),
    stats: () => readStats(driver),
    scrub: () => driver.scrub(),
    close: () => driver.close(),
  };
}

async function readStats(driver: SqlDriver): Promise<StorageStats> {
  const tables = {
    turns: "turns",
    entries: "memory_records",
    vectors: "vectors",
    edges: "edges",
    events: "events",
    jobs: "jobs",
  };
  const counts = await driver.read(async (sql) => {
    const found: Record<string, number> = {};
    for (const [name, table] of Object.entries(tables)) {
      found[name] = Number((await sql.all(`SELECT count(*) AS n FROM ${table}`))[0]?.n);
    }
    return found;
  });
  const { turns = 0, entries = 0, vectors = 0, edges = 0, events = 0, jobs = 0 } = counts;
  return { turns, entries, vectors, edges, events, jobs, bytes: await driver.bytes() };
}
