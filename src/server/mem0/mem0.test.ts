import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { Memory } from "../../runtime/memory.ts";
import { hashEmbedder } from "../../testing/hash-embedder.ts";
import { createKey, openKeyRing } from "../keys/key-ring.ts";
import { serve } from "../serve.ts";

let ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

interface Called {
  readonly status: number;
  readonly body: unknown;
}

const listSchema = z.array(z.looseObject({ memory: z.string(), id: z.string().optional() }));
const listedSchema = listSchema.or(
  z.looseObject({ results: listSchema }).transform(({ results }) => results),
);

/** The memories of a reply, in whichever wrapper. */
function memoriesIn({ body }: Called) {
  return listedSchema.parse(body);
}

function textsIn(called: Called): string[] {
  return memoriesIn(called).map(({ memory }) => memory);
}

/** As mem0's client sends it: a token, JSON, a slash at the end. */
async function open(keyScopes?: readonly (readonly string[])[]) {
  const folder = await mkdtemp(join(tmpdir(), "neuromem-mem0-"));
  const memory = await Memory.open({ path: join(folder, "m.db"), scope: "me", embedder: hashEmbedder() });
  const file = join(folder, "keys.json");
  const secrets: string[] = [];
  for (const scopes of keyScopes ?? []) secrets.push((await createKey(file, { name: "k", scopes })).secret);
  const keys = keyScopes === undefined ? null : openKeyRing(file);
  const serving = await serve({ memory, port: 0, keys });
  ends.push(
    () => rm(folder, { recursive: true }),
    () => memory.close(),
    () => serving.close(),
  );
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    key = secrets[0] ?? "any",
  ): Promise<Called> => {
    const reply = await fetch(`${serving.url}/mem0${path}`, {
      method,
      headers: { authorization: `Token ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: reply.status, body: await reply.json() };
  };
  return { memory, call, secrets };
}

const said = (content: string) => [{ role: "user", content }];

test("the platform's third version: add, search, get_all, get, history, delete", async () => {
  const { call } = await open();
  expect((await call("GET", "/v1/ping/")).body).toMatchObject({ status: "ok" });
  const added = await call("POST", "/v3/memories/add/", {
    messages: [
      { role: "system", content: "You are a helpful assistant." },
      { role: "user", content: "I moved to Austin last month." },
      { role: "assistant", content: "How is Austin?" },
    ],
    user_id: "alice",
    metadata: { source: "form" },
  });
  expect(added.body).toMatchObject({
    status: "SUCCEEDED",
    results: [
      { memory: "I moved to Austin last month.", event: "ADD" },
      { memory: "How is Austin?", event: "ADD" },
    ],
  });
  const found = await call("POST", "/v3/memories/search/", {
    query: "Where did I move last month?",
    output_format: "v1.1",
    filters: { user_id: "alice" },
    top_k: 1,
  });
  expect(memoriesIn(found)).toHaveLength(1);
  const [hit] = memoriesIn(found);
  const id = hit?.id ?? "";
  expect(hit).toMatchObject({
    memory: "I moved to Austin last month.",
    user_id: "alice",
    agent_id: null,
    metadata: { source: "form" },
    categories: [],
    score: expect.any(Number),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
  const all = await call("POST", "/v3/memories/?page=1&page_size=1", { filters: { user_id: "alice" } });
  expect(all.body).toMatchObject({
    count: 2,
    previous: null,
    next: expect.stringContaining("page=2"),
    results: [{ id }],
  });
  const second = await call("POST", "/v3/memories/?page=2&page_size=1", { filters: { user_id: "alice" } });
  expect(second.body).toMatchObject({ count: 2, next: null, results: [{ memory: "How is Austin?" }] });
  expect((await call("GET", `/v1/memories/${encodeURIComponent(id)}/`)).body).toMatchObject({
    id,
    memory: hit?.memory,
    user_id: "alice",
  });
  expect((await call("GET", `/v1/memories/${id}/history/`)).body).toMatchObject([
    {
      memory_id: id,
      event: "ADD",
      old_memory: null,
      new_memory: hit?.memory,
      user_id: "alice",
      input: [{ role: "user", content: hit?.memory }],
    },
  ]);
  expect((await call("DELETE", `/v1/memories/${id}/`)).body).toEqual({ message: expect.any(String) });
  expect((await call("GET", `/v1/memories/${id}/`)).body).toMatchObject({
    error: { code: "entry_not_found" },
  });
  const left = await call("POST", "/v3/memories/", { filters: { user_id: "alice" } });
  expect(left.body).toMatchObject({ count: 1, results: [{ memory: "How is Austin?" }] });
});

test("the first and second version, and mem0's own server, in their shapes", async () => {
  const { call } = await open();
  const first = await call("POST", "/v1/memories/", {
    messages: said("我喜欢打网球。"),
    user_id: "李雷",
    version: "v2",
  });
  expect(first.body).toMatchObject([
    { event: "ADD", memory: "我喜欢打网球。", data: { memory: "我喜欢打网球。" } },
  ]);
  const wrapped = await call("POST", "/v1/memories/", {
    messages: "我对花生过敏。",
    user_id: "李雷",
    output_format: "v1.1",
    infer: false,
    metadata: { 类别: "健康" },
  });
  expect(wrapped.body).toMatchObject({ results: [{ memory: "我对花生过敏。", event: "ADD" }] });
  expect(
    (await call("POST", "/memories", { messages: said("I play chess."), user_id: "李雷" })).body,
  ).toMatchObject({
    results: [{ memory: "I play chess." }],
  });
  const query = `user_id=${encodeURIComponent("李雷")}`;
  const memories = ["我喜欢打网球。", "我对花生过敏。", "I play chess."];
  expect(textsIn(await call("GET", `/v1/memories/?${query}`))).toEqual(memories);
  expect(textsIn(await call("GET", `/memories?${query}`))).toEqual(memories);
  expect(textsIn(await call("POST", "/v2/memories/", { filters: { AND: [{ user_id: "李雷" }] } }))).toEqual(
    memories,
  );
  const page = await call("GET", `/v1/memories/?${query}&page=1&page_size=2`);
  const { count, next } = z.looseObject({ count: z.number(), next: z.string() }).parse(page.body);
  expect(count).toBe(3);
  expect(textsIn(await call("GET", next.replace("/mem0", "")))).toEqual(["I play chess."]);
  const asked = { query: "我喜欢什么运动？打网球", user_id: "李雷" };
  expect(memoriesIn(await call("POST", "/v1/memories/search/", asked))[0]).toMatchObject({
    memory: "我喜欢打网球。",
  });
  expect(memoriesIn(await call("POST", "/search", { ...asked, filters: { 类别: "健康" } }))).toMatchObject([
    { memory: "我对花生过敏。", metadata: { 类别: "健康" } },
  ]);
  const fields = await call("POST", "/v2/memories/search/", {
    ...asked,
    fields: ["memory", "score"],
    limit: 1,
  });
  expect(Object.keys(memoriesIn(fields)[0] ?? {})).toEqual(["memory", "score"]);
});

test("who is named by user_id, agent_id, app_id and run_id", async () => {
  const { memory, call } = await open();
  await call("POST", "/v3/memories/add/", {
    messages: said("Trip to Rome."),
    user_id: "alice",
    agent_id: "travel",
    run_id: "r1",
  });
  await call("POST", "/v3/memories/add/", {
    messages: said("Match in Rome."),
    user_id: "alice",
    agent_id: "sport",
    run_id: "r2",
  });
  await call("POST", "/v3/memories/add/", {
    messages: said("I am the travel agent of Rome."),
    agent_id: "travel",
  });
  await call("POST", "/v3/memories/add/", { messages: said("Rome, said in a run."), run_id: "r9" });
  const search = async (filters: unknown): Promise<string[]> => {
    return textsIn(await call("POST", "/v3/memories/search/", { query: "Rome", filters })).sort();
  };
  expect(await search({ user_id: "alice" })).toEqual(["Match in Rome.", "Trip to Rome."]);
  expect(await search({ AND: [{ user_id: "alice" }, { agent_id: { in: ["travel", "other"] } }] })).toEqual([
    "Trip to Rome.",
  ]);
  expect(await search({ AND: [{ user_id: "alice" }, { run_id: "r2" }] })).toEqual(["Match in Rome."]);
  expect(await search({ AND: [{ user_id: "alice" }, { NOT: [{ agent_id: "travel" }] }] })).toEqual([
    "Match in Rome.",
  ]);
  expect(await search({ AND: [{ user_id: "alice" }, { run_id: "*" }] })).toHaveLength(2);
  expect(await search({ agent_id: "travel" })).toEqual(["I am the travel agent of Rome."]);
  expect(await search({ run_id: "r9" })).toEqual(["Rome, said in a run."]);
  expect((await memory.in("agent:travel").list()).entries).toHaveLength(1);
  expect((await memory.in("me").list()).entries).toHaveLength(1);
  await call("DELETE", "/v1/memories/?user_id=alice&agent_id=travel");
  expect(await search({ user_id: "alice" })).toEqual(["Match in Rome."]);
  await call("DELETE", "/v1/memories/?user_id=alice&run_id=r2");
  expect(await search({ user_id: "alice" })).toEqual([]);
  await call("DELETE", "/v2/entities/agent/travel/");
  expect(await search({ agent_id: "travel" })).toEqual([]);
  expect(await search({ run_id: "r9" })).toHaveLength(1);
});

test("filters by metadata and dates find all that match, however many do not", async () => {
  const { call } = await open();
  const day = (number: number): number => Date.UTC(2024, 6, number, 12) / 1000;
  for (let number = 1; number <= 30; number++) {
    await call("POST", "/v1/memories/", {
      messages: said(`Note ${number} about tea.`),
      user_id: "alex",
      timestamp: day(number),
      metadata: { topic: number % 10 === 0 ? "Green Tea" : "other", number },
    });
  }
  const search = async (...conditions: unknown[]): Promise<string[]> => {
    const filters = { AND: [{ user_id: "alex" }, ...conditions] };
    return textsIn(await call("POST", "/v2/memories/search/", { query: "tea", filters, top_k: 3 })).sort();
  };
  const tens = ["Note 10 about tea.", "Note 20 about tea.", "Note 30 about tea."];
  expect(await search({ metadata: { topic: "Green Tea" } })).toEqual(tens);
  expect(await search({ metadata: { topic: { icontains: "green" } } })).toEqual(tens);
  expect(await search({ metadata: { number: { gt: 28 } } })).toEqual([
    "Note 29 about tea.",
    "Note 30 about tea.",
  ]);
  expect(await search({ created_at: { gte: "2024-07-02", lte: "2024-07-03" } })).toEqual([
    "Note 2 about tea.",
    "Note 3 about tea.",
  ]);
  expect(await search({ OR: [{ metadata: { number: 7 } }, { metadata: { number: { in: [8] } } }] })).toEqual([
    "Note 7 about tea.",
    "Note 8 about tea.",
  ]);
  const listed = await call("POST", "/v3/memories/", {
    filters: { user_id: "alex", metadata: { topic: "Green Tea" } },
  });
  expect(listed.body).toMatchObject({
    count: 3,
    results: [{ created_at: "2024-07-10T12:00:00.000Z" }, {}, {}],
  });
});

test("what is not done is refused with a sentence", async () => {
  const { call } = await open();
  const add = { messages: said("hello"), user_id: "alice" };
  const search = { query: "hello", user_id: "alice" };
  const cases: readonly (readonly [string, string, unknown, number])[] = [
    ["POST", "/v1/memories/", { messages: said("x") }, 400],
    ["POST", "/v1/memories/", { ...add, enable_graph: true }, 400],
    ["POST", "/v1/memories/", { ...add, custom_instructions: "…" }, 400],
    ["POST", "/v1/memories/", { ...add, user_id: "*" }, 400],
    ["POST", "/v1/memories/", { ...add, user_id: "a b" }, 400],
    [
      "POST",
      "/v1/memories/",
      { ...add, messages: [{ role: "user", content: { type: "image_url", image_url: {} } }] },
      400,
    ],
    ["POST", "/v1/memories/", { ...add, messages: [{ role: "system", content: "x" }] }, 400],
    ["POST", "/v1/memories/search/", { ...search, threshold: 0.3 }, 400],
    ["POST", "/v1/memories/search/", { ...search, rerank: true }, 400],
    ["POST", "/v1/memories/search/", { ...search, top_k: 3, limit: 5 }, 400],
    ["GET", "/v1/memories/?user_id=a&page_size=3&limit=5", undefined, 400],
    [
      "POST",
      "/v2/memories/search/",
      { query: "x", filters: { OR: [{ user_id: "a" }, { user_id: "b" }] } },
      400,
    ],
    ["POST", "/v2/memories/search/", { query: "x", filters: { user_id: { in: ["a", "b"] } } }, 400],
    [
      "POST",
      "/v2/memories/search/",
      { query: "x", filters: { user_id: "a", categories: { contains: "x" } } },
      400,
    ],
    ["POST", "/v2/memories/search/", { query: "x", filters: { user_id: "a", run_id: { like: "x" } } }, 400],
    ["POST", "/v2/memories/search/", { query: "x", user_id: "b", filters: { user_id: "a" } }, 400],
    ["GET", "/v1/memories/", undefined, 400],
    ["GET", "/v1/memories/?user_id=a&page=0", undefined, 400],
    ["GET", "/v1/memories/?user_id=a&user_id=b", undefined, 400],
    ["DELETE", "/v1/memories/", undefined, 400],
    ["DELETE", "/v1/memories/?user_id=", undefined, 400],
    ["DELETE", "/v2/entities/planet/mars/", undefined, 400],
    ["PUT", "/v1/memories/some-id/", { text: "new" }, 501],
    ["DELETE", "/v1/batch/", { memories: [] }, 501],
    ["GET", "/v1/entities/", undefined, 501],
    ["GET", "/v1/nowhere/", undefined, 404],
  ];
  for (const [method, path, body, status] of cases) {
    const reply = await call(method, path, body);
    expect([method, path, JSON.stringify(body), reply.status]).toEqual([
      method,
      path,
      JSON.stringify(body),
      status,
    ]);
    expect(reply.body).toMatchObject({
      error: {
        code: expect.any(String),
        message: expect.stringContaining("alid"),
      },
    });
  }
});

test("a key of one user never reaches another's, by name, filter or id", async () => {
  const { call, secrets } = await open([["alice"], ["鲍勃"]]);
  const [alice = "", bob = ""] = secrets;
  const added = await call(
    "POST",
    "/v3/memories/add/",
    { messages: said("The secret is 4711."), user_id: "alice" },
    alice,
  );
  const id = memoriesIn(added)[0]?.id ?? "";
  // A key of one scope needs no name in the id.
  expect(id).not.toContain("@");
  await call("POST", "/v3/memories/add/", { messages: said("我的秘密是八八四八。"), run_id: "r" }, bob);
  const tries: readonly (readonly [string, string, unknown, number])[] = [
    ["POST", "/v3/memories/search/", { query: "secret", filters: { user_id: "alice" } }, 403],
    ["POST", "/v1/memories/search/", { query: "secret", user_id: "alice" }, 403],
    ["POST", "/v3/memories/search/", { query: "secret", filters: { agent_id: "alice" } }, 403],
    ["POST", "/v3/memories/search/", { query: "secret", filters: { run_id: "*" } }, 400],
    [
      "POST",
      "/v3/memories/search/",
      { query: "secret", filters: { run_id: { ne: "x" }, user_id: "鲍勃" } },
      200,
    ],
    ["GET", "/v1/memories/?user_id=alice", undefined, 403],
    ["GET", `/v1/memories/${id}/`, undefined, 404],
    ["GET", `/v1/memories/${id}@alice/`, undefined, 403],
    ["GET", `/v1/memories/${id}@alice/history/`, undefined, 403],
    ["GET", `/v1/memories/${id}/history/`, undefined, 404],
    ["DELETE", `/v1/memories/${id}/`, undefined, 404],
    ["DELETE", `/v1/memories/${id}@alice/`, undefined, 403],
    ["DELETE", "/v1/memories/?user_id=alice", undefined, 403],
    ["DELETE", "/v2/entities/user/alice/", undefined, 403],
    ["POST", "/v1/memories/", { messages: said("x"), user_id: "alice" }, 403],
  ];
  for (const [method, path, body, status] of tries) {
    const reply = await call(method, path, body, bob);
    expect([method, path, reply.status]).toEqual([method, path, status]);
    expect(JSON.stringify(reply.body)).not.toContain("4711");
  }
  expect((await call("GET", "/v1/ping/", undefined, "nm_wrong")).status).toBe(401);
  const left = await call("GET", "/v1/memories/?user_id=alice", undefined, alice);
  expect(left.body).toMatchObject([{ id, memory: "The secret is 4711." }]);
  expect((await call("GET", `/v1/memories/${id}/`, undefined, alice)).body).toMatchObject({
    memory: "The secret is 4711.",
  });
});
