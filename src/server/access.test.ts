/** Who gets in, and to which memory: over real sockets, with real keys. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServedMemory, serveMemory } from "../../test/fixtures/served-memory.ts";
import { listKeys, revokeKey } from "./keys/key-ring.ts";

describe("without keys", () => {
  let served: ServedMemory;
  beforeAll(async () => {
    served = await serveMemory();
  });
  afterAll(() => served.close());

  test("every legal scope may be used; the server's own is meant where none is named", async () => {
    expect((await served.call("/v1/status")).json).toMatchObject({ scope: "me" });
    expect((await served.call("/v1/status", { scope: "ben" })).json).toMatchObject({ scope: "ben" });
    expect((await served.call("/v1/status?scope=%E7%8E%8B%E8%8A%B3")).json).toMatchObject({ scope: "王芳" });
    expect((await served.call("/v1/status", { scope: "王芳" })).json).toMatchObject({ scope: "王芳" });
    // A client that always sends a key is not refused for it.
    expect((await served.call("/v1/status", { key: "anything" })).status).toBe(200);
  });

  test.each([
    ["not a scope", { headers: { "neuromem-scope": "a%20b" } }, "scope_invalid"],
    ["nothing", { headers: { "neuromem-scope": "%" } }, "scope_invalid"],
    ["raw bytes", { headers: { "neuromem-scope": "\u00e7\u008e\u008b" } }, "scope_invalid"],
  ])("a header with %s is refused", async (_, options, code) => {
    expect(await served.call("/v1/status", options)).toMatchObject({
      status: 400,
      json: { error: { code } },
    });
  });

  test("two scopes at once are refused, the same one twice is not", async () => {
    const invalid = { error: { code: "input_invalid" } };
    expect((await served.call("/v1/status?scope=a&scope=b")).json).toMatchObject(invalid);
    expect((await served.call("/v1/status?scope=a", { scope: "b" })).json).toMatchObject(invalid);
    expect((await served.call("/v1/status?scope=a", { scope: "a" })).json).toMatchObject({ scope: "a" });
    expect((await served.call("/v1/status?scope=")).json).toMatchObject({ error: { code: "scope_invalid" } });
  });
});

describe("with keys", () => {
  let served: ServedMemory;
  let [one, two, all, reader] = ["", "", "", ""];
  beforeAll(async () => {
    served = await serveMemory({ hasKeys: true });
    one = await served.key({ scopes: ["mia"] });
    two = await served.key({ scopes: ["mia", "王芳"] });
    all = await served.key({ scopes: "all" });
    reader = await served.key({ scopes: ["mia"], may: "read" });
  });
  afterAll(() => served.close());

  test("one is needed, in one of two headers", async () => {
    const refused = await served.call("/v1/status");
    expect(refused).toMatchObject({
      status: 401,
      json: { error: { code: "key_invalid", retryable: false } },
    });
    expect(refused.headers.get("www-authenticate")).toContain("Bearer");
    for (const headers of [
      { authorization: "Bearer nm_wrong" },
      { authorization: one },
      { authorization: `Basic ${one}` },
      { authorization: `Bearer ${one} ${one}` },
      { "x-api-key": `${one}x` },
      { "x-api-key": "" },
    ])
      expect((await served.call("/v1/status", { headers })).status).toBe(401);
    for (const headers of [
      { authorization: `Bearer ${one}` },
      { authorization: `bearer  ${one}` },
      { authorization: `Token ${one}` },
      { "x-api-key": one },
    ])
      expect((await served.call("/v1/status", { headers })).json).toMatchObject({ scope: "mia" });
  });

  test("it is asked for by every door before a body is looked at", async () => {
    for (const path of [
      "/v1/memories",
      "/v1/import",
      "/mcp",
      "/mem0/v1/memories/",
      "/mem0/v2/memories/search/",
    ])
      expect([path, (await served.call(path, { body: "{ no JSON" })).status]).toEqual([path, 401]);
    expect((await served.call("/mem0/v1/ping/")).status).toBe(401);
    expect((await served.call("/mem0/v1/ping/", { key: one })).status).toBe(200);
  });

  test("a key of one scope means it; one of several asks which; one of all means the server's", async () => {
    for (const [options, scope] of [
      [{ key: one }, "mia"],
      [{ key: two, scope: "王芳" }, "王芳"],
      [{ key: all }, "me"],
      [{ key: all, scope: "王芳" }, "王芳"],
    ] as const)
      expect((await served.call("/v1/status", options)).json).toMatchObject({ scope });
    const message = expect.stringContaining("neuromem-scope");
    expect(await served.call("/v1/status", { key: two })).toMatchObject({
      status: 400,
      json: { error: { message, details: { scopes: ["mia", "王芳"] } } },
    });
  });

  test("another scope is refused, however it is named", async () => {
    for (const scope of ["ben", "王芳", "mia/x", "Mia", "public", "me"])
      expect(await served.call("/v1/status", { key: one, scope })).toMatchObject({
        status: 403,
        json: { error: { code: "scope_forbidden" } },
      });
    expect((await served.call("/v1/status?scope=ben", { key: one })).status).toBe(403);
  });

  test("a key that may read changes nothing", async () => {
    expect((await served.call("/v1/status", { key: reader })).status).toBe(200);
    expect(await served.call("/v1/memories", { key: reader, json: { said: "I moved." } })).toMatchObject({
      status: 403,
      json: { error: { code: "key_forbidden" } },
    });
  });

  test("health needs none, and no refusal tells a key", async () => {
    expect((await served.call("/health")).json).toEqual({ status: "ok" });
    expect((await served.call("/ready")).status).toBe(200);
    const { text } = await served.call("/v1/status", { key: "nm_a-secret-that-is-wrong" });
    expect(text).not.toContain("a-secret");
    expect(served.log.join()).not.toContain("nm_");
  });

  test("one that is revoked is refused by the running server", async () => {
    const reading = (await listKeys(served.keyFile)).find(({ may }) => may === "read");
    await revokeKey(served.keyFile, reading?.id ?? "");
    await expect
      .poll(async () => (await served.call("/v1/status", { key: reader })).status, { timeout: 3000 })
      .toBe(401);
    expect((await served.call("/v1/status", { key: one })).status).toBe(200);
  });
});
