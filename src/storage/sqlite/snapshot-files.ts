/** Index snapshots as files in a folder beside the memory file; written to a new name, then renamed over the old one. */
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import type { SnapshotStore } from "../snapshot-store.ts";

export function createSnapshotFiles(folder: string): SnapshotStore {
  let written = 0;
  /** One path scheme for all (S0-54): <memory file>-indexes/<collection>/<index>.snapshot, names made file-safe. */
  const fileOf = (name: string): string =>
    `${join(folder, ...name.split("/").map((part) => encodeURIComponent(part).replaceAll(".", "%2E").replaceAll("*", "%2A")))}.snapshot`;
  return {
    async read(name) {
      try {
        return await readFile(fileOf(name));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw translate(error, "read");
      }
    },
    async write(name, bytes) {
      const file = fileOf(name);
      const fresh = `${file}.${process.pid}-${++written}.new`;
      try {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(fresh, bytes);
        await rename(fresh, file);
      } catch (error) {
        await rm(fresh, { force: true }).catch(() => undefined);
        throw translate(error, "write");
      }
    },
    async remove(name) {
      await rm(fileOf(name), { force: true });
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function translate(error: unknown, verb: string): MemoryError {
  return new MemoryError(
    "storage_io",
    `An index snapshot could not be ${verb === "read" ? "read" : "written"}; the index can be rebuilt without it.`,
    {
      cause: error,
    },
  );
}
