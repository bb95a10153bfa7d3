/** Another design over the same journal, or the same one anew. */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const rebuildCommand: Command = {
  name: "rebuild",
  summary: { en: "make a scope's memories anew from its journal", zh: "由日志重新生成记忆" },
  details: {
    en: "What this design made before in the scope is made again; what other designs made stays. Nothing that was said is lost.",
    zh: "该设计在此范围内的记忆会重新生成；其他设计的记忆不变。原话不会丢失。",
  },
  arguments: [],
  options: MEMORY_OPTIONS,
  run: async (given, terminal) => (await import("../run/rebuild.ts")).rebuildMemory(given, terminal),
};
