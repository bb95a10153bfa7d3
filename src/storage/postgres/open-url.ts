/**
 * Where is the server? A memory on a PostgreSQL server, reached by an address or by single settings, through the package
 * `pg`, which is loaded only here. One connection; one that was lost is made anew before the next transaction, never
 * inside one, so that nothing is written outside of the transaction it belongs to.
 */
import type { Client, ClientConfig } from "pg";
import { z } from "zod";
import { MemoryError } from "../../base/errors.ts";
import { parseInput } from "../../base/parse-input.ts";
import type { SqlStorageOptions } from "../sql/sql-storage.ts";
import type { Storage } from "../storage.ts";
import type { PostgresClient } from "./postgres-driver.ts";
import { openPostgres } from "./postgres-storage.ts";

export interface PostgresSettings {
  readonly host: string;
  /** @default 5432 */
  readonly port?: number | undefined;
  readonly database: string;
  readonly user: string;
  readonly password?: string | undefined;
}

/** As "postgres://user:password@host:5432/database", or in parts. */
export type PostgresAddress = string | PostgresSettings;

export interface PostgresAtOptions extends SqlStorageOptions {
  /** How long a connection may take, in milliseconds. @default 10000 */
  readonly connectTimeoutMs?: number | undefined;
}

/** The tables are made if they are not there; the database itself must be. */
export async function openPostgresAt(
  address: PostgresAddress,
  { connectTimeoutMs = 10_000, ...options }: PostgresAtOptions = {},
): Promise<Storage> {
  const client = await connectTo({ ...configOf(address), connectionTimeoutMillis: connectTimeoutMs });
  try {
    return await openPostgres(client, options);
  } catch (error) {
    await client.close();
    throw error;
  }
}

const settingsSchema = z.strictObject({
  host: z.string().min(1),
  port: z.int().min(1).max(65_535).optional(),
  database: z.string().min(1),
  user: z.string().min(1),
  password: z.string().optional(),
});

function configOf(address: PostgresAddress): ClientConfig {
  if (typeof address !== "string") {
    const { port = 5432, password = "", ...rest } = parseInput(settingsSchema, address, "PostgreSQL address");
    return { ...rest, port, password };
  }
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !["postgres:", "postgresql:"].includes(url.protocol)) {
    // The address itself is not repeated: it may hold a password.
    throw new MemoryError(
      "input_invalid",
      'That is not the address of a PostgreSQL database. Valid: "postgres://user:password@host:5432/database".',
    );
  }
  return { connectionString: address };
}

async function connectTo(config: ClientConfig): Promise<PostgresClient> {
  const { Client } = await loadDriver();
  const connect = async (): Promise<Client> => {
    const client = new Client({ ...config, application_name: "neuromem", keepAlive: true });
    try {
      await client.connect();
    } catch (error) {
      throw notReached(error, client);
    }
    return client;
  };
  let current: Client | undefined;
  const watch = (client: Client): Client => {
    // Without a listener a server that goes away would end the whole process.
    client.on("error", () => drop(client));
    client.on("end", () => drop(client));
    current = client;
    return client;
  };
  const drop = (client: Client): void => {
    if (current === client) current = undefined;
  };
  watch(await connect());
  return {
    async query(text, params) {
      if (current === undefined && !text.startsWith("BEGIN")) throw lost();
      const client = current ?? watch(await connect());
      try {
        return await client.query(text, params);
      } catch (error) {
        // What the server itself refuses has a severity; all else is the connection.
        if (error instanceof Error && "severity" in error) throw error;
        drop(client);
        throw lost(error);
      }
    },
    async close() {
      const client = current;
      current = undefined;
      await client?.end();
    },
  };
}

async function loadDriver(): Promise<Pick<typeof import("pg"), "Client">> {
  try {
    const { default: driver } = await import("pg");
    return driver;
  } catch (cause) {
    throw new MemoryError(
      "missing_dependency",
      "A PostgreSQL server is reached through the package pg, which is not installed. Valid: npm install pg.",
      { cause },
    );
  }
}

function lost(cause?: unknown): MemoryError {
  return new MemoryError(
    "storage_io",
    "The connection to the PostgreSQL server was lost. Valid: try again.",
    {
      cause,
    },
  );
}

function notReached(error: unknown, { host, port, database, user }: Client): MemoryError {
  const state = error instanceof Error && "code" in error ? String(error.code) : "";
  const place = `${host}:${port}`;
  if (state.startsWith("28")) {
    return new MemoryError(
      "option_invalid",
      `The PostgreSQL server at ${place} does not let the user "${user}" in. Valid: the right user and password.`,
      { cause: error },
    );
  }
  if (state === "3D000") {
    return new MemoryError(
      "option_invalid",
      `The PostgreSQL server at ${place} has no database "${database}". Valid: CREATE DATABASE ${database}; or another name.`,
      { cause: error },
    );
  }
  return new MemoryError(
    "storage_io",
    `The PostgreSQL server at ${place} cannot be reached: ${error instanceof Error ? error.message : error}. Valid: a server that runs there.`,
    { cause: error },
  );
}
