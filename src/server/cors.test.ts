/** Pages of others, and names that were made to point here. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rawRequest, type ServedMemory, serveMemory } from "../../test/fixtures/served-memory.ts";
import { isLoopback } from "./host-guard.ts";

const FRIEND = "http://localhost:3000";
const BODY = { said: "Sent by a page." };

describe("on loopback without keys", () => {
  let closed: ServedMemory;
  let open: ServedMemory;
  beforeAll(async () => {
    closed = await serveMemory();
    open = await serveMemory({ origins: [FRIEND] });
  });
  afterAll(() => Promise.all([closed.close(), open.close()]));

  test("a page of another origin can neither write nor read", async () => {
    for (const origin of ["https://evil.example", "null", FRIEND, "http://127.0.0.1:1", "nonsense"]) {
      const headers = { origin };
      const written = await closed.call("/v1/memories", { json: BODY, headers });
      expect(written).toMatchObject({ status: 403, json: { error: { code: "origin_forbidden" } } });
      expect(written.headers.has("access-control-allow-origin")).toBe(false);
      expect((await closed.call("/v1/memories", { headers })).status).toBe(403);
      const asked = { ...headers, "access-control-request-method": "POST" };
      expect((await closed.call("/v1/memories", { method: "OPTIONS", headers: asked })).status).toBe(403);
    }
    for (const site of ["cross-site", "same-site"])
      expect((await closed.call("/v1/status", { headers: { "sec-fetch-site": site } })).status).toBe(403);
    expect((await closed.memory.status()).counts.turns).toBe(0);
  });

  test("our own page, a typed address and a program may", async () => {
    const own = { origin: closed.url, "sec-fetch-site": "same-origin" };
    expect((await closed.call("/v1/status", { headers: own })).status).toBe(200);
    expect((await closed.call("/v1/status", { headers: { "sec-fetch-site": "none" } })).status).toBe(200);
    expect((await closed.call("/docs", { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(200);
  });

  test("a page that was named may, and is told so", async () => {
    const asked = {
      origin: FRIEND,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,neuromem-scope",
      "access-control-request-private-network": "true",
    };
    const preflight = await open.call("/v1/memories", { method: "OPTIONS", headers: asked });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      "access-control-allow-origin": FRIEND,
      "access-control-allow-headers": "content-type,neuromem-scope",
      "access-control-allow-private-network": "true",
      vary: "origin",
    });
    const written = await open.call("/v1/memories", { json: BODY, headers: { origin: FRIEND } });
    expect(written.status).toBe(200);
    expect(written.headers.get("access-control-allow-origin")).toBe(FRIEND);
    expect(written.headers.get("access-control-expose-headers")).toContain("x-request-id");
    const refused = await open.call("/v1/nothing", { headers: { origin: FRIEND } });
    expect(refused.headers.get("access-control-allow-origin")).toBe(FRIEND);
    for (const origin of ["http://localhost:30000", "https://localhost:3000", `${FRIEND}.evil.example`])
      expect((await open.call("/v1/status", { headers: { origin } })).status).toBe(403);
  });

  test.each([
    "evil.example",
    "evil.example:8765",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "0.0.0.0",
  ])("called by the name %s it does not answer", async (host) => {
    const { port } = closed;
    const { status, text } = await rawRequest({ port, path: "/v1/status", headers: { host } });
    expect(status).toBe(403);
    expect(JSON.parse(text).error.code).toBe("origin_forbidden");
  });

  test("called by the names of this machine it does", async () => {
    const { port } = closed;
    for (const host of [`localhost:${port}`, "LOCALHOST", `127.0.0.1:${port}`, "[::1]", `[::1]:${port}`])
      expect(await rawRequest({ port, path: "/v1/status", headers: { host } })).toMatchObject({
        status: 200,
      });
    const path = "http://evil.example/v1/status";
    expect(await rawRequest({ port, path, headers: { host: "localhost" } })).toMatchObject({ status: 403 });
  });

  test("an origin is written as browsers write it", async () => {
    for (const origin of [
      "localhost:3000",
      "http://a.example/",
      "*",
      "null",
      "HTTP://A.example",
      "file:///x",
    ])
      await expect(serveMemory({ origins: [origin] })).rejects.toMatchObject({ code: "option_invalid" });
  });
});

describe("with keys", () => {
  test("other names are fine, pages of others are not", async () => {
    const served = await serveMemory({ hasKeys: true });
    const key = await served.key({ scopes: "all" });
    const { port } = served;
    const headers = { host: "memory.example", authorization: `Bearer ${key}` };
    expect(await rawRequest({ port, path: "/v1/status", headers })).toMatchObject({ status: 200 });
    const evil = { ...headers, origin: "https://evil.example" };
    expect(await rawRequest({ port, path: "/v1/status", headers: evil })).toMatchObject({ status: 403 });
    // Behind a proxy that speaks TLS it is called by its name.
    const own = { ...headers, origin: "https://memory.example" };
    expect(await rawRequest({ port, path: "/v1/status", headers: own })).toMatchObject({ status: 200 });
    await served.close();
  });
});

describe("headers", () => {
  test("nothing is a page that is none, nothing is framed, nobody keeps memories", async () => {
    const served = await serveMemory();
    const data = await served.call("/v1/status");
    expect(Object.fromEntries(data.headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    });
    const page = await served.call("/docs");
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(page.headers.get("content-security-policy")).not.toMatch(/script-src[^;]*unsafe/);
    const refused = await served.call("/v1/memories/x");
    expect(refused.status).toBe(400);
    expect(refused.headers.get("x-content-type-options")).toBe("nosniff");
    await served.close();
  });

  test.each([
    ["127.0.0.1", true],
    ["127.8.9.10", true],
    ["localhost", true],
    ["::1", true],
    ["[::1]", true],
    ["0.0.0.0", false],
    ["::", false],
    ["127.0.0.1.nip.io", false],
    ["127.0.0.256", false],
    ["192.168.1.4", false],
    ["", false],
  ])("%s is loopback: %s", (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });
});
