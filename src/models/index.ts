/** Who thinks and who embeds? The ports, the adapters, and what is put around them. */
export { abortedError, type Sleep, systemSleep, throwIfAborted, untilAborted } from "./abort.ts";
export {
  type AiSdkEmbedderOptions,
  type AiSdkEmbeddingModel,
  type AiSdkLanguageModel,
  type AiSdkOptions,
  type AiSdkRerankingModel,
  aiSdkChatModel,
  aiSdkEmbedder,
  aiSdkReranker,
} from "./ai-sdk.ts";
export {
  type Budget,
  type BudgetDeps,
  type BudgetLimits,
  type BudgetOptions,
  createBudget,
  withBudget,
} from "./budget.ts";
export { memoryCache, openCache, type ReplyCache, withCache } from "./cache.ts";
export { type EmbedManyOptions, embedMany, withBatches } from "./embed-many.ts";
export {
  ENDPOINTS,
  type Endpoint,
  type EndpointRow,
  type EndpointSettings,
  resolveEndpoint,
} from "./endpoints.ts";
export { usageOf } from "./failure.ts";
export {
  generateObject,
  type ObjectOptions,
  type ObjectReply,
  type ObjectRequest,
} from "./generate-object.ts";
export type { Fetch, HttpDeps } from "./http.ts";
export { httpReranker } from "./http-reranker.ts";
export type { InstructionLanguage } from "./json-instructions.ts";
export { type FoundJson, type JsonRepair, readJson } from "./json-repair.ts";
export { type Ledger, memoryLedger, openLedger, type Spending } from "./ledger.ts";
export { createGate, type Gate, limited } from "./limit.ts";
export * from "./local/index.ts";
export { mapLimited } from "./map-limited.ts";
export { type Middleware, type ModelCall, type Outcome, wrapModel } from "./middleware.ts";
export {
  type CallOptions,
  type ChatMessage,
  type ChatModel,
  type ChatOptions,
  type ChatReply,
  type ChatRequest,
  type Embedder,
  type EmbedOptions,
  type JsonSupport,
  NO_USAGE,
  type RankOptions,
  type ReplyShape,
  type Reranker,
  type Tool,
  type ToolCall,
  type Usage,
} from "./model.ts";
export {
  type CallDeps,
  type CallSettings,
  type ModelSettings,
  openChatModel,
  openEmbedder,
  openReranker,
  reliableChat,
  reliableEmbedder,
  reliableReranker,
} from "./open-model.ts";
export { type OpenAiDeps, openAiCompatible } from "./openai-compatible.ts";
export { type EmbedderSettings, measureDimension, openAiEmbedder } from "./openai-embedder.ts";
export { costOf, type Price, type Prices } from "./prices.ts";
export {
  type ChatIdentity,
  type EmbedderIdentity,
  openRecording,
  type Recording,
  type RerankerIdentity,
  withRecord,
  withReplay,
} from "./replay.ts";
export { toReplyShape } from "./reply-schema.ts";
export { type RetryDeps, type RetryOptions, retrying } from "./retry.ts";
export type { ReplyStore } from "./stored-replies.ts";
export { streamText } from "./stream-text.ts";
export { timed } from "./timeout.ts";
export { type TracedDeps, traced } from "./traced.ts";
export { unitVector } from "./unit-vector.ts";
