/**
 * Replies that outlive their call. Cache, record and replay differ only in what they do with a store: look before asking,
 * keep after asking, and what a miss means. Chats and rankings are kept by request, embeddings by text, so that the way a
 * list was batched does not matter.
 */
import { z } from "zod";
import { invariant } from "../base/errors.ts";
import { type Json, jsonObjectSchema } from "../base/json.ts";
import type { MaybePromise } from "../base/promise.ts";
import { silent, type Trace } from "../base/trace.ts";
import { fingerprint } from "./fingerprint.ts";
import {
  type ChatModel,
  type ChatReply,
  type Embedder,
  type EmbedOptions,
  NO_USAGE,
  type Reranker,
} from "./model.ts";
import { decodeVector, encodeVector } from "./vector-text.ts";

export interface ReplyStore {
  get(key: string): MaybePromise<Json | undefined>;
  set(values: readonly (readonly [key: string, value: Json])[]): MaybePromise<void>;
}

export interface StoreUse {
  readonly store: ReplyStore;
  readonly look: boolean;
  readonly keep: boolean;
  /** Found replies say that they cost nothing. A replay leaves them as they were recorded. */
  readonly free: boolean;
  /** Models that differ in `settings` have replies of their own. A recording may be replayed without knowing them. */
  readonly bySettings: boolean;
  readonly trace?: Trace | undefined;
}

const count = z.number().min(0);
const replySchema = z.object({
  text: z.string(),
  toolCalls: z.array(z.object({ id: z.string(), name: z.string(), input: jsonObjectSchema })),
  finish: z.enum(["stop", "length", "tools"]),
  usage: z.object({ inputTokens: count, outputTokens: count }),
});

export function chatThrough(
  model: ChatModel,
  { store, look, keep, free, bySettings, trace = silent }: StoreUse,
): ChatModel {
  const { id, provider, settings } = model;
  const who = [provider, id, ...(bySettings ? [settings] : [])];
  return {
    id,
    provider,
    settings,
    get json() {
      return model.json;
    },
    async generate(request, options = {}) {
      const key = fingerprint("chat", ...who, request);
      if (look && options.fresh !== true) {
        const known = replySchema.safeParse(await store.get(key));
        if (known.success) {
          if (known.data.text !== "") options.onText?.(known.data.text);
          if (!free) return known.data;
          trace({
            type: "model-call",
            model: id,
            task: options.task,
            ...FREE,
            outputTokens: 0,
            cached: true,
          });
          return { ...known.data, usage: NO_USAGE, cached: true };
        }
      }
      const reply = await model.generate(request, options);
      if (keep && isWhole(reply)) await store.set([[key, replySchema.parse(reply)]]);
      return reply;
    },
  };
}

const FREE = { inputTokens: 0, ms: 0, attempt: 1 } as const;

/** A reply that was cut short would be cut short again. */
function isWhole(reply: ChatReply): boolean {
  return reply.finish !== "length";
}

export function embedderThrough(embedder: Embedder, use: StoreUse): Embedder {
  const { store, look, keep, free, bySettings, trace = silent } = use;
  const { id, provider, dimension, maxBatch, maxTokens, settings } = embedder;
  const who = [id, dimension, ...(bySettings ? [settings] : [])];
  const find = async (text: string, { as = "document", fresh }: EmbedOptions) => {
    const key = fingerprint("embed", ...who, as, text);
    const value = look && fresh !== true ? await store.get(key) : undefined;
    const vector = typeof value === "string" ? decodeVector(value) : undefined;
    return { text, key, vector: vector?.length === dimension ? vector : undefined };
  };
  return {
    id,
    provider,
    settings,
    dimension,
    maxBatch,
    maxTokens,
    async embed(texts, options = {}) {
      const unique = await Promise.all([...new Set(texts)].map((text) => find(text, options)));
      const vectors = new Map(unique.map(({ text, vector }) => [text, vector]));
      const missing = unique.filter(({ vector }) => vector === undefined);
      if (free && missing.length < unique.length) {
        const found = unique.length - missing.length;
        trace({ type: "embed-call", model: id, task: options.task, ...FREE, texts: found, cached: found });
      }
      if (missing.length > 0) {
        const asked = missing.map(({ text }) => text);
        const made = await embedder.embed(asked, options);
        const vectorAt = (at: number): Float32Array => {
          const vector = made[at];
          invariant(vector !== undefined, `"${id}" gave fewer vectors than texts`);
          return vector;
        };
        missing.forEach(({ text }, at) => {
          vectors.set(text, vectorAt(at));
        });
        if (keep) await store.set(missing.map(({ key }, at) => [key, encodeVector(vectorAt(at))]));
      }
      return texts.flatMap((text) => vectors.get(text)?.slice() ?? []);
    },
  };
}

const scoresSchema = z.array(z.number());

export function rerankerThrough(
  reranker: Reranker,
  { store, look, keep, free, bySettings, trace = silent }: StoreUse,
): Reranker {
  const { id, provider, settings } = reranker;
  const who = [provider, id, ...(bySettings ? [settings] : [])];
  return {
    id,
    provider,
    settings,
    async rank(query, texts, options = {}) {
      const key = fingerprint("rank", ...who, query, texts);
      const known = look && options.fresh !== true ? scoresSchema.safeParse(await store.get(key)) : undefined;
      if (known?.success === true && known.data.length === texts.length) {
        const n = texts.length;
        if (free) trace({ type: "rank-call", model: id, task: options.task, ...FREE, texts: n, cached: n });
        return Float64Array.from(known.data);
      }
      const scores = await reranker.rank(query, texts, options);
      if (keep) await store.set([[key, [...scores]]]);
      return scores;
    },
  };
}
