/** How long is too long? A call that neither ends nor streams on within the time is given up as unavailable, so a retry may follow. */
import { MemoryError } from "../base/errors.ts";
import { untilAborted } from "./abort.ts";
import type { Middleware } from "./middleware.ts";

export function timed(timeoutMs: number): Middleware {
  return async (call, next) => {
    const { signal, onProgress } = call.options;
    const late = new AbortController();
    const expire = (): void => late.abort(new Error(`no answer within ${timeoutMs} ms`));
    let timer = setTimeout(expire, timeoutMs);
    const restart = (): void => {
      clearTimeout(timer);
      timer = setTimeout(expire, timeoutMs);
      onProgress?.();
    };
    const either = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
    try {
      const work = next({ ...call.options, signal: either, onProgress: restart });
      return await untilAborted(work, either, `The call to "${call.model}"`);
    } catch (error) {
      if (!late.signal.aborted || signal?.aborted === true) throw error;
      throw new MemoryError(
        "model_unavailable",
        `"${call.model}" of ${call.provider} did not answer within ${timeoutMs} ms. Valid: a longer timeout, or a faster model.`,
        { cause: error, details: { model: call.model, timeoutMs } },
      );
    } finally {
      clearTimeout(timer);
    }
  };
}
