/** What is in it? */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";
import { KIND_OPTIONS } from "../recall-options.ts";

export const listCommand: Command = {
  name: "list",
  summary: { en: "the memories of a scope, page by page", zh: "分页列出记忆" },
  arguments: [],
  options: {
    ...MEMORY_OPTIONS,
    ...KIND_OPTIONS,
    limit: { value: "N", default: "100", summary: { en: "how many of them", zh: "每页几条" } },
    after: { value: "NEXT", summary: { en: "go on where the page before ended", zh: "从上一页结尾继续" } },
    all: { summary: { en: "also what was replaced or archived", zh: "包括已被取代或归档的" } },
  },
  run: async (given, terminal) => (await import("../run/list.ts")).listMemories(given, terminal),
};
