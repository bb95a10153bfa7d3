/** What became of it? */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const historyCommand: Command = {
  name: "history",
  summary: { en: "what became of a memory, step by step", zh: "一条记忆的变化经过" },
  details: {
    en: "Every step has a number; neuromem undo takes a step back, with all that was changed together with it.",
    zh: "每一步都有编号；neuromem undo 可撤销某一步，连同与它一起做的改动。",
  },
  arguments: [
    { name: "ID", summary: { en: "as recall --json or list shows it", zh: "见 list 或 recall --json" } },
  ],
  options: {
    ...MEMORY_OPTIONS,
    limit: { value: "N", default: "100", summary: { en: "how many steps", zh: "最多几步" } },
    after: { value: "EVENT", summary: { en: "steps after this one", zh: "此步之后的" } },
    looks: { summary: { en: "also when it was looked at", zh: "包括被查看的记录" } },
  },
  run: async (given, terminal) => (await import("../run/history.ts")).showHistory(given, terminal),
};
