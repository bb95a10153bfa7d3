import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { rawRequest } from "../../../test/fixtures/served-memory.ts";
import { openProxyWorld, type ProxyWorld } from "../../../test/proxy-world.ts";
import { createKey, openKeyRing } from "../keys/key-ring.ts";

let world: ProxyWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

async function open(...given: Parameters<typeof openProxyWorld>): Promise<ProxyWorld> {
  world = await openProxyWorld(...given);
  return world;
}

const user = (content: unknown) => ({ role: "user", content });

test("what upstream refuses passes unchanged, and nothing is recorded of it", async () => {
  const body = { error: { message: "slow down 慢一点", type: "rate_limit", code: null } };
  const opened = await open({
    chat: { status: 429, headers: { "retry-after": "7", "x-request-id": "up-1" }, body },
  });
  const reply = await opened.chat({ model: "m", messages: [user("I moved to Rome.")] });
  expect(reply.status).toBe(429);
  expect(reply.headers.get("retry-after")).toBe("7");
  expect(reply.headers.get("x-request-id")).toBe("up-1");
  expect(await reply.json()).toEqual(body);
  expect(await opened.journal()).toEqual([]);
});

test("a body that is no chat goes upstream as it is", async () => {
  const opened = await open({ chat: { status: 400, body: { error: { message: "no messages" } } } });
  for (const body of ['{"model":"m"}', '{"messages":[]}', '{"messages":[{"role":"system","content":"x"}]}']) {
    const reply = await opened.chat(body);
    expect([reply.status, reply.headers.get("neuromem-memory")]).toEqual([400, "skipped"]);
    expect(opened.model.requests.at(-1)?.body).toEqual(JSON.parse(body));
  }
});

test("with the memory failing the chat still works, and the header says so", async () => {
  const opened = await open({ chat: "Hello 你好" });
  await opened.memory.close();
  const reply = await opened.chat({ model: "m", messages: [user("Where do I live?")] });
  expect(reply.status).toBe(200);
  expect(reply.headers.get("neuromem-memory")).toBe("failed");
  expect(await reply.json()).toMatchObject({ choices: [{ message: { content: "Hello 你好" } }] });
  await opened.app.settled();
  expect(opened.log.join("\n")).toMatch(
    /without memory: storage_closed[\s\S]*not be recorded: storage_closed/,
  );
  expect(opened.log.join("\n")).not.toContain("Where do I live");
});

test("however long the patience, the chat goes on", async () => {
  const opened = await open({ chat: ["Hi."] }, { patienceMs: 1e12 });
  const reply = await opened.chat({ model: "m", messages: [user("你好")] });
  expect([reply.status, reply.headers.get("neuromem-memory")]).toEqual([200, "recalled; hits=0"]);
});

test("an upstream that cannot be reached is a 502 in the words of the API", async () => {
  const opened = await open({}, { upstream: "http://127.0.0.1:9/v1" });
  const reply = await opened.chat({ model: "m", messages: [user("Hello")] });
  expect(reply.status).toBe(502);
  expect(await reply.json()).toMatchObject({
    error: {
      type: "api_error",
      code: "model_unavailable",
      param: null,
      message: expect.stringContaining("127.0.0.1:9"),
    },
  });
});

test("everything else under /v1 passes as it is; what is not under it is not there", async () => {
  const opened = await open();
  const body = JSON.stringify({ input: ["你好"], model: "e" });
  const embedded = await fetch(`${opened.url}/embeddings`, { method: "POST", body });
  const direct = await fetch(`${opened.model.url}/embeddings`, { method: "POST", body });
  expect(await embedded.text()).toBe(await direct.text());
  expect(embedded.headers.get("neuromem-memory")).toBeNull();
  const models = await fetch(`${opened.url}/models?limit=2&after=%E5%BC%A0`);
  expect(models.status).toBe(404);
  expect(opened.model.requests.at(-1)?.path).toBe("/v1/models?limit=2&after=%E5%BC%A0");
  const before = opened.model.requests.length;
  const { port } = new URL(opened.url);
  for (const path of ["/v1/../admin", "/v1/%2e%2e/admin", "/v1/x/%2E%2E/../v1admin", "/v2/models", "/"]) {
    const { status, text } = await rawRequest({ port, path });
    expect([path, status]).toEqual([path, 404]);
    expect(JSON.parse(text)).toMatchObject({ error: { code: "route_not_found" } });
  }
  expect(opened.model.requests.length).toBe(before);
  expect(await (await fetch(new URL("/health", opened.url))).json()).toEqual({ status: "ok" });
});

test("pages of other origins and other names of this machine are refused", async () => {
  const opened = await open({}, { upstreamKey: "sk-up" });
  const body = { model: "m", messages: [user("hi")] };
  const page = await opened.chat(body, { origin: "https://evil.example", "content-type": "text/plain" });
  expect(page.status).toBe(403);
  expect(opened.model.requests).toEqual([]);
});

test("with keys: the key says whose memory it is, and no key of ours goes upstream", async () => {
  const secrets: string[] = [];
  const opened = await open({ chat: "ok" }, async (folder) => {
    const file = join(folder, "keys.json");
    for (const key of [
      { name: "mia", scopes: ["mia"] },
      { name: "reader", scopes: ["mia"], may: "read" as const },
      { name: "李雷", scopes: ["李雷"] },
    ]) {
      secrets.push((await createKey(file, key)).secret);
    }
    return { keys: openKeyRing(file), upstreamKey: "sk-upstream" };
  });
  const [mia = "", reader = "", li = ""] = secrets;
  await opened.memory.remember("Mia's secret is 4711.");
  const body = { model: "m", messages: [user("What is the secret?")] };
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

  const refused = await opened.chat(body);
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({
    error: { code: "key_invalid", type: "invalid_request_error" },
  });
  expect((await opened.chat(body, bearer("nm_wrong"))).status).toBe(401);
  expect((await fetch(`${opened.url}/models`)).status).toBe(401);
  expect((await opened.chat(body, { ...bearer(li), "neuromem-scope": "mia" })).status).toBe(403);
  expect(opened.model.requests).toEqual([]);

  await opened.chat(body, bearer(li));
  expect(JSON.stringify(opened.model.requests)).not.toContain("4711");
  expect(await opened.journal("李雷")).toEqual(["user: What is the secret?", "assistant: ok"]);

  await opened.chat(body, bearer(reader));
  expect(JSON.stringify(opened.model.requests.at(-1)?.body)).toContain("4711");
  expect(await opened.journal()).toEqual(["user: Mia's secret is 4711."]);

  await opened.chat(body, bearer(mia));
  // The upstream's own key may come from the client, if ours comes beside it.
  await opened.chat(body, { ...bearer("sk-client"), "x-api-key": mia });
  await fetch(`${opened.url}/models`, { headers: bearer(mia) });
  expect(opened.model.requests.slice(-3).map(({ headers }) => headers.authorization)).toEqual([
    "Bearer sk-upstream",
    "Bearer sk-client",
    "Bearer sk-upstream",
  ]);
  for (const secret of secrets) expect(JSON.stringify(opened.model.requests)).not.toContain(secret);
  expect(await opened.journal()).toEqual([
    "user: Mia's secret is 4711.",
    "user: What is the secret?",
    "assistant: ok",
  ]);
});

test("the body's user names the scope where that was chosen", async () => {
  const opened = await open({ chat: "ok" }, { userIsScope: true });
  await opened.chat({ model: "m", user: "李雷", messages: [user("我搬到了杭州。")] });
  await opened.chat({ model: "m", messages: [user("I moved to Rome.")] });
  expect(await opened.journal("李雷")).toEqual(["user: 我搬到了杭州。", "assistant: ok"]);
  expect(await opened.journal()).toEqual(["user: I moved to Rome.", "assistant: ok"]);
  const refused = await opened.chat({ model: "m", user: "../etc", messages: [user("hi")] });
  expect(await refused.json()).toMatchObject({ error: { code: "scope_invalid" } });
});
