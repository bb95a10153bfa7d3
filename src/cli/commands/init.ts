/** A memory of my own: its file, and what is chosen for it once. */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const initCommand: Command = {
  name: "init",
  summary: {
    en: "make a memory, and write down its design, scope and model",
    zh: "建立记忆，并记下所选的设计、范围和模型",
  },
  details: {
    en: `The choices stand in a small file beside the memory (memory.db.json); other commands use them where they are given
nothing else. Run again, it changes what is given and keeps the rest. Keys are never written down.`,
    zh: `所选内容写在记忆文件旁的小文件里（memory.db.json）；其他命令未另行指定时就用它。再次运行只改动给出的项。密钥从不写入。`,
  },
  arguments: [],
  options: MEMORY_OPTIONS,
  run: async (given, terminal) => (await import("../run/init.ts")).initMemory(given, terminal),
};
