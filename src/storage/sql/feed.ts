/** The feed of the indexes, in SQL: members in pages, changes since an event, vectors by id. */
import type { Feed, FeedItem, FeedNeeds } from "../feed.ts";
import { countersFromRows } from "./commit-context.ts";
import type { Row, SqlDriver } from "./driver.ts";
import { type Reader, readEntriesOfAnyone, readLeavingEdges, readVectors } from "./entry-reads.ts";
import { changedFromRow, idOf, scopeOf } from "./rows.ts";

/** Walks the collection in order of id: memberships are kept by entry, which every insert needs, not by index. */
const MEMBERS = `SELECT m.entry_id, m.position, r.memory_scope FROM memory_records r
  JOIN memberships m ON m.entry_id = r.id AND m.index_number = ? WHERE r.collection = ?`;

export function createFeed(driver: SqlDriver): Feed {
  const { words } = driver;
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
      driver.read(async (sql) => {
        const rows = await sql.all(`${MEMBERS} AND r.id > ? ORDER BY r.id LIMIT ?`, [
          index,
          collection,
          after ?? "",
          limit,
        ]);
        return fill({ sql, words }, needs, rows);
      }),
    membersAmong: (collection, index, needs, ids) =>
      driver.read(async (sql) => {
        const params = [index, collection, JSON.stringify(ids)];
        const rows = await sql.all(`${MEMBERS} AND ${words.oneOf("r.id")} ORDER BY r.id`, params);
        return fill({ sql, words }, needs, rows);
      }),
    vectors: (space, ids) => driver.read((sql) => readVectors({ sql, words }, space, ids)),
  };
}

async function fill(reader: Reader, needs: FeedNeeds, rows: readonly Row[]): Promise<FeedItem[]> {
  const ids = rows.map((row) => idOf(row.entry_id));
  const tags = needs.fields.includes("tags");
  const entries = needs.fields.length > 0 ? await readEntriesOfAnyone(reader, ids, { tags }) : undefined;
  const vectors = needs.space === undefined ? undefined : await readVectors(reader, needs.space, ids);
  const edges = needs.edges ? await readLeavingEdges(reader, ids) : [];
  const leaving = Map.groupBy(edges, (edge) => edge.from);
  return rows.map((row, place) => {
    const id = idOf(row.entry_id);
    return {
      id,
      scope: scopeOf(row.memory_scope),
      position: Number(row.position),
      entry: entries?.get(id),
      vector: vectors?.[place],
      edges: needs.edges ? (leaving.get(id) ?? []) : undefined,
    };
  });
}
