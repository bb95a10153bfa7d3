/** Talk to it. */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const chatCommand: Command = {
  name: "chat",
  summary: { en: "talk with a model that remembers", zh: "与有记忆的模型对话" },
  details: {
    en: `What is recalled goes into the prompt for one answer and is kept nowhere; afterwards both sides are remembered. /help
lists what can be typed: /why, /remember, /forget, /preset, /incognito … Without a model, memory is quoted.`,
    zh: `回忆到的内容只为这一次回答放入提示词，不会留存；随后双方的话都被记住。输入 /help 查看可用命令：/why、/remember、/forget、
/preset、/incognito 等。没有模型时引用记忆作答。`,
  },
  arguments: [],
  options: {
    ...MEMORY_OPTIONS,
    session: {
      value: "NAME",
      summary: { en: "the conversation's name; else the time", zh: "对话的名字；默认取时间" },
    },
    system: {
      value: "TEXT",
      summary: { en: "what the model is told before everything else", zh: "放在最前面的系统提示词" },
    },
    "no-memory": {
      summary: {
        en: "without a memory: nothing is recalled or kept; also by DISABLE_MEMORY",
        zh: "不用记忆：不回忆也不保存；也可设 DISABLE_MEMORY",
      },
    },
  },
  run: async (given, terminal) => (await import("../run/chat.ts")).chat(given, terminal),
};
