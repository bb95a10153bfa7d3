/**
 * How is something done around every call, once for all three ports? A middleware gets the call and the rest of the way
 * (`next`), and may wait, refuse, repeat, measure or stop it. `wrapModel` puts middlewares around a model, the first one
 * outermost, and the result has the interface of what it wraps:
 *
 *     wrapModel(model, limited(4), retrying(), timed(60_000))
 */
import { textsOf } from "./estimate.ts";
import {
  type CallOptions,
  type ChatModel,
  type Embedder,
  type EmbedOptions,
  NO_USAGE,
  type RankOptions,
  type Reranker,
  type Usage,
} from "./model.ts";

export interface PassedOptions extends CallOptions {
  /** Called whenever a piece of a streamed reply arrived. */
  readonly onProgress?: (() => void) | undefined;
}

export interface ModelCall {
  readonly kind: "chat" | "embed" | "rank";
  readonly model: string;
  readonly provider: string;
  /** Every text that is sent, for estimates. */
  readonly texts: readonly string[];
  /** The most tokens the reply may have, where the caller set a bound. */
  readonly maxTokens: number | undefined;
  readonly options: PassedOptions;
}

export interface Outcome<T> {
  readonly value: T;
  readonly usage: Usage;
  /** The text that came back, for estimates where the usage does not say. */
  readonly said?: string | undefined;
}

export type Middleware = <T>(
  call: ModelCall,
  next: (options: PassedOptions) => Promise<Outcome<T>>,
) => Promise<Outcome<T>>;

export type Model = ChatModel | Embedder | Reranker;

export function wrapModel(model: ChatModel, ...around: readonly Middleware[]): ChatModel;
export function wrapModel(model: Embedder, ...around: readonly Middleware[]): Embedder;
export function wrapModel(model: Reranker, ...around: readonly Middleware[]): Reranker;
export function wrapModel(model: Model, ...around: readonly Middleware[]): Model;
export function wrapModel(model: Model, ...around: readonly Middleware[]): Model {
  if ("generate" in model) return wrapChat(model, around);
  return "embed" in model ? wrapEmbedder(model, around) : wrapReranker(model, around);
}

function wrapChat(model: ChatModel, around: readonly Middleware[]): ChatModel {
  const { id, provider, settings } = model;
  return {
    id,
    provider,
    settings,
    // An adapter may learn that its model can do less.
    get json() {
      return model.json;
    },
    async generate(request, options = {}) {
      const { onText, ...rest } = options;
      const call = {
        kind: "chat" as const,
        model: id,
        provider,
        texts: textsOf(request),
        maxTokens: request.maxTokens,
      };
      const outcome = await runThrough(around, call, rest, async ({ onProgress, ...passed }) => {
        const hear = (piece: string): void => {
          onProgress?.();
          onText?.(piece);
        };
        const heard = onText === undefined ? {} : { onText: hear };
        const reply = await model.generate(request, { ...passed, ...heard });
        const calls = reply.toolCalls.length === 0 ? "" : JSON.stringify(reply.toolCalls);
        return { value: reply, usage: reply.usage, said: reply.text + calls };
      });
      return outcome.value;
    },
  };
}

function wrapEmbedder(embedder: Embedder, around: readonly Middleware[]): Embedder {
  const { id, provider, dimension, maxBatch, maxTokens, settings } = embedder;
  return {
    id,
    provider,
    settings,
    dimension,
    maxBatch,
    maxTokens,
    embed: (texts, { as, ...options } = {}) =>
      runCounted(around, { kind: "embed", model: id, provider, texts, maxTokens: 0 }, options, (passed) =>
        embedder.embed(texts, { ...passed, as }),
      ),
  };
}

function wrapReranker(reranker: Reranker, around: readonly Middleware[]): Reranker {
  const { id, provider, settings } = reranker;
  return {
    id,
    provider,
    settings,
    rank: (query, texts, options = {}) => {
      const sent = texts.flatMap((text) => [query, text]);
      return runCounted(
        around,
        { kind: "rank", model: id, provider, texts: sent, maxTokens: 0 },
        options,
        (passed) => reranker.rank(query, texts, passed),
      );
    },
  };
}

export type CallInput = Omit<ModelCall, "options">;

/** The call with everything around it; `base` is the call itself. */
export function runThrough<T>(
  around: readonly Middleware[],
  call: CallInput,
  options: PassedOptions,
  base: (options: PassedOptions) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const [first, ...others] = around;
  if (first === undefined) return base(options);
  return first({ ...call, options }, (passed) => runThrough(others, call, passed, base));
}

/** For ports whose replies carry no usage: it is counted on the way and told to the caller at the end. */
async function runCounted<T>(
  around: readonly Middleware[],
  call: CallInput,
  { onUsage, ...options }: EmbedOptions | RankOptions,
  base: (options: RankOptions) => Promise<T>,
): Promise<T> {
  const outcome = await runThrough(around, call, options, async ({ onProgress: _, ...passed }) => {
    let usage = NO_USAGE;
    const count = (more: Usage): void => {
      usage = addUsage(usage, more);
    };
    const value = await base({ ...passed, onUsage: count });
    return { value, usage };
  });
  onUsage?.(outcome.usage);
  return outcome.value;
}

export function addUsage(a: Usage, b: Usage): Usage {
  return { inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens };
}
