/**
 * Any AI SDK model object as one of our ports, by its shape alone: specification v2, v3 and v4 (AI SDK 5, 6 and 7), which
 * differ in where usage and finish reason lie. The object is the user's; we depend on no package.
 */

import { type Clock, systemClock } from "../base/clock.ts";
import { MemoryError } from "../base/errors.ts";
import { throwIfAborted, untilAborted } from "./abort.ts";
import {
  type AiSdkCall,
  callOptions,
  joinStream,
  rankingSchema,
  readGenerated,
  vectorsSchema,
} from "./ai-sdk-wire.ts";
import { type Asked, networkFailure, replyInvalid, responseFailure } from "./failure.ts";
import type { ChatModel, Embedder, JsonSupport, Reranker } from "./model.ts";
import { judgeReply } from "./openai-wire.ts";
import { checkDimension, unitVector } from "./unit-vector.ts";

interface AiSdkModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
}

export interface AiSdkLanguageModel extends AiSdkModel {
  doGenerate(options: AiSdkCall): PromiseLike<object>;
  doStream(options: AiSdkCall): PromiseLike<{ readonly stream: AsyncIterable<object> }>;
}

export interface AiSdkEmbeddingModel extends AiSdkModel {
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined;
  doEmbed(options: { values: string[]; abortSignal?: AbortSignal }): PromiseLike<object>;
}

export interface AiSdkRerankingModel extends AiSdkModel {
  doRerank(options: {
    query: string;
    documents: { type: "text"; values: string[] };
    abortSignal?: AbortSignal;
  }): PromiseLike<object>;
}

export interface AiSdkOptions {
  /** Where the model cannot be held to a schema; the specification does not say. Default: schema. */
  readonly json?: JsonSupport | undefined;
  readonly clock?: Clock | undefined;
}

export function aiSdkChatModel(model: AiSdkLanguageModel, options: AiSdkOptions = {}): ChatModel {
  const asked = checkModel(model);
  const { json = offersSchema(model) ? "schema" : "object", clock = systemClock } = options;
  return {
    id: model.modelId,
    provider: model.provider,
    json,
    async generate(request, { signal, onText } = {}) {
      const call = callOptions(request, signal);
      const generated = await attempt(asked, clock, signal, async () => {
        if (onText === undefined) return model.doGenerate(call);
        const { stream } = await model.doStream(call);
        return joinStream(stream, onText);
      });
      return judgeReply(asked, readGenerated(asked, generated));
    },
  };
}

export interface AiSdkEmbedderOptions {
  /** Asked of the model by one short text if not given. */
  readonly dimension?: number | undefined;
  readonly id?: string | undefined;
  readonly maxTokens?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function aiSdkEmbedder(
  model: AiSdkEmbeddingModel,
  options: AiSdkEmbedderOptions = {},
): Promise<Embedder> {
  const asked = checkModel(model);
  const { clock = systemClock } = options;
  const id = options.id ?? model.modelId;
  const embed = async (texts: readonly string[], signal: AbortSignal | undefined) => {
    const values = texts.map((text) => text || " ");
    const raw = await attempt(asked, clock, signal, () =>
      model.doEmbed(signal === undefined ? { values } : { values, abortSignal: signal }),
    );
    const reply = vectorsSchema.safeParse(raw);
    if (!reply.success || reply.data.embeddings.length !== texts.length) {
      throw replyInvalid(asked, `sent no list of ${texts.length} vectors.`, JSON.stringify(raw), {
        cause: reply.error,
      });
    }
    return reply.data;
  };
  const dimension =
    options.dimension ?? (await embed(["dimension"], options.signal)).embeddings[0]?.length ?? 0;
  return {
    id,
    provider: model.provider,
    dimension,
    maxBatch: (await model.maxEmbeddingsPerCall) ?? 64,
    maxTokens: options.maxTokens,
    async embed(texts, { signal, onUsage } = {}) {
      if (texts.length === 0) return [];
      const { embeddings, usage } = await embed(texts, signal);
      onUsage?.({ inputTokens: usage?.tokens ?? 0, outputTokens: 0 });
      return embeddings.map((values) =>
        unitVector(id, checkDimension(id, dimension, Float32Array.from(values))),
      );
    },
  };
}

export function aiSdkReranker(
  model: AiSdkRerankingModel,
  options: { readonly clock?: Clock } = {},
): Reranker {
  const asked = checkModel(model);
  const { clock = systemClock } = options;
  return {
    id: model.modelId,
    provider: model.provider,
    async rank(query, texts, { signal } = {}) {
      if (texts.length === 0) return new Float64Array(0);
      const documents = { type: "text" as const, values: [...texts] };
      const raw = await attempt(asked, clock, signal, () =>
        model.doRerank({ query, documents, ...(signal === undefined ? {} : { abortSignal: signal }) }),
      );
      const reply = rankingSchema.safeParse(raw);
      const scores = new Map((reply.data?.ranking ?? []).map((row) => [row.index, row.relevanceScore]));
      return Float64Array.from(texts, (_, at) => {
        const score = scores.get(at);
        if (score === undefined) {
          throw replyInvalid(asked, `sent no score for text ${at}.`, JSON.stringify(raw), {
            cause: reply.error,
          });
        }
        return score;
      });
    },
  };
}

function checkModel(model: AiSdkModel): Asked {
  if (!["v2", "v3", "v4"].includes(model.specificationVersion)) {
    throw new MemoryError(
      "option_invalid",
      `"${model.modelId}" follows the AI SDK specification ${String(model.specificationVersion)}. Valid: v2, v3 or v4 (AI SDK 5 to 7).`,
    );
  }
  return { model: model.modelId, provider: model.provider, secrets: [] };
}

/** Some providers say so in a field outside the specification. */
function offersSchema(model: object): boolean {
  return !("supportsStructuredOutputs" in model) || model.supportsStructuredOutputs !== false;
}

async function attempt<T>(
  asked: Asked,
  clock: Clock,
  signal: AbortSignal | undefined,
  work: () => PromiseLike<T>,
): Promise<T> {
  const what = `The call to "${asked.model}"`;
  try {
    throwIfAborted(signal, what);
    // Not every provider listens to the signal it is given.
    return await untilAborted(Promise.resolve(work()), signal, what);
  } catch (error) {
    throw MemoryError.is(error) ? error : translate(asked, clock, signal, error);
  }
}

/** The SDK's APICallError carries status, headers and body; anything else is a connection that did not work. */
function translate(asked: Asked, clock: Clock, signal: AbortSignal | undefined, error: unknown): MemoryError {
  if (signal?.aborted === true || !(error instanceof Error) || !("statusCode" in error)) {
    return networkFailure(asked, signal, error);
  }
  const status = typeof error.statusCode === "number" ? error.statusCode : undefined;
  if (status === undefined) return networkFailure(asked, signal, error);
  const headers: unknown = "responseHeaders" in error ? error.responseHeaders : undefined;
  const body =
    "responseBody" in error && typeof error.responseBody === "string" ? error.responseBody : error.message;
  const get = (name: string): string | undefined => {
    const value: unknown =
      typeof headers === "object" && headers !== null ? Reflect.get(headers, name) : undefined;
    return typeof value === "string" ? value : undefined;
  };
  return responseFailure(asked, { status, headers: { get }, body }, clock.now(), error);
}
