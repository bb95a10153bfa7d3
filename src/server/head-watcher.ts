/**
 * Has anything been changed? One question to the storage for all who follow a memory, a few times a second and only while
 * somebody does: other processes write to the same memory, so asking is the only way to know.
 */
import type { Memory } from "../runtime/memory.ts";
import { pause } from "./sse.ts";

const POLL_MS = 250;

export interface HeadWatcher {
  /** Where the log stands now. */
  head(): Promise<number>;
  /** Whether the log stands elsewhere than `seen`: waits for it, at most so long or until the signal. Rejects when it cannot be read. */
  moved(seen: number, ms: number, signal: AbortSignal): Promise<boolean>;
  /** How many wait. */
  readonly waiting: number;
}

interface Waiter {
  readonly seen: number;
  readonly wake: () => void;
  readonly fail: (error: unknown) => void;
}

export function createHeadWatcher(memory: Memory): HeadWatcher {
  const waiters = new Set<Waiter>();
  let isPolling = false;
  const head = async (): Promise<number> => (await memory.running().storage.feed.head()).seq;

  const poll = async (): Promise<void> => {
    if (isPolling) return;
    isPolling = true;
    const never = new AbortController().signal;
    while (waiters.size > 0) {
      await pause(POLL_MS, never);
      try {
        const seq = waiters.size > 0 ? await head() : 0;
        for (const { seen, wake } of [...waiters]) if (seen !== seq) wake();
      } catch (error) {
        for (const { fail } of [...waiters]) fail(error);
      }
    }
    isPolling = false;
  };

  return {
    head,
    get waiting() {
      return waiters.size;
    },
    async moved(seen, ms, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<boolean>();
      const waiter = { seen, wake: () => resolve(true), fail: reject };
      const over = new AbortController();
      waiters.add(waiter);
      void poll();
      try {
        const late = pause(ms, AbortSignal.any([signal, over.signal])).then(() => false);
        return await Promise.race([promise, late]);
      } finally {
        waiters.delete(waiter);
        over.abort();
      }
    },
  };
}
