/** A chat waits for its memory so long and no longer, also for one that does not look at its signal. */
import { MemoryError } from "../base/errors.ts";

export async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const patience = new AbortController();
  const ending = signal === undefined ? patience.signal : AbortSignal.any([signal, patience.signal]);
  const ended = Promise.withResolvers<never>();
  const end = (): void => ended.reject(ending.reason);
  ending.addEventListener("abort", end, { once: true });
  const timer = setTimeout(() => patience.abort(lateness(ms)), ms);
  try {
    ending.throwIfAborted();
    return await Promise.race([task(ending), ended.promise]);
  } finally {
    clearTimeout(timer);
    ending.removeEventListener("abort", end);
  }
}

/** The task is gone on with: what it gives counts only if it comes in time. */
export async function orAfter<T>(
  ms: number,
  task: Promise<T>,
  late: (lateness: MemoryError) => T,
): Promise<T> {
  const ended = Promise.withResolvers<T>();
  const timer = setTimeout(() => ended.resolve(late(lateness(ms))), ms);
  try {
    return await Promise.race([task, ended.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function lateness(ms: number): MemoryError {
  return new MemoryError(
    "request_timeout",
    `The memory did not answer within ${ms} ms. Valid: a larger patienceMs, or a memory that is nearer.`,
  );
}
