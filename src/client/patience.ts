/** How long is waited: for a server that is silent, and before a call is sent again (a random part of a growing time, so that many clients do not come back at once). */
import { MemoryError } from "../base/errors.ts";

/** Lost on the way, or refused before it was begun. A model that failed was already asked again by the server. */
const NOT_BEGUN: ReadonlySet<string> = new Set(["server_unreachable", "server_closing", "rate_limited"]);
/** What passes by itself, too, but may have left a part of the work done. */
const HALF_WAY: ReadonlySet<string> = new Set(["locked", "storage_io"]);
const FIRST_MS = 250;
const LONGEST_MS = 10_000;
/** A server that wants to be left alone for longer is not waited for: the caller decides. */
const LONGEST_ASKED_MS = 60_000;

export interface Retrying {
  readonly retries: number;
  /** Whether doing it twice leaves what doing it once does. */
  readonly isIdempotent: boolean;
  readonly signal: AbortSignal | undefined;
}

export async function withRetries<T>(
  { retries, isIdempotent, signal }: Retrying,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let tried = 0; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      const wait = waitMs(error, tried, isIdempotent);
      if (wait === undefined || tried >= retries) throw error;
      await pause(wait, signal);
      if (signal?.aborted === true) throw stopped(signal);
    }
  }
}

/** undefined: it would not help to try again. */
export function waitMs(error: unknown, tried: number, isIdempotent: boolean): number | undefined {
  if (!MemoryError.is(error)) return undefined;
  if (!NOT_BEGUN.has(error.code) && !(isIdempotent && HALF_WAY.has(error.code))) return undefined;
  const { retryAfterMs: asked } = error.details;
  if (typeof asked !== "number") return growingMs(tried);
  return asked > LONGEST_ASKED_MS ? undefined : asked + Math.random() * FIRST_MS;
}

export function growingMs(tried: number): number {
  return Math.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** tried);
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
