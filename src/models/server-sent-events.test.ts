import fc from "fast-check";
import { expect, test } from "vitest";
import { readEvents } from "./server-sent-events.ts";

async function read(text: string, cuts: readonly number[]): Promise<string[]> {
  const bytes = new TextEncoder().encode(text);
  const ends = [...cuts.map((cut) => cut % bytes.length), bytes.length].sort((a, b) => a - b);
  async function* body(): AsyncGenerator<Uint8Array> {
    for (const [at, end] of ends.entries()) yield bytes.slice(at === 0 ? 0 : ends[at - 1], end);
  }
  const events: string[] = [];
  for await (const data of readEvents(body())) events.push(data);
  return events;
}

test("law: however the bytes arrive, the events are the same", async () => {
  const text =
    ': hello\n\ndata: {"a":"你好🙂"}\n\nevent: x\r\ndata:two\r\ndata: lines\r\n\r\nid: 3\n\ndata: [DONE]\n\n';
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat()), async (cuts) => {
      expect(await read(text, cuts)).toEqual(['{"a":"你好🙂"}', "two\nlines", "[DONE]"]);
    }),
    { seed: 1 },
  );
});

test("a last event without its empty line counts; no body, no events", async () => {
  expect(await read("data: one\n\ndata: two", [])).toEqual(["one", "two"]);
  for await (const data of readEvents(null)) expect(data).toBeUndefined();
});
