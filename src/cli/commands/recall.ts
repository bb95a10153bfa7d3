/** What does the memory know about it, and why does it think so? */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";
import { RECALL_OPTIONS } from "../recall-options.ts";

export const recallCommand: Command = {
  name: "recall",
  summary: { en: "what the memory knows about a question, and why", zh: "就一个问题回忆，并说明理由" },
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
    context: {
      summary: {
        en: "only what an agent would be given: the design's own layout, with its profile, history and the like",
        zh: "只输出交给智能体的文本：按该设计的排版，含其画像、近期对话等",
      },
    },
    explain: {
      summary: { en: "what each score is made of, sources, stages", zh: "显示得分构成、来源和各阶段" },
    },
  },
  run: async (given, terminal) => (await import("../run/recall.ts")).recallQuestion(given, terminal),
};
