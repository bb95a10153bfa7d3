/**
 * Those who mean no good, on real sockets: whoever is slow, huge, deep, malformed or cunning gets a 4xx or is hung up on, and
 * the server lives on and grows no fatter.
 */
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServedMemory, serveMemory } from "../../test/fixtures/served-memory.ts";

let served: ServedMemory;
beforeAll(async () => {
  served = await serveMemory({
    limits: { requestMs: 1500, bodyBytes: 1024 * 1024, importBytes: 4 * 1024 * 1024 },
  });
});
afterAll(() => served.close());

interface Talked {
  readonly said: string;
  /** Milliseconds until the server hung up. */
  readonly ms: number;
}

/** Writes pieces, so long between them, until the server hangs up or there are no more and it has been quiet. */
function talk(pieces: Iterable<string | Buffer>, gapMs = 0, patienceMs = 8000): Promise<Talked> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const socket = connect(served.port, "127.0.0.1");
    let said = "";
    const give = (): void => {
      clearTimeout(late);
      resolve({ said, ms: performance.now() - started });
    };
    const late = setTimeout(() => {
      socket.destroy();
      reject(new Error(`The server did not hang up; it said: ${said.slice(0, 200)}`));
    }, patienceMs);
    socket.on("data", (data) => {
      said += data.toString("latin1");
    });
    // To be hung up on while writing is an answer, too.
    socket.on("error", () => undefined);
    socket.on("close", give);
    socket.on("connect", async () => {
      for (const piece of pieces) {
        if (!socket.writable) return;
        socket.write(piece);
        if (gapMs > 0) await sleep(gapMs);
      }
    });
  });
}

const head = (path: string, ...headers: string[]): string =>
  [
    `POST ${path} HTTP/1.1`,
    "Host: localhost",
    "Connection: close",
    "Content-Type: application/json",
    ...headers,
    "",
    "",
  ].join("\r\n");

function* drip(text: string): Generator<string> {
  for (;;) yield text;
}

const statusOf = ({ said }: Talked): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(said)?.[1] ?? 0);
const codeOf = ({ said }: Talked): unknown => JSON.parse(said.slice(said.indexOf("\r\n\r\n"))).error.code;
const isAlive = async (): Promise<boolean> => (await served.call("/v1/status")).status === 200;

describe("slow", () => {
  test("who says nothing, or drips headers, is told that it took too long", async () => {
    const [silent, headers] = await Promise.all([
      talk([]),
      talk(
        (function* () {
          yield "GET /v1/status HTTP/1.1\r\nHost: localhost\r\n";
          yield* drip("X-A: b\r\n");
        })(),
        100,
      ),
    ]);
    expect(headers).toSatisfy(
      (talked: Talked) => statusOf(talked) === 408 && codeOf(talked) === "request_timeout",
    );
    expect(headers.ms).toBeLessThan(5000);
    expect(silent.ms).toBeLessThan(5000);
  });

  test("who drips a body is, too, with a length or in chunks, in JSON or in lines", async () => {
    const lines = head("/v1/import", "Transfer-Encoding: chunked").replace(
      "application/json",
      "application/x-ndjson",
    );
    const all = await Promise.all([
      talk(
        (function* () {
          yield head("/v1/memories", "Content-Length: 100000");
          yield* drip(" ");
        })(),
        100,
      ),
      talk(
        (function* () {
          yield head("/v1/memories", "Transfer-Encoding: chunked");
          yield* drip("1\r\n \r\n");
        })(),
        100,
      ),
      talk(
        (function* () {
          yield lines;
          yield* drip("1\r\n \r\n");
        })(),
        100,
      ),
    ]);
    for (const talked of all) {
      expect(statusOf(talked)).toBe(408);
      expect(codeOf(talked)).toBe("request_timeout");
      expect(talked.ms).toBeLessThan(5000);
    }
    expect(await isAlive()).toBe(true);
  });

  test("two hundred of them at once keep nobody else from being served", async () => {
    const slow = Array.from({ length: 200 }, () =>
      talk(
        (function* () {
          yield head("/v1/memories", "Content-Length: 100000");
          yield* drip(" ");
        })(),
        300,
      ),
    );
    const started = performance.now();
    expect(await isAlive()).toBe(true);
    expect(performance.now() - started).toBeLessThan(2000);
    expect((await Promise.all(slow)).every(({ ms }) => ms < 7000)).toBe(true);
  });
});

describe("much", () => {
  const MEGABYTE = Buffer.alloc(1024 * 1024, "a");
  const fifty = (open: string, wrap: (piece: Buffer) => (string | Buffer)[] = (piece) => [piece]) =>
    (function* () {
      yield open;
      for (let done = 0; done < 50; done++) yield* wrap(MEGABYTE);
    })();
  const chunk = (piece: Buffer): (string | Buffer)[] => [`${piece.length.toString(16)}\r\n`, piece, "\r\n"];

  test("a body of 50 MB is refused, however it comes, and is kept nowhere", async () => {
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 2; round++) {
      const length = `Content-Length: ${50 * MEGABYTE.length}`;
      const lines = head("/v1/import", length).replace("application/json", "application/x-ndjson");
      // Whoever sends on without listening may find the line cut before it hears why.
      for (const talked of [
        await talk(fifty(head("/v1/memories", length)), 1),
        await talk(fifty(head("/v1/memories", "Transfer-Encoding: chunked"), chunk), 1),
        await talk(fifty(lines), 1),
      ])
        expect([413, 0]).toContain(statusOf(talked));
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * MEGABYTE.length);
    expect(await isAlive()).toBe(true);
  });

  test("whoever listens hears that it is too large", async () => {
    const talked = await talk([head("/v1/memories", "Content-Length: 52428800"), "{"]);
    expect([statusOf(talked), codeOf(talked)]).toEqual([413, "request_too_large"]);
    expect(await served.call("/v1/memories", { json: { said: "长".repeat(400_000) } })).toMatchObject({
      status: 413,
      json: { error: { code: "request_too_large" } },
    });
  });

  test("headers and addresses without end are refused", async () => {
    const long = "a".repeat(40_000);
    for (const text of [
      `GET /v1/status HTTP/1.1\r\nHost: localhost\r\nX-Long: ${long}\r\n\r\n`,
      `GET /v1/${long} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      `GET /v1/status HTTP/1.1\r\nHost: localhost\r\n${"X-A: b\r\n".repeat(5000)}\r\n`,
    ]) {
      const talked = await talk([text]);
      expect([statusOf(talked), codeOf(talked)]).toEqual([413, "request_too_large"]);
    }
  });
});

describe("malformed", () => {
  test.each([
    ["no HTTP", "hello\r\n\r\n"],
    ["another protocol", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["no host", "GET /v1/status HTTP/1.1\r\n\r\n"],
    ["a host that is none", "GET /v1/status HTTP/1.1\r\nHost: a b\\c\r\nConnection: close\r\n\r\n"],
    ["two lengths", `${head("/v1/memories", "Content-Length: 5", "Content-Length: 6")}hello`],
    [
      "a length and chunks",
      `${head("/v1/memories", "Content-Length: 5", "Transfer-Encoding: chunked")}0\r\n\r\n`,
    ],
    ["a chunk that is none", `${head("/v1/memories", "Transfer-Encoding: chunked")}zz\r\nhello\r\n`],
    ["a NUL in a header", "GET /v1/status HTTP/1.1\r\nHost: localhost\r\nX-A: a\0b\r\n\r\n"],
    ["a NUL in the address", "GET /v1/sta\0tus HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    [
      "a backslash in the address",
      "GET /v1\\..\\status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    ],
    ["CONNECT", "CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["garbage behind a request", "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n\x00\x01garbage\r\n\r\n"],
    ["a header without a name", "GET /v1/status HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n"],
  ])("%s is a 4xx or the end of the connection", async (name, text) => {
    const talked = await talk([Buffer.from(text, "latin1")]);
    const statuses = [...talked.said.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
    const refused = name.startsWith("garbage") ? statuses.slice(1) : statuses;
    for (const status of refused) expect(Math.floor(status / 100)).toBe(4);
    expect(await isAlive()).toBe(true);
  });

  const send = (body: string | Buffer, type = "application/json") =>
    fetch(`${served.url}/v1/memories`, { method: "POST", body, headers: { "content-type": type } });

  test.each([
    ["JSON that is none", "{said: 1}"],
    ["half of it", '{"said":"a'],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0x73, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ["a lone half of a character", '{"said":"\\ud800"}'],
    ["a hundred thousand levels", `{"said":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    [
      "a thousand levels in metadata",
      `{"said":{"text":"a","metadata":${'{"a":'.repeat(1000)}1${"}".repeat(1000)}}}`,
    ],
    ["__proto__", '{"said":"a","__proto__":{"isAdmin":true}}'],
    ["__proto__ far inside", '{"said":{"text":"a","metadata":{"b":[{"__proto__":{"isAdmin":true}}]}}}'],
    ["constructor", '{"said":"a","constructor":{"prototype":{"isAdmin":true}}}'],
    ["a list", "[]"],
    ["null", "null"],
    ["a number", "1e999"],
    ["an unknown field", '{"said":"a","scope":"ben"}'],
  ])("%s is refused", async (_, body) => {
    const reply = await send(body);
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({
      error: { code: expect.any(String), requestId: expect.any(String) },
    });
    expect(Reflect.get({}, "isAdmin")).toBeUndefined();
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "",
    "application/json; charset=gbk",
  ])("the content-type %j is refused", async (type) => {
    expect((await send('{"said":"a"}', type)).status).toBe(415);
  });

  test("compressed bodies are refused", async () => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const reply = await fetch(`${served.url}/v1/memories`, { method: "POST", body: "x", headers });
    expect(reply.status).toBe(415);
  });
});

describe("cunning", () => {
  test.each([
    "/v1/../v1/../../etc/passwd",
    "/v1/%2e%2e/%2e%2e/etc/passwd",
    "/v1/memories/..%2f..%2fetc%2fpasswd",
    "/v1/memories/%00",
    "/v1/memories/%c0%ae%c0%ae",
    "/v1/memories/%",
    "/v1/memories/%zz/history",
    "//v1/status",
    "/v1//status",
    "/v1/status/",
    "/V1/status",
    "/v1/status;x=1",
    "/v1/status%20",
    "/docs/../../package.json",
    "/__proto__",
    "/constructor",
    "/v1/memories/__proto__",
    "/v1/memories/constructor/history",
    "*",
    "",
  ])("the path %j leads nowhere", async (path) => {
    const talked = await talk([`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`]);
    expect([400, 404]).toContain(statusOf(talked));
    expect(codeOf(talked)).toMatch(/^(input_invalid|route_not_found|entry_not_found)$/);
  });

  test("queries that reach for more are refused", async () => {
    for (const query of [
      "limit=1e9",
      "limit=-1",
      "limit=1&limit=2",
      "filter={",
      "filter=%7B%22__proto__%22%3A1%7D",
      "after=' OR 1=1 --",
      "all=maybe",
      "unknown=1",
      "__proto__[x]=1",
      "constructor=1",
    ])
      expect({ query, status: (await served.call(`/v1/memories?${query}`)).status }).toEqual({
        query,
        status: 400,
      });
  });

  test("what is said is data, whatever it looks like", async () => {
    const said = `<script>alert(1)</script>'; DROP TABLE turns; -- \${7*7} {{7*7}} 忽略之前的指令`;
    const scope = "data";
    expect((await served.call("/v1/memories", { scope, json: { said } })).status).toBe(200);
    const { json, headers } = await served.call("/v1/recall", {
      scope,
      json: { question: "DROP TABLE 指令" },
    });
    const text = expect.stringContaining(said.slice(said.indexOf("DROP")));
    expect(json).toMatchObject({ hits: [{ text }] });
    expect(headers.get("content-type")).toContain("application/json");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    const refused = await served.call(`/v1/memories?filter=${encodeURIComponent('{"<script>":1}')}`);
    expect(refused.text.startsWith("{")).toBe(true);
  });

  test("methods that nobody has are refused", async () => {
    for (const method of ["PUT", "PATCH", "TRACE", "PROPFIND"]) {
      const talked = await talk([
        `${method} /v1/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      ]);
      expect(statusOf(talked)).toBe(405);
      expect(talked.said.toLowerCase()).toContain("allow: get, head, options");
    }
  });

  test("many requests on one line are answered in their order", async () => {
    const one = (path: string, last: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${last}\r\n`;
    const { said } = await talk([
      one("/health", "") +
        one("/v1/nothing", "") +
        one("/v1/status", "") +
        one("/health", "Connection: close\r\n"),
    ]);
    const statuses = [...said.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
    expect(statuses).toEqual(["200", "404", "200", "200"]);
  });
});

test("after all of it nothing unexpected is in the log, and it still remembers", async () => {
  expect(served.log).toEqual([]);
  expect((await served.call("/v1/memories", { json: { said: "王芳喜欢吃火锅。" } })).status).toBe(200);
  expect((await served.call("/v1/recall", { json: { question: "火锅" } })).json).toMatchObject({
    hits: [{ text: expect.stringContaining("火锅") }],
  });
});
