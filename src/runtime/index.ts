/** What a user calls: from the journal to memories, and anew for another design. */
export { appendTurns } from "../pipeline/journal.ts";
export { type Derived, type DeriveOptions, derive, type WindowDone, waitingTurns } from "./derive.ts";
export type { ErasureReport, Forgettable } from "./forget.ts";
export { Memory, type MemoryOptions, type RecallOptions } from "./memory.ts";
export { rebuild } from "./rebuild.ts";
export type { Rememberable, Remembered, RememberOptions } from "./remember.ts";
export type { Status } from "./status.ts";
export type { FlushOptions } from "./worker.ts";
