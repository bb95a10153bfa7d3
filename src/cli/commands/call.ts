/** Any call of the table, as programs make it. */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const callCommand: Command = {
  name: "call",
  summary: {
    en: "any call of the API on this memory, JSON in and JSON out; alone, which calls there are",
    zh: "对本地记忆发出任一 API 调用，输入输出皆为 JSON；不带参数则列出所有调用",
  },
  details: {
    en: `The same calls as of neuromem serve and the client, with the same input and output:
  neuromem call recall '{"question": "Where does Mia live?", "limit": 3}'
  neuromem call export > bundle.jsonl
  neuromem call import < bundle.jsonl
Lines come out as lines; the lines of an import are read from stdin. neuromem call --json tells the input of every call as a
JSON schema.`,
    zh: `与 neuromem serve 及客户端的调用相同，输入输出也相同：
  neuromem call recall '{"question": "王芳住在哪里？", "limit": 3}'
  neuromem call export > bundle.jsonl
  neuromem call import < bundle.jsonl
按行输出的就逐行输出；import 的内容从标准输入逐行读取。neuromem call --json 以 JSON schema 给出每个调用的输入。`,
  },
  arguments: [
    {
      name: "OPERATION",
      isOptional: true,
      summary: { en: "which call, as recall; none: list them", zh: "哪个调用，如 recall；不写则列出" },
    },
    {
      name: "JSON",
      isOptional: true,
      isRest: true,
      summary: { en: "its input, else {}; - reads it from stdin", zh: "输入，默认 {}；- 表示从标准输入读取" },
    },
  ],
  options: MEMORY_OPTIONS,
  run: async (given, terminal) => (await import("../run/call.ts")).callOperation(given, terminal),
};
