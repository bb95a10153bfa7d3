/**
 * Is this the same run? Results of other data, another design or other arguments are never mixed: what decides them is written
 * down beside them before the first line, and a run of the same name that differs is refused with what differs.
 */
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { MemoryError } from "../../base/errors.ts";
import { type JsonObject, jsonObjectSchema } from "../../base/json.ts";
import { LOCK_FILE } from "./run-lock.ts";

const FILE = "run.json";

/** Begins the run in its folder, or goes on in it. Whoever calls has locked it: nobody else writes there. */
export async function claimRun(folder: string, identity: JsonObject, isFresh: boolean): Promise<void> {
  if (isFresh)
    for (const name of await readdir(folder))
      if (name !== LOCK_FILE) await rm(join(folder, name), { recursive: true });
  const before = await readIdentity(folder);
  if (before === undefined) {
    // At once: a run that is killed here must not leave half a file that no later one fits.
    const fresh = join(folder, `${FILE}.new`);
    await writeFile(fresh, `${JSON.stringify(identity, null, 2)}\n`);
    await rename(fresh, join(folder, FILE));
    return;
  }
  const differing = differences(before, identity);
  if (differing.length === 0) return;
  throw new MemoryError(
    "name_taken",
    `${folder} holds another run: ${differing.join("; ")}. Valid: the same arguments, another --out, or --fresh to throw it away.`,
    { details: { before, now: identity } },
  );
}

async function readIdentity(folder: string): Promise<JsonObject | undefined> {
  const path = join(folder, FILE);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const read = z.preprocess((value) => {
    try {
      return JSON.parse(String(value));
    } catch {
      return undefined;
    }
  }, jsonObjectSchema);
  const parsed = read.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new MemoryError(
    "storage_corrupt",
    `${path} does not say what run this is. Valid: the file as a run wrote it, or --fresh to throw the run away.`,
  );
}

/** As "seed was 7, is 8". */
export function differences(before: JsonObject, now: JsonObject): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((key) => {
    const [was, is] = [JSON.stringify(before[key]), JSON.stringify(now[key])];
    return was === is ? [] : [`${key} was ${shown(was)}, is ${shown(is)}`];
  });
}

/** A hash tells by its first digits. */
function shown(value: string | undefined): string {
  if (value === undefined) return "not said";
  return value.replace(/\b([0-9a-f]{8})[0-9a-f]{56}\b/g, "$1…");
}
