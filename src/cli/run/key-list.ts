/** The keys, a line each; their secrets are nowhere. */
import { type KeyInfo, listKeys } from "../../server/keys/key-ring.ts";
import type { Given } from "../command.ts";
import { keyFile } from "../key-file.ts";
import { dayOf, minuteOf } from "../memory-text.ts";
import type { Terminal } from "../terminal.ts";
import { padEnd, widthOf } from "../text-width.ts";

export async function showKeys(given: Given, terminal: Terminal): Promise<number> {
  const file = keyFile(given, terminal);
  const keys = await listKeys(file);
  terminal.give({ file, keys });
  const { say, text } = terminal;
  if (keys.length === 0) {
    say(
      text({
        en: `There are no keys in ${file}. Make one with: neuromem key create --name NAME`,
        zh: `${file} 中没有密钥。创建：neuromem key create --name 名字`,
      }),
    );
  }
  const width = Math.max(...keys.map(({ name }) => widthOf(name)));
  for (const key of keys) say(lineOf(key, width, terminal));
  return 0;
}

function lineOf(key: KeyInfo, width: number, { text, paint }: Terminal): string {
  const { id, name, scopes, may, createdAt, expiresAt, isExpired } = key;
  const opens = scopes === "all" ? text({ en: "all scopes", zh: "所有范围" }) : scopes.join(", ");
  const does = may === "read" ? text({ en: "read", zh: "只读" }) : text({ en: "read, write", zh: "读写" });
  const made = text({ en: `made ${dayOf(createdAt)}`, zh: `创建于 ${dayOf(createdAt)}` });
  const ends = expiresAt === null ? "" : endOf(minuteOf(expiresAt), isExpired, text);
  const colour = isExpired ? "red" : "dim";
  return `${paint("cyan", id)}  ${padEnd(name, width)}  ${does}: ${opens}  ${paint(colour, `${made}${ends}`)}`;
}

function endOf(moment: string, isExpired: boolean, text: Terminal["text"]): string {
  return isExpired
    ? text({ en: `, expired ${moment} UTC`, zh: `，已于 ${moment} UTC 过期` })
    : text({ en: `, valid until ${moment} UTC`, zh: `，有效至 ${moment} UTC` });
}
