/**
 * Node's own SQLite behind the driver contract. WAL, so readers of other processes never wait; `synchronous = FULL`, so
 * an acknowledged commit survives a power cut, not only a kill. One connection and one queue: the engine is synchronous,
 * so a second connection could not do more at once, and reads never see a half-done transaction.
 */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { invariant, MemoryError } from "../../base/errors.ts";
import { createLru } from "../../base/lru.ts";
import { createQueue, type MaybePromise } from "../../base/promise.ts";
import type { Row, Sql, SqlDriver, SqlValue, SqlWords } from "../sql/driver.ts";
import { READ_ONLY, translateSqliteError } from "./sqlite-errors.ts";

/** "NMEM": tells our files from any other SQLite file. */
const APPLICATION_ID = 0x4e4d454d;

/** Statements are kept ready by their text; filters come in many shapes, so not for ever. */
const KEPT_STATEMENTS = 200;

/** Opening is synchronous: it may wait this long for another process that opens or closes the file. */
const OPENING_TIMEOUT_MS = 2000;

/** 16 MB: the same few pages change with every insert, so copying them into the file less often writes far less. */
const CHECKPOINT_PAGES = 4000;
/** Taken as pages are read: SQLite's own 2 MB hold not even the inner pages of a hundred thousand memories. */
const CACHE_KIB = 16_384;

const CAN_LIST_VALUES = "setReturnArrays" in StatementSync.prototype;

const WORDS: SqlWords = {
  id: "TEXT",
  blob: "BLOB",
  real: "REAL",
  integer: "INTEGER",
  autoNumber: "INTEGER PRIMARY KEY AUTOINCREMENT",
  clustered: " WITHOUT ROWID",
  openingLock: undefined,
  unindexed: (column) => `+${column}`,
  oneOf: (column) => `${column} IN (SELECT value FROM json_each(?))`,
  member: (column, name) => `${column} ->> '${name}'`,
  isAt: (column) => `${column} -> ? = ?`,
  isOneAt: (column) => `${column} -> ? IN (SELECT value FROM json_each(?))`,
};

export interface SqliteDriverOptions {
  /** How long to wait for another process's transaction. */
  readonly busyTimeoutMs: number;
  /** Whether a commit waits until the disk has it. @default true */
  readonly powerSafe?: boolean | undefined;
}

/** `path` is a file, or ":memory:". */
export function openSqliteDriver(path: string, options: SqliteDriverOptions): SqlDriver {
  const database = openDatabase(path);
  const statements = createLru<string, Prepared>(KEPT_STATEMENTS);
  const enqueue = createQueue();
  let open = true;
  /** As the connection is set: what it was opened with. */
  let synced: "FULL" | "NORMAL" = "FULL";

  const prepare = (text: string): Prepared => statements.get(text, () => prepareStatement(database, text));
  const sql: Sql = {
    all: (text, params = []) => prepare(text).all(params),
    run: (text, params = []) => {
      prepare(text).statement.run(...params);
    },
    many: (text, rows) => {
      const { statement } = prepare(text);
      for (const row of rows) statement.run(...row);
    },
  };
  const queued = <T>(task: () => MaybePromise<T>): Promise<T> =>
    enqueue(async () => {
      if (!open) throw new MemoryError("storage_closed", "The memory was closed. Valid: open it again.");
      try {
        return await task();
      } catch (error) {
        throw translateSqliteError(error);
      }
    });
  /** A read is a transaction too: all its statements see one moment, whatever other processes commit meanwhile. */
  const transaction = <T>(
    begin: string,
    work: (sql: Sql) => MaybePromise<T>,
    sync: "FULL" | "NORMAL" | undefined = undefined,
  ): Promise<T> =>
    queued(() =>
      patiently(options.busyTimeoutMs, async () => {
        if (sync !== undefined && sync !== synced) {
          database.exec(`PRAGMA synchronous = ${sync}`);
          synced = sync;
        }
        prepare(begin).statement.run();
        try {
          const result = await work(sql);
          prepare("COMMIT").statement.run();
          return result;
        } catch (error) {
          rollBack(database);
          throw error;
        }
      }),
    );

  return {
    words: WORDS,
    durable: path !== ":memory:",
    read: (work) => transaction("BEGIN", work),
    write: (work, { light = false } = {}) =>
      transaction("BEGIN IMMEDIATE", work, light || options.powerSafe === false ? "NORMAL" : "FULL"),
    bytes: () => queued(() => sizeOf(path, sql)),
    // Deleted content is overwritten where it stood (secure_delete); older pages in the log go with it.
    scrub: () =>
      queued(() =>
        patiently(options.busyTimeoutMs, async () => database.exec("PRAGMA wal_checkpoint(TRUNCATE)")),
      ),
    close: () =>
      enqueue(() => {
        if (!open) return;
        open = false;
        statements.clear();
        database.close();
      }),
  };
}

interface Prepared {
  readonly statement: StatementSync;
  all(params: readonly SqlValue[]): Row[];
}

/**
 * Rows come as lists of values and get their names here: as objects Node makes them of a kind that takes twice as long to
 * make and to read. Before 22.16 it makes no others. A copy of a row that has all names already is made in one step; the
 * two dozen names of an entry, added one by one, take three times as long.
 */
function prepareStatement(database: DatabaseSync, text: string): Prepared {
  const statement = database.prepare(text);
  if (!CAN_LIST_VALUES) return { statement, all: (params) => statement.all(...params) };
  statement.setReturnArrays(true);
  let names: readonly string[] = [];
  let empty: Row = {};
  const readNames = (): void => {
    names = statement.columns().map(({ name }) => name);
    empty = Object.fromEntries(names.map((name) => [name, null]));
  };
  readNames();
  const named = (values: unknown): Row => {
    invariant(Array.isArray(values), "A row did not come as a list of its values");
    // Another process has changed the table, and SQLite has prepared the statement anew.
    if (values.length !== names.length) readNames();
    const row: Record<string, unknown> = { ...empty };
    for (let i = 0; i < names.length; i++) row[names[i] as string] = values[i];
    return row;
  };
  return { statement, all: (params) => statement.all(...params).map(named) };
}

/** SQLite ends a transaction by itself after some errors (a full disk); that there is none left is then no error. */
function rollBack(database: DatabaseSync): void {
  try {
    database.exec("ROLLBACK");
  } catch (error) {
    if (!String(error).includes("no transaction is active")) throw error;
  }
}

function openDatabase(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { enableForeignKeyConstraints: true });
    database.exec(`PRAGMA busy_timeout = ${OPENING_TIMEOUT_MS}`);
    const tables = database.prepare("SELECT count(*) AS n FROM sqlite_schema").get();
    const owner = database.prepare("PRAGMA application_id").get();
    if (Number(tables?.n) > 0 && owner?.application_id !== APPLICATION_ID) {
      throw new MemoryError(
        "storage_corrupt",
        "The file is an SQLite database of another program; it was left untouched. Valid: a path that is new, or a file neuromem made.",
      );
    }
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY");
    database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; PRAGMA secure_delete = ON`);
    if (owner?.application_id !== APPLICATION_ID) database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.exec("PRAGMA busy_timeout = 0");
    return database;
  } catch (error) {
    database?.close();
    throw explainOpening(path, translateSqliteError(error));
  }
}

/** SQLite says only that it cannot open: a folder nobody may write to is the likeliest reason, and worth its own words. */
function explainOpening(path: string, error: unknown): unknown {
  const folder = dirname(path);
  if (!MemoryError.is(error) || error.code !== "storage_io" || !existsSync(folder)) return error;
  try {
    accessSync(folder, constants.W_OK);
    return error;
  } catch {
    return new MemoryError("storage_read_only", READ_ONLY, { cause: error });
  }
}

/** Waits for other processes without blocking the event loop, as SQLite's own busy handler would by sleeping in it. */
async function patiently<T>(timeoutMs: number, attempt: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
    try {
      return await attempt();
    } catch (error) {
      const translated = translateSqliteError(error);
      const locked = MemoryError.is(translated) && translated.code === "locked";
      if (!locked || performance.now() > deadline) throw translated;
    }
    await sleep(wait);
  }
}

function sizeOf(path: string, sql: Sql): number {
  if (path === ":memory:") {
    const rows = sql.all(
      "SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size",
    ) as readonly Row[];
    return Number(rows[0]?.n);
  }
  const size = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return size(path) + size(`${path}-wal`);
}
