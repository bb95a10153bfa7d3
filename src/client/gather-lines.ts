/** Lines as one body. A browser can send no body that is still being made, and one that was sent away could not be sent again. */
import { stopped } from "./patience.ts";

/** So many characters become one part. */
const CHUNK = 1 << 20;

export async function gatherLines(
  lines: AsyncIterable<string> | Iterable<string>,
  signal: AbortSignal | undefined,
): Promise<Blob> {
  const parts: Blob[] = [];
  let held: string[] = [];
  let size = 0;
  for await (const line of lines) {
    if (signal?.aborted === true) throw stopped(signal);
    held.push(line, "\n");
    size += line.length;
    if (size < CHUNK) continue;
    parts.push(new Blob(held));
    held = [];
    size = 0;
  }
  return new Blob([...parts, ...held]);
}
