/** Stopping early: what an aborted signal looks like as an error, and how a wait is cut short by one. */
import { MemoryError } from "../base/errors.ts";

export function abortedError(signal: AbortSignal | undefined, what: string): MemoryError {
  return new MemoryError("aborted", `${what} was stopped by its caller before it ended.`, {
    cause: signal?.reason,
  });
}

export function throwIfAborted(signal: AbortSignal | undefined, what: string): void {
  if (signal?.aborted === true) throw abortedError(signal, what);
}

/** Ends when the work ends or the signal aborts, whichever comes first, even if the work does not listen. */
export async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  what: string,
): Promise<T> {
  if (signal === undefined) return work;
  throwIfAborted(signal, what);
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(abortedError(signal, what));
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
    // The loser of the race may still fail later; nobody is left to hear it.
    work.catch(() => undefined);
  }
}

export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

export const systemSleep: Sleep = (ms, signal) => {
  let timer: NodeJS.Timeout | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return untilAborted(elapsed, signal, "The wait").finally(() => clearTimeout(timer));
};
