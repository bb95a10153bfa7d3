/**
 * Yesterday's models, without a network. `withRecord` writes every reply to a file of JSON lines as it comes; `withReplay`
 * answers from that file alone, and a question it does not hold is an error, never a call. The same question asked several
 * times gets its replies in the order they were recorded, the last one again and again.
 */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import { type Json, jsonSchema } from "../base/json.ts";
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

const lineSchema = z.object({ key: z.string(), value: jsonSchema });

export interface Recording extends ReplyStore {
  /** Replies it holds. */
  readonly size: number;
}

export async function openRecording(path: string): Promise<Recording> {
  const file = jsonlFile(path);
  const replies = new Map<string, { readonly values: Json[]; next: number }>();
  let size = 0;
  const take = (key: string, value: Json): void => {
    const known = replies.get(key);
    if (known === undefined) replies.set(key, { values: [value], next: 0 });
    else known.values.push(value);
    size++;
  };
  for (const line of (await file.read()).values) {
    const parsed = lineSchema.safeParse(line);
    if (parsed.success) take(parsed.data.key, parsed.data.value);
  }
  return {
    get size() {
      return size;
    },
    get(key) {
      const known = replies.get(key);
      if (known === undefined) return undefined;
      const value = known.values[Math.min(known.next, known.values.length - 1)];
      known.next++;
      return value;
    },
    async set(values) {
      for (const [key, value] of values) take(key, value);
      await file.append(values.map(([key, value]) => ({ key, value })));
    },
  };
}

export function withRecord(model: ChatModel, recording: Recording): ChatModel;
export function withRecord(model: Embedder, recording: Recording): Embedder;
export function withRecord(model: Reranker, recording: Recording): Reranker;
export function withRecord(model: Model, recording: Recording): Model {
  const use: StoreUse = { store: recording, look: false, keep: true, free: false, bySettings: false };
  if ("generate" in model) return chatThrough(model, use);
  return "embed" in model ? embedderThrough(model, use) : rerankerThrough(model, use);
}

/** What a model is, without what it does: enough to replay it. A model itself will do as well. */
export type ChatIdentity = Omit<ChatModel, "generate">;
export type EmbedderIdentity = Omit<Embedder, "embed">;
export type RerankerIdentity = Omit<Reranker, "rank">;

export function withReplay(model: ChatIdentity, recording: Recording): ChatModel;
export function withReplay(model: EmbedderIdentity, recording: Recording): Embedder;
export function withReplay(model: RerankerIdentity, recording: Recording): Reranker;
export function withReplay(
  model: ChatIdentity | EmbedderIdentity | RerankerIdentity,
  recording: Recording,
): Model {
  const use: StoreUse = { store: recording, look: true, keep: false, free: false, bySettings: false };
  const { id, provider } = model;
  const missing = async (): Promise<never> => {
    throw new MemoryError(
      "model_refused",
      `The recording of "${id}" holds no reply to this question, and a replay asks nobody. Valid: the questions that were recorded, unchanged; or record again.`,
      { details: { model: id, provider } },
    );
  };
  if ("json" in model) return chatThrough({ id, provider, json: model.json, generate: missing }, use);
  if (!("dimension" in model)) return rerankerThrough({ id, provider, rank: missing }, use);
  const { dimension, maxBatch, maxTokens } = model;
  return embedderThrough({ id, provider, dimension, maxBatch, maxTokens, embed: missing }, use);
}
