import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { type ServedMemory, type ServedOptions, serveMemory } from "../../test/fixtures/served-memory.ts";
import { Memory } from "../runtime/memory.ts";
import { createApp } from "./app.ts";
import { listKeys, revokeKey } from "./keys/key-ring.ts";

let opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.reverse()) await one.close();
  opened = [];
});

async function served(options?: ServedOptions): Promise<ServedMemory> {
  const one = await serveMemory(options);
  opened.push(one);
  return one;
}

interface Change {
  readonly id: number;
  readonly event: string;
  readonly data: z.infer<typeof dataSchema>;
}
const dataSchema = z.looseObject({
  scope: z.string().optional(),
  operation: z.string().optional(),
  seq: z.number().optional(),
});

interface Follower {
  readonly changes: Change[];
  readonly status: number;
  /** Whether the server has ended it. */
  readonly isEnded: () => boolean;
  close(): Promise<void>;
}

/** Reads until it is closed, or until the server ends it. */
async function follow(url: string, headers: Record<string, string> = {}): Promise<Follower> {
  const gone = new AbortController();
  const reply = await fetch(url, { headers, signal: gone.signal });
  const changes: Change[] = [];
  let ended = false;
  const reading = read(reply, changes).finally(() => {
    ended = true;
  });
  const follower: Follower = {
    ...{ changes, status: reply.status, isEnded: () => ended },
    async close() {
      gone.abort();
      await reading.catch((error: unknown) => {
        if (!gone.signal.aborted) throw error;
      });
    },
  };
  opened.push(follower);
  return follower;
}

async function read({ body }: Response, changes: Change[]): Promise<void> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const piece of body ?? []) {
    const frames = (rest + decoder.decode(piece, { stream: true })).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data === undefined) continue;
      const event = /^event: (.*)$/m.exec(frame)?.[1] ?? "";
      changes.push({
        id: Number(/^id: (.*)$/m.exec(frame)?.[1]),
        event,
        data: dataSchema.parse(JSON.parse(data)),
      });
    }
  }
}

const waiting = async (one: ServedMemory): Promise<number> =>
  Number(/^neuromem_event_streams (\d+)$/m.exec((await one.call("/metrics")).text)?.[1]);

test("changes come while they happen, of the scope alone, from now on", async () => {
  const one = await served();
  await one.memory.remember("Said before anybody listened.");
  const scope = encodeURIComponent("张伟");
  const own = await follow(`${one.url}/v1/events`);
  const zhang = await follow(`${one.url}/v1/events?scope=${scope}`);
  await one.memory.remember("Mia moved to Rome.");
  await one.memory.in("张伟").remember("张伟住在上海。");
  await expect.poll(() => own.changes.length).toBeGreaterThan(0);
  await expect.poll(() => zhang.changes.length).toBeGreaterThan(0);
  expect(new Set(own.changes.map(({ data }) => data.scope))).toEqual(new Set(["me"]));
  expect(new Set(zhang.changes.map(({ data }) => data.scope))).toEqual(new Set(["张伟"]));
  expect(JSON.stringify(own.changes)).not.toContain("before anybody");
  expect(own.changes.every(({ id, event, data }) => event === "change" && id === data.seq)).toBe(true);
});

test("who was cut off goes on where it was, and misses nothing", async () => {
  const one = await served();
  await one.memory.remember("First. 第一。");
  await one.memory.remember("Second. 第二。");
  const { events, next } = await one.memory.changes();
  const all = await follow(`${one.url}/v1/events?after=0`);
  await expect.poll(() => all.changes.map(({ id }) => id)).toEqual(events.map(({ seq }) => seq));
  const [first] = events;
  const later = await follow(`${one.url}/v1/events?after=0`, { "last-event-id": String(first?.seq) });
  await expect.poll(() => later.changes.map(({ id }) => id)).toEqual(events.slice(1).map(({ seq }) => seq));
  const news = await follow(`${one.url}/v1/events?after=${next}`);
  await one.memory.remember("Third. 第三。");
  await expect.poll(() => news.changes.length).toBeGreaterThan(0);
  expect(news.changes.every(({ id }) => id > next)).toBe(true);
});

test("more than a page comes whole and in order", async () => {
  const one = await served();
  await one.memory.remember(Array.from({ length: 110 }, (_, n) => `Note ${n}.`));
  const { events } = await one.memory.changes({ limit: 1000 });
  expect(events.length).toBeGreaterThan(100);
  const all = await follow(`${one.url}/v1/events?after=0`);
  await expect.poll(() => all.changes.length).toBe(events.length);
  expect(all.changes.map(({ id }) => id)).toEqual(events.map(({ seq }) => seq));
});

test("what another process writes to the same memory is seen, too", async () => {
  const one = await served();
  const here = await follow(`${one.url}/v1/events`);
  const other = await Memory.open({
    path: one.file,
    preset: "bm25",
    scope: "me",
  });
  await other.remember("Written elsewhere. 别处写下的。");
  await other.close();
  await expect.poll(() => here.changes.length).toBeGreaterThan(0);
});

test("who goes away is not asked for any longer", async () => {
  const one = await served();
  const followers = await Promise.all(Array.from({ length: 5 }, () => follow(`${one.url}/v1/events`)));
  await expect.poll(() => waiting(one)).toBe(5);
  for (const follower of followers) await follower.close();
  await expect.poll(() => waiting(one)).toBe(0);
});

test("a server that ends, ends its streams at once", async () => {
  const one = await served();
  const follower = await follow(`${one.url}/v1/events`);
  await expect.poll(() => waiting(one)).toBe(1);
  const started = performance.now();
  await one.stop();
  expect(performance.now() - started).toBeLessThan(2000);
  await expect.poll(follower.isEnded).toBe(true);
});

test("a key that is revoked ends the streams it opened", async () => {
  const one = await served({ hasKeys: true });
  const secret = await one.key({ scopes: ["me"], may: "read" });
  expect((await fetch(`${one.url}/v1/events`)).status).toBe(401);
  const follower = await follow(`${one.url}/v1/events`, { authorization: `Bearer ${secret}` });
  await one.memory.remember("Still allowed. 还可以。");
  await expect.poll(() => follower.changes.length).toBeGreaterThan(0);
  const before = follower.changes.length;
  const [key] = await listKeys(one.keyFile);
  await revokeKey(one.keyFile, key?.id ?? "");
  // A running server looks at its keys once a second.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await one.memory.remember("Not any more. 不再可以。");
  await expect.poll(follower.isEnded).toBe(true);
  expect(follower.changes.slice(before)).toMatchObject([
    { event: "error", data: { error: { code: "key_invalid" } } },
  ]);
});

test.each(["after=-1", "after=x", "after=1&after=2", "afterr=1", "after=1.5"])(
  "refuses ?%s",
  async (query) => {
    const one = await served();
    expect((await fetch(`${one.url}/v1/events?${query}`)).status).toBe(400);
    expect((await fetch(`${one.url}/v1/events`, { headers: { "last-event-id": "x" } })).status).toBe(400);
  },
);

test("there are never so many that nobody else could call; where one ends, another may begin", async () => {
  const one = await served();
  const app = createApp({
    ...{ memory: one.memory, keys: null, scope: "me", origins: [], version: "0" },
    ...{ closing: new AbortController().signal, log: () => undefined },
    limits: { bodyBytes: 1000, importBytes: 1000, perMinute: 0, requestMs: 1000 },
  });
  const open = async () => {
    const { status, body } = await app.request("http://localhost/v1/events", {
      headers: { host: "localhost" },
    });
    const reader = body?.getReader();
    await reader?.read();
    return { status, close: () => reader?.cancel() };
  };
  const streams = [];
  for (let stream = 0; stream < 512; stream++) streams.push(await open());
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await open()).status).toBe(429);
  await streams[0]?.close();
  const next = await open();
  expect(next.status).toBe(200);
  for (const { close } of [...streams, next]) await close();
});
