/** What came of it? */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const feedbackCommand: Command = {
  name: "feedback",
  summary: {
    en: "tell what came of a recall: useful, the same",
    zh: "反馈回忆的结果：有用的、相同的",
  },
  arguments: [],
  options: {
    ...MEMORY_OPTIONS,
    useful: {
      value: "ID,ID",
      summary: { en: "memories that helped: they grow stronger", zh: "有用的记忆：会增强" },
    },
    merge: { value: "ID,ID", summary: { en: "memories that become one", zh: "合并为一条的记忆" } },
  },
  run: async (given, terminal) => (await import("../run/feedback.ts")).giveFeedback(given, terminal),
};
