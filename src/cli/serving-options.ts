/** What the options of commands that serve mean: which keys, which port, how much at once. */
import { MemoryError } from "../base/errors.ts";
import { listKeys, openKeyRing } from "../server/keys/key-ring.ts";
import type { KeyRing } from "../server/server.ts";
import type { Given } from "./command.ts";
import { keyFile } from "./key-file.ts";
import { amount, wholeFromZero } from "./option-values.ts";
import type { Terminal } from "./terminal.ts";

const MEGABYTE = 1024 * 1024;
const MOST_PORT = 65_535;
/** A timer cannot wait for ever: one that is set to weeks would ring at once. */
const MOST_GRACE_SECONDS = 86_400;

/** Keys are asked for where there are any, or where they were named; one that has expired opens nothing, but the door stays shut. */
export async function keysOf(given: Given, terminal: Terminal): Promise<KeyRing | null> {
  const file = keyFile(given, terminal);
  const keys = await listKeys(file);
  if (keys.some(({ isExpired }) => !isExpired)) return openKeyRing(file);
  if (keys.length === 0 && !given.isSet("keys")) return null;
  throw new MemoryError(
    "option_invalid",
    `There is no valid key in ${file}, so nobody could call. Valid: make one with neuromem key create --name NAME${given.isSet("keys") ? ` --keys ${file}` : ""}, or revoke those that have expired to serve this machine without keys.`,
  );
}

export function portOf(given: Given): number {
  const port = wholeFromZero(given, "port") ?? 0;
  if (port <= MOST_PORT) return port;
  throw new MemoryError("option_invalid", `--port is ${port}. Valid: 0 to ${MOST_PORT}.`);
}

export function megabytes(given: Given, option: string): number {
  const megabytes = amount(given, option) ?? 0;
  if (megabytes > 0) return Math.ceil(megabytes * MEGABYTE);
  throw new MemoryError("option_invalid", `--${option} is 0. Valid: a number of megabytes above 0.`);
}

export function graceOf(given: Given): number {
  const seconds = amount(given, "grace") ?? 0;
  if (seconds <= MOST_GRACE_SECONDS) return seconds * 1000;
  throw new MemoryError(
    "option_invalid",
    `--grace is ${seconds}. Valid: 0 to ${MOST_GRACE_SECONDS} seconds.`,
  );
}
