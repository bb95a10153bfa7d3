/** A text that comes in pieces, line by line. A line of any length is put together once. */

export async function* pieceLines(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let held: string[] = [];
  for await (const piece of pieces) {
    const [first = "", ...others] = piece.split("\n");
    held.push(first);
    const last = others.pop();
    if (last === undefined) continue;
    yield whole(held);
    for (const line of others) yield whole([line]);
    held = [last];
  }
  const rest = whole(held);
  if (rest !== "") yield rest;
}

function whole(parts: readonly string[]): string {
  return parts.join("").replace(/\r$/, "");
}
