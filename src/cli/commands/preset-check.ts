/** Is a file of my own a preset? Everything that is wrong with it, with its line and what would be valid. */
import type { Command } from "../command.ts";

export const presetCheck: Command = {
  name: "preset check",
  summary: { en: "everything that is wrong with a preset file", zh: "检查预设文件，列出所有错误" },
  arguments: [{ name: "FILE", summary: { en: "the path of a YAML file", zh: "YAML 文件路径" } }],
  options: {},
  run: async (given, terminal) => (await import("../run/preset-check.ts")).checkPreset(given, terminal),
};
