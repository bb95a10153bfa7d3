/**
 * How fast can int8 codes be read? Rows of codes lie in one memory; a scan finds, in a run of rows, those that can reach
 * a bar. In WebAssembly SIMD (`wasm-scan.ts`), or, where that is missing, in a plain loop that finds the same rows. The
 * caller sees to it that no dot product leaves 32 bits (`quantiseQuery`).
 */
import type { Row } from "./row-format.ts";

/** The longest run one scan takes. */
export const SCAN_ROWS = 4096;

export interface Int8Scan {
  /** Makes room for rows 0 to count − 1. Views taken before are void. */
  reserve(count: number): void;
  /** Codes times scale are no longer than 1, but for rounding. */
  write(number: number, row: Row): void;
  /** A header's fields. */
  header(number: number): Omit<Row, "codes">;
  /** The bytes of some rows, to be copied from or to, in whole rows. */
  rows(first: number, count: number): Uint8Array;
  /** The query of the next scans: codes from −8192 to 8191, and what a dot product times the row's scale is times. */
  ask(codes: Int16Array, scale: number): void;
  /**
   * Visits the rows among `count` ≤ SCAN_ROWS from `first` on whose score plus residual reaches the bar, and some that
   * do not: scores are compared in float32. The dot product is exact.
   */
  scan(run: { readonly first: number; readonly count: number }, bar: number, visit: Visit): void;
  /** Bytes in use. */
  bytes(): number;
}

export type Visit = (row: number, dot: number) => void;
