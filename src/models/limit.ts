/** How many at once? A gate that lets so many calls through and queues the rest in their order; a queued call can be aborted. */
import { MemoryError } from "../base/errors.ts";
import { throwIfAborted, untilAborted } from "./abort.ts";
import type { Middleware } from "./middleware.ts";

export type Gate = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

export function createGate(most: number): Gate {
  if (!Number.isInteger(most) || most < 1) {
    throw new MemoryError(
      "option_invalid",
      `${most} calls at once is not a limit. Valid: a whole number from 1.`,
    );
  }
  let free = most;
  const waiting = new Set<() => void>();

  const enter = async (signal: AbortSignal | undefined): Promise<void> => {
    if (free > 0) {
      free--;
      return;
    }
    let admit: () => void = () => undefined;
    const admitted = new Promise<void>((resolve) => {
      admit = resolve;
    });
    waiting.add(admit);
    try {
      await untilAborted(admitted, signal, "The waiting call");
    } catch (error) {
      // Admitted and aborted in the same moment: the place goes on to the next in line.
      if (!waiting.delete(admit)) leave();
      throw error;
    }
  };
  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      free++;
      return;
    }
    waiting.delete(next);
    next();
  };

  return async (work, signal) => {
    throwIfAborted(signal, "The call");
    await enter(signal);
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

/** At most so many calls of the models it wraps are under way at once; one gate may be shared by several models. */
export function limited(limit: number | Gate): Middleware {
  const gate = typeof limit === "number" ? createGate(limit) : limit;
  return (call, next) => gate(() => next(call.options), call.options.signal);
}
