/** `neuromem/mastra`: memory for agents of Mastra. */
export type { ChatMemory } from "../chat-memory.ts";
export {
  type MastraRequest,
  type MemoryProcessor,
  type MemoryProcessorOptions,
  memoryProcessor,
} from "./memory-processor.ts";
