/** `neuromem/ai-sdk`: memory for models, tools and agents of the AI SDK, versions 5 to 7. */
export type { ChatContext, ChatMemory, ChatMemoryOptions } from "../chat-memory.ts";
export type { LanguageModelLike } from "./language-model.ts";
export { type MemoryHooks, memoryHooks } from "./memory-hooks.ts";
export { type MemoryMiddleware, memoryMiddleware } from "./memory-middleware.ts";
export {
  type ForgettingMemory,
  type MemoryTools,
  type MemoryToolsOptions,
  memoryTools,
  type ToolMemory,
} from "./memory-tools.ts";
export { withMemory } from "./with-memory.ts";
