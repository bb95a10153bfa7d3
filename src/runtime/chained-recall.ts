/** A look along the things a question speaks of (B.3): a few memories for every entity, then a few of every type. */
import { MemoryError } from "../base/errors.ts";
import type { Scope } from "../base/scope.ts";
import type { FoundHit } from "../pipeline/question.ts";
import type { RecallOptions } from "./recall.ts";
import type { Running } from "./running.ts";

export interface ChainedOptions extends RecallOptions {
  /** What the question speaks of. @default read out of it */
  readonly entities?: readonly string[] | undefined;
  /** @default 3 */
  readonly perEntity?: number | undefined;
  /** @default 7 */
  readonly perType?: number | undefined;
}

export async function chainedRecall(
  _: Running,
  __: Scope,
  ___: string,
  ____: ChainedOptions = {},
): Promise<readonly FoundHit[]> {
  throw new MemoryError("invariant", "chainedRecall is being written");
}
