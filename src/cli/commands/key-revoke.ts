/** Somebody is to be let in no more. */
import type { Command } from "../command.ts";
import { KEY_OPTIONS } from "../key-options.ts";

export const keyRevoke: Command = {
  name: "key revoke",
  summary: {
    en: "a key stops working, on a running server within about a second",
    zh: "吊销密钥；正在运行的服务器约一秒内生效",
  },
  arguments: [
    { name: "ID", summary: { en: "as neuromem key list shows it", zh: "neuromem key list 所显示的编号" } },
  ],
  options: KEY_OPTIONS,
  run: async (given, terminal) => (await import("../run/key-revoke.ts")).dropKey(given, terminal),
};
