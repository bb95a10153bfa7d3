/** What is piped in, line by line; what is no UTF-8 is refused, for it would not be what was sent. */
import { MemoryError } from "../base/errors.ts";
import { textLines } from "../runtime/bundle/text-lines.ts";
import type { Input } from "./terminal.ts";

export function pipedLines(input: Input | undefined): AsyncIterable<string> {
  return textLines(texts(input));
}

async function* texts(input: Input | undefined): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (...given: Parameters<typeof decoder.decode>): string => {
    try {
      return decoder.decode(...given);
    } catch (cause) {
      throw new MemoryError("text_invalid", "What is piped in is no UTF-8. Valid: lines of UTF-8.", {
        cause,
      });
    }
  };
  if (input === undefined) return;
  for await (const piece of input) yield decode(Buffer.from(piece), { stream: true });
  yield decode();
}
