/** Collections and their indexes as rows. */
import { MemoryError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import type { CollectionRecord, IndexRecord } from "../registry.ts";
import type { SqlDriver } from "./driver.ts";
import { text } from "./rows.ts";

export interface Registry {
  collections(): Promise<CollectionRecord[]>;
  putCollection(record: CollectionRecord): Promise<void>;
  removeCollection(name: string): Promise<void>;
  putIndex(collection: string, index: Omit<IndexRecord, "number">): Promise<IndexRecord>;
  removeIndex(collection: string, name: string): Promise<void>;
}

export function createRegistry(driver: SqlDriver): Registry {
  return {
    collections: () =>
      driver.read(async (sql) => {
        const indexes = Map.groupBy(await sql.all("SELECT * FROM indexes ORDER BY number"), (row) =>
          text(row.collection),
        );
        const rows = await sql.all("SELECT name, profile FROM collections ORDER BY name");
        return rows.map((row) => ({
          name: text(row.name),
          profile: text(row.profile),
          indexes: (indexes.get(text(row.name)) ?? []).map((index) => ({
            number: Number(index.number),
            name: text(index.name),
            kind: text(index.kind),
            options: JSON.parse(text(index.options)) as JsonObject,
          })),
        }));
      }),
    putCollection: ({ name, profile }) =>
      driver.write(async (sql) => {
        const taken = await sql.all("SELECT name FROM collections WHERE name = ?", [name]);
        if (taken.length > 0) throw nameTaken("collection", name);
        await sql.run("INSERT INTO collections (name, profile) VALUES (?, ?)", [name, profile]);
      }),
    removeCollection: (name) =>
      driver.write(async (sql) => {
        await sql.run("DELETE FROM memory_records WHERE collection = ?", [name]);
        await sql.run("DELETE FROM events WHERE collection = ?", [name]);
        await sql.run("DELETE FROM collections WHERE name = ?", [name]);
      }),
    putIndex: (collection, { name, kind, options }) =>
      driver.write(async (sql) => {
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
      }),
    removeIndex: (collection, name) =>
      driver.write((sql) =>
        sql.run("DELETE FROM indexes WHERE collection = ? AND name = ?", [collection, name]),
      ),
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
