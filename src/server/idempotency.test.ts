/** What was done once is not done twice: over real sockets. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServedMemory, serveMemory } from "../../test/fixtures/served-memory.ts";
import { createReplies } from "./kept-replies.ts";

let served: ServedMemory;
let [key, other] = ["", ""];
beforeAll(async () => {
  served = await serveMemory({ hasKeys: true, limits: { bodyBytes: 10_000, perMinute: 0 } });
  key = await served.key({ scopes: "all" });
  other = await served.key({ scopes: "all" });
});
afterAll(() => served.close());

function world(scope: string) {
  const turns = async (): Promise<number> => (await served.memory.in(scope).status()).counts.turns;
  const remember = (said: string, idempotencyKey: string, more: object = {}) =>
    served.call("/v1/memories", {
      ...{ key, scope, json: { said }, headers: { "idempotency-key": idempotencyKey } },
      ...more,
    });
  return { turns, remember };
}

test("the same again gives the first answer again", async () => {
  const { turns, remember } = world("mia");
  const first = await remember("我搬到成都了。", "one");
  expect(first.status).toBe(200);
  expect(first.headers.has("idempotent-replay")).toBe(false);
  const again = await remember("我搬到成都了。", "one");
  expect(again).toMatchObject({ status: 200, text: first.text });
  expect(again.headers.get("idempotent-replay")).toBe("true");
  expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
  expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
  expect(await turns()).toBe(1);
  expect((await remember("我搬到成都了。", "two")).headers.has("idempotent-replay")).toBe(false);
  expect(await turns()).toBe(2);
});

test("another body or another call under the same key is refused", async () => {
  const { turns, remember } = world("ben");
  await remember("I moved to Rome.", "one");
  expect(await remember("I moved to Oslo.", "one")).toMatchObject({
    status: 422,
    json: { error: { code: "idempotency_conflict" } },
  });
  const headers = { "idempotency-key": "one" };
  expect((await served.call("/v1/flush", { key, scope: "ben", json: {}, headers })).status).toBe(422);
  expect(await turns()).toBe(1);
});

test("another caller or another scope has keys of its own", async () => {
  const { turns } = world("eva");
  const send = (one: string, scope: string) =>
    served.call("/v1/memories", {
      ...{ key: one, scope, json: { said: "Tea." }, headers: { "idempotency-key": "same" } },
    });
  const replies = [await send(key, "eva"), await send(other, "eva"), await send(key, "eva2")];
  expect(replies.map(({ headers }) => headers.has("idempotent-replay"))).toEqual([false, false, false]);
  expect(await turns()).toBe(2);
  expect((await send(key, "eva")).headers.get("idempotent-replay")).toBe("true");
});

test("many at once are done once", async () => {
  const { turns, remember } = world("joe");
  const replies = await Promise.all(Array.from({ length: 12 }, () => remember("I like pears.", "one")));
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  expect(replies.filter(({ headers }) => headers.has("idempotent-replay"))).toHaveLength(11);
  expect(await turns()).toBe(1);
});

test("what was refused may be sent again under the same key", async () => {
  const { turns, remember } = world("kim");
  const bad = { json: { said: 5 } };
  expect((await remember("", "one", bad)).status).toBe(400);
  expect((await remember("", "one", bad)).status).toBe(400);
  expect((await remember("Now it is right.", "one")).status).toBe(200);
  expect(await turns()).toBe(1);
  const stream = { accept: "Text/Event-Stream", "idempotency-key": "three" };
  expect((await remember("x", "", { headers: stream })).status).toBe(400);
  expect((await remember("x", "k".repeat(256))).status).toBe(400);
  expect((await remember("x".repeat(20_000), "four")).status).toBe(413);
  expect(
    (await served.call("/v1/memories", { json: {}, headers: { "idempotency-key": "five" } })).status,
  ).toBe(401);
  const read = await served.call("/v1/recall", {
    ...{ key, scope: "kim", json: { question: "right?" }, headers: { "idempotency-key": "one" } },
  });
  expect(read.status).toBe(200);
  expect(read.headers.has("idempotent-replay")).toBe(false);
});

test("a caller who hangs up finds it done when it asks again", async () => {
  const { turns, remember } = world("lea");
  const body = JSON.stringify({ said: "Sent by someone who did not wait." });
  const socket = connect(served.port, "127.0.0.1");
  socket.write(
    [
      "POST /v1/memories HTTP/1.1",
      "Host: localhost",
      `Authorization: Bearer ${key}`,
      "Neuromem-Scope: lea",
      "Content-Type: application/json",
      "Idempotency-Key: gone",
      `Content-Length: ${body.length}`,
      "",
      body,
    ].join("\r\n"),
    () => socket.destroy(),
  );
  await expect.poll(turns).toBe(1);
  const again = await remember("Sent by someone who did not wait.", "gone");
  expect(again.headers.get("idempotent-replay")).toBe("true");
  expect(await turns()).toBe(1);
});

describe("what is kept", () => {
  const reply = (size: number) => ({ status: 200, type: "x", body: new Uint8Array(size) });

  test("goes after a day", async () => {
    let now = 0;
    const replies = createReplies({ now: () => now });
    const once = () => replies.once("a", "p", async () => reply(1));
    expect((await once()).isReplay).toBe(false);
    now = 86_399_999;
    expect((await once()).isReplay).toBe(true);
    now = 86_400_000;
    expect((await once()).isReplay).toBe(false);
  });

  test("is bounded by number and by size, the oldest goes first", async () => {
    const replies = createReplies({ now: () => 0 });
    const keep = (place: string, size: number) => replies.once(place, "p", async () => reply(size));
    for (let place = 0; place < 10_001; place++) await keep(`n${place}`, 1);
    expect((await keep("n10000", 1)).isReplay).toBe(true);
    expect((await keep("n5", 1)).isReplay).toBe(true);
    expect((await keep("n0", 1)).isReplay).toBe(false);
    const half = 40 * 1024 * 1024;
    await keep("big1", half);
    await keep("big2", half);
    expect((await keep("big2", half)).isReplay).toBe(true);
    expect((await keep("big1", half)).isReplay).toBe(false);
  });

  test("never makes room while it is under way: nothing runs beside itself", async () => {
    const replies = createReplies({ now: () => 0 });
    const gate = Promise.withResolvers<void>();
    const slow = replies.once("slow", "p", async () => {
      await gate.promise;
      return reply(1);
    });
    for (const place of ["big1", "big2"]) await replies.once(place, "p", async () => reply(40 * 1024 * 1024));
    let again = 0;
    const waiting = replies.once("slow", "p", async () => {
      again++;
      return reply(1);
    });
    gate.resolve();
    expect([(await slow).isReplay, (await waiting).isReplay, again]).toEqual([false, true, 0]);
  });

  test("a failure is told to who ran it, and who waited does it anew", async () => {
    const replies = createReplies({ now: () => 0 });
    const gate = Promise.withResolvers<void>();
    const failing = replies.once("a", "p", async () => {
      await gate.promise;
      throw new Error("no");
    });
    const waiting = replies.once("a", "p", async () => reply(1));
    gate.resolve();
    await expect(failing).rejects.toThrow("no");
    expect(await waiting).toEqual({ isReplay: false });
    expect((await replies.once("a", "p", async () => reply(1))).isReplay).toBe(true);
  });
});
