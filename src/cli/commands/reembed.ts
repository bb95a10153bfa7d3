/** Vectors for those that have none. */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const reembedCommand: Command = {
  name: "reembed",
  summary: {
    en: "vectors by the embedder at work, for memories without",
    zh: "为缺少向量的记忆补上当前嵌入器的向量",
  },
  arguments: [],
  options: MEMORY_OPTIONS,
  run: async (given, terminal) => (await import("../run/reembed.ts")).reembedMemory(given, terminal),
};
