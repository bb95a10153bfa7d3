/** The design's upkeep, now. */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const consolidateCommand: Command = {
  name: "consolidate",
  summary: { en: "the design's own upkeep, now", zh: "立即执行该设计的整理" },
  details: {
    en: "What the design would do now and then is done at once: forgetting, merging, links, facts out of groups.",
    zh: "立即做该设计平时定期做的事：遗忘、合并、建立链接、从成组的记忆中提炼事实。",
  },
  arguments: [],
  options: MEMORY_OPTIONS,
  run: async (given, terminal) => (await import("../run/consolidate.ts")).consolidateMemory(given, terminal),
};
