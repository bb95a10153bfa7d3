/** Tasks of one scope run one after another, in the order they were asked for; those of different scopes side by side. */
import { createQueue, type MaybePromise } from "../base/promise.ts";
import type { Scope } from "../base/scope.ts";

type ScopeQueues = <T>(scope: Scope, task: () => MaybePromise<T>) => Promise<T>;

export function createScopeQueues(): ScopeQueues {
  const queues = new Map<Scope, { readonly run: ReturnType<typeof createQueue>; waiting: number }>();
  return async (scope, task) => {
    const queue = queues.get(scope) ?? { run: createQueue(), waiting: 0 };
    queues.set(scope, queue);
    queue.waiting++;
    try {
      return await queue.run(task);
    } finally {
      // Scopes may be very many: only those with something to do are kept.
      if (--queue.waiting === 0) queues.delete(scope);
    }
  };
}
