/**
 * In which order, allowed to do what? Drafts through three stages into the service, a question through three stages and
 * back with hits. The runner knows no action by name; it hands each what its stage may have, and writes down what
 * happened. Inserts of one scope wait for each other: what one stores or retires, the next must see.
 */
import { createQueue } from "../base/promise.ts";
import type { Scope } from "../base/scope.ts";
import type { Turn } from "../base/turn.ts";
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
  const inTurn = createTurns();
  return {
    service: plan.service,
    insert: (scope, turns, { signal } = {}) =>
      inTurn(scope, () => insert(plan, deps, turns, { scope, now: deps.clock.now(), signal })),
    retrieve: (scope, question, { signal } = {}) =>
      retrieve(plan, deps, question, { scope, now: deps.clock.now(), signal }),
  };
}

/** One queue for each scope that is being written for. */
function createTurns(): <T>(scope: Scope, task: () => Promise<T>) => Promise<T> {
  const queues = new Map<Scope, { readonly queue: ReturnType<typeof createQueue>; waiting: number }>();
  return async (scope, task) => {
    const own = queues.get(scope) ?? { queue: createQueue(), waiting: 0 };
    queues.set(scope, own);
    own.waiting++;
    try {
      return await own.queue(task);
    } finally {
      own.waiting--;
      if (own.waiting === 0) queues.delete(scope);
    }
  };
}
