import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type ServedMemory, serveMemory } from "../../test/fixtures/served-memory.ts";
import { MAX_LINE_CHARS } from "./body-lines.ts";

const LIMIT = 64 * 1024;
const IMPORT_LIMIT = 256 * 1024;

let served: ServedMemory;
beforeAll(async () => {
  served = await serveMemory({ limits: { bodyBytes: LIMIT, importBytes: IMPORT_LIMIT } });
});
afterAll(() => served.close());

const codeSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

async function recall(
  body: RequestInit["body"],
  headers: Record<string, string> = {},
): Promise<[number, string]> {
  const { status, json } = await served.call("/v1/recall", {
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return [status, status === 200 ? "" : codeSchema.parse(json).error.code];
}

const question = JSON.stringify({ question: "张伟住在哪里？" });

test.each([
  ["application/json", 200],
  ["application/json; charset=utf-8", 200],
  ['Application/JSON;charset="UTF-8"', 200],
  ["application/json; charset=latin1", 415],
  ["text/plain", 415],
  ["application/x-www-form-urlencoded", 415],
  ["application/jsonp", 415],
])("a body of the type %s", async (type, status) => {
  expect((await recall(question, { "content-type": type }))[0]).toBe(status);
});

test("a body that is compressed is refused, not misread", async () => {
  expect(await recall(question, { "content-encoding": "gzip" })).toEqual([415, "media_unsupported"]);
});

test("a size that is declared is judged before a byte is read", async () => {
  const big = JSON.stringify({ question: "x".repeat(LIMIT) });
  expect(await recall(big)).toEqual([413, "request_too_large"]);
});

test("a size that is not declared is judged while it comes: the rest is never waited for", async () => {
  const reply = await new Promise<{ status: number; sent: number }>((resolve, reject) => {
    let sent = 0;
    const headers = { "content-type": "application/json", "transfer-encoding": "chunked" };
    const out = request(`${served.url}/v1/recall`, { method: "POST", headers });
    const timer = setInterval(() => {
      sent += 16 * 1024;
      out.write("x".repeat(16 * 1024));
    }, 5);
    out.on("response", (answer) => {
      clearInterval(timer);
      resolve({ status: answer.statusCode ?? 0, sent });
      out.destroy();
    });
    out.on("error", (error) => {
      clearInterval(timer);
      reject(error);
    });
  });
  expect(reply.status).toBe(413);
  expect(reply.sent).toBeLessThan(LIMIT * 10);
});

test("a body that comes in pieces is the same as one that comes whole", async () => {
  const bytes = new TextEncoder().encode(question);
  const pieces = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  expect(await recall(pieces)).toEqual([200, ""]);
});

test.each([
  ["what is no JSON", "{question"],
  ["nothing but a space", " "],
  ["two values", "{} {}"],
  ["bytes that are no UTF-8", Uint8Array.of(0x22, 0xff, 0xfe, 0x22)],
  [
    "half a Chinese letter",
    Uint8Array.from([...new TextEncoder().encode('{"question":"张'), 0xe5, 0xbc, 0x22, 0x7d]),
  ],
  ["a key that reaches into prototypes", '{"question":"x","__proto__":{"isAdmin":true}}'],
  ["the same, deep inside", '{"question":"x","filter":{"a":[{"__proto__":1}]}}'],
  ["the same, written otherwise", '{"question":"x","\\u005f_proto__":{}}'],
  ["a constructor where none is known", '{"question":"x","constructor":{"prototype":{"isAdmin":true}}}'],
  ["nesting of 101 levels", `{"question":${"[".repeat(100)}${"]".repeat(100)}}`],
  ["nesting of thousands of levels", `${"[".repeat(20_000)}${"]".repeat(20_000)}`],
  ["nothing", "null"],
])("refuses %s", async (_, body) => {
  expect(await recall(body)).toEqual([400, "input_invalid"]);
  expect(Reflect.get({}, "isAdmin")).toBeUndefined();
});

test("no body is no fields", async () => {
  expect((await served.call("/v1/consolidate", { method: "POST" })).status).toBe(200);
  const { status, json } = await served.call("/v1/recall", { method: "POST" });
  expect(status).toBe(400);
  expect(codeSchema.parse(json).error.message).toContain("question");
});

const importHeaders = { "content-type": "application/x-ndjson" };

test("lines are read as they come, with either end of line, and an end without one", async () => {
  const source = await serveMemory();
  try {
    await source.memory.remember("张伟住在上海。");
    const { text } = await source.call("/v1/export");
    for (const body of [text.trimEnd(), text.replaceAll("\n", "\r\n")]) {
      const scope = `copy-${body.length}`;
      const { status, json } = await served.call(`/v1/import?scope=${scope}`, {
        headers: importHeaders,
        body,
      });
      expect([status, json]).toEqual([200, expect.objectContaining({ turns: 1, entries: 1 })]);
      const { hits } = await served.memory.in(scope).recall("张伟住在哪里？");
      expect(hits[0]?.content).toBe("张伟住在上海。");
    }
  } finally {
    await source.close();
  }
});

test.each([
  ["more lines than an import may bring", 413, "request_too_large", () => "{}\n".repeat(IMPORT_LIMIT / 2)],
  ["lines that are no UTF-8", 400, "input_invalid", () => Uint8Array.of(0x7b, 0xff, 0x7d, 0x0a)],
  ["an end in the middle of a letter", 400, "input_invalid", () => Uint8Array.of(0x7b, 0xe5, 0xbc)],
])("refuses %s", async (_, status, code, body) => {
  const { status: got, json } = await served.call("/v1/import", {
    headers: importHeaders,
    body: body(),
  });
  expect([got, codeSchema.parse(json).error.code]).toEqual([status, code]);
});

test("a line without an end is refused long before the limit of the whole", async () => {
  const wide = await serveMemory();
  try {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024).fill(0x61)),
    });
    const { status, json } = await wide.call("/v1/import", { headers: importHeaders, body });
    expect(status).toBe(413);
    expect(codeSchema.parse(json).error.message).toContain(String(MAX_LINE_CHARS));
  } finally {
    await wide.close();
  }
});
