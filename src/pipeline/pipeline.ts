/**
 * In which order, allowed to do what? Drafts through three stages into the service, a question through three stages and
 * back with hits. The runner knows no action by name; it hands each what its stage may have, and writes down what
 * happened. Inserts of one scope wait for each other: what one stores or retires, the next must see.
 */
import type { Scope } from "../base/scope.ts";
import type { Turn } from "../base/turn.ts";
import { createScopeQueues } from "../services/scope-queues.ts";
import type { MemoryService } from "../services/service.ts";
import { insert } from "./insert.ts";
import type { InsertResult, PipelineDeps, PipelinePlan, RetrieveResult } from "./plan.ts";
import type { NewQuestion } from "./question.ts";
import { retrieve } from "./retrieve.ts";

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface Pipeline {
  readonly service: MemoryService;
  /** What was said, journalled already, becomes memories. */
  insert(scope: Scope, turns: readonly Turn[], options?: CallOptions): Promise<InsertResult>;
  retrieve(scope: Scope, question: NewQuestion, options?: CallOptions): Promise<RetrieveResult>;
}

export function createPipeline(plan: PipelinePlan, deps: PipelineDeps): Pipeline {
  const inTurn = createScopeQueues();
  return {
    service: plan.service,
    insert: (scope, turns, { signal } = {}) =>
      inTurn(scope, () => insert(plan, deps, turns, { scope, now: deps.clock.now(), signal })),
    retrieve: (scope, question, { signal } = {}) =>
      retrieve(plan, deps, question, { scope, now: deps.clock.now(), signal }),
  };
}
