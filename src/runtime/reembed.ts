/**
 * Memories that the embedder at work has not embedded (it was changed, or came later) get their vectors. What an older one
 * made stays beside it until it is dropped; a run that was stopped goes on where it was.
 */
import { MemoryError } from "../base/errors.ts";
import type { Scope } from "../base/scope.ts";
import type { Running } from "./running.ts";

export interface ReembedOptions {
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Reembedded {
  readonly entries: number;
  /** Had their vectors already, or are in a language that nobody embeds. */
  readonly kept: number;
  readonly spaces: readonly string[];
}

export async function reembed(_: Running, __: Scope, ___: ReembedOptions = {}): Promise<Reembedded> {
  throw new MemoryError("invariant", "reembed is being written");
}
