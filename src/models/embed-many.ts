/**
 * Any number of texts, of any length, through an embedder that takes few and short ones. Lists are split at `maxBatch` and
 * put together again in order; a batch that is too large is halved until it passes; a single text that is too large is
 * halved too, and its vector is the mean of its parts weighted by their length, so a long text is embedded whole.
 */
import { MemoryError } from "../base/errors.ts";
import { silent, type Trace } from "../base/trace.ts";
import { mapLimited } from "./map-limited.ts";
import type { Embedder, EmbedOptions } from "./model.ts";
import { unitVector } from "./unit-vector.ts";

export interface EmbedManyOptions extends EmbedOptions {
  /** Batches under way at once (default 4). */
  readonly parallel?: number | undefined;
  /** Told after every batch. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly trace?: Trace | undefined;
}

/** A text this short that is still too large is not the text's fault. */
const SHORTEST_SPLIT = 16;

export async function embedMany(
  embedder: Embedder,
  texts: readonly string[],
  options: EmbedManyOptions = {},
): Promise<Float32Array[]> {
  const { parallel = 4, onProgress, trace = silent, ...call } = options;
  const batches: string[][] = [];
  for (let at = 0; at < texts.length; at += embedder.maxBatch) {
    batches.push(texts.slice(at, at + embedder.maxBatch));
  }
  let done = 0;
  const vectors = await mapLimited(
    batches,
    parallel,
    async (batch, signal) => {
      const embedded = await embedBatch(embedder, batch, { ...call, signal }, trace);
      done += batch.length;
      onProgress?.(done, texts.length);
      return embedded;
    },
    call.signal,
  );
  return vectors.flat();
}

/** The same embedder for lists and texts of any length. */
export function withBatches(
  embedder: Embedder,
  settings: Pick<EmbedManyOptions, "parallel" | "trace"> = {},
): Embedder {
  const { id, provider, dimension, maxTokens, settings: own } = embedder;
  return {
    id,
    provider,
    settings: own,
    dimension,
    maxBatch: Number.MAX_SAFE_INTEGER,
    maxTokens,
    embed: (texts, options = {}) => embedMany(embedder, texts, { ...settings, ...options }),
  };
}

async function embedBatch(
  embedder: Embedder,
  batch: readonly string[],
  options: EmbedOptions,
  trace: Trace,
): Promise<Float32Array[]> {
  try {
    return await embedder.embed(batch, options);
  } catch (error) {
    if (!MemoryError.is(error) || error.code !== "text_too_large") throw error;
    const [only = ""] = batch;
    if (batch.length === 1) return [await embedParts(embedder, only, options, trace, error)];
    const half = batch.length >> 1;
    const left = await embedBatch(embedder, batch.slice(0, half), options, trace);
    return [...left, ...(await embedBatch(embedder, batch.slice(half), options, trace))];
  }
}

async function embedParts(
  embedder: Embedder,
  text: string,
  options: EmbedOptions,
  trace: Trace,
  error: MemoryError,
): Promise<Float32Array> {
  if (text.length <= SHORTEST_SPLIT) throw error;
  const middle = middleOf(text);
  const parts = [text.slice(0, middle), text.slice(middle)];
  trace({
    type: "warning-raise",
    code: "text_too_large",
    message: `A text of ${text.length} characters is too long for "${embedder.id}"; it is embedded in two parts.`,
  });
  const vectors = await embedBatch(embedder, parts, options, trace);
  const mean = new Float32Array(embedder.dimension);
  vectors.forEach((vector, part) => {
    const weight = (parts[part]?.length ?? 0) / text.length;
    for (let i = 0; i < mean.length; i++) mean[i] = (mean[i] as number) + weight * (vector[i] as number);
  });
  return unitVector(embedder.id, mean);
}

/** The end of a sentence, else a space, near the middle; never inside a surrogate pair. */
function middleOf(text: string): number {
  const middle = text.length >> 1;
  const reach = text.length >> 3;
  const near = text.slice(middle - reach, middle + reach);
  for (const boundary of [/[.!?。！？；\n]\s*/g, /\s+/g]) {
    const ends = [...near.matchAll(boundary)].map((found) => middle - reach + found.index + found[0].length);
    const [best] = ends.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
    if (best !== undefined) return best;
  }
  return /[\uD800-\uDBFF]/.test(text[middle - 1] ?? "") ? middle + 1 : middle;
}
