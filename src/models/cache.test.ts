import { appendFile, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TraceEvent } from "../base/trace.ts";
import { memoryCache, openCache, withCache } from "./cache.ts";
import { wrapModel } from "./middleware.ts";
import type { ChatModel, ChatReply, Embedder, Reranker } from "./model.ts";
import { openRecording, withRecord, withReplay } from "./replay.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-"));
});
afterAll(() => rm(folder, { recursive: true }));

const ask = (text: string) => ({ messages: [{ role: "user" as const, text }] });

/** Answers with a number that goes up. */
function counter(change: Partial<ChatReply> = {}): ChatModel & { calls(): number } {
  let calls = 0;
  return {
    id: "m",
    provider: "p",
    json: "none",
    calls: () => calls,
    generate: async () => ({
      text: `reply ${++calls} 回答`,
      toolCalls: [{ id: "c", name: "t", input: { a: [1] } }],
      finish: "stop",
      usage: { inputTokens: 3, outputTokens: 2 },
      ...change,
    }),
  };
}

function lengths(): Embedder & { seen: string[][] } {
  const seen: string[][] = [];
  return {
    id: "e",
    provider: "p",
    dimension: 2,
    maxBatch: 100,
    seen,
    async embed(texts) {
      seen.push([...texts]);
      return texts.map((text) => Float32Array.of(text.length, 0.1));
    },
  };
}

const firstLetter: Reranker = {
  id: "r",
  provider: "p",
  rank: async (query, texts) => Float64Array.from(texts, (text) => (text[0] === query[0] ? 1 : 0.25)),
};

describe("withCache", () => {
  test("the same question is asked once and costs nothing the second time", async () => {
    const events: TraceEvent[] = [];
    const model = counter();
    const cached = withCache(model, memoryCache(), { trace: (event) => events.push(event) });
    const first = await cached.generate(ask("a"));
    const pieces: string[] = [];
    const second = await cached.generate(ask("a"), { onText: (piece) => pieces.push(piece), task: "t" });
    expect(second).toEqual({ ...first, usage: { inputTokens: 0, outputTokens: 0 }, cached: true });
    expect(pieces.join("")).toBe(first.text);
    expect(events).toMatchObject([{ type: "model-call", cached: true, inputTokens: 0, task: "t" }]);
    await cached.generate({ ...ask("a"), temperature: 1 });
    await cached.generate(ask("b"));
    expect(model.calls()).toBe(3);
  });

  test("fresh asks anew and replaces; what was cut short is not kept", async () => {
    const model = counter();
    const cached = withCache(model, memoryCache());
    await cached.generate(ask("a"));
    expect((await cached.generate(ask("a"), { fresh: true })).text).toBe("reply 2 回答");
    expect((await cached.generate(ask("a"))).text).toBe("reply 2 回答");
    const cut = counter({ finish: "length" });
    const wary = withCache(cut, memoryCache());
    await wary.generate(ask("a"));
    await wary.generate(ask("a"));
    expect(cut.calls()).toBe(2);
  });

  test("embeddings are kept by text, queries apart from documents, in any batch and order", async () => {
    const embedder = lengths();
    const cached = withCache(embedder, memoryCache());
    await cached.embed(["a", "bb"]);
    const vectors = await cached.embed(["ccc", "bb", "a", "ccc"]);
    expect(vectors.map((vector) => vector[0])).toEqual([3, 2, 1, 3]);
    await cached.embed(["a"], { as: "query" });
    expect(embedder.seen).toEqual([["a", "bb"], ["ccc"], ["a"]]);
    vectors[2]?.fill(9);
    expect((await cached.embed(["a"]))[0]?.[0]).toBe(1);
  });

  test("a cache that fails costs a warning, not the reply", async () => {
    const events: TraceEvent[] = [];
    const fail = (): never => {
      throw new Error("disk full");
    };
    const deps = { trace: (event: TraceEvent) => events.push(event) };
    const store = { get: fail, set: fail };
    expect((await withCache(counter(), store, deps).generate(ask("a"))).text).toBe("reply 1 回答");
    expect(await withCache(lengths(), store, deps).embed(["a", "bb"])).toHaveLength(2);
    expect(await withCache(firstLetter, store, deps).rank("q", ["qa"])).toHaveLength(1);
    expect(events).toHaveLength(7);
    expect(JSON.stringify(events)).toMatch(/disk full/);
    await expect(withRecord(counter(), { ...store, size: 0 }).generate(ask("a"))).rejects.toThrow(
      /disk full/,
    );
  });

  test("models that differ in their settings have replies of their own", async () => {
    const cache = memoryCache();
    const models = ["one", "two"].map((settings) => ({ ...counter(), settings }));
    for (const model of models) {
      expect((await withCache(model, cache).generate(ask("a"))).cached).toBeUndefined();
      expect((await withCache(wrapModel(model), cache).generate(ask("a"))).cached).toBe(true);
    }
    const embedders = ["one", "two"].map((settings) => ({ ...lengths(), settings }));
    for (const embedder of embedders) {
      await withCache(embedder, cache).embed(["a"]);
      expect(embedder.seen).toHaveLength(1);
    }
  });

  test("is bounded: the longest unused goes first", async () => {
    const cache = memoryCache(100);
    const value = "x".repeat(20);
    for (const key of ["a", "b", "c"]) await cache.set([[key, value]]);
    await cache.get("a");
    await cache.set([["d", value]]);
    await cache.set([["e", value]]);
    expect([...cache.entries()].map(([key]) => key)).toEqual(["c", "a", "d", "e"]);
    expect(cache.bytes).toBeLessThanOrEqual(100);
    await cache.set([["big", "y".repeat(500)]]);
    expect(cache.size).toBe(4);
  });

  test("a file keeps it for the next run, readable by its owner only, and does not grow for ever", async () => {
    const path = join(folder, "cache.jsonl");
    const model = counter();
    const first = await withCache(model, await openCache(path)).generate(ask("a"));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await appendFile(path, '["torn');
    const again = withCache(model, await openCache(path));
    expect((await again.generate(ask("a"))).text).toBe(first.text);
    await again.generate(ask("b"));
    const later = withCache(model, await openCache(path));
    expect((await later.generate(ask("b"))).cached).toBe(true);
    expect(model.calls()).toBe(2);

    const small = join(folder, "small.jsonl");
    const bounded = await openCache(small, 1000);
    for (let n = 0; n < 100; n++) await bounded.set([[`key ${n}`, "x".repeat(100)]]);
    expect((await readFile(small)).length).toBeLessThan(2500);
    expect((await openCache(small, 1000)).size).toBe(bounded.size);
  });
});

describe("withRecord and withReplay", () => {
  test("a replay answers as it was recorded, in the same order, without the model", async () => {
    const path = join(folder, "recording.jsonl");
    const embedder = lengths();
    const recording = await openRecording(path);
    const chat = withRecord(counter(), recording);
    const replies = [
      await chat.generate(ask("a")),
      await chat.generate(ask("a")),
      await chat.generate(ask("b")),
    ];
    const vectors = await withRecord(embedder, recording).embed(["x", "yy"]);
    const scores = await withRecord(firstLetter, recording).rank("q", ["qa", "b"]);

    const opened = await openRecording(path);
    expect(opened.size).toBe(6);
    const replayed = withReplay({ id: "m", provider: "p", json: "none" }, opened);
    const pieces: string[] = [];
    const again = [
      await replayed.generate(ask("a")),
      await replayed.generate(ask("a")),
      await replayed.generate(ask("b"), { onText: (piece) => pieces.push(piece) }),
    ];
    expect(again).toEqual(replies);
    expect(pieces).toEqual([replies[2]?.text]);
    expect((await replayed.generate(ask("a"))).text).toBe(replies[1]?.text);
    const { embed: _, ...identity } = embedder;
    expect(await withReplay(identity, opened).embed(["yy", "x"])).toEqual(vectors.reverse());
    expect(await withReplay({ id: "r", provider: "p" }, opened).rank("q", ["qa", "b"])).toEqual(scores);
  });

  test("a question that was not recorded is an error, never a call", async () => {
    const opened = await openRecording(join(folder, "empty.jsonl"));
    const model = counter();
    await expect(withReplay(model, opened).generate(ask("new"))).rejects.toMatchObject({
      code: "model_refused",
    });
    expect(model.calls()).toBe(0);
    await expect(withReplay(lengths(), opened).embed(["new"])).rejects.toThrow(/record again/);
  });
});
