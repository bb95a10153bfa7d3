/** What is piped in, as it comes, or line by line; what is no UTF-8 is refused, for it would not be what was sent. */
import { addAbortSignal, Stream } from "node:stream";
import { MemoryError } from "../base/errors.ts";
import { throwIfAborted } from "../models/abort.ts";
import { textLines } from "../runtime/bundle/text-lines.ts";
import type { Input } from "./terminal.ts";

/** `signal` ends the waiting, too, for somebody who pipes nothing. */
export function pipedLines(input: Input | undefined, signal: AbortSignal): AsyncIterable<string> {
  return textLines(pipedTexts(input, signal));
}

export async function* pipedTexts(
  input: Input | undefined,
  signal?: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (...given: Parameters<typeof decoder.decode>): string => {
    try {
      return decoder.decode(...given);
    } catch (cause) {
      throw new MemoryError("text_invalid", "What is piped in is no UTF-8. Valid: text in UTF-8.", { cause });
    }
  };
  if (input === undefined) return;
  if (signal !== undefined && input instanceof Stream) addAbortSignal(signal, input);
  try {
    for await (const piece of input) yield decode(Buffer.from(piece), { stream: true });
  } catch (error) {
    throwIfAborted(signal, "Reading");
    throw error;
  }
  yield decode();
}
