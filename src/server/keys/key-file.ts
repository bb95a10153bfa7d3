/**
 * Where are the keys? In one JSON file beside the memory, which only its owner may read. A change is written to a second file
 * that takes the place of the first, so a reader sees the old keys or the new ones and never half of a file; a lock keeps two
 * writers apart, and is taken over from one that died with it.
 */
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { MemoryError } from "../../base/errors.ts";
import { parseInput } from "../../base/parse-input.ts";
import { type KeyRecord, keyRecordSchema } from "./key-record.ts";

const fileSchema = z.strictObject({ version: z.literal(1), keys: z.array(keyRecordSchema).readonly() });

const OWNER_ONLY = 0o600;
const LOCK_WAIT_MS = 5_000;
/** Nobody holds it so long who is alive: a change takes milliseconds. */
const LOCK_STALE_MS = 10_000;
const RETRY_MS = 20;

/** The keys' file of a memory's file. */
export function keyFileOf(memoryFile: string): string {
  return `${memoryFile}.keys.json`;
}

/** None where there is no file. */
export async function readKeys(file: string): Promise<readonly KeyRecord[]> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return [];
    throw new MemoryError(
      "storage_io",
      `The keys in ${file} could not be read. Valid: a file you may read.`,
      {
        cause,
      },
    );
  }
  try {
    return parseInput(fileSchema, JSON.parse(text), file).keys;
  } catch {
    // What is in it is not shown, nor the error that quotes it: somebody may have pasted a key there.
    throw new MemoryError(
      "storage_corrupt",
      `The file of keys ${file} cannot be used: it is not as neuromem key create wrote it. Valid: restore a copy, or remove it and make new keys.`,
    );
  }
}

/** Puts what `change` makes of the keys in their place; nobody else changes them meanwhile. */
export async function changeKeys(
  file: string,
  change: (keys: readonly KeyRecord[]) => readonly KeyRecord[],
): Promise<void> {
  const unlock = await lock(`${file}.lock`);
  try {
    const keys = change(await readKeys(file));
    await replace(file, `${JSON.stringify({ version: 1, keys }, null, 2)}\n`);
  } finally {
    await unlock();
  }
}

async function replace(file: string, text: string): Promise<void> {
  const part = `${file}.part`;
  try {
    // A part that was left behind may have been open to others: it is made anew.
    await rm(part, { force: true });
    const handle = await open(part, "wx", OWNER_ONLY);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
  } catch (cause) {
    throw new MemoryError(
      "storage_io",
      `The keys could not be written to ${file}. Valid: --keys or --db in a folder you may write to.`,
      { cause },
    );
  }
}

async function lock(path: string): Promise<() => Promise<void>> {
  const end = Date.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      const handle = await open(path, "wx", OWNER_ONLY);
      await handle.close();
      return () => rm(path, { force: true });
    } catch (cause) {
      if (codeOf(cause) !== "EEXIST") {
        throw new MemoryError(
          "storage_io",
          `The lock ${path} could not be made. Valid: --keys or --db in a folder that is there and that you may write to.`,
          { cause },
        );
      }
      if (await isStale(path)) await rm(path, { force: true });
      else if (Date.now() >= end) {
        throw new MemoryError(
          "locked",
          `Somebody else is changing the keys: ${path} is held. Valid: try again, or remove that file if nobody is.`,
          { cause },
        );
      } else await sleep(RETRY_MS);
    }
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs > LOCK_STALE_MS;
  } catch (error) {
    // Let go of meanwhile.
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
