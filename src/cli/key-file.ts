/** Which file has the keys? The one that is named, else the one beside the memory that is served. */
import { resolve } from "node:path";
import { keyFileOf } from "../server/keys/key-file.ts";
import type { Given } from "./command.ts";
import { memoryFile } from "./memory-file.ts";
import type { Terminal } from "./terminal.ts";

export function keyFile(given: Given, { env }: Pick<Terminal, "env">): string {
  const named = given.text("keys");
  return named === undefined ? keyFileOf(memoryFile(given.text("db"), env)) : resolve(named);
}
