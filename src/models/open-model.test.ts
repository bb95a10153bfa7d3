import { afterEach, describe, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import { seededRandom } from "../base/random.ts";
import { parseScope } from "../base/scope.ts";
import type { TraceEvent } from "../base/trace.ts";
import { type ModelServerOptions, startModelServer } from "../testing/model-server.ts";
import { createBudget } from "./budget.ts";
import { memoryCache } from "./cache.ts";
import { type CallDeps, type CallSettings, openChatModel, openEmbedder, openReranker } from "./open-model.ts";

const HELLO = { messages: [{ role: "user" as const, text: "hi" }] };
const KEY = "sk-top-secret-000111";
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function open(options: ModelServerOptions, settings: CallSettings = {}, more: CallDeps = {}) {
  const server = await startModelServer(options);
  closers.push(server.close);
  const events: TraceEvent[] = [];
  const slept: number[] = [];
  const deps: CallDeps = {
    trace: (event) => events.push(event),
    sleep: async (ms) => void slept.push(ms),
    random: seededRandom(3),
    ...more,
  };
  const all = { baseUrl: server.url, model: "m", key: KEY, ...settings };
  return { server, events, slept, deps, all, model: openChatModel("test", all, deps) };
}

describe("openChatModel", () => {
  test("rides out 429, 500 and a cut connection, waits as asked, and traces every try", async () => {
    const clock = manualClock(0);
    const { model, events, slept, server } = await open(
      { chat: [{ status: 429, headers: { "retry-after": "7" } }, { status: 500 }, { fault: "cut" }, "fine"] },
      { retry: { baseMs: 100 } },
      { clock, prices: { m: { inputPerMillion: 1e6, outputPerMillion: 0 } } },
    );
    expect((await model.generate(HELLO, { task: "greet" })).text).toBe("fine");
    expect(server.requests).toHaveLength(4);
    expect(slept[0]).toBeGreaterThanOrEqual(7000);
    expect(slept[1]).toBeLessThan(200);
    const calls = events.filter(({ type }) => type === "model-call");
    expect(calls).toMatchObject([
      { attempt: 1, error: "model_rate_limited", inputTokens: 0 },
      { attempt: 2, error: "model_unavailable" },
      { attempt: 3, error: "model_unavailable" },
      { attempt: 4, task: "greet", model: "m", inputTokens: 11, outputTokens: 4, cached: false, cost: 11 },
    ]);
    expect(JSON.stringify(events)).not.toContain(KEY);
  });

  test("a hang is given up after the timeout and tried again", async () => {
    const { model, server } = await open({ chat: [{ fault: "hang" }, "woke up"] }, { timeoutMs: 400 });
    expect((await model.generate(HELLO)).text).toBe("woke up");
    expect(server.requests).toHaveLength(2);
  });

  test("a refusal is not tried again; a wait of an hour is not waited", async () => {
    const refused = await open({ chat: { status: 403 } });
    await expect(refused.model.generate(HELLO)).rejects.toMatchObject({ code: "model_refused" });
    const hour = await open({ chat: { status: 429, headers: { "retry-after": "3600" } } });
    await expect(hour.model.generate(HELLO)).rejects.toMatchObject({ details: { retryAfterMs: 3_600_000 } });
    expect([refused.server.requests.length, hour.server.requests.length]).toEqual([1, 1]);
  });

  test("an abort ends it at once, whatever it is doing", async () => {
    const controller = new AbortController();
    const { model } = await open({ chat: { fault: "hang" } }, { timeoutMs: 60_000 });
    setTimeout(() => controller.abort(), 20);
    await expect(model.generate(HELLO, { signal: controller.signal })).rejects.toMatchObject({
      code: "aborted",
    });
  });

  test("never more calls at once than allowed", async () => {
    let open_ = 0;
    let most = 0;
    const { all, deps } = await open({});
    const model = openChatModel(
      "test",
      { ...all, concurrency: 2 },
      {
        ...deps,
        fetch: async (url, init) => {
          most = Math.max(most, ++open_);
          const response = await fetch(url, init);
          open_--;
          return response;
        },
      },
    );
    await Promise.all(Array.from({ length: 9 }, () => model.generate(HELLO)));
    expect(most).toBe(2);
  });

  test("a cached reply needs neither budget nor server; every try is paid for", async () => {
    const scope = parseScope("alice");
    const { model, server } = await open(
      { chat: [{ status: 500 }, "good"] },
      {},
      {
        cache: memoryCache(),
        budget: createBudget({ perScope: { calls: 2 } }, { countTokens: (text) => text.length }),
      },
    );
    await model.generate(HELLO, { scope });
    expect((await model.generate(HELLO, { scope })).cached).toBe(true);
    const other = { messages: [{ role: "user" as const, text: "other" }] };
    await expect(model.generate(other, { scope })).rejects.toMatchObject({ code: "budget_exceeded" });
    expect(server.requests).toHaveLength(2);
  });
});

test("openEmbedder and openReranker have the same surroundings", async () => {
  const { events, all, deps, server } = await open({
    embed: [{ status: 500 }, "let the rest through"],
    rank: [{ status: 503 }, "let the rest through"],
  });
  const embedder = await openEmbedder("test", { ...all, dimension: 8 }, deps);
  const texts = Array.from({ length: 70 }, (_, at) => `第 ${at} 条`);
  expect(await embedder.embed(texts)).toHaveLength(70);
  const reranker = openReranker("test", all, deps);
  expect(await reranker.rank("a", ["a", "b"])).toHaveLength(2);
  expect(server.requests.map(({ path }) => path)).toEqual([
    ...Array(3).fill("/v1/embeddings"),
    ...Array(2).fill("/v1/rerank"),
  ]);
  expect(events.filter(({ type }) => type === "embed-call" || type === "rank-call")).toMatchObject([
    { type: "embed-call", error: "model_unavailable" },
    { type: "embed-call" },
    { type: "embed-call" },
    { type: "rank-call", texts: 2, error: "model_unavailable" },
    { type: "rank-call", texts: 2, attempt: 2 },
  ]);
});

test("batches that were paid for stay in the cache when a later one is refused", async () => {
  const cache = memoryCache();
  const budget = createBudget({ overall: { calls: 3 } }, { countTokens: (text) => text.length });
  const { all, deps, server } = await open({}, { concurrency: 1 }, { cache, budget });
  const texts = Array.from({ length: 64 * 4 }, (_, at) => `第 ${at} 条`);
  const poor = await openEmbedder("test", { ...all, dimension: 8 }, deps);
  await expect(poor.embed(texts)).rejects.toMatchObject({ code: "budget_exceeded" });
  expect(server.requests).toHaveLength(3);
  expect(cache.size).toBe(64 * 3);
  const rich = await openEmbedder("test", { ...all, dimension: 8 }, { ...deps, budget: undefined });
  expect(await rich.embed(texts)).toHaveLength(texts.length);
  expect(server.requests).toHaveLength(4);
});

test("one cache keeps apart what addresses, extra fields, thinking and prefixes decide", async () => {
  const cache = memoryCache();
  const { all, deps, server } = await open({}, {}, { cache });
  const other = await open({}, {}, { cache });
  for (const more of [{}, { extra: { top_p: 0.1 } }, { thinking: false }, { baseUrl: other.server.url }]) {
    const model = openChatModel("test", { ...all, ...more }, deps);
    expect((await model.generate(HELLO)).cached).toBeUndefined();
    expect((await model.generate(HELLO)).cached).toBe(true);
  }
  expect([server.requests.length, other.server.requests.length]).toEqual([3, 1]);
  for (const more of [{}, { prefix: { document: "passage: " } }, { baseUrl: other.server.url }]) {
    const embedder = await openEmbedder("test", { ...all, dimension: 8, ...more }, deps);
    await embedder.embed(["上海"]);
    await embedder.embed(["上海"]);
  }
  expect([server.requests.length, other.server.requests.length]).toEqual([5, 2]);
});
