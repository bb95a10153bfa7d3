/** Both sides of an exchange, in one step: what the user said, then what the assistant answered (S4-20). */
import { MemoryError } from "../base/errors.ts";
import type { Scope } from "../base/scope.ts";
import type { NewTurn } from "../base/turn.ts";
import type { Remembered, RememberOptions } from "./remember.ts";
import type { Running } from "./running.ts";

/** A text, or a turn where more is known of it; each may be missing. */
export interface Exchange {
  readonly user?: string | Omit<NewTurn, "role"> | undefined;
  readonly assistant?: string | Omit<NewTurn, "role"> | undefined;
  readonly session?: string | undefined;
}

export type Recorded = Remembered;

export async function record(
  _: Running,
  __: Scope,
  ___: Exchange,
  ____?: RememberOptions,
): Promise<Recorded> {
  throw new MemoryError("invariant", "record is being written");
}
