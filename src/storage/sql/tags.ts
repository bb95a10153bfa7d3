/** SimpleMemory's tag tables (S3-10, S3-11): names once in `memory_tags`, bindings in `memory_tag_rel`. */
import type { Entry } from "../../base/entry.ts";
import { raise } from "./commit-context.ts";
import type { Sql, SqlWords } from "./driver.ts";
import { text } from "./rows.ts";

/** Upserts each tag name and binds it, once per entry (S3-14). */
export async function bindTags(
  { sql, words }: { readonly sql: Sql; readonly words: SqlWords },
  entries: readonly Entry[],
): Promise<void> {
  const names = [...new Set(entries.flatMap((entry) => entry.tags))];
  if (names.length === 0) return;
  await sql.many(
    "INSERT INTO memory_tags (name) VALUES (?) ON CONFLICT (name) DO NOTHING",
    names.map((name) => [name]),
  );
  const rows = await sql.all(`SELECT id, name FROM memory_tags WHERE ${words.oneOf("name")}`, [
    JSON.stringify(names),
  ]);
  const numbers = new Map(rows.map((row) => [text(row.name), Number(row.id)]));
  await sql.many(
    "INSERT INTO memory_tag_rel (memory_id, tag_id) VALUES (?, ?) ON CONFLICT (memory_id, tag_id) DO NOTHING",
    entries.flatMap((entry) => entry.tags.map((tag) => [entry.id, numbers.get(tag) ?? 0])),
  );
}

/** Orphans stay until this sweep (S3-16, S3-17). */
export async function sweepTags(sql: Sql): Promise<number> {
  // The lock of every commit: none may be about to bind a tag that is an orphan now.
  await raise(sql, {});
  const orphans = await sql.all(
    "SELECT id FROM memory_tags WHERE id NOT IN (SELECT tag_id FROM memory_tag_rel)",
  );
  await sql.many(
    "DELETE FROM memory_tags WHERE id = ?",
    orphans.map((row) => [Number(row.id)]),
  );
  return orphans.length;
}
