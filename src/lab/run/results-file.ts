/**
 * The results of a run, line by line: each is written before the next question is asked, so that a run that is killed loses the
 * one it was at. What a kill left of a half-written line is cut off before anything more is written.
 */
import { open, readFile, truncate } from "node:fs/promises";
import { MemoryError } from "../../base/errors.ts";
import type { ResultLine } from "../result.ts";
import { textLines } from "../text-lines.ts";

export interface ResultsFile {
  /** Whether this line is there already. */
  has(line: Pick<ResultLine, "type" | "case" | "point"> & { readonly question?: string }): boolean;
  /** Out of this process when it returns: a kill does not take it. */
  append(line: ResultLine): Promise<void>;
  /** What was appended survives a power cut, too, when it returns. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export async function openResults(path: string): Promise<ResultsFile> {
  const bytes = await readFile(path).catch(noneThere);
  const whole = bytes.lastIndexOf(10) + 1;
  if (whole < bytes.length) await truncate(path, whole);
  const known = new Set((whole === 0 ? [] : await readResults(path)).map(keyOf));
  const file = await open(path, "a");
  return {
    has: (line) => known.has(keyOf(line)),
    async append(line) {
      // Those who read line by line take these two for the end of one.
      const text = JSON.stringify(line).replace(
        /[\u2028\u2029]/g,
        (sign) => `\\u${sign.charCodeAt(0).toString(16)}`,
      );
      await file.appendFile(`${text}\n`);
      known.add(keyOf(line));
    },
    flush: () => file.datasync(),
    close: () => file.close(),
  };
}

export async function readResults(path: string): Promise<ResultLine[]> {
  const lines: ResultLine[] = [];
  for await (const { text, number } of textLines(path)) {
    try {
      lines.push(JSON.parse(text));
    } catch (cause) {
      throw new MemoryError(
        "storage_corrupt",
        `Line ${number} of ${path} is no JSON. Valid: results as a run wrote them; --fresh starts over.`,
        { cause },
      );
    }
  }
  return lines;
}

function keyOf({ type, case: ofCase, point, question = "" }: Parameters<ResultsFile["has"]>[0]): string {
  return JSON.stringify([type, ofCase, point.number, point.turns, question]);
}

function noneThere(error: NodeJS.ErrnoException): Buffer {
  if (error.code === "ENOENT") return Buffer.alloc(0);
  throw error;
}
