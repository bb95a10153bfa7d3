/** Changes as they come, over a real socket: through scopes, broken connections and ends. */
import { expect, test } from "vitest";
import { serveMemory } from "../../test/fixtures/served-memory.ts";
import { connect, type Fetch, type LiveEvent } from "./index.ts";
import { pieceLines } from "./piece-lines.ts";
import { readSentEvents } from "./server-sent-events.ts";

async function take(events: AsyncGenerator<LiveEvent>, count: number): Promise<LiveEvent[]> {
  const taken: LiveEvent[] = [];
  while (taken.length < count) {
    const next = await events.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
}

test("every change of the scope once, in order, through a connection that breaks again and again", async () => {
  const served = await serveMemory();
  try {
    let opened = 0;
    // Breaks off after an event or two, in the middle of the next.
    const MOST = 1000;
    const breaking: Fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (!url.endsWith("/v1/events") || response.body === null) return response;
      opened++;
      let size = 0;
      const body = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(piece, controller) {
            controller.enqueue(piece.subarray(0, MOST - size));
            size += piece.byteLength;
            if (size >= MOST) controller.error(new TypeError("the connection broke"));
          },
        }),
      );
      return new Response(body, response);
    };
    const client = connect({ url: served.url, scope: "mia", fetch: breaking });
    const events = client.events({ after: 0 });
    const said = ["one", "two", "三", "四", "five"];
    const ids: unknown[] = [];
    for (const text of said) ids.push(...((await client.remember(text)).memories ?? []));
    await client.in("ben").remember("not for Mia");
    const taken = await take(events, 5);
    expect(taken.map(({ subject }) => subject)).toEqual(ids);
    expect(taken.every(({ scope }) => scope === "mia")).toBe(true);
    expect(opened).toBeGreaterThan(1);
    const next = events.next();
    const { memories } = await client.remember("六");
    expect((await next).value?.subject).toBe(memories?.[0]);
    await client.close();
    expect((await events.next()).done).toBe(true);
  } finally {
    await served.close();
  }
});

test("from now on, where nothing is said of where; a signal ends it; what was refused is thrown", async () => {
  const served = await serveMemory();
  try {
    const stop = new AbortController();
    const opened = Promise.withResolvers<void>();
    const telling: Fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (url.endsWith("/v1/events")) opened.resolve();
      return response;
    };
    const client = connect({ url: served.url, scope: "mia", fetch: telling });
    await client.remember("before");
    const events = client.events({ signal: stop.signal });
    const first = events.next();
    // The stream is open when the server counts it; until then a change would be one from before.
    await expect
      .poll(async () => (await served.call("/metrics")).text)
      .toMatch(/route="\/v1\/events"|in_flight\S* [12]/);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { memories } = await client.remember("after");
    expect((await first).value?.subject).toBe(memories?.[0]);
    stop.abort();
    expect((await events.next()).done).toBe(true);
    await expect(client.events({ after: -1 }).next()).rejects.toMatchObject({ code: "input_invalid" });
    await client.close();
    expect(() => client.events()).toThrow("closed");
  } finally {
    await served.close();
  }
});

test("a key that is not valid ends it at once", async () => {
  const served = await serveMemory({ hasKeys: true });
  try {
    await served.key({ scopes: ["mia"] });
    const events = connect({ url: served.url, key: "nm_wrong" }).events();
    await expect(events.next()).rejects.toMatchObject({ code: "key_invalid" });
  } finally {
    await served.close();
  }
});

test("what is no stream of events is refused, and one that breaks at once is not asked for without a pause", async () => {
  const page: Fetch = async () => new Response("<html>", { headers: { "content-type": "text/html" } });
  const elsewhere = connect({ url: "http://127.0.0.1:1", fetch: page });
  await expect(elsewhere.events().next()).rejects.toMatchObject({ code: "reply_invalid" });
  let asked = 0;
  const greeting: Fetch = async (_, { signal }) => {
    asked++;
    signal?.throwIfAborted();
    return new Response("id: 7\n\n", { headers: { "content-type": "text/event-stream" } });
  };
  const client = connect({ url: "http://127.0.0.1:1", fetch: greeting });
  const next = client.events().next();
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await client.close();
  expect((await next).done).toBe(true);
  expect(asked).toBeGreaterThan(1);
  expect(asked).toBeLessThan(30);
});

test("events and lines are put together from any pieces, whatever else breaks a line in Unicode", async () => {
  const text =
    ': hello\r\nid: 7\n\nevent: change\nid:8\ndata: {"a":\ndata: "王\u2028芳"}\n\n\ndata\n\nevent: lost\ndata: half';
  for (const size of [1, 2, 3, 7, text.length]) {
    const pieces = async function* (): AsyncGenerator<string> {
      for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
    };
    const events = [];
    for await (const event of readSentEvents(pieces())) events.push(event);
    expect(events).toEqual([
      { event: "message", data: "", id: "7" },
      { event: "change", data: '{"a":\n"王\u2028芳"}', id: "8" },
      { event: "message", data: "", id: "8" },
    ]);
    const lines = [];
    for await (const line of pieceLines(pieces())) lines.push(line);
    expect(lines).toEqual(text.split(/\r?\n/));
  }
});
