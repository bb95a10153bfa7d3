/** A text that an argument names: itself, or, for "-", what is piped in. */
import { MemoryError } from "../base/errors.ts";
import type { Given } from "./command.ts";
import { pipedTexts } from "./piped-lines.ts";
import type { Terminal } from "./terminal.ts";

export async function inputText(given: Given, argument: string, { input }: Terminal): Promise<string> {
  const text = given.argument(argument);
  if (text !== "-") return text;
  const read = (await Array.fromAsync(pipedTexts(input))).join("").trim();
  if (read !== "") return read;
  throw new MemoryError(
    "input_invalid",
    `Nothing was piped in. Valid: ${argument} itself, or text on stdin.`,
  );
}
