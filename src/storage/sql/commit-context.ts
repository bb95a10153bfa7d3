/** What every kind of write shares inside one commit: the transaction, the caller, the clock, and the events so far. */
import { MemoryError } from "../../base/errors.ts";
import type { EntryId } from "../../base/ids.ts";
import type { JsonObject } from "../../base/json.ts";
import { canSee, PUBLIC, type Scope } from "../../base/scope.ts";
import type { Operation } from "../event.ts";
import type { Cause, Write } from "../storage.ts";
import type { Row, Sql, SqlValue, SqlWords } from "./driver.ts";

export interface CommitContext {
  readonly sql: Sql;
  readonly words: SqlWords;
  readonly scope: Scope;
  /** If set, entries of other collections are as good as not there. */
  readonly collection: string | undefined;
  readonly now: number;
  /** Notes a change and returns its place in the log. */
  log(change: LoggedChange): number;
}

export interface LoggedChange {
  readonly operation: Operation;
  readonly collection: string;
  readonly scope: Scope;
  readonly subject: EntryId;
  readonly changed: readonly string[];
  readonly before?: JsonObject | undefined;
  readonly after?: JsonObject | undefined;
  /** The event that this one takes back. */
  readonly undoes?: number | undefined;
  /** Without actor and cause: a private caller's look at a public entry is nobody's business. */
  readonly anonymous?: boolean;
}

const NOBODY: Cause = { actor: "", cause: "" };

export type WriteOf<Op extends Write["op"]> = Extract<Write, { readonly op: Op }>;

/** Collects events with places counted up from `firstSeq`; `rows` is what the commit writes at its end. */
export function createEventLog(
  firstSeq: number,
  at: number,
  cause: Cause,
): {
  log(change: LoggedChange): number;
  rows: SqlValue[][];
} {
  let seq = firstSeq;
  const rows: SqlValue[][] = [];
  return {
    rows,
    log(change) {
      const { operation, collection, scope, subject, changed, before, after, undoes, anonymous } = change;
      const { actor, cause: reason } = anonymous === true ? NOBODY : cause;
      rows.push([
        seq,
        at,
        actor,
        reason,
        operation,
        collection,
        scope,
        subject,
        changed.join(","),
        before === undefined ? null : JSON.stringify(before),
        after === undefined ? null : JSON.stringify(after),
        firstSeq,
        undoes ?? null,
      ]);
      return seq++;
    },
  };
}

/** An entry a caller may look at but not change, or not even look at: two different answers. */
export function refuseForeign(scope: Scope, owner: Scope | undefined, id: EntryId): void {
  if (owner === scope) return;
  if (owner === undefined || !canSee(scope, owner)) throw notFound(scope, id);
  throw new MemoryError(
    "scope_forbidden",
    `The entry ${id} belongs to scope "${owner}" and cannot be changed from scope "${scope}". Valid: the same call for scope "${owner}".`,
    { details: { id, owner } },
  );
}

/** The same answer whether it does not exist or must not be known to exist. */
export function notFound(scope: Scope, id: EntryId): MemoryError {
  const where = scope === PUBLIC ? `scope "${PUBLIC}"` : `scope "${scope}" or "${PUBLIC}"`;
  return new MemoryError("entry_not_found", `There is no entry ${id} in ${where}.`, { details: { id } });
}

export interface Counters {
  readonly event: number;
  readonly turn: number;
  readonly registry: number;
}

/**
 * Adds to the counters and returns what they are then, in one statement. Even adding nothing takes their lock, which is
 * what makes committers queue.
 */
export async function raise(sql: Sql, by: Partial<Counters>): Promise<Counters> {
  const rows = await sql.all(
    `UPDATE counters SET value = value + CASE name WHEN 'event' THEN CAST(? AS BIGINT) WHEN 'turn' THEN CAST(? AS BIGINT)
      WHEN 'registry' THEN CAST(? AS BIGINT) ELSE 0 END RETURNING name, value`,
    [by.event ?? 0, by.turn ?? 0, by.registry ?? 0],
  );
  return countersFromRows(rows);
}

export function countersFromRows(rows: readonly Row[]): Counters {
  const found = { event: 0, turn: 0, registry: 0 };
  for (const { name, value } of rows) {
    if (name === "event" || name === "turn" || name === "registry") found[name] = Number(value);
  }
  return found;
}

/** The last of several rows with the same key: what writing them one after another would leave. */
export function lastPerKey<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}
