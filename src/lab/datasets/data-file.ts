/**
 * A file of a data set, whatever it is called: packed or plain, one JSON value or one in each line. What programs write into
 * JSON that JSON does not know (NaN) is read as null.
 */
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { MemoryError } from "../../base/errors.ts";
import type { DataFile } from "./loaded.ts";

export interface ReadFile extends DataFile {
  /** Unpacked. */
  readonly bytes: Uint8Array;
}

const unpack = promisify(gunzip);

export async function readDataFile(path: string): Promise<ReadFile> {
  const packed = await readBytes(path);
  const bytes = packed[0] === 0x1f && packed[1] === 0x8b ? await unpacked(packed, path) : packed;
  return { path, bytes, value: parse(textOf(bytes, path), path) };
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw unreadable(path, `could not be read (${reasonOf(cause)})`, cause);
  }
}

async function unpacked(packed: Buffer, path: string): Promise<Buffer> {
  try {
    return await unpack(packed);
  } catch (cause) {
    throw unreadable(path, `is a gzip file that is cut or broken (${reasonOf(cause)})`, cause);
  }
}

function textOf(bytes: Buffer, path: string): string {
  if (bytes.subarray(0, 4).toString("latin1") === "PK\u0003\u0004")
    throw unreadable(path, "is a zip archive; the file in it is needed");
  try {
    return bytes.toString("utf8").replace(/^\uFEFF/, "");
  } catch (cause) {
    throw unreadable(path, `is too large to be read at once (${bytes.length} bytes)`, cause);
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const value = withoutNaN(text) ?? (lines.length > 1 ? inLines(lines) : undefined);
    if (value !== undefined) return value;
    throw unreadable(path, `holds no JSON (${reasonOf(cause)})`, cause);
  }
}

/** JavaScript's numbers that are none, where a value may stand. */
function withoutNaN(text: string): unknown {
  const mended = text.replace(/(?<=[:[,]\s*)(?:NaN|-?Infinity)(?=\s*[,\]}])/g, "null");
  return mended === text ? undefined : tryParse(mended);
}

function inLines(lines: readonly string[]): unknown[] | undefined {
  const values = lines.map(tryParse);
  return values.includes(undefined) ? undefined : values;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The message of a parser quotes what it read; a file that is none of ours is not shown at length. */
function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.replace(/\s+/g, " ").slice(0, 120) : String(cause);
}

function unreadable(path: string, what: string, cause?: unknown): MemoryError {
  return new MemoryError("input_invalid", `The file ${path} ${what}.`, { cause, details: { path } });
}
