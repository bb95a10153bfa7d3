/**
 * Who thinks, who embeds, who ranks? Three ports, one method each. An adapter turns one call into one request and its
 * failures into `MemoryError`s; retry, batching, caching, budgets and recording are wrappers with these same interfaces,
 * so an adapter never repeats them.
 *
 * Laws (and `testChatModel`, `testEmbedder` check them):
 * - a call ends in a reply or in a `MemoryError` whose `retryable` tells the truth; a refusal is never an empty reply;
 * - an aborted signal ends the call with the code `aborted`, and no request is sent if it was aborted before;
 * - embedding a list equals embedding its texts one by one, in the same order.
 */
import type { JsonObject } from "../base/json.ts";
import type { Scope } from "../base/scope.ts";

/** Tokens that one call consumed; 0 where the model runs here or does not say. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What every call may carry besides its input. Wrappers read it and pass it on. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whose budget pays. */
  readonly scope?: Scope | undefined;
  /** What the call is for, for traces: the task's name. */
  readonly task?: string | undefined;
  /** Which try this is, from 1; set by the retry. */
  readonly attempt?: number | undefined;
  /** True: not from a cache or recording of this run; the new reply takes the old one's place. */
  readonly fresh?: boolean | undefined;
}

export type ChatMessage =
  | { readonly role: "system" | "user"; readonly text: string }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly toolCalls?: readonly ToolCall[] | undefined;
    }
  /** What a tool gave back; `id` and `name` are those of the call it answers. */
  | { readonly role: "tool"; readonly id: string; readonly name: string; readonly text: string };

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the input. */
  readonly input: JsonObject;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

/** The shape a reply must have: a JSON schema with an object at its root. */
export interface ReplyShape {
  /** Letters, digits, _ and -; some endpoints show it to the model. */
  readonly name: string;
  readonly schema: JsonObject;
  /** Whether the schema keeps to the subset that constrained decoding understands. */
  readonly strict: boolean;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly shape?: ReplyShape | undefined;
  readonly tools?: readonly Tool[] | undefined;
  /** "auto" where tools are given and nothing is said; a name forces that tool. */
  readonly toolChoice?: "auto" | "none" | "required" | { readonly name: string } | undefined;
  readonly maxTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly seed?: number | undefined;
  /** Whether a model that can think aloud first should; unsaid: its own default. */
  readonly thinking?: boolean | undefined;
}

export interface ChatReply {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** `length`: it stopped at maxTokens, so the text may be cut. */
  readonly finish: "stop" | "length" | "tools";
  readonly usage: Usage;
  /** Answered from a cache: nobody was asked and nothing was spent. */
  readonly cached?: true | undefined;
}

export interface ChatOptions extends CallOptions {
  /** Called with each piece of text as it arrives; the pieces joined are the reply's text. */
  readonly onText?: ((piece: string) => void) | undefined;
}

/** How far a model can be held to JSON: to a schema, to any JSON object, or only by asking for it. */
export type JsonSupport = "schema" | "object" | "none";

export interface ChatModel {
  /** The model's own name, as "gpt-5-mini". */
  readonly id: string;
  /** Who runs it, as "openai". */
  readonly provider: string;
  readonly json: JsonSupport;
  /** Fingerprint of what else decides its replies: address, extra fields, prefixes. A cache keeps them apart by it. */
  readonly settings?: string | undefined;
  generate(request: ChatRequest, options?: ChatOptions): Promise<ChatReply>;
}

export interface EmbedOptions extends CallOptions {
  /** What the texts are: some models put an instruction before queries. "document" if unsaid. */
  readonly as?: "query" | "document" | undefined;
  /** Told what the call consumed, once per request made. */
  readonly onUsage?: ((usage: Usage) => void) | undefined;
}

export interface Embedder {
  /** Name of the vector space: vectors of two ids never meet (C-22). */
  readonly id: string;
  readonly provider: string;
  readonly dimension: number;
  /** Texts one call may hold; `embedMany` splits longer lists. */
  readonly maxBatch: number;
  /** Tokens of one text it reads, where known; what lies beyond is unseen or refused. */
  readonly maxTokens?: number | undefined;
  /** As a chat model's. */
  readonly settings?: string | undefined;
  /** One vector of length 1 per text, in their order. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
}

export interface RankOptions extends CallOptions {
  readonly onUsage?: ((usage: Usage) => void) | undefined;
}

export interface Reranker {
  readonly id: string;
  readonly provider: string;
  /** As a chat model's. */
  readonly settings?: string | undefined;
  /** How well each text answers the query, in the texts' order; higher is better, the scale is the model's own. */
  rank(query: string, texts: readonly string[], options?: RankOptions): Promise<Float64Array>;
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };
