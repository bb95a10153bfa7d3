/** Names of collections and indexes become file names of snapshots and keys of YAML. */
import { MemoryError } from "../base/errors.ts";

const NAME = /^[\p{L}\p{N}_-]{1,64}$/u;

export function isName(name: string): boolean {
  return NAME.test(name);
}

export function checkName(name: string, what: string): string {
  if (isName(name)) return name;
  throw new MemoryError(
    "option_invalid",
    `"${name.slice(0, 80)}" is not a name of ${what}. Valid: 1–64 letters, digits, _ and -.`,
  );
}
