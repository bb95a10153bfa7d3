/**
 * A model that is ready for use: the adapter with everything around it, in the one right order. A cached reply needs no
 * place in the queue; a place is held through its retries, so that a struggling server is not pressed harder; every try is
 * paid for and traced by itself; the time limit is a single try's.
 */
import type { Clock } from "../base/clock.ts";
import type { Random } from "../base/random.ts";
import { silent, type Trace } from "../base/trace.ts";
import type { Sleep } from "./abort.ts";
import type { Budget } from "./budget.ts";
import { withCache } from "./cache.ts";
import { withBatches } from "./embed-many.ts";
import { type EndpointSettings, resolveEndpoint } from "./endpoints.ts";
import type { HttpDeps } from "./http.ts";
import { httpReranker } from "./http-reranker.ts";
import { type Gate, limited } from "./limit.ts";
import { type Middleware, wrapModel } from "./middleware.ts";
import type { ChatModel, Embedder, Reranker } from "./model.ts";
import { type OpenAiDeps, openAiCompatible } from "./openai-compatible.ts";
import { type EmbedderSettings, measureDimension, openAiEmbedder } from "./openai-embedder.ts";
import type { Prices } from "./prices.ts";
import { type RetryOptions, retrying } from "./retry.ts";
import type { ReplyStore } from "./stored-replies.ts";
import { timed } from "./timeout.ts";
import { traced } from "./traced.ts";

export interface CallSettings {
  /** Calls under way at once, or a gate shared with other models (default 4). */
  readonly concurrency?: number | Gate | undefined;
  /** Of one try (default 60 000); a stream may take this long between two pieces. */
  readonly timeoutMs?: number | undefined;
  readonly retry?: RetryOptions | undefined;
}

export interface CallDeps {
  readonly trace?: Trace | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly sleep?: Sleep | undefined;
  readonly prices?: Prices | undefined;
  readonly cache?: ReplyStore | undefined;
  /** One for all models that spend from it together. */
  readonly budget?: Budget | undefined;
}

/** The usual surroundings of any chat model, an AI SDK one for instance. */
export function reliableChat(model: ChatModel, settings: CallSettings = {}, deps: CallDeps = {}): ChatModel {
  const wrapped = wrapModel(model, ...surroundings(settings, deps));
  return deps.cache === undefined ? wrapped : withCache(wrapped, deps.cache, deps);
}

/** The same for an embedder; lists and texts of any length are welcome afterwards. */
export function reliableEmbedder(
  embedder: Embedder,
  settings: CallSettings = {},
  deps: CallDeps = {},
): Embedder {
  const { cache, trace } = deps;
  const wrapped = wrapModel(embedder, ...surroundings(settings, deps));
  if (cache === undefined) return withBatches(wrapped, { trace });
  // Looked up before a list is split, so that batches are full; kept after every batch, so that one that fails does not
  // take those with it that were paid for. Only the vectors of texts embedded in parts are left for the outer one to keep.
  const batched = withBatches(withCache(wrapped, cache, deps), { trace });
  return withCache(batched, onlyNews(cache), deps);
}

/** The same store, not written to where it already holds that very value. */
function onlyNews(store: ReplyStore): ReplyStore {
  return {
    get: (key) => store.get(key),
    async set(values) {
      const known = await Promise.all(values.map(([key]) => store.get(key)));
      const news = values.filter(([, value], at) => known[at] !== value);
      if (news.length > 0) await store.set(news);
    },
  };
}

export function reliableReranker(
  reranker: Reranker,
  settings: CallSettings = {},
  deps: CallDeps = {},
): Reranker {
  const wrapped = wrapModel(reranker, ...surroundings(settings, deps));
  return deps.cache === undefined ? wrapped : withCache(wrapped, deps.cache, deps);
}

export interface ModelSettings extends EndpointSettings, CallSettings {}

export function openChatModel(
  endpoint: string,
  settings: ModelSettings & Pick<OpenAiDeps, "extra" | "headers" | "thinking">,
  deps: CallDeps & Pick<HttpDeps, "fetch"> = {},
): ChatModel {
  const { extra, headers, thinking } = settings;
  const adapterDeps = { ...deps, extra, headers, thinking };
  const model = openAiCompatible(resolveEndpoint(endpoint, settings), adapterDeps);
  return reliableChat(model, settings, deps);
}

/** Where the dimension is not given, the model is asked for it by embedding one word. */
export async function openEmbedder(
  endpoint: string,
  settings: ModelSettings & Partial<EmbedderSettings> & Pick<HttpDeps, "headers">,
  deps: CallDeps & Pick<HttpDeps, "fetch"> & { readonly signal?: AbortSignal | undefined } = {},
): Promise<Embedder> {
  const resolved = resolveEndpoint(endpoint, settings);
  const httpDeps = { fetch: deps.fetch, clock: deps.clock, headers: settings.headers };
  const dimension =
    settings.dimension ??
    (await measureDimension(resolved, httpDeps, surroundings(settings, deps), deps.signal));
  const embedder = openAiEmbedder(resolved, { ...settings, dimension }, httpDeps);
  return reliableEmbedder(embedder, settings, deps);
}

export function openReranker(
  endpoint: string,
  settings: ModelSettings & Pick<HttpDeps, "headers">,
  deps: CallDeps & Pick<HttpDeps, "fetch"> = {},
): Reranker {
  const httpDeps = { fetch: deps.fetch, clock: deps.clock, headers: settings.headers };
  return reliableReranker(httpReranker(resolveEndpoint(endpoint, settings), httpDeps), settings, deps);
}

function surroundings(settings: CallSettings, deps: CallDeps): Middleware[] {
  const { trace = silent, clock, random, sleep, prices, budget } = deps;
  return [
    limited(settings.concurrency ?? 4),
    retrying(settings.retry, { sleep, random, trace }),
    ...(budget === undefined ? [] : [budget.around]),
    traced({ trace, clock, prices }),
    timed(settings.timeoutMs ?? 60_000),
  ];
}
