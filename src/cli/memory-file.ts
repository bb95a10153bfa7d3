/** Where is the memory? The file that is named, else the one in the folder where the system keeps a user's data. */
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { MemoryError } from "../base/errors.ts";
import type { Terminal } from "./terminal.ts";

export function memoryFile(named: string | undefined, env: Terminal["env"]): string {
  const file = named ?? env.NEUROMEM_DB;
  if (file !== undefined && file !== "") return resolve(file);
  return join(dataFolder(env), "neuromem", "memory.db");
}

export function makeFolder(folder: string): void {
  try {
    makeAll(folder);
  } catch (cause) {
    throw new MemoryError(
      "storage_io",
      `The folder ${folder} could not be made. Valid: --db with a place you may write to.`,
      { cause },
    );
  }
}

/** One by one: made all together, a folder that a special file system refuses is tried for ever. */
function makeAll(folder: string): void {
  if (existsSync(folder)) return;
  makeAll(dirname(folder));
  mkdirSync(folder);
}

/** Where each system keeps what programs store for a user. */
function dataFolder(env: Terminal["env"]): string {
  if (process.platform === "win32") return env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local");
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support");
  return env.XDG_DATA_HOME ?? join(homedir(), ".local", "share");
}
