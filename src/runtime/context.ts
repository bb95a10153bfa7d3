/**
 * What to put into a prompt, in two parts: a stable one, byte for byte the same through a session, so that a prompt cache
 * keeps what stands before it and in it; and a volatile one, recalled for this question, to be put last. Both are quoted data
 * between marks, never instructions, and what stands between the marks is never taken up as something said.
 */
import { MemoryError } from "../base/errors.ts";
import type { Scope } from "../base/scope.ts";
import type { RetrieveResult } from "../pipeline/plan.ts";
import type { RecallOptions } from "./recall.ts";
import type { Running } from "./running.ts";

export interface ContextOptions extends RecallOptions {
  /** The stable part is made anew when the session changes. @default "" */
  readonly session?: string | undefined;
  /** Most tokens of the stable part; `budget` is for the volatile one. @default 400 */
  readonly stableBudget?: number | undefined;
}

export interface Context {
  /** Who is served and what must never be forgotten; "" if nothing is known. */
  readonly stable: string;
  /** Recalled for this question; "" if nothing was found. */
  readonly volatile: string;
  /** Both, in the order to put them. */
  readonly text: string;
  readonly tokens: { readonly stable: number; readonly volatile: number };
  /** Why it is there. */
  readonly recalled: RetrieveResult;
}

export async function context(
  _: Running,
  __: Scope,
  ___: string,
  ____: ContextOptions = {},
): Promise<Context> {
  throw new MemoryError("invariant", "context is being written");
}
