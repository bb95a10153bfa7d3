/** What is, what happened, how to do it, what is under way, how it feels: SimpleMemory's five types (B.3). */
export const MEMORY_TYPES = ["knowledge", "event", "skill", "task", "emotional"] as const;
export type MemoryType = (typeof MEMORY_TYPES)[number];
