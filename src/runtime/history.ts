/** What became of a memory, step by step: who changed what, when and why, and what it was before. */
import { MemoryError } from "../base/errors.ts";
import type { Scope } from "../base/scope.ts";
import type { Event } from "../storage/event.ts";
import type { Running } from "./running.ts";

export interface HistoryOptions {
  /** Steps after this event. */
  readonly after?: number | undefined;
  /** @default 100 */
  readonly limit?: number | undefined;
  /** Looks change nothing but counters and are left out unless asked for. @default false */
  readonly looks?: boolean | undefined;
}

export async function history(
  _: Running,
  __: Scope,
  ___: string,
  ____: HistoryOptions = {},
): Promise<readonly Event[]> {
  throw new MemoryError("invariant", "history is being written");
}
