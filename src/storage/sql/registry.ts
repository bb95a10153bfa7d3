/** Collections and their indexes as rows. Every change raises the registry's counter, so that others notice. */
import { ARCHIVED } from "../../base/entry.ts";
import { MemoryError } from "../../base/errors.ts";
import type { Fill, IndexRecord, NewIndex, Registry } from "../registry.ts";
import { raise } from "./commit-context.ts";
import type { Row, Sql, SqlDriver } from "./driver.ts";
import { object, text } from "./rows.ts";

export function createRegistry(driver: SqlDriver): Registry {
  const change = <T>(work: (sql: Sql) => Promise<T>): Promise<T> =>
    driver.write(async (sql) => {
      // The lock every commit takes first: none can be half-way between reading the registry and writing.
      await raise(sql, { registry: 1 });
      return work(sql);
    });
  return {
    collections: () =>
      driver.read(async (sql) => {
        const indexes = Map.groupBy(await sql.all("SELECT * FROM indexes ORDER BY number"), (row) =>
          text(row.collection),
        );
        const rows = await sql.all("SELECT name, profile FROM collections ORDER BY name");
        return rows.map((row) => {
          const name = text(row.name);
          return { name, profile: text(row.profile), indexes: (indexes.get(name) ?? []).map(indexFromRow) };
        });
      }),
    putCollection: (name, profile, indexes) =>
      change(async (sql) => {
        const taken = await sql.all("SELECT name FROM collections WHERE name = ?", [name]);
        if (taken.length > 0) throw nameTaken("collection", name);
        await sql.run("INSERT INTO collections (name, profile) VALUES (?, ?)", [name, profile]);
        const records: IndexRecord[] = [];
        for (const index of indexes) records.push(await insertIndex(sql, name, index));
        return { name, profile, indexes: records };
      }),
    // Entries, and what hangs on them, go with their collection by the foreign keys.
    removeCollection: (name) =>
      change(async (sql) => {
        await sql.run("DELETE FROM events WHERE collection = ?", [name]);
        await sql.run(
          "DELETE FROM jobs WHERE subject IN (SELECT id FROM memory_records WHERE collection = ?)",
          [name],
        );
        await sql.run("DELETE FROM collections WHERE name = ?", [name]);
      }),
    putIndex: (collection, index, fill) =>
      change(async (sql) => {
        const record = await insertIndex(sql, collection, index);
        if (fill !== undefined) await fillIndex(sql, collection, record.number, fill);
        return record;
      }),
    changeIndex: (collection, name, options) =>
      change(async (sql) =>
        sql.run("UPDATE indexes SET options = ? WHERE collection = ? AND name = ?", [
          JSON.stringify(options),
          collection,
          name,
        ]),
      ),
    removeIndex: (collection, name) =>
      change(async (sql) =>
        sql.run("DELETE FROM indexes WHERE collection = ? AND name = ?", [collection, name]),
      ),
  };
}

async function insertIndex(
  sql: Sql,
  collection: string,
  { name, kind, options }: NewIndex,
): Promise<IndexRecord> {
  const taken = await sql.all("SELECT name FROM indexes WHERE collection = ? AND name = ?", [
    collection,
    name,
  ]);
  if (taken.length > 0) throw nameTaken("index", name);
  const [row] = await sql.all(
    "INSERT INTO indexes (collection, name, kind, options) VALUES (?, ?, ?, ?) RETURNING number",
    [collection, name, kind, JSON.stringify(options)],
  );
  return { number: Number(row?.number), name, kind, options };
}

/** In the order of insertion: the oldest entry is the first in a queue. Positions end where those of later joins begin. */
async function fillIndex(sql: Sql, collection: string, number: number, fill: Fill): Promise<void> {
  const { space, dimension } = fill;
  const fitting = "collection = ? AND (tier IS NULL OR tier <> ?)";
  const withVector = " AND id IN (SELECT entry_id FROM vectors WHERE space = ? AND dimension = ?)";
  const where = space === undefined ? fitting : fitting + withVector;
  const params = space === undefined ? [collection, ARCHIVED] : [collection, ARCHIVED, space, dimension ?? 0];
  const [row] = await sql.all(`SELECT count(*) AS n FROM memory_records WHERE ${where}`, params);
  const { event } = await raise(sql, {});
  await sql.run(
    `INSERT INTO memberships (entry_id, index_number, position)
      SELECT id, CAST(? AS BIGINT), CAST(? AS BIGINT) + row_number() OVER (ORDER BY id) FROM memory_records WHERE ${where}`,
    [number, event - Number(row?.n), ...params],
  );
}

function indexFromRow(row: Row): IndexRecord {
  return {
    number: Number(row.number),
    name: text(row.name),
    kind: text(row.kind),
    options: object(row.options),
  };
}

function nameTaken(what: string, name: string): MemoryError {
  return new MemoryError(
    "name_taken",
    `There is a ${what} named "${name}" already. Valid: a new name, or use the one there is.`,
    {
      details: { name },
    },
  );
}
