/**
 * What would it cost to take these turns up? Calls, tokens and, where a price is given, money, before anything is asked: a
 * sample goes through the design in memory with nobody answering, and what would have been asked is counted.
 */
import { MemoryError } from "../base/errors.ts";
import type { NewTurn } from "../base/turn.ts";
import type { Running } from "./running.ts";

export interface EstimateOptions {
  /** Most turns that are really tried; the rest is reckoned from them. @default 100 */
  readonly sample?: number | undefined;
  /** Money per million tokens, in any currency. */
  readonly price?: { readonly input: number; readonly output: number } | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Estimate {
  readonly turns: number;
  readonly sampled: number;
  readonly calls: number;
  readonly inputTokens: number;
  /** A guess from the replies that rules would give. */
  readonly outputTokens: number;
  readonly money: number | null;
  readonly byTask: Readonly<
    Record<string, { readonly calls: number; readonly inputTokens: number; readonly outputTokens: number }>
  >;
}

export async function estimate(
  _: Running,
  __: readonly (string | NewTurn)[],
  ___: EstimateOptions = {},
): Promise<Estimate> {
  throw new MemoryError("invariant", "estimate is being written");
}
