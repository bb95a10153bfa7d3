/** Take it back. */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const undoCommand: Command = {
  name: "undo",
  summary: { en: "take a change back, with all that was changed together with it", zh: "撤销一次改动" },
  arguments: [
    { name: "EVENT", summary: { en: "its number, from neuromem history", zh: "编号，见 neuromem history" } },
  ],
  options: MEMORY_OPTIONS,
  run: async (given, terminal) => (await import("../run/undo.ts")).undoEvent(given, terminal),
};
