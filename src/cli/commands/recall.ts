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
    explain: {
      summary: { en: "what each score is made of, sources, stages", zh: "显示得分构成、来源和各阶段" },
    },
  },
  run: async (given, terminal) => (await import("../run/recall.ts")).recallQuestion(given, terminal),
};
