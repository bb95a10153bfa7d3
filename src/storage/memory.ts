/** A memory that ends with the process: for tests and throw-away use. The same engine and the same SQL, without a file. */
import { openSqlStorage, type SqlStorageOptions } from "./sql/sql-storage.ts";
import { openSqliteDriver } from "./sqlite/sqlite-driver.ts";
import type { Storage } from "./storage.ts";

export function openInMemory(options: Omit<SqlStorageOptions, "snapshots"> = {}): Promise<Storage> {
  return openSqlStorage(openSqliteDriver(":memory:", { busyTimeoutMs: 0 }), options);
}
