/** What did the second design change? Stage by stage, down to the single option. */
import type { Command } from "../command.ts";

export const presetDiff: Command = {
  name: "preset diff",
  summary: { en: "where two designs differ, stage by stage", zh: "逐阶段比较两个设计的不同" },
  arguments: [
    { name: "A", summary: { en: "a preset's name, or the path of a file", zh: "预设名，或文件路径" } },
    { name: "B", summary: { en: "another one", zh: "另一个" } },
  ],
  options: {},
  run: async (given, terminal) => (await import("../run/preset-diff.ts")).diffPresets(given, terminal),
};
