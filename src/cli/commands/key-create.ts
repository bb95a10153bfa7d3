/** Somebody is to be let in. */
import type { Command } from "../command.ts";
import { KEY_OPTIONS } from "../key-options.ts";

export const keyCreate: Command = {
  name: "key create",
  summary: {
    en: "make a key for neuromem serve; it is shown once",
    zh: "为 neuromem serve 创建密钥；只显示一次",
  },
  details: {
    en: `  neuromem key create --name laptop --scopes mia,ben --expires 30d
A key opens the scopes it is made for and no others. Only its hash is kept. A running server that asks for keys knows a new
one within a second; one that was started without keys asks for them when it is started again.`,
    zh: `  neuromem key create --name laptop --scopes mia,王芳 --expires 30d
密钥只能打开为它指定的范围。只保存其哈希值。正在运行且要求密钥的服务器一秒内即认得新密钥；启动时没有密钥的服务器重启后才要求密钥。`,
  },
  arguments: [],
  options: {
    name: {
      value: "NAME",
      summary: { en: "by which you know it again; needed", zh: "便于辨认的名字；必填" },
    },
    scopes: {
      value: "A,B|all",
      summary: {
        en: "whose memories it opens; else those of the memory's own scope",
        zh: "可打开谁的记忆；默认为该记忆自己的范围",
      },
    },
    "read-only": { summary: { en: "it may read and change nothing", zh: "只能读，不能改" } },
    expires: {
      value: "TIME",
      summary: {
        en: "how long it is valid, as 12h, 30d or 8w; else until revoked",
        zh: "有效期，如 12h、30d 或 8w；默认直到吊销",
      },
    },
    ...KEY_OPTIONS,
  },
  run: async (given, terminal) => (await import("../run/key-create.ts")).makeKey(given, terminal),
};
