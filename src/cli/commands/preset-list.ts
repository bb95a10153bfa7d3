/** Which designs are there, and what does each cost? */
import type { Command } from "../command.ts";

export const presetList: Command = {
  name: "preset list",
  summary: {
    en: "all designs, with what a write and a read cost in model calls",
    zh: "列出所有设计，以及每次写入和读取的模型调用次数",
  },
  arguments: [],
  options: {},
  run: async (given, terminal) => (await import("../run/preset-list.ts")).listAll(given, terminal),
};
