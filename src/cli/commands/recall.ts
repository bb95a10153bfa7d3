/** What does the memory know about it, and why does it think so? */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const recallCommand: Command = {
  name: "recall",
  summary: { en: "what a memory knows about a question", zh: "就一个问题回忆" },
  arguments: [{ name: "QUESTION", isRest: true, summary: { en: "in your own words", zh: "用你自己的话" } }],
  options: {
    ...MEMORY_OPTIONS,
    limit: {
      value: "N",
      summary: { en: "how many memories; else the preset's number", zh: "最多几条；默认按预设" },
    },
    at: {
      value: "DATE",
      summary: {
        en: 'when it is asked, for "last week"; else now',
        zh: "提问的时间（影响“上周”等）；默认现在",
      },
    },
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
