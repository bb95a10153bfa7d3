/**
 * When is it tried again, and after how long? Only errors that call themselves retryable are; the wait is uniformly random
 * below an exponentially growing cap ("full jitter": Brooker, Timeouts, retries and backoff with jitter, Amazon Builders'
 * Library), or what the server asked for by `Retry-After`, plus jitter, so that many clients do not come back at once.
 */
import { MemoryError } from "../base/errors.ts";
import { type Random, systemRandom } from "../base/random.ts";
import { silent, type Trace } from "../base/trace.ts";
import { type Sleep, systemSleep } from "./abort.ts";
import type { Middleware } from "./middleware.ts";

export interface RetryOptions {
  /** Tries in all, the first included (default 4). */
  readonly attempts?: number | undefined;
  /** Cap of the first wait (default 1 000 ms); doubles with every further one. */
  readonly baseMs?: number | undefined;
  /** Cap of every wait (default 20 000 ms). */
  readonly maxMs?: number | undefined;
  /** A server that asks for a longer wait than this (default 60 000 ms) is not waited for: the caller gets its error at once. */
  readonly maxRetryAfterMs?: number | undefined;
}

export interface RetryDeps {
  readonly sleep?: Sleep | undefined;
  readonly random?: Random | undefined;
  readonly trace?: Trace | undefined;
}

const DEFAULTS = { attempts: 4, baseMs: 1000, maxMs: 20_000, maxRetryAfterMs: 60_000 } as const;

export function retrying(options: RetryOptions = {}, deps: RetryDeps = {}): Middleware {
  const { sleep = systemSleep, random = systemRandom, trace = silent } = deps;
  const attempts = options.attempts ?? DEFAULTS.attempts;
  return async (call, next) => {
    const { signal, onProgress } = call.options;
    for (let attempt = 1; ; attempt++) {
      let streamed = false;
      const hear = (): void => {
        streamed = true;
        onProgress?.();
      };
      try {
        return await next({ ...call.options, attempt, onProgress: hear });
      } catch (error) {
        // What the reader has seen cannot be taken back, so a stream that broke off is not begun again.
        if (!MemoryError.is(error) || !error.retryable || streamed || attempt >= attempts) throw error;
        const wait = waitMs(attempt, error, options, random);
        if (wait === undefined) throw error;
        trace({
          type: "warning-raise",
          code: error.code,
          message: `${error.message} Try ${attempt} of ${attempts} failed; the next one follows in ${Math.round(wait)} ms.`,
        });
        await sleep(wait, signal);
      }
    }
  };
}

/** Undefined: the server wants to be left alone for longer than we wait. */
function waitMs(
  attempt: number,
  error: MemoryError,
  options: RetryOptions,
  random: Random,
): number | undefined {
  const baseMs = options.baseMs ?? DEFAULTS.baseMs;
  const asked = error.details.retryAfterMs;
  if (typeof asked === "number") {
    const longest = options.maxRetryAfterMs ?? DEFAULTS.maxRetryAfterMs;
    return asked > longest ? undefined : asked + random.next() * baseMs;
  }
  return random.next() * Math.min(options.maxMs ?? DEFAULTS.maxMs, baseMs * 2 ** (attempt - 1));
}
