/** Where does the memory live? A file, a server, or what the caller has opened: said once, and the back end follows from it. */
import type { Clock } from "../base/clock.ts";
import { MemoryError } from "../base/errors.ts";
import type { Trace } from "../base/trace.ts";
import { openPostgresAt } from "./postgres/open-url.ts";
import { openSqlite } from "./sqlite/sqlite-storage.ts";
import type { Storage } from "./storage.ts";

export interface Place {
  readonly path?: string | undefined;
  readonly url?: string | undefined;
  readonly storage?: Storage | undefined;
}

export async function openStorage(
  { path = "", url = "", storage }: Place,
  deps: {
    readonly clock: Clock;
    readonly trace: Trace;
    /** false: of a file that can be made again, commits need not wait for the disk. @default true */
    readonly powerSafe?: boolean | undefined;
  },
): Promise<Storage> {
  const said = [path !== "", url !== "", storage !== undefined].filter(Boolean).length;
  if (said !== 1) {
    throw new MemoryError(
      "input_invalid",
      `${said === 0 ? "Where does the memory live?" : "A memory lives in one place."} Valid: one of path, as "memory.db", url, as "postgres://user@host/database", or storage, as openInMemory() gives.`,
    );
  }
  if (storage !== undefined) return storage;
  return url === "" ? openSqlite(path, deps) : openPostgresAt(url, deps);
}
