/** Keep this. */
import { MEMORY_TYPES } from "../../tasks/memory-types.ts";
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const rememberCommand: Command = {
  name: "remember",
  summary: { en: "keep a sentence, or a judged memory", zh: "记住一句话，或一条判断" },
  details: {
    en: `A sentence goes into the journal as something said and through the design. With --type, --tags or --reason it is a
judged memory instead: it stands as it is worded, and no design rewrites it.`,
    zh: `一句话作为原话写入日志，再经过设计处理。带 --type、--tags 或 --reason 时是一条判断：原样保存，任何设计都不改写。`,
  },
  arguments: [
    {
      name: "TEXT",
      isRest: true,
      summary: { en: "what to keep; - reads it from stdin", zh: "要记住的内容；- 表示从标准输入读取" },
    },
  ],
  options: {
    ...MEMORY_OPTIONS,
    type: {
      value: MEMORY_TYPES.join("|"),
      choices: MEMORY_TYPES,
      summary: { en: "of which type a judged memory is", zh: "判断的类型" },
    },
    tags: { value: "A,B", summary: { en: "under which tags", zh: "标签" } },
    reason: { value: "TEXT", summary: { en: "why it holds", zh: "为什么成立" } },
    speaker: { value: "NAME", summary: { en: "who says it", zh: "谁说的" } },
    session: { value: "NAME", summary: { en: "in which conversation", zh: "在哪次对话中" } },
    at: { value: "DATE", summary: { en: "when it was; else now", zh: "何时；默认现在" } },
  },
  run: async (given, terminal) => (await import("../run/remember.ts")).rememberText(given, terminal),
};
