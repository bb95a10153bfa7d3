import { describe, expect, test } from "vitest";
import type { TraceEvent } from "../../base/trace.ts";
import type { Embedder, EmbedOptions } from "../model.ts";
import { bilingual, languageOf } from "./bilingual.ts";
import { oneSpace } from "./embedder-set.ts";

function recording(id: string): Embedder & { readonly calls: { texts: readonly string[]; as: string }[] } {
  const calls: { texts: readonly string[]; as: string }[] = [];
  return {
    id,
    provider: "test",
    dimension: 2,
    maxBatch: 2,
    calls,
    async embed(texts: readonly string[], { as = "document" }: EmbedOptions = {}) {
      calls.push({ texts, as });
      return texts.map((text) => {
        const length = Math.hypot(text.length, 1);
        return Float32Array.of(text.length / length, 1 / length);
      });
    },
  };
}

describe("bilingual", () => {
  const open = () => {
    const en = recording("e");
    const zh = recording("z");
    return { en, zh, set: bilingual({ en, zh }) };
  };

  test("a document goes to the space of its language, in the order given", async () => {
    const { en, zh, set } = open();
    const vectors = await set.embedDocuments(["one", "二", "three", "四四", "five"]);
    expect(vectors.map((vector) => vector?.space)).toEqual(["e", "z", "e", "z", "e"]);
    expect(vectors[3]?.values).toEqual((await zh.embed(["四四"]))[0]);
    expect(en.calls.flatMap(({ texts }) => texts)).toEqual(["one", "three", "five"]);
    expect((await set.embedDocument("你好"))?.space).toBe("z");
  });

  test("a query goes to every space, or to those that are asked for", async () => {
    const { set, en, zh } = open();
    expect((await set.embedQuery("where?")).map(({ space, native }) => [space, native])).toEqual([
      ["e", true],
      ["z", false],
    ]);
    expect([...en.calls, ...zh.calls].every(({ as }) => as === "query")).toBe(true);
    expect((await set.embedQuery("在哪里？", { spaces: ["z"] })).map(({ space }) => space)).toEqual(["z"]);
    expect(await set.embedQuery("在哪里？", { spaces: [] })).toEqual([]);
  });

  test("progress counts all texts of both languages", async () => {
    const { set } = open();
    const told: number[] = [];
    await set.embedDocuments(["a", "b", "c", "一", "二"], { onProgress: (done) => told.push(done) });
    expect(told.at(-1)).toBe(5);
    expect(told).toEqual([...told].sort((a, b) => a - b));
  });

  test("a text without a visible character has no vector and stops nobody else", async () => {
    const { en, zh, set } = open();
    const texts = ["你好", "", "hello", " \n", "你好", "\u200b", "\u0301"];
    const told: number[] = [];
    const vectors = await set.embedDocuments(texts, { onProgress: (done) => told.push(done) });
    expect(vectors.map((vector) => vector?.space)).toEqual([
      "z",
      undefined,
      "e",
      undefined,
      "z",
      undefined,
      undefined,
    ]);
    expect(told.at(-1)).toBe(texts.length);
    expect(en.calls.flatMap((call) => call.texts)).toEqual(["hello"]);
    expect(zh.calls.flatMap((call) => call.texts)).toEqual(["你好", "你好"]);
    expect(await set.embedDocument("")).toBeUndefined();
    expect(await set.embedQuery("\u200b")).toEqual([]);
  });

  test("nobody is missed for a text without a visible character", async () => {
    const events: TraceEvent[] = [];
    const set = bilingual({ zh: recording("z") }, (event) => events.push(event));
    expect(await set.embedDocuments(["", "中"])).toMatchObject([undefined, { space: "z" }]);
    expect(events).toEqual([]);
  });

  test("a language nobody reads has no vector, and a warning once (C-29)", async () => {
    const events: TraceEvent[] = [];
    const set = bilingual({ en: recording("e") }, (event) => events.push(event));
    expect(await set.embedDocuments(["中文", "English"])).toMatchObject([undefined, { space: "e" }]);
    expect(await set.embedDocument("还是中文")).toBeUndefined();
    expect(events).toMatchObject([{ type: "warning-raise", code: "missing_dependency" }]);
    expect(set.spaces).toEqual([{ space: "e", dimension: 2, language: "en" }]);
  });
});

test("one multilingual embedder is a set of one space", async () => {
  const set = oneSpace(recording("m"));
  expect(set.spaces).toEqual([{ space: "m", dimension: 2, language: "any" }]);
  expect((await set.embedDocuments(["a", "中"])).map((vector) => vector?.space)).toEqual(["m", "m"]);
  expect(await set.embedQuery("中")).toMatchObject([{ space: "m", native: true }]);
  expect(await set.embedQuery("中", { spaces: ["other"] })).toEqual([]);
  const told: number[] = [];
  const some = await set.embedDocuments(["", "a", "\u200b"], { onProgress: (done) => told.push(done) });
  expect(some.map((vector) => vector?.space)).toEqual([undefined, "m", undefined]);
  expect(told.at(-1)).toBe(3);
  expect(await set.embedQuery(" ")).toEqual([]);
});

test.each([
  ["plain English", "en"],
  ["普通中文", "zh"],
  ["我用 TypeScript 写代码", "zh"],
  ["She said 你好 and left the room quickly", "en"],
  ["🎉🎂", "en"],
  ["12:30", "en"],
  ["Привет мир", "en"],
  ["東京都の天気", "zh"],
])("%s goes to %s", (text, language) => {
  expect(languageOf(text)).toBe(language);
});
