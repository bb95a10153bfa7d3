/**
 * Lines that are read twice: once to check all of them, once to take them in, so that a file that was cut changes nothing. A
 * list is read where it is; what comes as a stream is put aside in a file of its own until it was taken in.
 */
import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { textLines } from "./text-lines.ts";

type Lines = AsyncIterable<string> | Iterable<string>;

export interface Spool {
  lines(): AsyncIterable<string> | Iterable<string>;
  close(): Promise<void>;
}

/** So many characters are written at once. */
const CHUNK = 1 << 20;

/** `see` is told every line on the way. */
export async function spool(given: Lines, see: (line: string) => void): Promise<Spool> {
  const lines = typeof given === "string" ? given.split("\n") : given;
  if (!isIterable(lines)) {
    throw new MemoryError(
      "input_invalid",
      "There are no lines to import. Valid: what export gives, a list of lines, or the text of a bundle.",
    );
  }
  if (Array.isArray(lines)) {
    const all: readonly string[] = lines.map(bare);
    all.forEach(see);
    return { lines: () => all, close: async () => undefined };
  }
  const folder = await mkdtemp(join(tmpdir(), "neuromem-import-"));
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const file = join(folder, "bundle.jsonl");
  try {
    await putAside(file, lines, see);
  } catch (error) {
    await close();
    throw error;
  }
  return { lines: () => textLines(createReadStream(file, { encoding: "utf8" })), close };
}

async function putAside(file: string, lines: Lines, see: (line: string) => void): Promise<void> {
  // What it holds is nobody else's to read.
  const handle = await open(file, "wx", 0o600);
  try {
    let held = "";
    for await (const given of lines) {
      const line = bare(given);
      see(line);
      held += `${line}\n`;
      if (held.length < CHUNK) continue;
      await handle.appendFile(held);
      held = "";
    }
    await handle.appendFile(held);
  } finally {
    await handle.close();
  }
}

/** Without the end of the line, if it is still there, and without the mark that some editors begin a file with. */
function bare(line: unknown): string {
  if (typeof line === "string") return line.replace(/^\uFEFF|[\r\n]+$/g, "");
  throw new MemoryError("input_invalid", `A line of the bundle is of type ${typeof line}. Valid: text.`);
}

function isIterable(value: unknown): value is Lines {
  return (
    typeof value === "object" && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value)
  );
}
