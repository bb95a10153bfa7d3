/**
 * Requests that no client would send: methods, targets, headers and bodies that are wrong in themselves or do not belong
 * together, written onto the socket. The server refuses them with a 4xx in the one shape, or hangs up; it lives on.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { OPERATIONS } from "../../src/operations/index.ts";
import { fuzzRun } from "./fuzz-run.ts";
import { type FuzzWorld, headersOf, OTHER_SCOPE, OWN_SCOPE, openFuzzWorld, SECRET } from "./fuzz-world.ts";
import { hostileText, hostileValue, jsonText } from "./hostile-values.ts";
import { exchange, firstReply } from "./raw-socket.ts";
import { expectError } from "./reply-laws.ts";

const RUN = fuzzRun(1500);
const AT_ONCE = 24;

let world: FuzzWorld;
beforeAll(async () => {
  world = await openFuzzWorld();
  await world.fill(OWN_SCOPE);
});
afterAll(() => world?.close());

const METHODS = ["GET", "POST", "DELETE", "HEAD", "OPTIONS"];
const ODD_METHODS = [
  "PUT",
  "PATCH",
  "TRACE",
  "CONNECT",
  "PROPFIND",
  "get",
  "G ET",
  "",
  "\u0000",
  "X".repeat(300),
];
const PATHS = [
  ...new Set(OPERATIONS.map(({ route }) => route.path)),
  ...["/", "/docs", "/openapi.json", "/health", "/ready", "/metrics", "/mcp", "/v1/events"],
  ...["/mem0/v1/memories/", "/mem0/v1/memories/search/", "/mem0/v2/memories/search/", "/mem0/v1/ping/"],
];
const ODD_PATHS = [
  "",
  "*",
  "//",
  "/v1/../v1/status",
  "/v1/%2e%2e/%2e%2e/etc/passwd",
  "/v1/memories/%00",
  "/v1/memories/%ff%fe",
  "/v1/memories/%",
  "/v1//memories",
  "/v1/memories;a=b",
  "/V1/MEMORIES",
  "/v1/memories/../../../../etc/passwd",
  "/v1\\memories",
  "http://elsewhere.example/v1/status",
  "elsewhere.example:443",
  "/v1/status#part",
  "/v1/status?scope=someone-else",
  "/v1/export?scope=someone-else&scope=fuzz%3Aown",
  "/v1/status?scope[]=someone-else",
  "/v1/changes?after=0&after=1",
  `/v1/${"a/".repeat(3000)}`,
  `/v1/status?${"a=b&".repeat(5000)}`,
  "/__proto__",
  "/v1/constructor",
  "/v1/memories/é",
];

const HEADERS = [
  "content-type: application/json",
  "content-type: application/x-ndjson",
  "content-type: text/html; charset=utf-16",
  "content-type: application/json; charset=latin1",
  "content-type:",
  "content-encoding: gzip",
  "accept: text/event-stream",
  "accept: application/json, text/event-stream",
  "accept: ../../etc",
  "authorization: Bearer",
  "authorization: Basic YTpi",
  "authorization: Bearer nm_wrong",
  "x-api-key: nm_wrong",
  `neuromem-scope: ${OTHER_SCOPE}`,
  "neuromem-scope: public",
  "neuromem-scope: %zz",
  "neuromem-scope: ../..",
  "idempotency-key: k",
  `idempotency-key: ${"k".repeat(5000)}`,
  "last-event-id: 0",
  "last-event-id: -1",
  "origin: https://elsewhere.example",
  "origin: null",
  "sec-fetch-site: cross-site",
  "host: elsewhere.example",
  "x-forwarded-host: elsewhere.example",
  "x-forwarded-for: 127.0.0.1",
  "x-http-method-override: DELETE",
  "expect: 100-continue",
  "expect: something",
  "connection: upgrade\r\nupgrade: websocket",
  "connection: keep-alive, Transfer-Encoding",
  "transfer-encoding: chunked",
  "transfer-encoding: chunked, chunked",
  "transfer-encoding: xchunked",
  "content-length: -1",
  "content-length: 5, 5",
  "content-length: 99999999999999999999",
  "content-length: 0x10",
  "mcp-protocol-version: 1999-01-01",
  "mcp-session-id: ../../x",
  "traceparent: 00-xyz",
  "range: bytes=0-1",
  "cookie: a=b",
  "x-big: ".padEnd(20_000, "b"),
  "bad header without a colon",
  " folded: yes",
  "no\u0000l: 1",
  "x-ü: ü",
];
const VERSIONS = ["HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9", ""];

const target = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...PATHS) },
  { weight: 2, arbitrary: fc.constantFrom(...ODD_PATHS) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...PATHS), hostileText)
      .map(([path, text]) => `${path}${path.length % 2 === 0 ? "?" : "/"}${encodeURI(text.toWellFormed())}`),
  },
);
const body: fc.Arbitrary<Buffer> = fc.oneof(
  fc
    .constantFrom("", "{}", '{"said":"hello"}', '{"question":"Mia?"}', '{"a":1,"a":2}')
    .map((text) => Buffer.from(text)),
  fc
    .constantFrom("{", '{"said":', "nul", "[", '"', "5\r\n{}\r\n0\r\n\r\n", "zz\r\n")
    .map((text) => Buffer.from(text)),
  hostileValue.map((value) => Buffer.from(jsonText({ said: value, question: value, id: value }))),
  hostileValue.map((params) =>
    Buffer.from(jsonText({ jsonrpc: "2.0", id: 1, method: "tools/call", params })),
  ),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(Buffer.from("[".repeat(100_000))),
  fc.constant(Buffer.from(`{"said":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}`)),
  fc.constant(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
);

const request = fc.record({
  method: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...METHODS) },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_METHODS) },
  ),
  target,
  version: fc.constantFrom(...VERSIONS),
  hasKey: fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
  hasHost: fc.integer({ min: 0, max: 15 }).map((n) => n > 0),
  /** How much longer than it is the body is said to be; null: nothing is said. */
  lengthOff: fc.constantFrom<(number | null)[]>(0, 0, 0, 0, null, -1, 1, 1000),
  headers: fc.subarray(HEADERS, { maxLength: 4 }),
  body,
  lineEnd: fc.constantFrom("\r\n", "\r\n", "\r\n", "\r\n", "\r\n", "\r\n", "\n", "\r"),
});
type RawRequest = typeof request extends fc.Arbitrary<infer Made> ? Made : never;

test(`${RUN.cases} raw requests, seed ${RUN.seed}`, { timeout: 60_000 + RUN.cases * 100 }, async () => {
  const requests = fc.sample(request, { seed: RUN.seed, numRuns: RUN.cases });
  const statuses = new Set<number>();
  const failures: string[] = [];
  const work = async (): Promise<void> => {
    for (let next = requests.pop(); next !== undefined; next = requests.pop()) {
      try {
        statuses.add(await tryOne(next));
      } catch (error) {
        failures.push(`${String(error)}\n--- to ---\n${written(next).subarray(0, 600).toString("latin1")}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(failures.length, failures.slice(0, 5).join("\n\n")).toBe(0);
  // Otherwise nothing but the front door was tried.
  for (const status of [200, 400, 401, 403, 404, 405, 413, 415]) expect([...statuses]).toContain(status);
  await world.expectUnharmed();
});

/** The status, or 0 where the connection was cut. */
async function tryOne(raw: RawRequest): Promise<number> {
  const answer = await exchange(world.url, written(raw));
  expect(answer.includes(SECRET)).toBe(false);
  const reply = firstReply(answer);
  if (reply === undefined) return 0;
  const { status, head, body: text } = reply;
  expect(status, text).not.toBe(500);
  if (status >= 400 && raw.method !== "HEAD") {
    expect(head.toLowerCase()).toContain("content-type: application/json");
    const found: unknown = JSON.parse(text);
    // What speaks MCP is refused in the words of MCP.
    if (!rpcError.safeParse(found).success) expect(expectError(found).http, text).toBe(status);
  }
  return status;
}

const rpcError = z.looseObject({
  jsonrpc: z.literal("2.0"),
  error: z.looseObject({ code: z.number(), message: z.string() }),
});

function written({
  method,
  target,
  version,
  hasKey,
  hasHost,
  lengthOff,
  headers,
  body,
  lineEnd,
}: RawRequest): Buffer {
  const path = target.replaceAll("{id}", "01a1e3a5-ff93-758c-8624-fa921633dfc3");
  const own = Object.entries(headersOf(world.key, OWN_SCOPE)).map(([name, value]) => `${name}: ${value}`);
  const length = lengthOff === null ? [] : [`content-length: ${Math.max(0, body.length + lengthOff)}`];
  const head = [
    `${method} ${path} ${version}`,
    ...(hasHost ? [`host: ${new URL(world.url).host}`] : []),
    ...(hasKey ? own : []),
    ...length,
    ...headers,
    "",
    "",
  ].join(lineEnd);
  return Buffer.concat([Buffer.from(head), body]);
}
