import { describe, expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import { PUBLIC, type Scope } from "../base/scope.ts";
import { testIndex } from "../testing/index-suite.ts";
import { SAMPLE_WORDS, sampleEntry, sampleId, sampleOf, sampleScope, sampleText } from "../testing/sample.ts";
import type { Index, IndexDeps, IndexItem } from "./index-contract.ts";
import { keyIndex } from "./key.ts";

const deps: IndexDeps = { tokenize: () => [], tokenizerId: "none", fetchVectors: () => [] };

function create(options: JsonObject = {}): Index {
  return keyIndex.create(keyIndex.options.parse({ field: "metadata.key", ...options }), deps);
}

function item(n: number, key: string | string[], scope: Scope = PUBLIC, position = n): IndexItem {
  return { id: sampleId(n), scope, position, entry: sampleEntry(n, { metadata: { key } }, scope) };
}

testIndex({
  name: "key",
  create: () => create({ case_sensitive: false }),
  item: (n, random) => {
    const keys = Array.from({ length: Math.floor(random.next() * 3) }, () => sampleOf(SAMPLE_WORDS, random));
    return item(n, keys, sampleScope(random), Math.floor(random.next() * 60));
  },
  query: (random) => {
    if (random.next() < 0.4) return { text: sampleText(random) };
    return {
      params: {
        keys: [sampleOf(SAMPLE_WORDS, random), sampleOf(SAMPLE_WORDS, random)],
        threshold: sampleOf([0.2, 0.5, 1], random),
      },
    };
  },
});

describe("key", () => {
  const ask = async (index: Index, params: JsonObject, limit = 10) =>
    (await index.query({ scopes: [PUBLIC], limit, params })).map(({ id }) =>
      Number.parseInt(id.slice(-6), 16),
    );

  test("entries under one key come newest first, however many there are", async () => {
    const index = create();
    index.add(Array.from({ length: 3000 }, (_, n) => item(n, n % 2 === 0 ? "Melanie" : "小明")));
    expect(await ask(index, { keys: ["Melanie"] }, 3)).toEqual([2998, 2996, 2994]);
    expect(await ask(index, { keys: ["小明"] }, 2)).toEqual([2999, 2997]);
  });

  test("the first few are the same, with the same scores, as the first of all", async () => {
    const index = create();
    // Three that came at one moment share a place; some keys are only similar.
    const keys = ["Melanie", "Melany", "小明"];
    index.add(
      Array.from({ length: 90 }, (_, n) => item(n, keys[n % 3] ?? "", PUBLIC, Math.floor((n * 7) % 30))),
    );
    const query = { scopes: [PUBLIC], params: { keys: ["Melanie"], threshold: 0.5 } };
    const all = await index.query({ ...query, limit: 90 });
    expect(all).toHaveLength(60);
    for (const limit of [0, 1, 2, 5, 31, 59])
      expect(await index.query({ ...query, limit })).toEqual(all.slice(0, limit));
    const allow = new Set(all.filter((_, place) => place % 4 === 3).map(({ id }) => id));
    const allowed = all.filter(({ id }) => allow.has(id));
    expect(await index.query({ ...query, limit: 6, allow })).toEqual(allowed.slice(0, 6));
  });

  test("a similar key is found by its letters, code point by code point, simplified or traditional", async () => {
    const index = create();
    index.add([
      item(1, "Melanie"),
      item(2, "Caroline"),
      item(3, "北京師範大學"),
      item(4, "上海"),
      item(5, "𠮷野家"),
    ]);
    expect(await ask(index, { keys: ["Melany"], threshold: 0.7 })).toEqual([1]);
    expect(await ask(index, { keys: ["Melany"], threshold: 0.8 })).toEqual([]);
    expect(await ask(index, { keys: ["北京师范大学"], threshold: 0.99 })).toEqual([3]);
    expect(await ask(index, { keys: ["北京师范大学"] })).toEqual([3]);
    // One letter of three, not two code units of four.
    const [hit] = await index.query({
      scopes: [PUBLIC],
      limit: 1,
      params: { keys: ["吉野家"], threshold: 0.5 },
    });
    expect(hit?.parts.similarity).toBeCloseTo(2 / 3, 9);
  });

  test("several keys add up; letter case counts only where it is told to", async () => {
    const index = create({ case_sensitive: false });
    index.add([item(1, ["Tea", "Berlin"]), item(2, "tea"), item(3, "berlin")]);
    expect(await ask(index, { keys: ["TEA", "Berlin"] })).toEqual([1, 3, 2]);
    const strict = create();
    strict.add([item(1, "Tea"), item(2, "tea")]);
    expect(await ask(strict, { keys: ["tea"] })).toEqual([2]);
  });

  test("keys that stand in a text are found, whole words of spaced scripts only", async () => {
    const index = create({ case_sensitive: false });
    index.add([item(1, ["art", "tea"]), item(2, "王芳"), item(3, "new york"), item(4, "tea")]);
    const found = async (text: string) =>
      (await index.query({ scopes: [PUBLIC], limit: 9, text })).map(({ id }) =>
        Number.parseInt(id.slice(-6), 16),
      );
    expect(await found("A party in New York, no steam")).toEqual([3]);
    expect(await found("王芳喝tea吗?")).toEqual([4, 2, 1]);
    expect(await found("Tea and art")).toEqual([1, 4]);
    expect(await found("party art")).toEqual([1]);
  });

  test("a vector, no key, or both a text and keys are refused", async () => {
    const refused = expect.objectContaining({ code: "input_invalid" });
    const vector = { space: "x", values: Float32Array.of(1) };
    expect(() => create().query({ scopes: [PUBLIC], limit: 1, vector })).toThrow(refused);
    expect(() => create().query({ scopes: [PUBLIC], limit: 1, text: "a", params: { keys: ["a"] } })).toThrow(
      refused,
    );
    await expect(ask(create(), {})).rejects.toThrow(refused);
    await expect(ask(create(), { keys: ["a"], threshold: 0 })).rejects.toThrow(refused);
  });
});
