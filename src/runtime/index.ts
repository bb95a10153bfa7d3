/** What a user calls: from the journal to memories, and anew for another design. */
export { appendTurns } from "../pipeline/journal.ts";
export {
  type AgentLoop,
  type AgentLoopOptions,
  createAgentLoop,
  type Said,
  type SayOptions,
} from "./agent-loop.ts";
export type { Answer } from "./ask.ts";
export * from "./biem/index.ts";
export type { ChainedOptions } from "./chained-recall.ts";
export type { Changes, ChangesOptions } from "./changes.ts";
export type { Consolidated } from "./consolidate.ts";
export type { Context, ContextOptions } from "./context.ts";
export { type Derived, type DeriveOptions, derive, type WindowDone, waitingTurns } from "./derive.ts";
export type { Estimate, EstimateOptions } from "./estimate.ts";
export type { ExportOptions } from "./export.ts";
export type { Feedback, FeedbackReport } from "./feedback.ts";
export type { ErasureReport, Forgettable } from "./forget.ts";
export type { HistoryOptions } from "./history.ts";
export type { Imported, ImportOptions } from "./import.ts";
export type { JudgedMemory } from "./judged-memory.ts";
export type { ListOptions, Page } from "./list.ts";
export { Memory } from "./memory.ts";
export type { MemoryOptions } from "./memory-options.ts";
export { type RebuildOptions, rebuild } from "./rebuild.ts";
export type { Recalled, RecallOptions } from "./recall.ts";
export type { Exchange, Recorded } from "./record.ts";
export type { Reembedded, ReembedOptions } from "./reembed.ts";
export type { Rememberable, Remembered, RememberOptions } from "./remember.ts";
export * from "./simple-memory/index.ts";
export { type Dialogue, type NewDialogue, printDialogue } from "./simplemem/dialogue.ts";
export type { MemoryEntry } from "./simplemem/memory-entry.ts";
export type { MomentInput } from "./simplemem/moment-input.ts";
export type { Conditions } from "./simplemem/searches.ts";
export {
  type MemoryPage,
  type RetrieveOptions,
  SimpleMem,
  // As C-13 calls it, beside TagRuntime.
  SimpleMem as CompressRuntime,
  type SimpleMemOptions,
} from "./simplemem/simple-mem.ts";
export type { Settings, Switches } from "./simplemem/switches.ts";
export type { Status } from "./status.ts";
export type { Undone } from "./undo.ts";
export type { UpkeepStatus } from "./upkeep.ts";
export type { WideOptions } from "./wide-search.ts";
export type { FlushOptions } from "./worker.ts";
