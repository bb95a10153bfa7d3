/**
 * A file of results, line by line: it may be larger than what fits into one string. Lines end at a line feed and nowhere else.
 * Node's own reader also ends them at U+2028 and U+2029, which JSON may hold as they are.
 */
import { createReadStream } from "node:fs";

export interface TextLine {
  /** Never blank. */
  readonly text: string;
  /** From 1, blank lines counted. */
  readonly number: number;
}

export async function* textLines(path: string): AsyncGenerator<TextLine, void> {
  let number = 0;
  // In pieces: a line that spans many chunks is put together once.
  let begun: string[] = [];
  const whole = (end: string): TextLine[] => {
    const text = [...begun, end].join("");
    begun = [];
    number++;
    return text.trim() === "" ? [] : [{ text, number }];
  };
  for await (const chunk of createReadStream(path, "utf8")) {
    const parts = String(chunk).split("\n");
    const rest = parts.pop() ?? "";
    for (const part of parts) yield* whole(part);
    begun.push(rest);
  }
  yield* whole("");
}
