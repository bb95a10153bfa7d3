/** A text that an argument names: itself, or, for "-", what is piped in. */
import { MemoryError } from "../base/errors.ts";
import type { Given } from "./command.ts";
import type { Terminal } from "./terminal.ts";

export async function inputText(given: Given, argument: string, { input }: Terminal): Promise<string> {
  const text = given.argument(argument);
  if (text !== "-") return text;
  const pieces: Uint8Array[] = [];
  if (input !== undefined) for await (const piece of input) pieces.push(Buffer.from(piece));
  const read = Buffer.concat(pieces).toString("utf8").trim();
  if (read !== "") return read;
  throw new MemoryError(
    "input_invalid",
    `Nothing was piped in. Valid: ${argument} itself, or text on stdin.`,
  );
}
