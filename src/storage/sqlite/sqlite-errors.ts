/** SQLite's result codes in our words, translated once, at the edge (https://www.sqlite.org/rescode.html). */
import { type ErrorCode, MemoryError } from "../../base/errors.ts";
import { entryExists, parentMissing } from "../sql/refusals.ts";

export const READ_ONLY =
  "The memory file or its folder is read-only. Valid: a folder this process may write to.";

const CODES: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  5: [
    "locked",
    "Another process is writing to the memory file and did not finish in time. Valid: try again.",
  ],
  6: ["locked", "The memory file is locked by another connection. Valid: try again."],
  8: ["storage_read_only", READ_ONLY],
  10: [
    "storage_io",
    "The disk refused to read or write the memory file. Valid: check the disk, then try again.",
  ],
  11: [
    "storage_corrupt",
    "The memory file is damaged. Valid: restore it from a copy; the damaged file was left as it is.",
  ],
  13: [
    "storage_full",
    "The disk is full; nothing was written and nothing was lost. Valid: free some space, then try again.",
  ],
  14: [
    "storage_io",
    "The memory file cannot be opened. Valid: a path in an existing folder this process may write to.",
  ],
  26: [
    "storage_corrupt",
    "The file is not a memory file. Valid: a path that is new, or a file neuromem made.",
  ],
};

export function translateSqliteError(error: unknown): unknown {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return error;
  if (error.message.includes("memory_records.id")) return entryExists(error);
  if (error.message.includes("FOREIGN KEY")) return parentMissing(error);
  const [code, sentence] = CODES[error.errcode & 0xff] ?? [
    "invariant",
    `SQLite refused a statement: ${error.message}.`,
  ];
  return new MemoryError(code, sentence, { cause: error, details: { sqliteCode: error.errcode } });
}
