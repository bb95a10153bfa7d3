/** Lines of text that comes in pieces. Only a line feed ends a line: what a text of people holds does not. */

export async function* textLines(pieces: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest = "";
  for await (const piece of pieces) {
    const lines = `${rest}${piece}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
