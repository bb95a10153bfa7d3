/** A conversation out of a file, into the journal and through a design. */
import type { Command } from "../command.ts";
import { FORMATS } from "../conversation/conversation.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const importCommand: Command = {
  name: "import",
  summary: { en: "a conversation from a file into a memory", zh: "把文件里的对话导入记忆" },
  details: {
    en: `Formats, told from the content: "Speaker: text" lines ("# 2023-05-08" begins a session, "[2023-05-08 13:56]" before
a speaker is a time), JSONL turns {"speaker", "text", "at", "session"}, and LoCoMo JSON. What was imported before is not
added again. Ctrl-C stops after the current window; the same command goes on.`,
    zh: `格式由内容判断：“说话人：内容”的行（“# 2023-05-08”开始一个会话，说话人前可写“[2023-05-08 13:56]”）、每行一轮的 JSONL
{"speaker", "text", "at", "session"}，以及 LoCoMo JSON。已导入的内容不会重复添加。Ctrl-C 在当前窗口后停止；再次运行即继续。`,
  },
  arguments: [{ name: "FILE", summary: { en: "the file with the conversation", zh: "对话文件" } }],
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
    finish: {
      summary: {
        en: "take up also what waits for a full window or the end of a session",
        zh: "未满的窗口、未结束的会话也一并处理",
      },
    },
  },
  run: async (given, terminal) => (await import("../run/import.ts")).importFile(given, terminal),
};
