/** The widest look (B.3): many candidates, those alike enough, what was remembered in passing damped by its age. */
import { MemoryError } from "../base/errors.ts";
import type { Scope } from "../base/scope.ts";
import type { FoundHit } from "../pipeline/question.ts";
import type { RecallOptions } from "./recall.ts";
import type { Running } from "./running.ts";

export async function comprehensiveRecall(
  _: Running,
  __: Scope,
  ___: string,
  ____: RecallOptions = {},
): Promise<readonly FoundHit[]> {
  throw new MemoryError("invariant", "comprehensiveRecall is being written");
}
