/** Is it what `neuromem export` wrote? The beginning tells, however long it is. */
import { open } from "node:fs/promises";
import { MemoryError } from "../../base/errors.ts";

const BEGINNING = /^\uFEFF?\s*\{"line":\s*"header",\s*"format":\s*"neuromem"/;
const ENOUGH = 256;

export function isBundleText(text: string): boolean {
  return BEGINNING.test(text.slice(0, ENOUGH));
}

export async function isBundleFile(file: string): Promise<boolean> {
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(ENOUGH), 0, ENOUGH, 0);
      return isBundleText(buffer.toString("utf8", 0, bytesRead));
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw new MemoryError("input_invalid", `The file ${file} could not be read. Valid: the path of a file.`, {
      cause,
    });
  }
}
