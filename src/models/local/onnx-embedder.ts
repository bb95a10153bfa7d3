/**
 * What does a text mean, as the encoder of a model package sees it? The state at [CLS], brought to length 1, as bge
 * models ask for; their instruction goes before queries only.
 *
 * - Every text runs alone. The weights are quantised dynamically, so in a batch the longest and loudest neighbour would
 *   change everyone's vector (cosine down to 0.99), to save less than a quarter of the time: here a text has one vector.
 * - A text longer than the encoder reads is embedded in windows, and its vector is their mean by length: nothing that was
 *   said is unseen. Beyond `maxWindows` the windows are spread evenly over the text and a warning says so.
 * - The weights are loaded by the first call, and once.
 */
import { join } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { silent, type Trace } from "../../base/trace.ts";
import { throwIfAborted } from "../abort.ts";
import { NO_USAGE } from "../model.ts";
import { unitVector } from "../unit-vector.ts";
import { type LocalEmbedder, nothingToEmbed } from "./local-embedder.ts";
import { type ModelPackage, openTokenizer } from "./model-package.ts";
import { type Encoder, loadOnnxRuntime, type OpenEncoder } from "./onnx-encoder.ts";
import type { WordPiece } from "./word-piece.ts";

export interface OnnxEmbedderOptions {
  /** Threads of one forward pass (default 1: the process has other work). */
  readonly threads?: number | undefined;
  /** Windows of one text at most (default 32, some 16,000 tokens). */
  readonly maxWindows?: number | undefined;
}

export interface OnnxEmbedderDeps {
  readonly trace?: Trace | undefined;
  /** Opens the weights (default: onnxruntime-node). */
  readonly openEncoder?: OpenEncoder | undefined;
}

const MAX_BATCH = 64;

export function onnxEmbedder(
  model: ModelPackage,
  { threads = 1, maxWindows = 32 }: OnnxEmbedderOptions = {},
  { trace = silent, openEncoder }: OnnxEmbedderDeps = {},
): LocalEmbedder {
  const load = async (): Promise<Loaded> => {
    const tokenizer = openTokenizer(model);
    const open = openEncoder ?? (await loadOnnxRuntime());
    const encoder = await open(join(model.directory, "model.onnx"), { threads }).catch((cause) => {
      throw new MemoryError("model_unavailable", `The weights of "${model.id}" could not be loaded.`, {
        cause,
      });
    });
    return { tokenizer, encoder, instruction: tokenizer.encode(model.queryInstruction) };
  };
  let loaded: Promise<Loaded> | undefined;
  const ready = (): Promise<Loaded> => {
    loaded ??= load().catch((error) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
  return {
    id: model.id,
    provider: "local",
    kind: "onnx",
    model,
    dimension: model.dimension,
    maxBatch: MAX_BATCH,
    maxTokens: maxWindows * (model.maxTokens - FRAME),
    async embed(texts, { as = "document", signal, onUsage } = {}) {
      throwIfAborted(signal, "The embedding");
      if (texts.length === 0) return [];
      const { tokenizer, encoder, instruction } = await ready();
      const prefix = as === "query" ? instruction : [];
      const vectors: Float32Array[] = [];
      for (const [index, text] of texts.entries()) {
        const ids = tokenizer.encode(text);
        if (ids.length === 0) throw nothingToEmbed(model.id, index);
        const all = windows(ids, model.maxTokens - FRAME - prefix.length);
        if (all.length > maxWindows) warnOfGaps(trace, model.id, all.length, maxWindows);
        const mean = new Float32Array(model.dimension);
        for (const window of spread(all, maxWindows)) {
          throwIfAborted(signal, "The embedding");
          const state = await encoder.firstState([
            tokenizer.classify,
            ...prefix,
            ...window,
            tokenizer.separate,
          ]);
          addScaled(mean, unitVector(model.id, state), window.length / ids.length);
        }
        vectors.push(unitVector(model.id, mean));
      }
      onUsage?.(NO_USAGE);
      return vectors;
    },
    async close() {
      const closing = loaded;
      loaded = undefined;
      await (await closing)?.encoder.close();
    },
  };
}

interface Loaded {
  readonly tokenizer: WordPiece;
  readonly encoder: Encoder;
  readonly instruction: readonly number[];
}

/** [CLS] before, [SEP] after. */
const FRAME = 2;

/** Windows of nearly equal length, so that no short tail speaks for a whole window. */
function windows(ids: readonly number[], longest: number): number[][] {
  const count = Math.ceil(ids.length / longest);
  return Array.from({ length: count }, (_, i) =>
    ids.slice(Math.floor((i * ids.length) / count), Math.floor(((i + 1) * ids.length) / count)),
  );
}

/** At most `most` of them, evenly over the whole. */
function spread<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return all.filter(
    (_, i) => Math.floor((i * most) / all.length) !== Math.floor(((i - 1) * most) / all.length),
  );
}

function addScaled(sum: Float32Array, vector: Float32Array, weight: number): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + weight * (vector[i] as number);
}

function warnOfGaps(trace: Trace, space: string, needed: number, most: number): void {
  trace({
    type: "warning-raise",
    code: "text_too_large",
    message: `A text needs ${needed} windows of "${space}"; its vector is made of ${most} of them, spread evenly. Valid: raise maxWindows, or split the text into entries.`,
  });
}
