/**
 * A bundle that `export` wrote, into a scope: nothing that is there already comes twice. Memories are restored where the same
 * design is open; for another design the journal is taken in and derived.
 */
import { MemoryError } from "../base/errors.ts";
import type { Scope } from "../base/scope.ts";
import type { Running } from "./running.ts";

export interface ImportOptions {
  readonly onProgress?: ((lines: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Imported {
  readonly turns: number;
  readonly entries: number;
  readonly edges: number;
  /** Were there already. */
  readonly known: number;
  /** Whether the memories came from the bundle, or are made from its journal. */
  readonly path: "restored" | "derived";
}

export async function importBundle(
  _: Running,
  __: Scope,
  ___: AsyncIterable<string> | Iterable<string>,
  ____: ImportOptions = {},
): Promise<Imported> {
  throw new MemoryError("invariant", "import is being written");
}
