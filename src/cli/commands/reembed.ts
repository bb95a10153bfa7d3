/** Vectors for those that have none. */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const reembedCommand: Command = {
  name: "reembed",
  summary: {
    en: "give memories the vectors that the embedder at work has not made yet",
    zh: "补齐当前嵌入模型的向量",
  },
  arguments: [],
  options: MEMORY_OPTIONS,
  run: async (given, terminal) => (await import("../run/reembed.ts")).reembedMemory(given, terminal),
};
