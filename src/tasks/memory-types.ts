/** What is, what happened, how to do it, what is under way, how it feels: SimpleMemory's five types (B.3). */
export const MEMORY_TYPES = ["knowledge", "event", "skill", "task", "emotional"] as const;
export type MemoryType = (typeof MEMORY_TYPES)[number];

/** Other names of the types, as programs, people and models write them. */
const OTHER_NAMES: Readonly<Record<string, MemoryType>> = {
  知识: "knowledge",
  事件: "event",
  技能: "skill",
  任务: "task",
  情感: "emotional",
  emotion: "emotional",
};

/** The type of that name: the English code or the Chinese label, with "memory" or 记忆 or without. What is none is knowledge. */
export function memoryTypeOf(name: string): MemoryType {
  const short = name
    .trim()
    .toLowerCase()
    .replace(/(?:记忆|[ _]memory)$/u, "");
  const known = MEMORY_TYPES.find((type) => type === short);
  return known ?? (Object.hasOwn(OTHER_NAMES, short) ? OTHER_NAMES[short] : undefined) ?? "knowledge";
}
