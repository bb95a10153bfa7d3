/** A scope as a file that another memory can take in. */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const exportCommand: Command = {
  name: "export",
  summary: {
    en: "a scope as lines of JSON: journal, memories, vectors, edges",
    zh: "以 JSON 行导出一个范围的全部内容",
  },
  details: {
    en: `A line each: a header, the journal with both its clocks, the memories of the design with vectors and links, and an end by
which a cut file is noticed. neuromem import takes it in: with the same design the memories come back as they are, with
another one they are made anew from what was said. The history of changes is not in it.`,
    zh: `每行一项：文件头、带两种时间的对话日志、该设计的记忆（含向量和链接），以及用于发现文件残缺的结尾。
neuromem import 可将其导入：设计相同则原样恢复，不同则由原话重新生成。修改历史不在其中。`,
  },
  arguments: [],
  options: {
    ...MEMORY_OPTIONS,
    out: {
      value: "FILE",
      default: "-",
      summary: {
        en: "where to; a file is replaced only when the new one is whole; - is stdout",
        zh: "写到哪里；写完整后才替换已有文件；- 表示标准输出",
      },
    },
    "no-vectors": {
      summary: {
        en: "a much smaller file; import makes the vectors anew",
        zh: "不含向量，文件小得多；导入时重新生成",
      },
    },
  },
  run: async (given, terminal) => (await import("../run/export.ts")).exportMemory(given, terminal),
};
