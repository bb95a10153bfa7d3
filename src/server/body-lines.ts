/**
 * What lines does a body bring? One at a time, as they come, so that an import of gigabytes needs the memory of one line. The
 * whole is held to one limit and a line to another: a stream without an end of line is no bundle.
 */
import { TextDecoder } from "node:util";
import { MemoryError } from "../base/errors.ts";
import { bodyPieces, refuseOtherTypes } from "./body.ts";
import type { ServerContext } from "./server.ts";

/** Room for the longest text with all its vectors, several times over. */
export const MAX_LINE_CHARS = 16 * 1024 * 1024;

const LINE_TYPES: readonly string[] = ["application/x-ndjson", "application/ndjson", "application/jsonl"];

export function bodyLines(context: ServerContext, limit: number): AsyncIterable<string> {
  if (context.req.header("content-type") === undefined)
    throw new MemoryError(
      "media_unsupported",
      `The body has no content-type. Valid: ${LINE_TYPES.join(", ")}.`,
    );
  refuseOtherTypes(context, LINE_TYPES);
  return linesOf(bodyPieces(context.req.raw, limit));
}

async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for await (const piece of pieces) {
    const [first = "", ...others] = decode(decoder, piece).split("\n");
    const parts = [rest + first, ...others];
    rest = parts.pop() ?? "";
    if (rest.length > MAX_LINE_CHARS)
      throw new MemoryError(
        "request_too_large",
        `A line of the body is too long. Valid: at most ${MAX_LINE_CHARS} characters, each line one JSON value.`,
        { details: { limit: MAX_LINE_CHARS } },
      );
    yield* parts.map(withoutReturn);
  }
  rest += decode(decoder, undefined);
  if (rest !== "") yield withoutReturn(rest);
}

/** Without a piece: whether it ended in the middle of a character. */
function decode(decoder: TextDecoder, piece: Uint8Array | undefined): string {
  try {
    return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
  } catch (cause) {
    throw new MemoryError("input_invalid", "The lines are not UTF-8. Valid: JSON lines in UTF-8.", { cause });
  }
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
