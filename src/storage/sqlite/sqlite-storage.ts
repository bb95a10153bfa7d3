/** The default storage: one file, Node's own SQLite, nothing to install. */
import type { Clock } from "../../base/clock.ts";
import type { Trace } from "../../base/trace.ts";
import { openSqlStorage } from "../sql/sql-storage.ts";
import type { Storage } from "../storage.ts";
import { createSnapshotFiles } from "./snapshot-files.ts";
import { openSqliteDriver } from "./sqlite-driver.ts";

export interface SqliteOptions {
  readonly clock?: Clock | undefined;
  readonly trace?: Trace | undefined;
  /** How long a write waits for another process, in milliseconds. @default 10000 */
  readonly busyTimeoutMs?: number | undefined;
}

export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<Storage> {
  const driver = openSqliteDriver(path, { busyTimeoutMs: options.busyTimeoutMs ?? 10_000 });
  try {
    const snapshots = path === ":memory:" ? undefined : createSnapshotFiles(`${path}-indexes`);
    return await openSqlStorage(driver, { ...options, snapshots });
  } catch (error) {
    await driver.close();
    throw error;
  }
}
