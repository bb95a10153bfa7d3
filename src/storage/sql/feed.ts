/** The feed of the indexes, in SQL: members in pages, changes since an event, vectors by id. */
import type { EntryId } from "../../base/ids.ts";
import type { Scope } from "../../base/scope.ts";
import type { Feed, FeedItem, FeedNeeds } from "../feed.ts";
import type { Row, SqlDriver } from "./driver.ts";
import { type Reader, readEdgesOfAnyone, readEntriesOfAnyone, readVectors } from "./entry-reads.ts";
import { changedFromRow, text } from "./rows.ts";

const MEMBERS = `SELECT m.entry_id, m.position, r.memory_scope FROM memberships m
  JOIN memory_records r ON r.id = m.entry_id WHERE m.index_number = ?`;

export function createFeed(driver: SqlDriver): Feed {
  const { words } = driver;
  return {
    head: () =>
      driver.read(async (sql) =>
        Number((await sql.all("SELECT value FROM counters WHERE name = 'event'"))[0]?.value),
      ),
    momentOf: (seq) =>
      driver.read(async (sql) => {
        const [row] = await sql.all("SELECT at FROM events WHERE seq = ?", [seq]);
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
          id: text(row.subject) as EntryId,
          changed: changedFromRow(row),
        }));
      }),
    members: (index, needs, after, limit) =>
      driver.read(async (sql) => {
        const rows = await sql.all(`${MEMBERS} AND m.entry_id > ? ORDER BY m.entry_id LIMIT ?`, [
          index,
          after ?? "",
          limit,
        ]);
        return fill({ sql, words }, needs, rows);
      }),
    membersAmong: (index, needs, ids) =>
      driver.read(async (sql) => {
        const rows = await sql.all(`${MEMBERS} AND ${words.oneOf("m.entry_id")} ORDER BY m.entry_id`, [
          index,
          JSON.stringify(ids),
        ]);
        return fill({ sql, words }, needs, rows);
      }),
    vectors: (space, ids) => driver.read((sql) => readVectors({ sql, words }, space, ids)),
  };
}

async function fill(reader: Reader, needs: FeedNeeds, rows: readonly Row[]): Promise<FeedItem[]> {
  const ids = rows.map((row) => text(row.entry_id) as EntryId);
  const entries = needs.entry ? await readEntriesOfAnyone(reader, ids) : undefined;
  const vectors = needs.space === undefined ? undefined : await readVectors(reader, needs.space, ids);
  const edges = needs.edges ? await readEdgesOfAnyone(reader, ids) : [];
  const leaving = Map.groupBy(edges, (edge) => edge.from);
  return rows.map((row, index) => {
    const id = ids[index] as EntryId;
    return {
      id,
      scope: text(row.memory_scope) as Scope,
      position: Number(row.position),
      entry: entries?.get(id),
      vector: vectors?.[index],
      edges: needs.edges ? (leaving.get(id) ?? []) : undefined,
    };
  });
}
