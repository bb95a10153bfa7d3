/**
 * One scope as JSONL, a line at a time: a header, the journal with both its clocks, and the memories of the open design with
 * vectors, edges and places, so that another memory answers the same. Read it with `import`.
 */
import { MemoryError } from "../base/errors.ts";
import type { Scope } from "../base/scope.ts";
import type { Running } from "./running.ts";

export interface ExportOptions {
  /** Vectors are most of the size; without them they are made anew on import. @default true */
  readonly vectors?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function* exportScope(
  _: Running,
  __: Scope,
  ___: ExportOptions = {},
): AsyncGenerator<string, void, undefined> {
  yield "";
  throw new MemoryError("invariant", "export is being written");
}
