/** A key is taken out of the file, and nobody gets in with it any more. */
import { revokeKey } from "../../server/keys/key-ring.ts";
import type { Given } from "../command.ts";
import { keyFile } from "../key-file.ts";
import type { Terminal } from "../terminal.ts";

export async function dropKey(given: Given, terminal: Terminal): Promise<number> {
  const file = keyFile(given, terminal);
  const key = await revokeKey(file, given.argument("ID"));
  terminal.give({ revoked: key, file });
  terminal.say(
    terminal.text({
      en: `The key "${key.name}" (${key.id}) is revoked; a running server refuses it within about a second.`,
      zh: `已吊销密钥“${key.name}”（${key.id}）；正在运行的服务器约一秒内拒绝它。`,
    }),
  );
  return 0;
}
