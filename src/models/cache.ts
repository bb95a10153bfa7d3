/**
 * The same question is not paid twice. A cache is bounded in bytes, forgets what was not used longest, and may live in a
 * file, so that the next run starts warm. Replies that were cut short are not kept. A cache that fails costs a warning,
 * never the reply that was paid for.
 */
import { z } from "zod";
import { type Json, jsonSchema } from "../base/json.ts";
import { silent, type Trace } from "../base/trace.ts";
import { jsonlFile } from "./jsonl-file.ts";
import type { Model } from "./middleware.ts";
import type { ChatModel, Embedder, Reranker } from "./model.ts";
import {
  chatThrough,
  embedderThrough,
  type ReplyStore,
  rerankerThrough,
  type StoreUse,
} from "./stored-replies.ts";

export interface CacheDeps {
  readonly trace?: Trace | undefined;
}

export function withCache(model: ChatModel, store: ReplyStore, deps?: CacheDeps): ChatModel;
export function withCache(model: Embedder, store: ReplyStore, deps?: CacheDeps): Embedder;
export function withCache(model: Reranker, store: ReplyStore, deps?: CacheDeps): Reranker;
export function withCache(model: Model, store: ReplyStore, deps: CacheDeps = {}): Model {
  const { trace = silent } = deps;
  const use: StoreUse = {
    store: forgiving(store, trace),
    look: true,
    keep: true,
    free: true,
    bySettings: true,
    trace,
  };
  if ("generate" in model) return chatThrough(model, use);
  return "embed" in model ? embedderThrough(model, use) : rerankerThrough(model, use);
}

function forgiving(store: ReplyStore, trace: Trace): ReplyStore {
  const warn = (error: unknown, what: string): void => {
    const reason = error instanceof Error ? error.message : String(error);
    trace({ type: "warning-raise", code: "storage_io", message: `The cache could not ${what}: ${reason}` });
  };
  return {
    async get(key) {
      try {
        return await store.get(key);
      } catch (error) {
        warn(error, "be read, so the model is asked");
        return undefined;
      }
    },
    async set(values) {
      try {
        await store.set(values);
      } catch (error) {
        warn(error, "keep a reply, so the same question will be asked again");
      }
    },
  };
}

export interface ReplyCache extends ReplyStore {
  readonly size: number;
  /** Of keys and values; at most `maxBytes`. */
  readonly bytes: number;
  /** All it holds, the longest unused first. */
  entries(): Iterable<readonly [key: string, value: Json]>;
}

const DEFAULT_BYTES = 64 * 1024 * 1024;

export function memoryCache(maxBytes: number = DEFAULT_BYTES): ReplyCache {
  // A Map keeps the order of insertion; what is used goes to its end.
  const texts = new Map<string, string>();
  let bytes = 0;
  const remove = (key: string): void => {
    const text = texts.get(key);
    if (text === undefined) return;
    texts.delete(key);
    bytes -= key.length + text.length;
  };
  return {
    get size() {
      return texts.size;
    },
    get bytes() {
      return bytes;
    },
    get(key) {
      const text = texts.get(key);
      if (text === undefined) return undefined;
      texts.delete(key);
      texts.set(key, text);
      const value: Json = JSON.parse(text);
      return value;
    },
    set(values) {
      for (const [key, value] of values) {
        remove(key);
        const text = JSON.stringify(value);
        if (key.length + text.length > maxBytes) continue;
        texts.set(key, text);
        bytes += key.length + text.length;
      }
      for (const [oldest] of texts) {
        if (bytes <= maxBytes) return;
        remove(oldest);
      }
    },
    *entries() {
      for (const [key, text] of texts) {
        const value: Json = JSON.parse(text);
        yield [key, value];
      }
    },
  };
}

const lineSchema = z.tuple([z.string(), jsonSchema]);

/**
 * A cache in a file of [key, value] lines; the file is written anew once it is twice as large as what it holds. It is one
 * process's at a time: what a second one appends while the first writes anew is lost, and neither sees the other's lines.
 */
export async function openCache(path: string, maxBytes: number = DEFAULT_BYTES): Promise<ReplyCache> {
  const file = jsonlFile(path);
  const kept = memoryCache(maxBytes);
  let written = 0;
  const take = (values: readonly (readonly [string, Json])[]): void => {
    void kept.set(values);
    for (const [key, value] of values) written += key.length + JSON.stringify(value).length;
  };
  for (const line of (await file.read()).values) {
    const parsed = lineSchema.safeParse(line);
    if (parsed.success) take([parsed.data]);
  }
  const tidy = async (): Promise<void> => {
    if (written < 2 * maxBytes) return;
    await file.replace([...kept.entries()].map(([key, value]) => [key, value]));
    written = kept.bytes;
  };
  await tidy();
  return {
    get size() {
      return kept.size;
    },
    get bytes() {
      return kept.bytes;
    },
    get: (key) => kept.get(key),
    entries: () => kept.entries(),
    async set(values) {
      take(values);
      await file.append(values.map(([key, value]) => [key, value]));
      await tidy();
    },
  };
}
