/** The memory, for other programs. */
import type { Command } from "../command.ts";
import { listenOptions } from "../listen-options.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";
import { SAMPLE_SCOPE } from "../sample-scope.ts";

export const serveCommand: Command = {
  name: "serve",
  summary: {
    en: "the memory over HTTP: REST, MCP, live events",
    zh: "通过 HTTP 提供记忆：REST、MCP、实时事件",
  },
  details: {
    en: `Listens to this machine only, until --host says otherwise; then whoever calls shows a key (neuromem key create). A key
opens the scopes it was made for. --scope is the scope of callers who name none. SIGTERM or Ctrl-C: what is under way is
answered, what waits goes on at the next start. The page at /docs shows every call.`,
    zh: `默认只接受本机访问；用 --host 改为其他地址时，调用者必须出示密钥（neuromem key create）。密钥只能打开为它指定的范围。
--scope 是调用者未指明时的范围。SIGTERM 或 Ctrl-C：正在处理的请求会得到回答，等待的工作在下次启动后继续。/docs 页面列出所有调用。`,
  },
  arguments: [],
  options: {
    ...MEMORY_OPTIONS,
    ...listenOptions("8765"),
    "open-origin": {
      value: "ORIGIN",
      isRepeatable: true,
      summary: {
        en: "pages of this origin may call, as http://localhost:3000; may be given several times",
        zh: "允许该来源的网页调用，如 http://localhost:3000；可多次给出",
      },
    },
    rate: {
      value: "N",
      summary: {
        en: "most requests a minute of one key, or of one address without keys; 0: any number (default: 600 with keys, else 0)",
        zh: "每个密钥（无密钥时每个地址）每分钟最多请求数；0 表示不限（默认：有密钥时 600，否则 0）",
      },
    },
    "max-body": {
      value: "MB",
      default: "8",
      summary: {
        en: "the largest body of a call; an import has its own limit",
        zh: "请求体的最大尺寸；导入另有上限",
      },
    },
    "max-import": {
      value: "MB",
      default: "1024",
      summary: { en: "the largest import", zh: "一次导入的最大尺寸" },
    },
    sample: {
      summary: {
        en: `a small conversation of our own, English and Chinese, goes into the scope ${SAMPLE_SCOPE} first, once`,
        zh: `先把自带的中英文示例对话载入范围 ${SAMPLE_SCOPE}，只载入一次`,
      },
    },
    verbose: {
      summary: {
        en: "a line on stderr for every request: method, route, status, time, id",
        zh: "每个请求在标准错误输出一行：方法、路由、状态、用时、编号",
      },
    },
  },
  run: async (given, terminal) => (await import("../run/serve.ts")).serveMemory(given, terminal),
};
