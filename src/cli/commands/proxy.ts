/** A memory between a client and its model. */
import type { Command } from "../command.ts";
import { listenOptions } from "../listen-options.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const proxyCommand: Command = {
  name: "proxy",
  summary: {
    en: "a memory for any client of OpenAI's API, by changing its base URL",
    zh: "只需更换 base URL，就让任何 OpenAI API 客户端拥有记忆",
  },
  details: {
    en: `What is known goes into the prompt of /v1/chat/completions, both sides are remembered afterwards, and everything else
passes as it is, streams too. Headers a client may send: neuromem-scope (whose memory), neuromem-session (which conversation),
neuromem-memory: off (neither reminded nor remembered); names that are not ASCII percent-encoded. The reply's header
neuromem-memory says what was done. Listens to this machine only, until --host says otherwise; then clients show a key of
neuromem key create in place of the upstream server's, which comes from --upstream-key-env.
  neuromem proxy --upstream https://api.openai.com/v1`,
    zh: `已知的内容会放入 /v1/chat/completions 的提示词，随后双方的话都被记住；其余请求原样转发，流式输出也一样。客户端可发送的
请求头：neuromem-scope（谁的记忆）、neuromem-session（哪次对话）、neuromem-memory: off（既不回忆也不记录）；非 ASCII 名字用百分号
编码。响应头 neuromem-memory 说明做了什么。默认只接受本机访问；用 --host 改为其他地址时，客户端出示 neuromem key create 的密钥，
上游服务器的密钥取自 --upstream-key-env。
  neuromem proxy --upstream https://api.openai.com/v1`,
  },
  arguments: [],
  options: {
    ...MEMORY_OPTIONS,
    upstream: {
      value: "URL",
      summary: {
        en: "base URL of the server that answers, as http://127.0.0.1:11434/v1",
        zh: "实际作答的服务器的 base URL，如 http://127.0.0.1:11434/v1",
      },
    },
    "upstream-key-env": {
      value: "NAME",
      default: "OPENAI_API_KEY",
      summary: {
        en: "the environment variable with the upstream server's key, for clients that send none of their own",
        zh: "存放上游服务器密钥的环境变量，供没有自带密钥的客户端使用",
      },
    },
    ...listenOptions("8766"),
    "session-header": {
      value: "NAME",
      default: "neuromem-session",
      summary: {
        en: "the header in which clients name their conversation",
        zh: "客户端用来说明是哪次对话的请求头",
      },
    },
    "user-is-scope": {
      summary: {
        en: "the request's `user` says whose memory it is",
        zh: "请求中的 user 字段说明是谁的记忆",
      },
    },
    budget: {
      value: "TOKENS",
      summary: {
        en: "most tokens of what is recalled for a question",
        zh: "为一个问题回忆的内容最多多少 token",
      },
    },
    limit: {
      value: "N",
      summary: { en: "most memories for a question", zh: "为一个问题最多回忆多少条" },
    },
    patience: {
      value: "SECONDS",
      default: "10",
      summary: {
        en: "how long a chat waits for the memory before it goes on without",
        zh: "对话最多等待记忆多久，之后不带记忆继续",
      },
    },
    rate: {
      value: "N",
      default: "0",
      summary: {
        en: "most requests a minute of one key; 0: any number",
        zh: "每个密钥每分钟最多请求数；0 表示不限",
      },
    },
    "max-body": {
      value: "MB",
      default: "64",
      summary: {
        en: "the largest body of a chat, its pictures among it",
        zh: "对话请求体的最大尺寸，包括图片",
      },
    },
  },
  run: async (given, terminal) => (await import("../run/proxy.ts")).runProxy(given, terminal),
};
