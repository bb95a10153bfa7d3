/** Single memories by id, and all of them page by page. */
import type { Entry } from "../base/entry.ts";
import { MemoryError } from "../base/errors.ts";
import type { Filter } from "../base/filter.ts";
import type { Scope } from "../base/scope.ts";
import type { Running } from "./running.ts";

export interface ListOptions {
  readonly filter?: Filter | undefined;
  /** What the page before gave as `next`. */
  readonly after?: string | undefined;
  /** @default 100 */
  readonly limit?: number | undefined;
  /** Those that were replaced or archived, too. @default false */
  readonly all?: boolean | undefined;
}

export interface Page {
  readonly entries: readonly Entry[];
  /** Hand it in for the next page; null: that was the last. */
  readonly next: string | null;
}

export async function get(_: Running, __: Scope, ___: string): Promise<Entry> {
  throw new MemoryError("invariant", "get is being written");
}

export async function list(_: Running, __: Scope, ___: ListOptions = {}): Promise<Page> {
  throw new MemoryError("invariant", "list is being written");
}
