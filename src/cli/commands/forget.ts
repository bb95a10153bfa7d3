/** The right to be forgotten. */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const forgetCommand: Command = {
  name: "forget",
  summary: {
    en: "erase for good, with everything that was made of it; says what went",
    zh: "彻底删除，连同由它得出的一切，并报告删了什么",
  },
  details: {
    en: "It cannot be undone; on a terminal it asks first. The report says what went.",
    zh: "无法撤销；在终端中会先询问。报告会列出删除了什么。",
  },
  arguments: [],
  options: {
    ...MEMORY_OPTIONS,
    id: { value: "ID", summary: { en: "one memory, with what it was made from", zh: "一条记忆及其来源" } },
    session: { value: "NAME", summary: { en: "a whole conversation", zh: "整个对话" } },
    speaker: { value: "NAME", summary: { en: "all that somebody said", zh: "某人说过的一切" } },
    from: { value: "DATE", summary: { en: "what was said from then …", zh: "从此时起说的……" } },
    to: { value: "DATE", summary: { en: "… until then", zh: "……到此时为止" } },
    everything: { summary: { en: "all of the scope", zh: "该范围内的一切" } },
    yes: { short: "y", summary: { en: "do not ask", zh: "不再询问" } },
  },
  run: async (given, terminal) => (await import("../run/forget.ts")).forgetThings(given, terminal),
};
