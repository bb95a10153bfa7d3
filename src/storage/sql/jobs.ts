/** Jobs as rows with leases. Leasing is one transaction, so two workers never get the same job. */
import type { Clock } from "../../base/clock.ts";
import { MemoryError } from "../../base/errors.ts";
import type { EntryId } from "../../base/ids.ts";
import type { Scope } from "../../base/scope.ts";
import type { JobFilter, JobStore } from "../job.ts";
import { type CommitContext, raise, type WriteOf } from "./commit-context.ts";
import type { SqlDriver, SqlValue, SqlWords } from "./driver.ts";
import { visiblePair } from "./entry-reads.ts";
import { jobFromRow } from "./rows.ts";

const INSERT = `INSERT INTO jobs
  (id, kind, scope, subject, payload, state, attempts, run_at, lease_owner, lease_until, last_error, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, 'waiting', 0, ?, NULL, NULL, NULL, ?, ?)
  ON CONFLICT (id) DO NOTHING`;
/** Whoever waits keeps its moment: a job that failed is not tried sooner because there is more to do. */
const AGAIN = `UPDATE jobs SET
    again = CASE WHEN state = 'running' THEN 1 ELSE again END,
    state = CASE WHEN state IN ('done', 'failed') THEN 'waiting' ELSE state END,
    attempts = CASE WHEN state IN ('done', 'failed') THEN 0 ELSE attempts END,
    run_at = CASE WHEN state IN ('done', 'failed') THEN ? ELSE run_at END,
    updated_at = ?
  WHERE id = ? AND scope = ?`;

/** What runs once more waits as it did before this run, which was no failed try: the next failure is not put off for it. */
const COMPLETE = `state = CASE WHEN again = 1 THEN 'waiting' ELSE 'done' END,
    attempts = CASE WHEN again = 1 THEN attempts - 1 ELSE attempts END, again = 0`;

export async function insertJobs(
  context: CommitContext,
  writes: readonly WriteOf<"job-put">[],
): Promise<void> {
  const { now, scope } = context;
  await context.sql.many(
    INSERT,
    writes.map(({ job: { id, kind, subject = null, payload, runAt } }) => [
      id,
      kind,
      scope,
      subject,
      JSON.stringify(payload),
      runAt,
      now,
      now,
    ]),
  );
  const standing = writes.filter(({ job }) => job.standing === true);
  await context.sql.many(
    AGAIN,
    standing.map(({ job: { id, runAt } }) => [runAt, now, id, scope]),
  );
}

/**
 * A job that is gone, done or another scope's is refused alike: nobody learns of others' work. What was decided about an
 * entry is no job to look back at: it would only pile up.
 */
export async function settleJobs(
  { sql, scope, now }: CommitContext,
  writes: readonly WriteOf<"job-settle">[],
): Promise<void> {
  for (const { id } of writes) {
    const rows = await sql.all(
      "UPDATE jobs SET state = 'done', updated_at = ? WHERE id = ? AND scope = ? AND state = 'waiting' RETURNING subject",
      [now, id, scope],
    );
    if ((rows[0]?.subject ?? null) !== null)
      await sql.run("DELETE FROM jobs WHERE id = ? AND scope = ?", [id, scope]);
    if (rows.length === 0) {
      throw new MemoryError(
        "job_not_found",
        `There is no waiting job ${id} in scope "${scope}": it was settled, is running, or never was.`,
        { details: { id } },
      );
    }
  }
}

/** What waits about entries that are removed waits for nothing any more, whoever put it down. */
export async function dropJobsAbout({ sql, words }: CommitContext, ids: readonly EntryId[]): Promise<void> {
  await sql.run(
    `DELETE FROM jobs WHERE ${words.oneOf("subject")} AND ${words.unindexed("state")} = 'waiting'`,
    [JSON.stringify(ids)],
  );
}

/** Later than any job is put off to. */
const FAR = Number.MAX_SAFE_INTEGER;

export function createJobStore(driver: SqlDriver, clock: Clock): JobStore {
  const { words } = driver;

  /** Ends the owner's lease on a job in the given way, or says that there was none to end. */
  const settle = (
    id: string,
    owner: string,
    assignments: string,
    params: readonly SqlValue[],
  ): Promise<void> =>
    driver.write(async (sql) => {
      const rows = await sql.all(
        `UPDATE jobs SET ${assignments}, lease_owner = NULL, lease_until = NULL, updated_at = ?
          WHERE id = ? AND state = 'running' AND lease_owner = ? RETURNING id`,
        [...params, clock.now(), id, owner],
      );
      if (rows.length === 0) throw leaseLost(id, owner);
    });

  return {
    lease: (request) =>
      driver.write(async (sql) => {
        // One worker chooses at a time; in engines with many writers this lock is what keeps two from the same job.
        await raise(sql, {});
        const now = clock.now();
        const { kinds, ids: wanted } = request;
        const narrow: [string, string][] = [
          ...(kinds === undefined ? [] : [[words.oneOf("kind"), JSON.stringify(kinds)] as [string, string]]),
          ...(wanted === undefined ? [] : [[words.oneOf("id"), JSON.stringify(wanted)] as [string, string]]),
        ];
        const due = await sql.all(
          `SELECT id FROM jobs WHERE ((state = 'waiting' AND run_at <= ?) OR (state = 'running' AND lease_until <= ?))${narrow
            .map(([condition]) => ` AND ${condition}`)
            .join("")}
            ORDER BY run_at, id LIMIT ?`,
          [wanted === undefined ? now : FAR, now, ...narrow.map(([, value]) => value), request.limit],
        );
        const ids = JSON.stringify(due.map((row) => row.id));
        const rows = await sql.all(
          `UPDATE jobs SET state = 'running', attempts = attempts + 1, lease_owner = ?, lease_until = ?, updated_at = ?
            WHERE ${words.oneOf("id")} RETURNING *`,
          [request.owner, now + request.leaseMs, now, ids],
        );
        return rows.map(jobFromRow).sort((a, b) => a.runAt - b.runAt || (a.id < b.id ? -1 : 1));
      }),
    renew: (id, owner, leaseMs) =>
      driver.write(async (sql) => {
        const now = clock.now();
        const rows = await sql.all(
          `UPDATE jobs SET lease_until = ?, updated_at = ?
            WHERE id = ? AND state = 'running' AND lease_owner = ? RETURNING id`,
          [now + leaseMs, now, id, owner],
        );
        if (rows.length === 0) throw leaseLost(id, owner);
      }),
    complete: (id, owner) => settle(id, owner, COMPLETE, []),
    fail: (id, owner, error, retryAt) =>
      retryAt === null
        ? settle(id, owner, "state = 'failed', last_error = ?", [error])
        : settle(id, owner, "state = 'waiting', last_error = ?, run_at = ?", [error, retryAt]),
    list: (scope, { limit, ...filter }) =>
      driver.read(async (sql) => {
        const where = whereJobs(words, scope, filter);
        const rows = await sql.all(
          `SELECT * FROM jobs ${where.text} ORDER BY run_at, id${limit === undefined ? "" : " LIMIT ?"}`,
          [...where.params, ...(limit === undefined ? [] : [limit])],
        );
        return rows.map(jobFromRow);
      }),
    count: (scope, filter) =>
      driver.read(async (sql) => {
        const where = whereJobs(words, scope, filter);
        const [row] = await sql.all(`SELECT count(*) AS n FROM jobs ${where.text}`, where.params);
        return Number(row?.n);
      }),
  };
}

function leaseLost(id: string, owner: string): MemoryError {
  return new MemoryError(
    "job_not_found",
    `The job ${id} is not leased by "${owner}" any more: its lease ran out or it was settled. Valid: lease it again.`,
    { details: { id, owner } },
  );
}

function whereJobs(
  words: SqlWords,
  scope: Scope,
  { state, kind, own = false, subjects }: JobFilter,
): { readonly text: string; readonly params: readonly SqlValue[] } {
  const [self, other] = visiblePair(scope);
  // Those about few entries are few: then no other index is the narrow one.
  const column = (name: string): string => (subjects === undefined ? name : words.unindexed(name));
  const conditions: [string, ...SqlValue[]][] = [
    // "One of one" would not be walked in the order of an index.
    own ? [`${column("scope")} = ?`, self] : [`${column("scope")} IN (?, ?)`, self, other],
  ];
  if (kind !== undefined) conditions.push([`${column("kind")} = ?`, kind]);
  if (state !== undefined) conditions.push([`${column("state")} = ?`, state]);
  if (subjects !== undefined) conditions.push([words.oneOf("subject"), JSON.stringify(subjects)]);
  return {
    text: `WHERE ${conditions.map(([text]) => text).join(" AND ")}`,
    params: conditions.flatMap(([, ...params]) => params),
  };
}
