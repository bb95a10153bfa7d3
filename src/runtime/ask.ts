/** The answer to a question from memory and nothing else, with what it rests on. Without a model it quotes. */
import { MemoryError } from "../base/errors.ts";
import type { Scope } from "../base/scope.ts";
import type { RetrieveResult } from "../pipeline/plan.ts";
import type { FoundHit } from "../pipeline/question.ts";
import type { RecallOptions } from "./recall.ts";
import type { Running } from "./running.ts";

export interface Answer {
  readonly answer: string;
  readonly reasoning: string;
  /** Whether the memory knows nothing of it. */
  readonly isUnknown: boolean;
  /** The memories it rests on. */
  readonly evidence: readonly FoundHit[];
  /** Who answered. */
  readonly path: "model" | "local";
  readonly recalled: RetrieveResult;
}

export async function ask(_: Running, __: Scope, ___: string, ____: RecallOptions = {}): Promise<Answer> {
  throw new MemoryError("invariant", "ask is being written");
}
