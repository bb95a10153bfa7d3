/** What somebody brings along in a file, into the memory. */
import type { Command } from "../command.ts";
import { FORMATS } from "../conversation/conversation.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const importCommand: Command = {
  name: "import",
  summary: {
    en: "conversations, memories of other programs or a bundle, from a file",
    zh: "从文件导入对话、其他程序的记忆或导出包",
  },
  details: {
    en: `Formats, told from the content:
  text           "Speaker: text" lines; "# 2023-05-08" begins a session, "[2023-05-08 13:56]" before a speaker is a time
  jsonl          a turn per line, {"speaker", "text", "at", "session"}
  locomo         LoCoMo JSON
  chatgpt        conversations.json of ChatGPT's export (Settings, Data controls, Export; unpack the zip first)
  claude         conversations.json of Claude's export (Settings, Privacy, Export; unpack the zip first)
  mem0           {"results": [{"memory", "created_at", "categories", …}]}, the list alone, or a memory per line
  server-memory  the JSONL file of the MCP reference server for memory
  bundle         what neuromem export wrote
All chats of an export come in, each as a session, with the times at which they were said. What was imported before is not
added again. Ctrl-C stops after the current window; the same command goes on.`,
    zh: `格式由内容判断：
  text           “说话人：内容”的行；“# 2023-05-08”开始一个会话，说话人前可写“[2023-05-08 13:56]”
  jsonl          每行一轮，{"speaker", "text", "at", "session"}
  locomo         LoCoMo JSON
  chatgpt        ChatGPT 导出的 conversations.json（设置 → 数据管理 → 导出；先解压 zip）
  claude         Claude 导出的 conversations.json（设置 → 隐私 → 导出；先解压 zip）
  mem0           {"results": [{"memory", "created_at", "categories", …}]}、只有列表，或每行一条记忆
  server-memory  MCP 参考记忆服务器的 JSONL 文件
  bundle         neuromem export 写出的导出包
导出文件里的所有聊天都会导入，每段聊天是一个会话，保留原来的时间。已导入的内容不会重复添加。
Ctrl-C 在当前窗口后停止；再次运行即继续。`,
  },
  arguments: [{ name: "FILE", summary: { en: "the file", zh: "文件" } }],
  options: {
    ...MEMORY_OPTIONS,
    format: {
      value: FORMATS.join("|"),
      choices: FORMATS,
      summary: { en: "its format, where the content misleads", zh: "文件格式（自动判断有误时指定）" },
    },
    conversation: {
      value: "NAME",
      summary: { en: "which one, of a file that holds several", zh: "文件含多段对话时选哪一段" },
    },
    user: {
      value: "NAME",
      default: "User",
      summary: {
        en: "your name in the chats of a ChatGPT or Claude export",
        zh: "你在 ChatGPT 或 Claude 聊天中的名字",
      },
    },
    finish: {
      summary: {
        en: "take up also what waits for a full window or the end of a session",
        zh: "未满的窗口、未结束的会话也一并处理",
      },
    },
  },
  run: async (given, terminal) => (await import("../run/import.ts")).importFile(given, terminal),
};
