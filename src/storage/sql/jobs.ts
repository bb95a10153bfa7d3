/** Jobs as rows with leases. Leasing is one transaction, so two workers never get the same job. */
import type { Clock } from "../../base/clock.ts";
import { MemoryError } from "../../base/errors.ts";
import type { JobStore } from "../job.ts";
import { type CommitContext, raise, type WriteOf } from "./commit-context.ts";
import type { SqlDriver, SqlValue } from "./driver.ts";
import { visiblePair } from "./entry-reads.ts";
import { jobFromRow } from "./rows.ts";

const INSERT = `INSERT INTO jobs
  (id, kind, scope, payload, state, attempts, run_at, lease_owner, lease_until, last_error, created_at, updated_at)
  VALUES (?, ?, ?, ?, 'waiting', 0, ?, NULL, NULL, NULL, ?, ?)
  ON CONFLICT (id) DO NOTHING`;

export async function insertJobs(
  context: CommitContext,
  writes: readonly WriteOf<"job-put">[],
): Promise<void> {
  const { now, scope } = context;
  await context.sql.many(
    INSERT,
    writes.map(({ job }) => [job.id, job.kind, scope, JSON.stringify(job.payload), job.runAt, now, now]),
  );
}

/** A job that is gone, done or another scope's is refused alike: nobody learns of others' work. */
export async function settleJobs(
  { sql, scope, now }: CommitContext,
  writes: readonly WriteOf<"job-settle">[],
): Promise<void> {
  for (const { id } of writes) {
    const rows = await sql.all(
      "UPDATE jobs SET state = 'done', updated_at = ? WHERE id = ? AND scope = ? AND state = 'waiting' RETURNING id",
      [now, id, scope],
    );
    if (rows.length === 0) {
      throw new MemoryError(
        "job_not_found",
        `There is no waiting job ${id} in scope "${scope}": it was settled, is running, or never was.`,
        { details: { id } },
      );
    }
  }
}

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
      if (rows.length === 0) {
        throw new MemoryError(
          "job_not_found",
          `The job ${id} is not leased by "${owner}" any more: its lease ran out or it was settled. Valid: lease it again.`,
          { details: { id, owner } },
        );
      }
    });

  return {
    lease: (request) =>
      driver.write(async (sql) => {
        // One worker chooses at a time; in engines with many writers this lock is what keeps two from the same job.
        await raise(sql, {});
        const now = clock.now();
        const kinds = request.kinds === undefined ? "" : ` AND ${words.oneOf("kind")}`;
        const due = await sql.all(
          `SELECT id FROM jobs WHERE ((state = 'waiting' AND run_at <= ?) OR (state = 'running' AND lease_until <= ?))${kinds}
            ORDER BY run_at, id LIMIT ?`,
          [now, now, ...(request.kinds === undefined ? [] : [JSON.stringify(request.kinds)]), request.limit],
        );
        const ids = JSON.stringify(due.map((row) => row.id));
        const rows = await sql.all(
          `UPDATE jobs SET state = 'running', attempts = attempts + 1, lease_owner = ?, lease_until = ?, updated_at = ?
            WHERE ${words.oneOf("id")} RETURNING *`,
          [request.owner, now + request.leaseMs, now, ids],
        );
        return rows.map(jobFromRow).sort((a, b) => a.runAt - b.runAt || (a.id < b.id ? -1 : 1));
      }),
    complete: (id, owner) => settle(id, owner, "state = 'done'", []),
    fail: (id, owner, error, retryAt) =>
      retryAt === null
        ? settle(id, owner, "state = 'failed', last_error = ?", [error])
        : settle(id, owner, "state = 'waiting', last_error = ?, run_at = ?", [error, retryAt]),
    list: (scope, { state, kind, own = false, limit }) =>
      driver.read(async (sql) => {
        const given = Object.entries({ state, kind }).flatMap(([column, value]) =>
          value === undefined ? [] : [{ column, value }],
        );
        const conditions = given.map(({ column }) => ` AND ${column} = ?`).join("");
        const [self, other] = visiblePair(scope);
        const rows = await sql.all(
          `SELECT * FROM jobs WHERE scope IN (?, ?)${conditions} ORDER BY run_at, id LIMIT ?`,
          [self, own ? self : other, ...given.map(({ value }) => value), limit],
        );
        return rows.map(jobFromRow);
      }),
  };
}
