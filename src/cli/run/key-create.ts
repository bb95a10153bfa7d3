/** A new key: its secret is printed here, once, and kept nowhere. */
import { dirname } from "node:path";
import { invariant, MemoryError } from "../../base/errors.ts";
import { createKey } from "../../server/keys/key-ring.ts";
import { readChoices } from "../choices.ts";
import type { Given } from "../command.ts";
import { keyFile } from "../key-file.ts";
import { makeFolder, memoryFile } from "../memory-file.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";
import { list } from "../option-values.ts";
import type { Terminal } from "../terminal.ts";

const HOUR_MS = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };
/** What a year more or less does not matter for. */
const MOST_MS = 100 * 366 * 24 * HOUR_MS;

export async function makeKey(given: Given, terminal: Terminal): Promise<number> {
  const name = given.text("name");
  if (name === undefined)
    throw new MemoryError(
      "option_invalid",
      "--name is missing. Valid: --name laptop, by which you know it again.",
    );
  const file = keyFile(given, terminal);
  const expiresAt = expiry(given, Date.now());
  const may = given.isSet("read-only") ? "read" : "write";
  const scopes = scopesOf(given, terminal);
  makeFolder(dirname(file));
  const { secret, key } = await createKey(file, { name, scopes, may, expiresAt });
  terminal.give({ secret, ...key, file });
  const { say, text, paint } = terminal;
  const opened = key.scopes === "all" ? text({ en: "all scopes", zh: "所有范围" }) : key.scopes.join(", ");
  say(paint("bold", secret));
  say(
    text({
      en: `The key "${key.name}" (${key.id}) opens ${opened}, ${may === "read" ? "to read" : "to read and write"}. It is not shown again.`,
      zh: `密钥“${key.name}”（${key.id}）可${may === "read" ? "读取" : "读写"}：${opened}。不会再次显示。`,
    }),
  );
  say(
    paint(
      "dim",
      text({
        en: "Send it as: Authorization: Bearer KEY. neuromem serve asks for keys from its next start on.",
        zh: "使用方式：Authorization: Bearer KEY。neuromem serve 从下次启动起要求密钥。",
      }),
    ),
  );
  return 0;
}

function scopesOf(given: Given, { env }: Terminal): readonly string[] | "all" {
  const scopes = list(given, "scopes");
  if (given.isSet("scopes") && scopes === undefined)
    throw new MemoryError("option_invalid", "--scopes names none. Valid: names as mia,ben, or all.");
  if (scopes === undefined) {
    const own = readChoices(memoryFile(given.text("db"), env)).scope ?? MEMORY_OPTIONS.scope?.default;
    invariant(own !== undefined, "The option --scope has no default");
    return [own];
  }
  return scopes.length === 1 && scopes[0] === "all" ? "all" : scopes;
}

function expiry(given: Given, now: number): number | null {
  const text = given.text("expires");
  if (text === undefined) return null;
  const [, number = "", unit = ""] = /^(\d+)([hdw])$/.exec(text) ?? [];
  const span = Number(number) * (UNITS[unit] ?? 0);
  if (span > 0 && span <= MOST_MS) return now + span;
  throw new MemoryError("option_invalid", `--expires is "${text}". Valid: a span as 12h, 30d or 8w.`);
}
