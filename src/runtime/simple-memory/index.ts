/** One interface for an agent's core and tools, with tags or with vectors behind it (seed 003). */
export type {
  ChainedRequest,
  MemoryItem,
  MemoryRuntime,
  NewMemory,
  RecalledMemory,
  RecallRequest,
  RuntimeFeedback,
} from "./memory-runtime.ts";
export { type MemoryTool, memoryTools, type ToolOptions, type ToolReply } from "./memory-tools.ts";
export { type MemoryRuntimeOptions, openMemoryRuntime } from "./open-memory-runtime.ts";
export type { RuntimeLine, RuntimeLog, RuntimeRequest, RuntimeStart } from "./runtime-log.ts";
/** TagRuntime: the same, told apart from SimpleMem, which compresses (C-13). */
export { SimpleMemoryRuntime, SimpleMemoryRuntime as TagRuntime } from "./simple-memory-runtime.ts";
export type { ToolLanguage } from "./tool-words.ts";
export { VectorMemoryRuntime } from "./vector-memory-runtime.ts";
