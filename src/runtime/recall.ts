/**
 * What does the memory know about it? As the design finds it, within limits the caller sets: how many, how many tokens, which
 * memories, from when to when; as of a moment in the world (`at`), or as the memory itself stood then (`knownAt`).
 */
import type { Filter } from "../base/filter.ts";
import type { Scope } from "../base/scope.ts";
import type { RetrieveResult } from "../pipeline/plan.ts";
import type { Line } from "../tasks/dialogue.ts";
import type { Running } from "./running.ts";

export interface RecallOptions {
  /** Most hits. @default the design's own */
  readonly limit?: number | undefined;
  /** Most tokens of all hits together; those that do not fit are left out, best first. */
  readonly budget?: number | undefined;
  readonly filter?: Filter | undefined;
  /** Only what happened in this span (epoch ms, both inclusive). */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** When the question is asked: "last week" is meant from here. @default `at`, else now */
  readonly asked?: number | undefined;
  /** @default UTC */
  readonly zone?: string | undefined;
  /** What was said just before, oldest first. */
  readonly talk?: readonly Line[] | undefined;
  /** As of then in the world: nothing that happened later, and what was replaced later stands again. */
  readonly at?: number | undefined;
  /** As the memory stood then: exactly what it would have answered. */
  readonly knownAt?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function recall(
  { design }: Running,
  scope: Scope,
  text: string,
  { limit, filter, asked, zone, talk, at, signal }: RecallOptions = {},
): Promise<RetrieveResult> {
  return design.retrieve(scope, { text, topK: limit, filter, at: asked ?? at, zone, talk }, { signal });
}
