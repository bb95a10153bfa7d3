/** The storage contract on PostgreSQL. */

import { openSqlStorage, type SqlStorageOptions } from "../sql/sql-storage.ts";
import type { Storage } from "../storage.ts";
import { createPostgresDriver, type PostgresClient } from "./postgres-driver.ts";

export interface PostgresOptions extends SqlStorageOptions {
  /** Whether the server keeps what it acknowledges. @default true */
  readonly durable?: boolean | undefined;
}

export function openPostgres(client: PostgresClient, options: PostgresOptions = {}): Promise<Storage> {
  return openSqlStorage(createPostgresDriver(client, { durable: options.durable ?? true }), options);
}
