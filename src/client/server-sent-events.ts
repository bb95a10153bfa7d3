/** The events of a text/event-stream body (WHATWG HTML, §9.2), as they come. An id without data is given, too: it tells where a stream stands. */
import { pieceLines } from "./piece-lines.ts";

export interface SentEvent {
  readonly event: string;
  readonly data: string;
  /** The last one that was named; undefined: none yet. */
  readonly id: string | undefined;
}

export async function* readSentEvents(
  pieces: AsyncIterable<string>,
): AsyncGenerator<SentEvent, void, undefined> {
  let id: string | undefined;
  let isNamed = false;
  let event = "message";
  let data: string[] = [];
  for await (const line of pieceLines(pieces)) {
    const [, field, value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === "data") data.push(value);
    if (field === "event") event = value;
    if (field === "id") {
      id = value;
      isNamed = true;
    }
    if (line !== "") continue;
    if (data.length > 0 || isNamed) yield { event, data: data.join("\n"), id };
    isNamed = false;
    event = "message";
    data = [];
  }
}
