/**
 * What an SQL engine must offer so that all our SQL can be written once: run a statement with `?` placeholders, run one
 * statement for many rows, and a transaction. A few words differ between engines; they are `words`.
 */
import type { MaybePromise } from "../../base/promise.ts";

export type SqlValue = string | number | null | Uint8Array;
export type Row = Readonly<Record<string, unknown>>;

export interface Sql {
  all(text: string, params?: readonly SqlValue[]): MaybePromise<readonly Row[]>;
  run(text: string, params?: readonly SqlValue[]): MaybePromise<void>;
  /** The same statement once per row of parameters; an `INSERT … VALUES (…)` may be sent as few large ones. */
  many(text: string, rows: readonly (readonly SqlValue[])[]): MaybePromise<void>;
}

export interface SqlWords {
  /** A column of ids: text that sorts by code unit. */
  readonly id: string;
  readonly blob: string;
  /** Eight bytes of floating point. */
  readonly real: string;
  /** Eight bytes of integer. */
  readonly integer: string;
  /** A primary key that counts up by itself and never reuses a number. */
  readonly autoNumber: string;
  /** After a CREATE TABLE: keep the rows in the tree of the primary key itself, one tree less to write. */
  readonly clustered: string;
  /** A statement that makes openings queue, where creating tables does not do so by itself. */
  readonly openingLock: string | undefined;
  /** The column, said so that no index over it is used: for a condition that is never the narrow one. */
  unindexed(column: string): string;
  /** "<column> is one of the strings in this JSON array parameter". */
  oneOf(column: string): string;
  /** A text that stands under a name in a column of JSON objects. */
  member(column: string, name: string): string;
  /**
   * "What stands at this path parameter in a column of JSON objects is the scalar that this JSON text parameter says". A path
   * is `$."key"."key"`: of keys alone, so it leads into no array.
   */
  isAt(column: string): string;
  /** The same of any of the JSON texts in a JSON array parameter. */
  isOneAt(column: string): string;
}

export interface WriteOptions {
  /** Outlives a kill, but need not wait for the disk: a power cut may cost it. A driver may wait all the same. @default false */
  readonly light?: boolean | undefined;
}

export interface SqlDriver {
  readonly words: SqlWords;
  readonly durable: boolean;
  /** Sees only committed data. */
  read<T>(work: (sql: Sql) => MaybePromise<T>): Promise<T>;
  /** All or nothing; writers wait for each other. */
  write<T>(work: (sql: Sql) => MaybePromise<T>, options?: WriteOptions): Promise<T>;
  /** Bytes on disk (or in memory). */
  bytes(): Promise<number>;
  /** Makes what was deleted unreadable in the files, as far as the engine has a say in it. */
  scrub(): Promise<void>;
  close(): Promise<void>;
}
