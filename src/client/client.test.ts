/** The typed client against a served memory, over real sockets: the verbs of Memory, their answers and their errors. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServedMemory, serveMemory } from "../../test/fixtures/served-memory.ts";
import { OPERATIONS } from "../operations/index.ts";
import { connect, MemoryError, where } from "./index.ts";

let served: ServedMemory;
beforeAll(async () => {
  served = await serveMemory();
});
afterAll(() => served.close());

const failure = async (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

describe("the verbs", () => {
  test("every row of the table is one", () => {
    const client = connect({ url: served.url });
    const missing = OPERATIONS.filter(({ name }) => typeof Reflect.get(client, name) !== "function");
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  test("what is said is found again, in English and Chinese, with what a direct call gives", async () => {
    const client = connect({ url: `${served.url}/`, scope: "王芳" });
    const memory = served.memory.in("王芳");
    const happenedAt = Date.UTC(2024, 1, 29);
    const kept = await client.remember([
      { speaker: "Mia", text: "I moved to Rome.", happenedAt, zone: "Europe/Rome" },
      { speaker: "王芳", text: "我对花生过敏。" },
    ]);
    expect(kept.memories).toHaveLength(2);
    const { hits, turns } = await client.recall("Where did Mia move?", { explain: true, to: happenedAt });
    expect(hits.map(({ text }) => text)).toEqual(["Mia: I moved to Rome."]);
    expect(turns?.[0]?.[0]?.text).toBe("I moved to Rome.");
    const chinese = await client.recall("对什么过敏？");
    expect(chinese.hits[0]?.text).toContain("花生");
    expect(JSON.parse(JSON.stringify(await memory.get(chinese.hits[0]?.id ?? "")))).toEqual(
      await client.get(chinese.hits[0]?.id ?? ""),
    );
    expect((await client.comprehensiveRecall("Rome")).map(({ id }) => id)).toContain(hits[0]?.id);
    expect((await client.chainedRecall("Rome", { entities: ["Mia"] })).length).toBeGreaterThan(0);
    expect((await client.ask("对什么过敏？")).answer).toContain("花生");
    expect((await client.context("Rome", { session: "s" })).text).toContain("Rome");
    expect((await client.status()).scope).toBe("王芳");
    expect((await client.estimate(["你好", { text: "hello" }])).turns).toBe(2);
  });

  test("a memory can be looked through, changed, taken back and emptied", async () => {
    const client = connect({ url: served.url, scope: "ben" });
    const { memories } = await client.remember({ judgment: "Ben likes tea.", tags: ["茶", "a&b=c d+e"] });
    const [id = ""] = memories ?? [];
    await client.record({ user: "What do I like?", assistant: "You like tea.", recalled: [id] });
    const filter = where.and(where.contains("tags", "a&b=c d+e"), where.contains("tags", "茶"));
    expect((await client.list({ filter, limit: 10, all: true })).entries.map((entry) => entry.id)).toEqual([
      id,
    ]);
    expect((await client.feedback({ useful: [id] })).strengthened).toEqual([id]);
    const events = await client.history(id, { looks: true });
    const changed = events.at(-1)?.seq ?? 0;
    expect((await client.undo(changed)).entries).toEqual([id]);
    const { events: all, next } = await client.changes({ after: 0 });
    expect(all.length).toBeGreaterThan(1);
    expect(next).toBeGreaterThanOrEqual(changed);
    expect((await client.flush({ finish: true })).waiting).toBe(0);
    expect((await client.consolidate()).deleted).toEqual([]);
    // The same answer as a direct call's: this design has no vectors.
    await expect(client.reembed()).rejects.toMatchObject({
      message: expect.stringContaining("embeds nothing"),
    });
    const told: number[] = [];
    expect((await client.rebuild({ onProgress: (done) => told.push(done) })).turns).toBeGreaterThan(1);
    expect(told.length).toBeGreaterThan(0);
    expect((await client.forget({ everything: true })).turns.length).toBeGreaterThan(1);
    expect((await client.list()).entries).toEqual([]);
  });

  test("an export goes into another scope, with progress; nothing comes twice", async () => {
    const from = connect({ url: served.url, scope: "from" });
    const said = Array.from({ length: 60 }, (_, place) => `第 ${place} 句话 number ${place}`);
    await from.remember(said, { wait: "memory" });
    const lines: string[] = [];
    for await (const line of from.export({ vectors: false })) lines.push(line);
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ line: "end" });
    const to = from.in("to");
    const told: [number, number][] = [];
    const imported = await to.import(lines, { onProgress: (...at) => told.push(at), wait: "memory" });
    expect(imported).toMatchObject({ turns: 60, path: "restored" });
    expect(told.every(([done, total]) => done <= total)).toBe(true);
    expect((await to.recall("第 7 句话")).hits[0]?.text).toContain("第 7 句话");
    const again = await to.import(from.export());
    expect(again).toMatchObject({ turns: 0, entries: 0 });
    // Whoever has seen enough of it stops reading.
    for await (const line of from.export()) {
      expect(line).toContain("header");
      break;
    }
    await from.close();
  });
});

describe("errors are the server's own", () => {
  test.each([
    ["get", (c: Client) => c.get("00000000-0000-7000-8000-000000000000"), "entry_not_found"],
    ["get", (c: Client) => c.get("../status"), "input_invalid"],
    ["get", (c: Client) => c.get(".."), "input_invalid"],
    ["get", (c: Client) => c.get(""), "input_invalid"],
    ["recall", (c: Client) => c.recall("x", { limit: 0 }), "input_invalid"],
    ["recall", (c: Client) => c.recall("x", { filter: where.eq("nosuch", 1) }), "input_invalid"],
    ["remember", (c: Client) => c.remember("bad \ud800"), "text_invalid"],
    [
      "feedback",
      (c: Client) => c.feedback({ useful: ["00000000-0000-7000-8000-000000000000"] }),
      "entry_not_found",
    ],
    ["import", (c: Client) => c.import(["{"]), "input_invalid"],
    ["undo", (c: Client) => c.undo(1e12), "entry_not_found"],
  ])("%s", async (_, call, code) => {
    const client = connect({ url: served.url });
    const error = await failure(call(client));
    expect(error).toBeInstanceOf(MemoryError);
    expect(error).toMatchObject({ code, retryable: false });
    expect(Error.prototype.toString.call(error)).toMatch(/Valid|valid|must|no such|There is no/);
  });

  test("what would be lost on the way is refused before it is sent", async () => {
    const client = connect({ url: served.url, fetch: () => Promise.reject(new Error("it was sent")) });
    // As a program without types may call it.
    const options: object = { onProgress: () => undefined };
    for (const call of [client.recall("x", options), client.flush(options), client.remember("x", options)])
      expect(await failure(call)).toMatchObject({ code: "input_invalid" });
    const noSignal: object = { signal: 7 };
    for (const call of [client.recall("x", noSignal), client.flush(noSignal), client.import([], noSignal)])
      expect(await failure(call)).toMatchObject({ code: "input_invalid" });
    for (const stream of [client.events(noSignal), client.export(noSignal)])
      await expect(stream.next()).rejects.toMatchObject({ code: "input_invalid" });
    await expect(client.events({ ...options }).next()).rejects.toMatchObject({ code: "input_invalid" });
    await expect(client.export({ ...options }).next()).rejects.toMatchObject({ code: "input_invalid" });
  });

  test.each([
    [{ url: "neuromem" }, "http://127.0.0.1:8765"],
    [{ url: "ftp://localhost" }, "http://127.0.0.1:8765"],
    [{ url: "http://me:secret@localhost" }, "no user"],
    [{ url: "http://localhost?key=secret" }, "no query"],
    [{ url: "http://localhost", key: "two words" }, "must be a key"],
    [{ url: "http://localhost", retries: -1 }, "retries"],
    [{ url: "http://localhost", kye: "x" }, "kye"],
    [{ url: "http://localhost", scope: "a b" }, "is not a scope"],
  ])("%j is refused", (options, words) => {
    expect(() => connect(options)).toThrow(words);
    expect(() => connect(options)).not.toThrow("secret");
  });
});

describe("keys and scopes", () => {
  test("a key opens its scopes and no other", async () => {
    const locked = await serveMemory({ hasKeys: true });
    try {
      const mine = await locked.key({ scopes: ["mia"] });
      const reader = await locked.key({ scopes: ["mia"], may: "read" });
      const client = connect({ url: locked.url, key: mine });
      await client.remember("Mia lives in Rome.");
      expect((await client.status()).scope).toBe("mia");
      expect(await failure(client.in("ben").status())).toMatchObject({ code: "scope_forbidden" });
      const reading = connect({ url: locked.url, key: reader });
      expect((await reading.recall("Rome")).hits).toHaveLength(1);
      expect(await failure(reading.remember("x"))).toMatchObject({ code: "key_forbidden" });
      const refused = await failure(connect({ url: locked.url, key: "nm_wrong" }).status());
      expect(refused).toMatchObject({ code: "key_invalid", details: { requestId: expect.any(String) } });
      expect(JSON.stringify(refused)).not.toContain("nm_wrong");
    } finally {
      await locked.close();
    }
  });
});

test("a signal stops a call; a closed client takes no more", async () => {
  const client = connect({ url: served.url, scope: "stopped" });
  const stop = new AbortController();
  const calls = [
    client.recall("x", { signal: stop.signal }),
    client.status({ signal: stop.signal }),
    client.import(["{}"], { signal: stop.signal }),
  ].map(failure);
  stop.abort();
  for (const call of calls) expect(await call).toMatchObject({ code: "aborted", retryable: false });
  expect(await failure(client.recall("x", { signal: stop.signal }))).toMatchObject({ code: "aborted" });
  const underway = client.remember("still kept");
  await client.close();
  expect((await underway).turns).toHaveLength(1);
  expect(await failure(client.in("other").status())).toMatchObject({ code: "storage_closed" });
  expect(() => client.export()).toThrow("connect again");
});

type Client = ReturnType<typeof connect>;
