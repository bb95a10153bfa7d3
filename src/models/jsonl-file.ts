/**
 * A file of JSON lines that only grows, readable while others append to it. Only one process may replace it, for lines that
 * another one appends meanwhile are lost. A torn last line (a crash while writing) costs that line and no other. Readable by its owner only, for replies hold what users said.
 */
import { randomUUID } from "node:crypto";
import { open, rename, stat, writeFile } from "node:fs/promises";
import { MemoryError } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import { createQueue } from "../base/promise.ts";

export interface JsonlFile {
  /**
   * What was appended since the last call, by whomever; lines that are no JSON are left out. `anew`: the file was replaced
   * meanwhile, and this is all of it.
   */
  read(): Promise<{ readonly values: readonly unknown[]; readonly anew: boolean }>;
  append(values: readonly Json[]): Promise<void>;
  /** Puts these lines in the place of all others, at once. */
  replace(values: readonly Json[]): Promise<void>;
}

const OWNER_ONLY = 0o600;

export function jsonlFile(path: string): JsonlFile {
  const inTurn = createQueue();
  let offset = 0;
  let inode: number | undefined;
  const guarded = <T>(work: () => Promise<T>): Promise<T> =>
    inTurn(work).catch((error: unknown) => {
      throw new MemoryError("storage_io", `The file ${path} could not be read or written.`, { cause: error });
    });

  return {
    read: () =>
      guarded(async () => {
        const file = await open(path, "a+", OWNER_ONLY);
        try {
          const { size, ino } = await file.stat();
          const anew = inode !== undefined && (ino !== inode || size < offset);
          inode = ino;
          if (anew) offset = 0;
          const buffer = Buffer.alloc(size - offset);
          const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
          const whole = buffer.subarray(0, bytesRead).lastIndexOf(10) + 1;
          offset += whole;
          return { values: linesIn(buffer.toString("utf8", 0, whole)), anew };
        } finally {
          await file.close();
        }
      }),
    append: (values) =>
      guarded(async () => {
        const file = await open(path, "a+", OWNER_ONLY);
        try {
          const { size } = await file.stat();
          const last = Buffer.alloc(1);
          if (size > 0) await file.read(last, 0, 1, size - 1);
          const torn = size > 0 && last[0] !== 10;
          await file.appendFile((torn ? "\n" : "") + linesOf(values));
        } finally {
          await file.close();
        }
      }),
    replace: (values) =>
      guarded(async () => {
        const text = linesOf(values);
        // A name of its own: two that replace at once must not write into each other's file.
        const fresh = `${path}.${randomUUID()}.new`;
        await writeFile(fresh, text, { mode: OWNER_ONLY });
        await rename(fresh, path);
        inode = (await stat(path)).ino;
        offset = Buffer.byteLength(text);
      }),
  };
}

function linesOf(values: readonly Json[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

function linesIn(text: string): unknown[] {
  const values: unknown[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    try {
      values.push(JSON.parse(line));
    } catch {
      // A line torn by a crash: the rest of the file is as good as before.
    }
  }
  return values;
}
