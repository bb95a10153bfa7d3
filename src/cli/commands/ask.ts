/** The answer, and what it rests on. */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";
import { RECALL_OPTIONS } from "../recall-options.ts";

export const askCommand: Command = {
  name: "ask",
  summary: { en: "answer a question from memory and nothing else", zh: "只凭记忆回答问题" },
  details: {
    en: "A model writes the answer from what is remembered and nothing else; without one, memory is quoted.",
    zh: "有模型时仅根据记忆写出回答；没有模型时直接引用记忆。",
  },
  arguments: [
    {
      name: "QUESTION",
      isRest: true,
      summary: { en: "in your own words; - reads it from stdin", zh: "用你自己的话；- 表示从标准输入读取" },
    },
  ],
  options: {
    ...MEMORY_OPTIONS,
    ...RECALL_OPTIONS,
    explain: {
      summary: { en: "what each score is made of, sources, stages", zh: "显示得分构成、来源和各阶段" },
    },
  },
  run: async (given, terminal) => (await import("../run/ask.ts")).askQuestion(given, terminal),
};
