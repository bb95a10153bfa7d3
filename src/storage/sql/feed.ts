/** The feed of the indexes, in SQL: members in pages, changes since an event, vectors by id. */
import type { Feed, FeedItem, FeedNeeds } from "../feed.ts";
import { countersFromRows } from "./commit-context.ts";
import type { Row, SqlDriver, SqlValue } from "./driver.ts";
import { type Reader, readLeavingEdges, readTags, readVectors } from "./entry-reads.ts";
import { changedFromRow, ENTRY_COLUMNS, entryFromRow, idOf, scopeOf, vectorFromBytes } from "./rows.ts";

/**
 * Walks the collection in order of id, reading with each member just what is wanted of it. Memberships are kept by entry,
 * which every insert needs, not by index. Whose vector was erased is no member of an index of vectors until it has one again.
 */
function membersQuery({ fields, space }: FeedNeeds): string {
  const columns = fields.length > 0 ? ENTRY_COLUMNS : ["id", "memory_scope"];
  const vector =
    space === undefined ? ["", ""] : [", v.data", "JOIN vectors v ON v.entry_id = r.id AND v.space = ?"];
  return `SELECT ${columns.map((column) => `r.${column}`).join(", ")}, m.position${vector[0]} FROM memory_records r
    JOIN memberships m ON m.entry_id = r.id AND m.index_number = ? ${vector[1]} WHERE r.collection = ?`;
}

export function createFeed(driver: SqlDriver): Feed {
  const { words } = driver;
  const members = (
    collection: string,
    index: number,
    needs: FeedNeeds,
    rest: string,
    params: readonly SqlValue[],
  ): Promise<FeedItem[]> =>
    driver.read(async (sql) => {
      const vector = needs.space === undefined ? [] : [needs.space];
      const rows = await sql.all(`${membersQuery(needs)} ${rest}`, [index, ...vector, collection, ...params]);
      return itemsFromRows({ sql, words }, needs, rows);
    });
  return {
    head: () =>
      driver.read(async (sql) => {
        const { event, registry } = countersFromRows(await sql.all("SELECT name, value FROM counters"));
        return { seq: event, registry };
      }),
    momentOf: (seq) =>
      driver.read(async (sql) => {
        const [row] = await sql.all("SELECT at FROM events WHERE seq <= ? ORDER BY seq DESC LIMIT 1", [seq]);
        return row === undefined ? undefined : Number(row.at);
      }),
    changes: (collection, after, limit) =>
      driver.read(async (sql) => {
        const rows = await sql.all(
          "SELECT seq, subject, changed FROM events WHERE seq > ? AND collection = ? ORDER BY seq LIMIT ?",
          [after, collection, limit],
        );
        return rows.map((row) => ({
          seq: Number(row.seq),
          id: idOf(row.subject),
          changed: changedFromRow(row),
        }));
      }),
    members: (collection, index, needs, after, limit) =>
      members(collection, index, needs, "AND r.id > ? ORDER BY r.id LIMIT ?", [after ?? "", limit]),
    membersAmong: (collection, index, needs, ids) =>
      members(collection, index, needs, `AND ${words.oneOf("r.id")} ORDER BY r.id`, [JSON.stringify(ids)]),
    vectors: (space, ids) => driver.read((sql) => readVectors({ sql, words }, space, ids)),
  };
}

async function itemsFromRows(reader: Reader, needs: FeedNeeds, rows: readonly Row[]): Promise<FeedItem[]> {
  const tags = needs.fields.includes("tags") ? await readTags(reader, rows) : undefined;
  const edges = needs.edges
    ? Map.groupBy(
        await readLeavingEdges(
          reader,
          rows.map((row) => idOf(row.id)),
        ),
        (edge) => edge.from,
      )
    : undefined;
  return rows.map((row) => {
    const id = idOf(row.id);
    return {
      id,
      scope: scopeOf(row.memory_scope),
      position: Number(row.position),
      entry: needs.fields.length > 0 ? entryFromRow(row, tags?.get(id) ?? []) : undefined,
      vector: needs.space === undefined ? undefined : vectorFromBytes(row.data),
      edges: edges === undefined ? undefined : (edges.get(id) ?? []),
    };
  });
}
