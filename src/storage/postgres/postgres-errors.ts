/** PostgreSQL's SQLSTATE classes in our words, translated once, at the edge. */
import { type ErrorCode, MemoryError } from "../../base/errors.ts";
import { entryExists, parentMissing } from "../sql/refusals.ts";

const CODES: readonly (readonly [prefix: string, code: ErrorCode, sentence: string])[] = [
  ["08", "storage_io", "The connection to the database was lost. Valid: try again."],
  ["25006", "storage_read_only", "The database is read-only. Valid: one this user may write to."],
  ["40", "locked", "Another transaction changed the same rows. Valid: try again."],
  [
    "53100",
    "storage_full",
    "The database's disk is full; nothing was written. Valid: free some space, then try again.",
  ],
  ["55P03", "locked", "The rows are locked by another transaction. Valid: try again."],
  ["57", "storage_io", "The database is shutting down or cancelled the statement. Valid: try again."],
  ["58", "storage_io", "The database server met a system error. Valid: check its disk, then try again."],
  ["XX", "storage_corrupt", "The database reports damaged data. Valid: restore it from a copy."],
];

export function translatePostgresError(error: unknown): unknown {
  if (
    MemoryError.is(error) ||
    !(error instanceof Error) ||
    !("code" in error) ||
    typeof error.code !== "string"
  )
    return error;
  const { code } = error;
  if (code === "23505" && error.message.includes("memory_records_pkey")) return entryExists(error);
  if (code === "23503") return parentMissing(error);
  const known = CODES.find(([prefix]) => code.startsWith(prefix));
  const [, ours, sentence] = known ?? [
    "",
    "invariant" as const,
    `PostgreSQL refused a statement: ${error.message}.`,
  ];
  return new MemoryError(ours, sentence, { cause: error, details: { sqlState: code } });
}
