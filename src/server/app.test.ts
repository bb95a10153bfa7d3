import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { rawRequest, type ServedMemory, serveMemory } from "../../test/fixtures/served-memory.ts";
import { ERROR_KINDS } from "../base/errors.ts";
import { OPERATIONS, type Operation } from "../operations/index.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { createApp } from "./app.ts";

const errorSchema = z.strictObject({
  error: z.strictObject({
    code: z.enum(Object.keys(ERROR_KINDS)),
    message: z.string().min(1),
    retryable: z.boolean(),
    details: z.record(z.string(), z.unknown()),
    requestId: z.string().min(1),
  }),
});
const rememberedSchema = z.object({ turns: z.array(z.string()), memories: z.array(z.string()) });
const changesSchema = z.object({ events: z.array(z.object({ seq: z.number() })), next: z.number() });

let served: ServedMemory;
let id = "";
let event = 0;
let bundle = "";
beforeAll(async () => {
  served = await serveMemory({ memory: { preset: "neuromem", scope: "mia" } });
  const said = { said: "Mia moved to Rome. 张伟住在上海。", wait: "memory" };
  const remembered = rememberedSchema.parse((await served.call("/v1/memories", { json: said })).json);
  id = remembered.memories[0] ?? "";
  event = changesSchema.parse((await served.call("/v1/changes")).json).next;
  bundle = (await served.call("/v1/export?vectors=false")).text;
});
afterAll(() => served.close());

/** What is sent for each row, in the order of the table: what a row leaves is there for the next. */
const SENT: Readonly<Record<string, () => { readonly fields?: object; readonly lines?: string }>> = {
  remember: () => ({
    fields: { said: [{ speaker: "Mia", text: "I like pasta." }, "张伟喜欢面条。"], wait: "memory" },
  }),
  record: () => ({ fields: { user: "Where is 张伟?", assistant: "In Shanghai.", wait: "memory" } }),
  recall: () => ({ fields: { question: "张伟住在哪里？", explain: true, limit: 3 } }),
  comprehensiveRecall: () => ({ fields: { question: "Rome" } }),
  chainedRecall: () => ({ fields: { question: "Where does Mia live?", entities: ["Mia"] } }),
  ask: () => ({ fields: { question: "Where does Mia live?" } }),
  context: () => ({ fields: { question: "Mia", budget: 500 } }),
  feedback: () => ({ fields: { useful: [id] } }),
  get: () => ({ fields: { id } }),
  list: () => ({
    fields: { limit: 2, all: true, filter: { op: "contains", field: "content", value: "张伟" } },
  }),
  history: () => ({ fields: { id, after: 0, looks: true } }),
  changes: () => ({ fields: { after: 0, limit: 5 } }),
  undo: () => ({ fields: { event } }),
  forget: () => ({ fields: { speaker: "Mia" } }),
  flush: () => ({ fields: { finish: true } }),
  consolidate: () => ({}),
  rebuild: () => ({ fields: {} }),
  reembed: () => ({}),
  estimate: () => ({ fields: { turns: ["I moved to Rome.", { text: "我搬到了罗马。", speaker: "Mia" }] } }),
  status: () => ({}),
  export: () => ({ fields: { vectors: true } }),
  import: () => ({ fields: { wait: "memory" }, lines: bundle }),
};

async function sendRow({ route, name, kind }: Operation) {
  const { fields = {}, lines } = SENT[name]?.() ?? {};
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, field: string) =>
    encodeURIComponent(String(Reflect.get(fields, field))),
  );
  const rest = Object.entries(fields).filter(([field]) => !route.path.includes(`{${field}}`));
  if (route.method === "POST" && kind !== "lines-in") {
    const isBare = SENT[name]?.().fields === undefined;
    return served.call(path, isBare ? { method: "POST" } : { json: fields });
  }
  const query = rest.map(
    ([field, value]) =>
      `${field}=${encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value))}`,
  );
  const headers = lines === undefined ? {} : { "content-type": "application/x-ndjson" };
  return served.call(`${path}?${query.join("&")}`, { method: route.method, headers, body: lines ?? null });
}

describe("every row of the table", () => {
  test("has something to send here, and nothing else has", () => {
    expect(Object.keys(SENT).sort()).toEqual(OPERATIONS.map(({ name }) => name).sort());
  });

  test.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
    "%s answers over HTTP as the row says",
    async (_, operation) => {
      const { status, headers, text, json } = await sendRow(operation);
      expect({ status, text: status === 200 ? "" : text }).toEqual({ status: 200, text: "" });
      expect(headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
      expect(headers.get("server-timing")).toMatch(/^total;dur=[\d.]+$/);
      expect(headers.get("cache-control")).toBe("no-store");
      if (operation.kind === "lines-out") {
        expect(headers.get("content-type")).toContain("application/x-ndjson");
        const lines = text
          .trimEnd()
          .split("\n")
          .map((line): unknown => JSON.parse(line));
        expect(lines[0]).toMatchObject({ line: "header", scope: "mia" });
        return;
      }
      const output = z.object({}).catchall(z.unknown()).parse(json);
      expect(operation.output.safeParse(json).error).toBeUndefined();
      const { properties = {} } = z.toJSONSchema(operation.output, { io: "output" });
      expect(Object.keys(output).filter((key) => !(key in properties))).toEqual([]);
    },
  );
});

describe("what is wrong is said in one shape", () => {
  const cases: [string, number, string, () => ReturnType<ServedMemory["call"]>][] = [
    ["an unknown path", 404, "route_not_found", () => served.call("/v1/nothing")],
    ["a wrong method", 405, "method_not_allowed", () => served.call("/v1/memories", { method: "DELETE" })],
    [
      "an unknown id",
      404,
      "entry_not_found",
      () => served.call("/v1/memories/01a1e3a2-c2ba-77f1-85be-d40445fb0000"),
    ],
    ["what is no id", 400, "input_invalid", () => served.call("/v1/memories/%00%E5%BC%A0")],
    ["a path that is badly encoded", 400, "input_invalid", () => served.call("/v1/memories/%E5%BC")],
    ["a query that is badly encoded", 400, "input_invalid", () => served.call("/v1/memories?after=%zz")],
    ["an unknown field of the query", 400, "input_invalid", () => served.call("/v1/memories?limt=1")],
    ["a field that comes twice", 400, "input_invalid", () => served.call("/v1/memories?limit=1&limit=2")],
    ["a number that is none", 400, "input_invalid", () => served.call("/v1/memories?limit=ten")],
    ["a number out of range", 400, "input_invalid", () => served.call("/v1/memories?limit=0")],
    ["a flag that is none", 400, "input_invalid", () => served.call("/v1/memories?all=yes")],
    ["a filter that is no JSON", 400, "input_invalid", () => served.call("/v1/memories?filter=%7B")],
    [
      "a query where the body is meant",
      400,
      "input_invalid",
      () => served.call("/v1/recall?question=Rome", { json: { question: "x" } }),
    ],
    ["a missing field", 400, "input_invalid", () => served.call("/v1/recall", { json: {} })],
    [
      "a field too many",
      400,
      "input_invalid",
      () => served.call("/v1/recall", { json: { question: "x", 深: 1 } }),
    ],
    ["a list where an object is meant", 400, "input_invalid", () => served.call("/v1/recall", { json: [] })],
    [
      "a form",
      415,
      "media_unsupported",
      () => served.call("/v1/recall", { body: new URLSearchParams("question=x") }),
    ],
    ["lines as JSON", 415, "media_unsupported", () => served.call("/v1/import", { json: {} })],
    [
      "lines that are no bundle",
      400,
      "input_invalid",
      () =>
        served.call("/v1/import", {
          headers: { "content-type": "application/x-ndjson" },
          body: "{}\n",
        }),
    ],
    [
      "no body at all for lines",
      415,
      "media_unsupported",
      () => served.call("/v1/import", { method: "POST" }),
    ],
    ["an illegal scope", 400, "scope_invalid", () => served.call("/v1/status?scope=")],
  ];
  test.each(cases)("%s", async (_, status, code, send) => {
    const { status: got, headers, json } = await send();
    const { error } = errorSchema.parse(json);
    expect({ status: got, code: error.code }).toEqual({ status, code });
    expect(error.requestId).toBe(headers.get("x-request-id"));
    expect(headers.get("content-type")).toBe("application/json");
  });

  test("a GET with a body is refused rather than half heard", async () => {
    const asked = { port: served.port, path: "/v1/status", headers: { "content-length": "2" } };
    expect(await rawRequest(asked, "{}")).toMatchObject({ status: 400 });
  });

  test("a wrong method and OPTIONS say which there are; HEAD says what GET would, without a body", async () => {
    const wrong = await served.call("/v1/memories/x", { method: "PUT" });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    const options = await served.call("/v1/memories", { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS, POST"]);
    expect((await served.call("/v1/nothing", { method: "OPTIONS" })).status).toBe(404);
    for (const path of ["/v1/status", "/v1/export", "/v1/events", "/docs", "/health"]) {
      const head = await served.call(path, { method: "HEAD" });
      expect([path, head.status, head.text]).toEqual([path, 200, ""]);
    }
  });

  test("an id of the caller's own is kept, one that could break a log is not", async () => {
    const own = await served.call("/health", { headers: { "x-request-id": "run-7.b" } });
    expect(own.headers.get("x-request-id")).toBe("run-7.b");
    const odd = await served.call("/health", { headers: { "x-request-id": "a b" } });
    expect(odd.headers.get("x-request-id")).not.toBe("a b");
  });
});

describe("progress", () => {
  const accept = "text/event-stream";

  test("an import tells how far it is, then its result", async () => {
    const many = await serveMemory();
    try {
      await many.memory.remember(Array.from({ length: 20 }, (_, n) => `Note ${n} about 上海.`));
      const { text: lines } = await many.call("/v1/export");
      const { text, headers } = await many.call(`/v1/import?scope=${encodeURIComponent("张伟")}`, {
        headers: { accept, "content-type": "application/x-ndjson" },
        body: lines,
      });
      expect(headers.get("content-type")).toContain("text/event-stream");
      const frames = framesOf(text);
      expect(frames.at(-1)).toMatchObject({ event: "result", data: { turns: 20, path: "restored" } });
      expect(frames.slice(0, -1).every(({ event }) => event === "progress")).toBe(true);
      expect(frames[0]).toMatchObject({
        event: "progress",
        data: { done: expect.any(Number), total: expect.any(Number) },
      });
      expect((await many.memory.in("张伟").status()).counts.turns).toBe(20);
    } finally {
      await many.close();
    }
  });

  test("what goes wrong in the middle is the last event, in the shape of every error", async () => {
    const { status, text, headers } = await served.call("/v1/recall", {
      headers: { accept },
      json: { question: "x", zone: "Nowhere/里" },
    });
    const [only, ...others] = framesOf(text);
    expect([status, only?.event, others]).toEqual([200, "error", []]);
    const { error } = errorSchema.parse(only?.data);
    expect([error.code, error.requestId]).toEqual(["input_invalid", headers.get("x-request-id")]);
  });

  test("what is wrong before it begins has a status of its own", async () => {
    const { status, json } = await served.call("/v1/recall", {
      headers: { accept, "content-type": "application/json" },
      body: "{",
    });
    expect([status, errorSchema.parse(json).error.code]).toEqual([400, "input_invalid"]);
  });
});

test("who hangs up is not worked for any longer", async () => {
  const { model, close } = await scriptedModel({ fault: "hang" });
  const slow = await serveMemory({ memory: { model } });
  try {
    await slow.memory.remember("Mia lives in Rome.", { wait: "journal" });
    const gone = new AbortController();
    const asked = slow.call("/v1/ask", {
      json: { question: "Where does Mia live?" },
      signal: gone.signal,
    });
    await expect.poll(() => inFlight(slow)).toBe(2);
    gone.abort();
    await expect(asked).rejects.toThrow();
    await expect.poll(() => inFlight(slow)).toBe(1);
  } finally {
    await close();
    await slow.close();
  }
});

test("an error that nobody meant is told without its text, and logged under the id of the request", async () => {
  let isBroken = false;
  const trace = (): void => {
    if (isBroken) throw new TypeError("the 秘密 text");
  };
  const served = await serveMemory({ memory: { trace } });
  isBroken = true;
  try {
    const { status, text, json } = await served.call("/v1/recall", { json: { question: "秘密" } });
    const { error } = errorSchema.parse(json);
    expect([status, error.code, error.retryable]).toEqual([500, "invariant", false]);
    expect(text).not.toContain("秘密");
    expect(served.log.join("\n")).toContain(error.requestId);
    expect(served.log.join("\n")).toContain("the 秘密 text");
  } finally {
    isBroken = false;
    await served.close();
  }
});

test("health, readiness and closing", async () => {
  const one = await serveMemory();
  try {
    expect((await one.call("/health")).json).toEqual({ status: "ok" });
    expect((await one.call("/ready")).json).toEqual({ status: "ok" });
    await one.memory.close();
    expect((await one.call("/health")).status).toBe(200);
    const ready = await one.call("/ready");
    expect([ready.status, ready.json, ready.headers.get("retry-after")]).toEqual([
      503,
      { status: "storage_unavailable" },
      "1",
    ]);
    const refused = await one.call("/v1/status");
    const { code, requestId } = errorSchema.parse(refused.json).error;
    expect([refused.status, code]).toEqual([503, "storage_closed"]);
    expect(one.log.filter((line) => line.startsWith(requestId)).join("\n")).toContain("storage_closed");
    expect(refused.headers.get("retry-after")).toBe("1");
  } finally {
    await one.close();
  }
});

test("a server that ends says so to who asks after it, and takes no new work", async () => {
  const ending = new AbortController();
  const app = createApp({
    ...{ memory: served.memory, keys: null, scope: "mia", origins: [], version: "0", closing: ending.signal },
    limits: { bodyBytes: 1000, importBytes: 1000, perMinute: 0, requestMs: 1000 },
    log: () => undefined,
  });
  const ask = (path: string): Response | Promise<Response> =>
    app.request(`http://localhost${path}`, { headers: { host: "localhost" } });
  expect((await ask("/ready")).status).toBe(200);
  ending.abort();
  expect(await (await ask("/health")).json()).toEqual({ status: "closing" });
  const ready = await ask("/ready");
  expect([ready.status, await ready.json()]).toEqual([503, { status: "closing" }]);
  for (const path of ["/v1/status", "/v1/events"]) {
    const refused = await ask(path);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(errorSchema.parse(await refused.json()).error).toMatchObject({
      code: "server_closing",
      retryable: true,
    });
  }
});

interface SeenFrame {
  readonly event: string;
  readonly data: unknown;
}

function framesOf(text: string): SeenFrame[] {
  return text
    .split("\n\n")
    .filter((part) => part !== "" && !part.startsWith(":"))
    .map((part) => ({
      event: /^event: (.*)$/m.exec(part)?.[1] ?? "",
      data: JSON.parse(/^data: (.*)$/m.exec(part)?.[1] ?? "null"),
    }));
}

async function inFlight(one: ServedMemory): Promise<number> {
  const { text } = await one.call("/metrics");
  return Number(/^neuromem_http_requests_in_flight (\d+)$/m.exec(text)?.[1]);
}
