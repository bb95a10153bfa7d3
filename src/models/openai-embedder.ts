/** An OpenAI-compatible embeddings URL as an `Embedder`. Vectors come back in the texts' order, checked and of length 1. */
import { z } from "zod";
import type { Endpoint } from "./endpoints.ts";
import { replyInvalid } from "./failure.ts";
import { fingerprint } from "./fingerprint.ts";
import { createHttp, type Http, type HttpDeps } from "./http.ts";
import { type Middleware, type Outcome, runThrough } from "./middleware.ts";
import type { Embedder } from "./model.ts";
import { checkDimension, unitVector } from "./unit-vector.ts";
import { decodeVector } from "./vector-text.ts";

export interface EmbedderSettings {
  readonly dimension: number;
  /** Ask for vectors cut to `dimension`, where the model can (Matryoshka); its space then has a name of its own. */
  readonly shorten?: boolean | undefined;
  /** Name of the vector space, if it should not be the model's. */
  readonly id?: string | undefined;
  readonly maxTokens?: number | undefined;
  /** Words the model wants before a query or a document. */
  readonly prefix?:
    | { readonly query?: string | undefined; readonly document?: string | undefined }
    | undefined;
}

export function openAiEmbedder(
  endpoint: Endpoint,
  settings: EmbedderSettings,
  deps: HttpDeps = {},
): Embedder {
  const http = createHttp(endpoint, deps);
  const { dimension, shorten = false, prefix = {} } = settings;
  const id = settings.id ?? (shorten ? `${endpoint.model}@${dimension}` : endpoint.model);
  return {
    id,
    provider: endpoint.name,
    settings: fingerprint(endpoint.baseUrl, endpoint.model, shorten, prefix),
    dimension,
    maxBatch: endpoint.maxBatch,
    maxTokens: settings.maxTokens,
    async embed(texts, { as = "document", signal, onUsage } = {}) {
      if (texts.length === 0) return [];
      const before = prefix[as] ?? "";
      const input = texts.map((text) => before + text);
      const { value, usage } = await fetchVectors(http, input, shorten ? dimension : undefined, signal);
      onUsage?.(usage);
      return value.map((vector) => unitVector(id, checkDimension(id, dimension, vector)));
    },
  };
}

/** Asks for the length of the model's vectors by embedding one word; a guess would split the memory in two (peers C6). */
export async function measureDimension(
  endpoint: Endpoint,
  deps: HttpDeps,
  around: readonly Middleware[],
  signal: AbortSignal | undefined,
): Promise<number> {
  const http = createHttp(endpoint, deps);
  const texts = ["dimension"];
  const call = {
    kind: "embed" as const,
    model: endpoint.model,
    provider: endpoint.name,
    texts,
    maxTokens: 0,
  };
  const { value } = await runThrough(around, call, { signal }, (options) =>
    fetchVectors(http, texts, undefined, options.signal),
  );
  return value[0]?.length ?? 0;
}

const replySchema = z.looseObject({
  data: z.array(
    z.looseObject({
      index: z.number().int().nullish(),
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
  usage: z.looseObject({ prompt_tokens: z.number().nullish(), total_tokens: z.number().nullish() }).nullish(),
});

async function fetchVectors(
  http: Http,
  texts: readonly string[],
  dimensions: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Outcome<Float32Array[]>> {
  const raw = await http.post(
    "/embeddings",
    {
      model: http.asked.model,
      // Endpoints refuse the empty string; a space says as little.
      input: texts.map((text) => text || " "),
      encoding_format: "float",
      ...(dimensions === undefined ? {} : { dimensions }),
    },
    signal,
  );
  const reply = replySchema.safeParse(raw);
  const rows = new Map((reply.data?.data ?? []).map((row, at) => [row.index ?? at, row.embedding]));
  const value = texts.map((_, at) => {
    const embedding = rows.get(at);
    if (embedding === undefined || rows.size !== texts.length) {
      const problem = `sent ${rows.size} vectors for ${texts.length} texts, or not one for each.`;
      throw replyInvalid(http.asked, problem, JSON.stringify(raw), { cause: reply.error });
    }
    return typeof embedding === "string" ? decodeVector(embedding) : Float32Array.from(embedding);
  });
  const usage = reply.data?.usage;
  return { value, usage: { inputTokens: usage?.prompt_tokens ?? usage?.total_tokens ?? 0, outputTokens: 0 } };
}
