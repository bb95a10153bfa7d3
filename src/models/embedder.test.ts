import { afterAll, afterEach, describe, expect, test } from "vitest";
import type { TraceEvent } from "../base/trace.ts";
import { type ModelServerOptions, startModelServer, vectorOf } from "../testing/model-server.ts";
import { testEmbedder } from "../testing/model-suite.ts";
import { embedMany, withBatches } from "./embed-many.ts";
import { resolveEndpoint } from "./endpoints.ts";
import { httpReranker } from "./http-reranker.ts";
import type { Embedder, Usage } from "./model.ts";
import { openEmbedder } from "./open-model.ts";
import { type EmbedderSettings, openAiEmbedder } from "./openai-embedder.ts";

const closers: (() => Promise<void>)[] = [];
const closeAll = async (): Promise<void> => {
  for (const close of closers.splice(0)) await close();
};
afterEach(closeAll);

async function open(options: ModelServerOptions = {}, settings: Partial<EmbedderSettings> = {}) {
  const server = await startModelServer({ dimension: 8, ...options });
  closers.push(server.close);
  const endpoint = { ...resolveEndpoint("test", { baseUrl: server.url, model: "e" }), maxBatch: 10 };
  return { server, endpoint, embedder: openAiEmbedder(endpoint, { dimension: 8, ...settings }) };
}

describe("suite", () => {
  let close: (() => Promise<void>) | undefined;
  afterAll(() => close?.());
  testEmbedder({
    name: "openai-compatible",
    async open() {
      const server = await startModelServer({ dimension: 8 });
      close = server.close;
      const endpoint = { ...resolveEndpoint("test", { baseUrl: server.url, model: "e" }), maxBatch: 7 };
      return openAiEmbedder(endpoint, { dimension: 8 });
    },
  });
});

describe("openAiEmbedder", () => {
  test("puts the model's words before queries and documents, and asks for a shorter vector by name", async () => {
    const { server, embedder } = await open({}, { shorten: true, prefix: { query: "query: " } });
    expect(embedder.id).toBe("e@8");
    await embedder.embed(["上海"], { as: "query" });
    await embedder.embed(["上海"]);
    expect(server.requests.map(({ body }) => [body.input, body.dimensions])).toEqual([
      [["query: 上海"], 8],
      [["上海"], 8],
    ]);
  });

  test("reads base64 vectors; tells what was used", async () => {
    const raw = Float32Array.from([3, 4]);
    const base64 = Buffer.from(raw.buffer).toString("base64");
    const body = { data: [{ embedding: base64 }], usage: { prompt_tokens: 5 } };
    const { embedder } = await open({ embed: { status: 200, body } }, { dimension: 2 });
    const used: Usage[] = [];
    const [vector] = await embedder.embed(["x"], { onUsage: (usage) => used.push(usage) });
    expect([...(vector ?? [])]).toEqual([Math.fround(0.6), Math.fround(0.8)]);
    expect(used).toEqual([{ inputTokens: 5, outputTokens: 0 }]);
  });

  test("[C-29] another dimension, a zero vector, a missing vector: errors, never a made-up vector", async () => {
    const reply = (embedding: number[]) => ({ status: 200, body: { data: [{ index: 0, embedding }] } });
    const other = await open({ embed: reply([1, 2]) });
    await expect(other.embedder.embed(["x"])).rejects.toMatchObject({ code: "dimension_mismatch" });
    const zero = await open({ embed: reply(Array(8).fill(0)) });
    await expect(zero.embedder.embed(["x"])).rejects.toMatchObject({ code: "vector_invalid" });
    const few = await open({ embed: reply(vectorOf("x", 8)) });
    await expect(few.embedder.embed(["x", "y"])).rejects.toMatchObject({ code: "reply_invalid" });
  });

  test("the dimension is measured where it is not given, and a failed measurement is an error", async () => {
    const { server } = await open({ dimension: 12 });
    const settings = { baseUrl: server.url, model: "e" };
    expect(await openEmbedder("test", settings)).toMatchObject({ id: "e", dimension: 12 });
    const broken = await open({ embed: { status: 401 } });
    const opening = openEmbedder("test", { ...settings, baseUrl: broken.server.url });
    await expect(opening).rejects.toMatchObject({ code: "model_refused" });
  });
});

describe("embedMany", () => {
  test("halves a batch that is too large until it passes, and keeps the order", async () => {
    const { server, embedder } = await open({
      embed: ({ body }) =>
        Array.isArray(body.input) && body.input.length > 3
          ? {
              status: 400,
              body: { error: { message: "batch size is invalid, it should not be larger than 3." } },
            }
          : undefined,
    });
    const texts = Array.from({ length: 23 }, (_, at) => `text ${at}`);
    const vectors = await embedMany(embedder, texts, { parallel: 2 });
    const singles = await Promise.all(texts.map(async (text) => (await embedder.embed([text]))[0]));
    expect(vectors).toEqual(singles);
    expect(server.requests.length).toBeGreaterThan(8);
  });

  test("a single text that is too long is embedded in parts, with a warning", async () => {
    const events: TraceEvent[] = [];
    const lengths: number[] = [];
    const { embedder } = await open({
      embed: ({ body }) => {
        const longest = Math.max(
          ...(Array.isArray(body.input) ? body.input.map((text) => String(text).length) : [0]),
        );
        if (longest > 60) return { status: 413 };
        lengths.push(longest);
        return undefined;
      },
    });
    const text = "我住在上海。I work in Paris. ".repeat(10);
    const [vector] = await withBatches(embedder, { trace: (event) => events.push(event) }).embed([text]);
    expect(vector).toHaveLength(8);
    expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 5);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(60);
    expect(events[0]).toMatchObject({ type: "warning-raise", code: "text_too_large" });
    const always = await open({ embed: { status: 413 } });
    await expect(embedMany(always.embedder, [text])).rejects.toMatchObject({ code: "text_too_large" });
  });

  test("shows progress; a failure stops the rest; an abort stops all", async () => {
    const seen: number[] = [];
    const { embedder } = await open();
    const texts = Array.from({ length: 35 }, (_, at) => `t${at}`);
    await embedMany(embedder, texts, { parallel: 1, onProgress: (done) => seen.push(done) });
    expect(seen).toEqual([10, 20, 30, 35]);

    const broken = await open({ embed: [{ status: 401 }] });
    await expect(embedMany(broken.embedder, texts, { parallel: 1 })).rejects.toMatchObject({
      code: "model_refused",
    });
    expect(broken.server.requests).toHaveLength(1);

    const controller = new AbortController();
    const stop = async (): Promise<Float32Array[]> => {
      controller.abort();
      return [];
    };
    const stopped: Embedder = { ...embedder, embed: stop };
    const run = embedMany(stopped, texts, { parallel: 1, signal: controller.signal });
    await expect(run).rejects.toMatchObject({ code: "aborted" });
  });
});

test("httpReranker gives scores in the order of the texts", async () => {
  const { server, endpoint } = await open();
  const reranker = httpReranker(endpoint);
  const scores = await reranker.rank("ab", ["xx", "ab", "a"]);
  expect([...scores]).toEqual([0, 1, 0.5]);
  expect(server.requests[0]?.body).toMatchObject({ query: "ab", top_n: 3 });
  expect([...(await reranker.rank("q", []))]).toEqual([]);
  const broken = await open({ rank: { status: 200, body: { results: [] } } });
  await expect(httpReranker(broken.endpoint).rank("q", ["t"])).rejects.toMatchObject({
    code: "reply_invalid",
  });
});
