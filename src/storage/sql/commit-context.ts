/** What every kind of write shares inside one commit: the transaction, the caller, the clock, and the events so far. */
import { MemoryError } from "../../base/errors.ts";
import type { EntryId } from "../../base/ids.ts";
import type { JsonObject } from "../../base/json.ts";
import { canSee, PUBLIC, type Scope } from "../../base/scope.ts";
import type { Operation } from "../event.ts";
import type { Cause, Write } from "../storage.ts";
import type { Sql, SqlValue, SqlWords } from "./driver.ts";

export interface CommitContext {
  readonly sql: Sql;
  readonly words: SqlWords;
  readonly scope: Scope;
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
  readonly before?: JsonObject;
  readonly after?: JsonObject;
}

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
      const { operation, collection, scope, subject, changed, before, after } = change;
      rows.push([
        seq,
        at,
        cause.actor,
        cause.cause,
        operation,
        collection,
        scope,
        subject,
        changed.join(","),
        before === undefined ? null : JSON.stringify(before),
        after === undefined ? null : JSON.stringify(after),
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

/** Adds to a counter and returns its new value; even adding nothing takes its lock. */
export async function raise(sql: Sql, name: string, by: number): Promise<number> {
  const [row] = await sql.all("UPDATE counters SET value = value + ? WHERE name = ? RETURNING value", [
    by,
    name,
  ]);
  return Number(row?.value);
}

export async function readCounter(sql: Sql, name: string): Promise<number> {
  const [row] = await sql.all("SELECT value FROM counters WHERE name = ?", [name]);
  return Number(row?.value);
}
