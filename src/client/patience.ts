/** How long is waited: for a server that is silent, and before a call is sent again (a random part of a growing time, so that many clients do not come back at once). */
import { MemoryError } from "../base/errors.ts";

/** What passes by itself. A model that failed was already asked again by the server. */
const PASSING: ReadonlySet<string> = new Set([
  "server_unreachable",
  "server_closing",
  "rate_limited",
  "locked",
  "storage_io",
]);
const FIRST_MS = 250;
const LONGEST_MS = 10_000;
/** A server that wants to be left alone for longer is not waited for: the caller decides. */
const LONGEST_ASKED_MS = 60_000;

export async function withRetries<T>(
  retries: number,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let tried = 0; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      const wait = waitMs(error, tried);
      if (wait === undefined || tried >= retries) throw error;
      await pause(wait, signal);
      if (signal?.aborted === true) throw stopped(signal);
    }
  }
}

/** undefined: it would not help to try again. */
export function waitMs(error: unknown, tried: number): number | undefined {
  if (!MemoryError.is(error) || !PASSING.has(error.code)) return undefined;
  const { retryAfterMs: asked } = error.details;
  if (typeof asked !== "number") return Math.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** tried);
  return asked > LONGEST_ASKED_MS ? undefined : asked + Math.random() * FIRST_MS;
}

/** Resolves after so long, or at once when the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted === true) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
  });
}

export function stopped(signal: AbortSignal | undefined): MemoryError {
  return new MemoryError("aborted", "The call was stopped by its caller before it ended.", {
    cause: signal?.reason,
  });
}

/** Goes off when nothing was heard for so long. */
export interface Silence {
  readonly signal: AbortSignal;
  heard(): void;
  end(): void;
}

export function watchSilence(timeoutMs: number): Silence {
  const controller = new AbortController();
  const expire = (): void => controller.abort();
  let timer = setTimeout(expire, timeoutMs);
  return {
    signal: controller.signal,
    heard() {
      clearTimeout(timer);
      timer = setTimeout(expire, timeoutMs);
    },
    end: () => clearTimeout(timer),
  };
}
