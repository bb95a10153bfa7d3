/** Lines of any number as a body: a few can be sent again, many go out as they are made, and a browser's bound holds. */
import { createServer, type Server } from "node:http";
import { afterEach, expect, test } from "vitest";
import { serveMemory } from "../../test/fixtures/served-memory.ts";
import { connect } from "./index.ts";
import { withLines } from "./lines-body.ts";

const MEGABYTE = "x".repeat(1 << 20);
const DONE = JSON.stringify({ turns: 0, entries: 0, edges: 0, known: 0, path: "restored" });

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(0) : server.close(resolve)));
  server = undefined;
});

/** Counts what comes in; `refuse` is answered at once, whatever still comes. */
async function counting(refuse?: { readonly status: number; readonly body: string }) {
  const seen = { requests: 0, bytes: 0, began: Promise.withResolvers<void>() };
  const made = createServer((request, reply) => {
    seen.requests++;
    if (refuse !== undefined) {
      reply.writeHead(refuse.status, { "content-type": "application/json" }).end(refuse.body);
      return;
    }
    request.on("data", (piece: Buffer) => {
      seen.bytes += piece.byteLength;
      seen.began.resolve();
    });
    request.on("end", () => reply.writeHead(200, { "content-type": "application/json" }).end(DONE));
  }).on("clientError", (_, socket) => socket.destroy());
  server = made;
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  const address = made.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, seen };
}

test("many lines are on their way before the last is made", async () => {
  const { url, seen } = await counting();
  let made = 0;
  async function* lines(): AsyncGenerator<string> {
    for (; made < 12; made++) yield MEGABYTE;
    await seen.began.promise;
    yield MEGABYTE;
  }
  expect(await connect({ url, timeoutMs: 5000 }).import(lines())).toMatchObject({ path: "restored" });
  expect(seen).toMatchObject({ requests: 1, bytes: 13 * (MEGABYTE.length + 1) });
});

test("a large bundle arrives whole", { timeout: 30_000 }, async () => {
  const served = await serveMemory();
  try {
    const client = connect({ url: served.url, scope: "from" });
    const metadata = { pad: "x".repeat(100_000) };
    const said = Array.from({ length: 90 }, (_, place) => ({ text: `第 ${place} 句 of ninety`, metadata }));
    await served.memory.in("from").remember(said, { wait: "journal" });
    const imported = await client.in("to").import(client.export({ vectors: false }), { wait: "journal" });
    expect(imported.turns).toBe(90);
    await client.close();
  } finally {
    await served.close();
  }
});

test("what the source throws is thrown, and a source that nobody reads any more is ended", async () => {
  const { url } = await counting();
  const client = connect({ url });
  async function* failing(): AsyncGenerator<string> {
    for (let made = 0; made < 12; made++) yield MEGABYTE;
    throw new RangeError("磁盘坏了");
  }
  await expect(client.import(failing())).rejects.toThrow(new RangeError("磁盘坏了"));
  const next = (): IteratorResult<string> => {
    throw new RangeError("at once");
  };
  const few = { [Symbol.iterator]: () => ({ next }) };
  await expect(client.import(few)).rejects.toThrow(new RangeError("at once"));
});

test("a refusal is heard while lines are still to come, and is not tried again with half of them", async () => {
  const body = JSON.stringify({ error: { code: "rate_limited", message: "Too many.", details: {} } });
  const { url, seen } = await counting({ status: 429, body });
  let isEnded = false;
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) yield MEGABYTE;
    } finally {
      isEnded = true;
    }
  }
  await expect(connect({ url }).import(endless())).rejects.toMatchObject({ code: "rate_limited" });
  expect(seen.requests).toBe(1);
  await expect.poll(() => isEnded).toBe(true);
});

test("a stop ends lines that are on their way", async () => {
  const { url, seen } = await counting();
  const stop = new AbortController();
  async function* endless(): AsyncGenerator<string> {
    for (;;) yield MEGABYTE;
  }
  const call = connect({ url }).import(endless(), { signal: stop.signal });
  await Promise.all([
    expect(call).rejects.toMatchObject({ code: "aborted" }),
    seen.began.promise.then(() => stop.abort()),
  ]);
});

test("where nothing can be sent as it comes, what is too much to hold is refused", async () => {
  const given: unknown[] = [];
  const send = async (body: unknown): Promise<unknown> => given.push(body);
  const page = { canStream: false, most: 1000 };
  await withLines(["王芳", "Mia"], page, send);
  expect(given[0]).toBeInstanceOf(Blob);
  expect(await (given[0] instanceof Blob ? given[0].text() : "")).toBe("王芳\nMia\n");
  const refused = withLines([MEGABYTE, MEGABYTE], page, send);
  await expect(refused).rejects.toMatchObject({ code: "request_too_large", details: { limit: 1000 } });
  expect(given).toHaveLength(1);
});
