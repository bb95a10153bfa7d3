/** A memory at work, in two minutes. */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";
import { SAMPLE_SCOPE } from "../sample-scope.ts";

export const demoCommand: Command = {
  name: "demo",
  summary: {
    en: "a small conversation, three questions, every answer explained",
    zh: "一小段对话、三个问题、每个回答都有解释",
  },
  details: {
    en: "Loads a sample of our own, English and Chinese, into the scope demo of your memory, once.",
    zh: "把自带的中英文示例载入你的记忆的 demo 范围，只载入一次。",
  },
  arguments: [],
  options: {
    ...MEMORY_OPTIONS,
    scope: {
      value: "NAME",
      default: SAMPLE_SCOPE,
      summary: {
        en: "where the sample goes; other names see none of it",
        zh: "示例放在哪里；其他名字看不到",
      },
    },
  },
  run: async (given, terminal) => (await import("../run/demo.ts")).demo(given, terminal),
};
