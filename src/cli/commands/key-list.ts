/** Who is let in? */
import type { Command } from "../command.ts";
import { KEY_OPTIONS } from "../key-options.ts";

export const keyList: Command = {
  name: "key list",
  summary: { en: "the keys of a server, and what each opens", zh: "列出服务器的密钥及其权限" },
  arguments: [],
  options: KEY_OPTIONS,
  run: async (given, terminal) => (await import("../run/key-list.ts")).showKeys(given, terminal),
};
