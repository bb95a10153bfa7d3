/** The default storage: one file, Node's own SQLite, nothing to install. */
import type { Clock } from "../../base/clock.ts";
import { MemoryError } from "../../base/errors.ts";
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
  /** false: a commit survives a kill but perhaps not a power cut, and does not wait for the disk. @default true */
  readonly powerSafe?: boolean | undefined;
}

export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<Storage> {
  checkPath(path);
  const driver = openSqliteDriver(path, {
    busyTimeoutMs: options.busyTimeoutMs ?? 10_000,
    powerSafe: options.powerSafe ?? true,
  });
  try {
    return await openSqlStorage(driver, { ...options, snapshots: createSnapshotFiles(`${path}-indexes`) });
  } catch (error) {
    await driver.close();
    throw error;
  }
}

/** SQLite takes both for a database that ends with the process, which nobody who names a file can want. */
function checkPath(path: string): void {
  if (typeof path === "string" && path.trim() !== "" && path !== ":memory:") return;
  throw new MemoryError(
    "option_invalid",
    `A memory needs the path of a file, not ${JSON.stringify(path)}. Valid: a path such as "memory.db"; openInMemory() for one that ends with the process.`,
  );
}
