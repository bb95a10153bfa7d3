/** One process at a time writes a run's results. A process that died lets go of them: its number belongs to nobody. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MemoryError } from "../../base/errors.ts";

export const LOCK_FILE = "run.lock";

/** Makes the run's folder where there is none; gives what lets go of it again. */
export async function lockRun(folder: string): Promise<() => Promise<void>> {
  try {
    await mkdir(folder, { recursive: true });
    return await locked(folder);
  } catch (cause) {
    if (MemoryError.is(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MemoryError(
      "storage_io",
      `The folder ${folder} cannot be written to (${reason}). Valid: an --out where you may make folders.`,
      { cause },
    );
  }
}

async function locked(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, LOCK_FILE);
  const take = (): Promise<void> => writeFile(path, String(process.pid), { flag: "wx" });
  await take().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    const owner = Number(await readFile(path, "utf8").catch(() => ""));
    if (owner !== process.pid && isAlive(owner)) {
      throw new MemoryError(
        "locked",
        `The process ${owner} is at work on ${folder}. Valid: to wait for it, or another --out.`,
      );
    }
    await rm(path, { force: true });
    await take();
  });
  return () => rm(path, { force: true });
}

function isAlive(owner: number): boolean {
  if (!Number.isSafeInteger(owner) || owner <= 0) return false;
  try {
    process.kill(owner, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
