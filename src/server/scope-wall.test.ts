/**
 * The wall between scopes, over real sockets: whoever has a key for one scope tries every row of the table, every parameter and
 * every number and id of another, and neither sees nor changes anything of it. What is secret there must be in no reply, and
 * an export of it must be the same afterwards.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type Called,
  type CallOptions,
  type ServedMemory,
  serveMemory,
} from "../../test/fixtures/served-memory.ts";
import { OPERATIONS, type Operation } from "../operations/index.ts";
import type { Memory } from "../runtime/memory.ts";

/** Nobody on this side of the wall says them. */
const SECRETS = ["ZEBRA4711", "斑马条纹", "Quillon", "hidden-tag"];
const SESSION = "s-1";

/** Something that each row takes, about whatever is in sight. */
const SAMPLES: Readonly<Record<string, object>> = {
  remember: { said: "The vault code of Alice is written on paper. 爱丽丝的金库密码写在纸上。" },
  record: { user: "What is the vault code?", assistant: "I do not know the code.", session: SESSION },
  recall: { question: "What is the vault code? 金库密码是什么？", limit: 50, explain: true },
  comprehensiveRecall: { question: "the vault code 金库密码", limit: 100 },
  chainedRecall: {
    question: "the vault code of the bank",
    entities: ["vault", "bank", "金库"],
    perEntity: 50,
  },
  ask: { question: "What is the vault code? 金库密码是什么？" },
  context: { question: "the vault code 金库密码", session: SESSION, stableBudget: 4000 },
  feedback: { useful: [] },
  get: { id: "00000000-0000-7000-8000-000000000000" },
  list: { all: true, limit: 1000 },
  history: { id: "00000000-0000-7000-8000-000000000000", looks: true },
  changes: { after: 0, limit: 1000 },
  undo: { event: 1_000_000 },
  forget: { session: "a session of nobody" },
  flush: {},
  consolidate: {},
  rebuild: {},
  reembed: {},
  estimate: { turns: ["the vault code"] },
  status: {},
  export: { vectors: true },
  import: {},
};

interface Treasure {
  readonly entries: readonly string[];
  readonly turns: readonly string[];
  readonly events: readonly number[];
}

const idsSchema = z.object({ entries: z.array(z.object({ id: z.string() })) });

/** The request that a row is reached by. */
function requestOf({ route, kind }: Operation, input: object): [string, CallOptions] {
  const fields = new Map(Object.entries(input));
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(fields.get(name)));
    fields.delete(name);
    return value;
  });
  if (route.method === "POST" && kind !== "lines-in") return [path, { json: Object.fromEntries(fields) }];
  const query = new URLSearchParams();
  for (const [name, value] of fields)
    query.set(name, typeof value === "string" ? value : JSON.stringify(value));
  const lines = kind === "lines-in" ? { body: "", headers: { "content-type": "application/x-ndjson" } } : {};
  return [`${path}${query.size > 0 ? `?${query}` : ""}`, { method: route.method, ...lines }];
}

async function allOf(memory: Memory): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of memory.export()) lines.push(line);
  // The first says when it was written, and the last is a sum over all.
  return lines.slice(1, -1);
}

/** Who may see what is public is counted there, as having looked at it and found it useful. */
const withoutLooks = (line: string): string =>
  line.replace(/"lastAccessAt":"[^"]+","accessCount":\d+,"usefulCount":\d+,/, "");

describe.each([
  ["alice", "bob", "bm25"],
  ["爱丽丝", "王芳", "bm25"],
  ["alice", "alice/bob", "neuromem"],
])("the key of %s and the scope %s, by %s", (mine, theirs, preset) => {
  let served: ServedMemory;
  let key = "";
  let treasure: Treasure;
  let before: readonly string[];
  const replies: { readonly what: string; readonly called: Called }[] = [];

  const operation = (name: string): Operation => {
    const found = OPERATIONS.find((one) => one.name === name);
    if (found === undefined) throw new Error(`No row ${name}`);
    return found;
  };
  const attack = async (name: string, input: object, more: CallOptions = {}): Promise<Called> => {
    const [path, options] = requestOf(operation(name), input);
    const called = await served.call(path, { key, ...options, ...more });
    replies.push({ what: `${name} ${JSON.stringify(input)}`, called });
    return called;
  };

  beforeAll(async () => {
    served = await serveMemory({ hasKeys: true, memory: { preset }, limits: { perMinute: 0 } });
    key = await served.key({ scopes: [mine] });
    const [own, other] = [served.memory.in(mine), served.memory.in(theirs)];
    await own.remember({
      text: "The vault is in the bank. 金库在银行里。",
      speaker: "Alice",
      session: SESSION,
    });
    const said = [
      { text: "The vault code is ZEBRA4711 in the bank.", speaker: "Quillon", session: SESSION },
      { text: "金库密码是斑马条纹，别告诉别人。", speaker: "Quillon", session: SESSION },
      { judgment: "The vault code of the bank is ZEBRA4711.", tags: ["hidden-tag"], pinned: true },
    ];
    const { turns } = await other.remember(said, { wait: "memory" });
    const { entries } = await other.list({ all: true });
    const { events } = await other.changes({ limit: 1000 });
    treasure = {
      turns,
      entries: entries.map(({ id }) => id),
      events: events.map(({ seq }) => seq),
    };
    before = await allOf(other);
  });
  afterAll(() => served.close());

  test("there is something to find", () => {
    expect(treasure.entries.length).toBeGreaterThanOrEqual(3);
    expect(treasure.turns).toHaveLength(3);
    expect(treasure.events.length).toBeGreaterThanOrEqual(3);
    for (const secret of SECRETS) expect(before.join("\n")).toContain(secret);
  });

  test.each(OPERATIONS.map(({ name }) => name))("%s: naming the scope is refused", async (name) => {
    const input = SAMPLES[name];
    if (input === undefined) throw new Error(`No sample of ${name}`);
    expect((await attack(name, input, { scope: theirs })).status).toBe(403);
    const [path, options] = requestOf(operation(name), input);
    const query = `${path.includes("?") ? "&" : "?"}scope=${encodeURIComponent(theirs)}`;
    const asked = await served.call(path + query, { key, ...options });
    expect(asked).toMatchObject({ status: 403, json: { error: { code: "scope_forbidden" } } });
    // A field of the call is no way either.
    expect((await attack(name, { ...input, scope: theirs })).status).toBeGreaterThanOrEqual(400);
    for (const field of ["collection", "memory", "in", "owner"])
      expect((await attack(name, { ...input, [field]: theirs })).status).toBe(400);
  });

  test("no id, cursor, filter or number of an event finds it", async () => {
    const { entries, turns, events } = treasure;
    const filters = [
      { op: "eq", field: "scope", value: theirs },
      { op: "ne", field: "scope", value: mine },
      { op: "in", field: "id", value: entries },
      { op: "contains", field: "tags", value: "hidden" },
      { op: "not", filter: { op: "eq", field: "scope", value: mine } },
      { op: "gte", field: "createdAt", value: 0 },
    ];
    for (const filter of filters) {
      for (const name of ["recall", "comprehensiveRecall", "chainedRecall", "ask", "context", "list"])
        await attack(name, { ...SAMPLES[name], filter });
      await attack("forget", { filter });
    }
    for (const id of [...entries, ...turns]) {
      expect((await attack("get", { id })).status).toBe(404);
      expect((await attack("history", { id, looks: true })).status).toBe(404);
      expect((await attack("history", { id, after: 0, limit: 10_000 })).status).toBe(404);
      await attack("list", { after: id, all: true });
      await attack("list", { after: "00000000-0000-7000-8000-000000000000", all: true });
    }
    for (const event of events) expect((await attack("undo", { event })).status).toBe(404);
    for (const after of [0, ...events]) await attack("changes", { after, limit: 1000 });
    for (const knownAt of [0, Date.now() - 1000, Date.now()])
      await attack("recall", { ...SAMPLES.recall, knownAt });
    for (const name of [
      "recall",
      "comprehensiveRecall",
      "chainedRecall",
      "ask",
      "context",
      "export",
      "status",
    ])
      expect((await attack(name, SAMPLES[name] ?? {})).status).toBe(200);
  });

  test("nothing that writes or erases reaches it", async () => {
    const { entries, turns } = treasure;
    for (const id of entries) {
      await attack("forget", { id });
      await attack("feedback", { useful: [id] });
      await attack("record", { user: "Is it so?", assistant: "It is so.", recalled: [id] });
    }
    await attack("feedback", { merge: [entries] });
    await attack("feedback", { merge: [[...entries.slice(0, 1), ...(await ownIds()).slice(0, 1)]] });
    await attack("forget", { turns });
    await attack("forget", { session: SESSION });
    await attack("forget", { from: 0, to: Date.now() });
    for (const name of ["flush", "consolidate", "rebuild", "reembed"])
      await attack(name, SAMPLES[name] ?? {});
    await attack("remember", SAMPLES.remember ?? {});
    // A bundle that says their ids are its own.
    const bundle = (await attack("export", { vectors: true })).text;
    const [ownId = ""] = await ownIds();
    const taken = bundle.replaceAll(ownId, entries[0] ?? "");
    await attack("import", {}, { body: taken, headers: { "content-type": "application/x-ndjson" } });
    const scoped = bundle.replaceAll(JSON.stringify(mine), JSON.stringify(theirs));
    await attack("import", {}, { body: scoped, headers: { "content-type": "application/x-ndjson" } });
    await attack("forget", { everything: true });
    await attack("recall", SAMPLES.recall ?? {});
  });

  async function ownIds(): Promise<string[]> {
    const { json } = await attack("list", { all: true });
    return idsSchema.parse(json).entries.map(({ id }) => id);
  }

  test("a stream of events carries none of it", async () => {
    const ended = new AbortController();
    const headers = { authorization: `Bearer ${key}`, "last-event-id": "0" };
    const { body } = await fetch(`${served.url}/v1/events`, { headers, signal: ended.signal });
    let text = "";
    const reading = (async () => {
      for await (const piece of body ?? []) text += Buffer.from(piece).toString();
    })().catch(() => undefined);
    const marker = await served.memory
      .in(theirs)
      .remember("The new vault code is ZEBRA4711, too.", { wait: "memory" });
    const own = await served.memory.in(mine).remember("The end of what is heard.", { wait: "memory" });
    await expect.poll(() => text, { timeout: 8000 }).toContain(own.memories?.at(-1));
    ended.abort();
    await reading;
    for (const secret of SECRETS) expect(text).not.toContain(secret);
    for (const id of [...treasure.entries, ...marker.turns]) expect(text).not.toContain(id);
    await served.memory.in(theirs).forget({ turns: marker.turns });
    const refused = await served.call("/v1/events", { key, scope: theirs });
    expect(refused.status).toBe(403);
  });

  test("the tools of MCP are behind the same wall", async () => {
    const tool = async (name: string, args: object, scope?: string) => {
      const json = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
      const headers = { accept: "application/json, text/event-stream" };
      const called = await served.call("/mcp", { key, scope, json, headers });
      replies.push({ what: `mcp ${name}`, called });
      return called;
    };
    expect((await tool("recall", { question: "the vault code" }, theirs)).status).toBe(403);
    const found = await tool("recall", { question: "What is the vault code? 金库密码", limit: 50 });
    expect(found).toMatchObject({ status: 200 });
    expect(found.text).toContain("hits");
    for (const id of treasure.entries) {
      expect((await tool("get", { id })).text).toContain("entry_not_found");
      await tool("forget", { id });
    }
    await tool("list", { all: true, limit: 1000 });
  });

  test("no reply had a secret in it, and none failed in a way that nobody meant", () => {
    expect(replies.length).toBeGreaterThan(200);
    const leaks = replies.filter(({ called }) => SECRETS.some((secret) => called.text.includes(secret)));
    expect(leaks.map(({ what }) => what)).toEqual([]);
    expect(replies.filter(({ called }) => called.status >= 500).map(({ what }) => what)).toEqual([]);
    expect(served.log).toEqual([]);
  });

  test("and all of it is still there, as it was", async () => {
    const after = await allOf(served.memory.in(theirs));
    expect(after).toEqual(before);
  });
});

describe("a key that may only read", () => {
  let served: ServedMemory;
  let key = "";
  beforeAll(async () => {
    served = await serveMemory({ hasKeys: true, limits: { perMinute: 0 } });
    key = await served.key({ scopes: ["王芳"], may: "read" });
    await served.memory.in("王芳").remember("我喜欢吃火锅。");
  });
  afterAll(() => served.close());

  test.each(OPERATIONS.filter(({ effect }) => effect !== "read"))("$name is refused", async (operation) => {
    const before = await allOf(served.memory.in("王芳"));
    for (const input of [SAMPLES[operation.name] ?? {}, {}]) {
      const [path, options] = requestOf(operation, input);
      expect(await served.call(path, { key, ...options })).toMatchObject({
        status: 403,
        json: { error: { code: "key_forbidden" } },
      });
    }
    expect(await allOf(served.memory.in("王芳"))).toEqual(before);
  });

  test("it reads", async () => {
    const { json } = await served.call("/v1/recall", { key, json: { question: "火锅" } });
    expect(json).toMatchObject({ hits: [{ text: expect.stringContaining("我喜欢吃火锅。") }] });
  });
});

describe("what is public", () => {
  test("is seen by the key of another scope, and not changed", async () => {
    const served = await serveMemory({ hasKeys: true, limits: { perMinute: 0 } });
    const key = await served.key({ scopes: ["alice"] });
    const shared = served.memory.in("public");
    await shared.remember("The office opens at nine. 办公室九点开门。", { wait: "memory" });
    const [entry] = (await shared.list()).entries;
    const id = entry?.id ?? "";
    const before = await allOf(shared);
    const { json } = await served.call("/v1/recall", {
      key,
      json: { question: "When does the office open?" },
    });
    expect(json).toMatchObject({ hits: [{ id }] });
    for (const json of [{ useful: [id] }, { merge: [[id, id]] }])
      await served.call("/v1/feedback", { key, json });
    await served.call("/v1/forget", { key, json: { id } });
    await served.call("/v1/forget", { key, json: { everything: true } });
    const { events } = await shared.changes();
    for (const { seq } of events)
      expect((await served.call("/v1/undo", { key, json: { event: seq } })).status).toBe(404);
    expect((await served.call("/v1/status", { key, scope: "public" })).status).toBe(403);
    expect((await allOf(shared)).map(withoutLooks)).toEqual(before.map(withoutLooks));
    await served.close();
  });
});
