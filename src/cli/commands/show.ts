/** One memory, whole. */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const showCommand: Command = {
  name: "show",
  summary: { en: "one memory, with what was said", zh: "显示一条记忆及其原话" },
  arguments: [
    { name: "ID", summary: { en: "as recall --json or list shows it", zh: "见 list 或 recall --json" } },
  ],
  options: MEMORY_OPTIONS,
  run: async (given, terminal) => (await import("../run/show.ts")).showMemory(given, terminal),
};
