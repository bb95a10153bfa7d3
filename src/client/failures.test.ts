/** What the client does when things go wrong on the way: real sockets, and servers that fail as they are told. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { serveMemory } from "../../test/fixtures/served-memory.ts";
import { connect, type Fetch } from "./index.ts";

interface Seen {
  readonly url: string;
  readonly key: string | undefined;
  readonly body: string;
}

type Answer = (reply: ServerResponse, request: IncomingMessage) => void;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
});

/** Answers one after another, the last again and again. */
async function scripted(...answers: Answer[]): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer(async (request, reply) => {
    let body = "";
    for await (const piece of request) body += String(piece);
    const key = request.headers["idempotency-key"]?.toString();
    seen.push({ url: request.url ?? "", key, body });
    answers[Math.min(seen.length, answers.length) - 1]?.(reply, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const says =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (reply) =>
    reply
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(typeof body === "string" ? body : JSON.stringify(body));
const cut: Answer = (_, request) => request.socket.destroy();
const silent: Answer = () => undefined;
const busy = says(503, { error: { code: "server_closing", message: "Later.", details: {} } });
const kept = says(200, { turns: ["t"], memories: null, derived: null, delayed: null });

describe("trying again", () => {
  test("a broken connection and a busy server are tried again, under one key", async () => {
    const { url, seen } = await scripted(cut, busy, kept);
    expect((await connect({ url }).remember("你好")).turns).toEqual(["t"]);
    expect(seen).toHaveLength(3);
    expect(seen[0]?.key).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(seen.map(({ key, body }) => `${key} ${body}`)).size).toBe(1);
    expect(seen[0]?.body).toBe('{"said":"你好"}');
  });

  test("two calls have two keys, and reads none", async () => {
    const { url, seen } = await scripted(kept, kept, says(404, {}));
    const client = connect({ url });
    await client.remember("a");
    await client.remember("a");
    await client.recall("a").catch(() => undefined);
    expect(new Set(seen.map(({ key }) => key)).size).toBe(3);
    expect(seen[2]?.key).toBeUndefined();
  });

  test("as long as the server asks, but not for hours", async () => {
    const wait = { error: { code: "rate_limited", message: "Too many.", details: {} } };
    const { url, seen } = await scripted(says(429, wait, { "retry-after": "1" }), kept);
    const start = performance.now();
    await connect({ url }).remember("x");
    expect(performance.now() - start).toBeGreaterThanOrEqual(1000);
    expect(seen).toHaveLength(2);
    const other = await scripted(says(429, wait, { "retry-after": "3600" }));
    await expect(connect({ url: other.url }).remember("x")).rejects.toMatchObject({
      ...{ code: "rate_limited", retryable: true, details: { retryAfterMs: 3_600_000 } },
    });
    expect(other.seen).toHaveLength(1);
  });

  test("only so often, and not what will not pass", async () => {
    const down = await scripted(cut);
    await expect(connect({ url: down.url, retries: 1 }).status()).rejects.toMatchObject({
      ...{ code: "server_unreachable", retryable: true },
    });
    expect(down.seen).toHaveLength(2);
    const model = { error: { code: "model_unavailable", message: "Nobody thinks.", details: {} } };
    const thinking = await scripted(says(502, model));
    await expect(connect({ url: thinking.url }).ask("x")).rejects.toMatchObject({
      code: "model_unavailable",
    });
    expect(thinking.seen).toHaveLength(1);
  });

  test("a write that may be half done is not done again, a read is", async () => {
    const failing = says(503, { error: { code: "storage_io", message: "The connection was lost." } });
    const { url, seen } = await scripted(failing);
    const client = connect({ url, retries: 1 });
    await expect(client.remember("x")).rejects.toMatchObject({ code: "storage_io", retryable: true });
    expect(seen).toHaveLength(1);
    await client.status().catch(() => undefined);
    expect(seen).toHaveLength(3);
  });

  test("an upkeep that broke off is not begun again, a flush is", async () => {
    const { url, seen } = await scripted(cut);
    const client = connect({ url, retries: 1 });
    await client.consolidate().catch(() => undefined);
    expect(seen).toHaveLength(1);
    await client.flush().catch(() => undefined);
    expect(seen).toHaveLength(3);
    expect(seen.every(({ key }) => key === undefined)).toBe(true);
  });

  test("a stop ends the waiting, too", async () => {
    const { url } = await scripted(says(429, {}, { "retry-after": "30" }));
    const start = performance.now();
    const call = connect({ url }).status({ signal: AbortSignal.timeout(200) });
    await expect(call).rejects.toMatchObject({ code: "aborted" });
    expect(performance.now() - start).toBeLessThan(5000);
  });

  test("an answer that is lost on its way back is not a second memory", async () => {
    const served = await serveMemory();
    ends.push(() => served.close());
    let lost = 0;
    const losing: Fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (init.method !== "POST" || lost > 1) return response;
      lost++;
      await response.text();
      throw new TypeError("the connection broke");
    };
    const client = connect({ url: served.url, fetch: losing });
    const { turns } = await client.remember("只说一次");
    expect(lost).toBe(2);
    const { counts } = await client.status();
    expect({ turns: turns.length, counted: counts.turns }).toEqual({ turns: 1, counted: 1 });
  });
});

describe("what is no answer", () => {
  test("a server that says nothing is given up", async () => {
    const { url, seen } = await scripted(silent);
    await expect(connect({ url, timeoutMs: 100 }).recall("x")).rejects.toMatchObject({
      ...{ code: "request_timeout", retryable: true, details: { timeoutMs: 100 } },
    });
    expect(seen).toHaveLength(1);
  });

  test("a stream that falls silent is given up; signs of life keep it", async () => {
    const alive: Answer = (reply) => {
      reply.writeHead(200, { "content-type": "text/event-stream" });
      let beats = 0;
      const timer = setInterval(() => {
        reply.write(
          beats++ < 5 ? ": still here\n\n" : 'event: result\ndata: {"windows":1,"turns":2,"waiting":0}\n\n',
        );
        if (beats > 5) clearInterval(timer);
      }, 60);
    };
    const { url } = await scripted(alive);
    expect(await connect({ url, timeoutMs: 250 }).flush()).toEqual({ windows: 1, turns: 2, waiting: 0 });
    const dead = await scripted((reply) => {
      reply.writeHead(200, { "content-type": "text/event-stream" }).write(": hello\n\n");
    });
    await expect(connect({ url: dead.url, timeoutMs: 100 }).flush()).rejects.toMatchObject({
      code: "request_timeout",
    });
  });

  test.each([
    ["a page of somebody else's", says(200, "<html>"), "reply_invalid"],
    ["JSON of something else", says(200, { ok: true }), "reply_invalid"],
    ["a page that is not there", says(404, "<html>not here"), "route_not_found"],
    ["a gateway without its server", says(502, "<html>bad gateway"), "server_unreachable"],
    ["a code of a newer server", says(409, { error: { code: "new_code", message: "Hm." } }), "input_invalid"],
    ["no code at all", says(500, {}), "invariant"],
  ])("%s", async (_, answer, code) => {
    const { url } = await scripted(answer);
    await expect(connect({ url, retries: 0 }).status()).rejects.toMatchObject({ code });
  });

  test("an export that breaks off is no whole one", async () => {
    const { url } = await scripted((reply) => {
      reply.writeHead(200, { "content-type": "application/x-ndjson" });
      reply.write('{"line":"header"}\n{"li', () => reply.destroy());
    });
    const lines: string[] = [];
    const reading = async (): Promise<void> => {
      for await (const line of connect({ url }).export()) lines.push(line);
    };
    await expect(reading()).rejects.toMatchObject({ code: "server_unreachable" });
    expect(lines).toEqual(['{"line":"header"}']);
  });
});
