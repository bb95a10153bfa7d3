/**
 * Ten thousand texts, and the caller may stop at any moment: vectors come in chunks as they are ready, so whatever has
 * been handed over is kept, and a later call goes on from there.
 *
 *     for await (const chunk of embedBacklog(texts, set.embedDocuments, { from: stored })) await store(chunk);
 *
 * An embedder set gives `undefined` for an empty text; a bare embedder refuses it, and would refuse it at every resume.
 */
import { MemoryError } from "../../base/errors.ts";
import { abortedError } from "../abort.ts";
import type { CallOptions } from "../model.ts";

export interface BacklogOptions {
  /** Where to go on: how many texts are done already (default 0). */
  readonly from?: number | undefined;
  /** Texts per chunk (default 64). */
  readonly chunk?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told after every chunk, and once at the start. */
  readonly onProgress?: ((progress: BacklogProgress) => void) | undefined;
}

export interface BacklogProgress {
  readonly done: number;
  readonly total: number;
}

export interface BacklogChunk<T> {
  /** Place of the first of them in the backlog. */
  readonly from: number;
  readonly vectors: readonly T[];
}

/** Stopping throws `aborted`, whose details say how many are done. */
export async function* embedBacklog<T>(
  texts: readonly string[],
  embed: (texts: readonly string[], options: CallOptions) => Promise<readonly T[]>,
  { from = 0, chunk = 64, signal, onProgress }: BacklogOptions = {},
): AsyncGenerator<BacklogChunk<T>> {
  const stop = (cause: unknown): MemoryError =>
    new MemoryError("aborted", `The embedding was stopped after ${done} of ${texts.length} texts.`, {
      cause,
      details: { done, total: texts.length },
    });
  let done = from;
  onProgress?.({ done, total: texts.length });
  while (done < texts.length) {
    if (signal?.aborted === true) throw stop(abortedError(signal, "The embedding"));
    const part = texts.slice(done, done + chunk);
    let vectors: readonly T[];
    try {
      vectors = await embed(part, { signal });
    } catch (error) {
      throw MemoryError.is(error) && error.code === "aborted" ? stop(error) : error;
    }
    yield { from: done, vectors };
    done += part.length;
    onProgress?.({ done, total: texts.length });
  }
}
