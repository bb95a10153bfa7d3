/** What exactly is a design? Everything that is at work, whoever wrote it. */
import type { Command } from "../command.ts";

export const presetShow: Command = {
  name: "preset show",
  summary: {
    en: "a design as YAML, with every option, its value and what it does",
    zh: "以 YAML 显示一个设计：每个选项、取值和作用",
  },
  arguments: [
    { name: "NAME", summary: { en: "a preset's name, or the path of a file", zh: "预设名，或文件路径" } },
  ],
  options: {},
  run: async (given, terminal) => (await import("../run/preset-show.ts")).showPreset(given, terminal),
};
