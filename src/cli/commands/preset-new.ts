/** A design of my own: a file that extends another, with everything that could be changed in comments. */
import { DEFAULT_PRESET } from "../../preset/default-preset.ts";
import type { Command } from "../command.ts";

export const presetNew: Command = {
  name: "preset new",
  summary: { en: "a file of your own that extends a preset", zh: "新建一个继承某预设的文件" },
  arguments: [
    {
      name: "FILE",
      summary: { en: "where to write it; nothing is overwritten", zh: "写到哪里；不覆盖已有文件" },
    },
  ],
  options: {
    from: {
      value: "NAME",
      default: DEFAULT_PRESET,
      summary: { en: "the preset it starts from", zh: "以哪个预设为起点" },
    },
  },
  run: async (given, terminal) => (await import("../run/preset-new.ts")).newPresetFile(given, terminal),
};
