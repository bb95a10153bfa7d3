/** The journal: turns are appended and read, never changed; only erasing takes one out. */
import { MemoryError } from "../../base/errors.ts";
import { parseScope, type Scope } from "../../base/scope.ts";
import type { Turn } from "../../base/turn.ts";
import type { TurnQuery } from "../storage.ts";
import type { CommitContext, WriteOf } from "./commit-context.ts";
import type { Sql, SqlValue } from "./driver.ts";
import { type Reader, visiblePair } from "./entry-reads.ts";
import { turnFromRow } from "./rows.ts";

const APPEND = `INSERT INTO turns
  (seq, id, scope, session, speaker, role, text, captions, happened_at, zone, recorded_at, metadata)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Their places were reserved when the commit began. */
export async function appendTurns(
  context: CommitContext,
  writes: readonly WriteOf<"turn-append">[],
  firstPlace: number,
): Promise<number[]> {
  const places = writes.map((_, index) => firstPlace + index);
  const rows = writes.map(({ turn }, index) => {
    if (turn.scope !== context.scope) {
      throw new MemoryError(
        "scope_forbidden",
        `A turn of scope "${turn.scope}" cannot be written for scope "${context.scope}". Valid: the turn's own scope.`,
      );
    }
    return [
      places[index] ?? 0,
      turn.id,
      turn.scope,
      turn.session,
      turn.speaker,
      turn.role,
      turn.text,
      JSON.stringify(turn.captions),
      turn.happenedAt,
      turn.zone,
      turn.recordedAt,
      JSON.stringify(turn.metadata),
    ];
  });
  await context.sql.many(APPEND, rows);
  return places;
}

/** One that is not the scope's own is as good as not there. */
export async function eraseTurns(
  { sql, scope }: CommitContext,
  writes: readonly WriteOf<"turn-erase">[],
): Promise<void> {
  await sql.many(
    "DELETE FROM turns WHERE id = ? AND scope = ?",
    writes.map(({ id }) => [id, scope]),
  );
}

/** Of the scope itself, without those it also sees. */
export async function countTurns(sql: Sql, scope: Scope): Promise<number> {
  const [row] = await sql.all("SELECT count(*) AS n FROM turns WHERE scope = ?", [parseScope(scope)]);
  return Number(row?.n);
}

export async function readTurns({ sql, words }: Reader, scope: Scope, query: TurnQuery): Promise<Turn[]> {
  const params: SqlValue[] = [...visiblePair(scope), query.after ?? 0];
  let where = "scope IN (?, ?) AND seq > ?";
  if (query.session !== undefined) {
    where += " AND session = ?";
    params.push(query.session);
  }
  if (query.ids !== undefined) {
    where += ` AND ${words.oneOf("id")}`;
    params.push(JSON.stringify(query.ids));
  }
  const rows = await sql.all(`SELECT * FROM turns WHERE ${where} ORDER BY seq LIMIT ?`, [
    ...params,
    query.limit,
  ]);
  return rows.map(turnFromRow);
}
