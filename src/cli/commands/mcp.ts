/** The memory, for a client that starts it: MCP over standard input and output. */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const mcpCommand: Command = {
  name: "mcp",
  summary: {
    en: "the memory as an MCP server over stdin and stdout",
    zh: "通过标准输入输出提供 MCP 服务",
  },
  details: {
    en: `A desktop client starts it by itself: {"mcpServers": {"memory": {"command": "npx", "args": ["-y", "neuromem", "mcp"]}}}.
Several at once may share one memory. With --knowledge-graph it has the nine tools of the knowledge-graph memory server
instead, by the same names; --import takes that server's memory.jsonl, and nothing comes twice.`,
    zh: `桌面客户端会自行启动它：{"mcpServers": {"memory": {"command": "npx", "args": ["-y", "neuromem", "mcp"]}}}。
多个进程可以同时共用一份记忆。带 --knowledge-graph 时改为提供知识图谱记忆服务器的九个同名工具；--import 读入该服务器的
memory.jsonl，重复的内容不会再写入。`,
  },
  arguments: [],
  options: {
    ...MEMORY_OPTIONS,
    "knowledge-graph": {
      summary: {
        en: "the nine tools of the knowledge-graph memory server",
        zh: "提供知识图谱记忆服务器的九个工具",
      },
    },
    import: {
      value: "FILE",
      summary: {
        en: "with --knowledge-graph: take in its memory.jsonl first",
        zh: "与 --knowledge-graph 同用：先读入其 memory.jsonl",
      },
    },
    "read-only": {
      summary: { en: "offer nothing that changes the memory", zh: "不提供任何会改变记忆的工具" },
    },
  },
  run: async (given, terminal) => (await import("../run/mcp.ts")).serveMcp(given, terminal),
};
