/** Is everything all right? */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const doctorCommand: Command = {
  name: "doctor",
  summary: { en: "is everything all right, and what to do if not", zh: "检查一切是否正常，不正常该怎么办" },
  details: {
    en: "Node, SQLite, the folder, the file, the design, the embedder in both languages, the model, what waits. Ends with 1 if something fails.",
    zh: "检查 Node、SQLite、目录、文件、设计、中英文嵌入器、模型和等待中的工作。有失败项时退出码为 1。",
  },
  arguments: [],
  options: MEMORY_OPTIONS,
  run: async (given, terminal) => (await import("../run/doctor.ts")).examine(given, terminal),
};
