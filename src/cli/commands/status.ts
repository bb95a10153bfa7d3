/** How does it stand? */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const statusCommand: Command = {
  name: "status",
  summary: { en: "what is in a memory, what waits and why", zh: "记忆的现状：有什么、什么在等、为什么" },
  arguments: [],
  options: MEMORY_OPTIONS,
  run: async (given, terminal) => (await import("../run/status.ts")).showStatus(given, terminal),
};
