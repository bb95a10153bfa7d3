import { describe, expect, test } from "vitest";
import type { EntryFields } from "../base/entry.ts";
import type { JsonObject } from "../base/json.ts";
import { PUBLIC, type Scope } from "../base/scope.ts";
import { testIndex } from "../testing/index-suite.ts";
import { SAMPLE_WORDS, sampleEntry, sampleId, sampleOf, sampleScope } from "../testing/sample.ts";
import type { Candidate, Index, IndexDeps, IndexItem } from "./index-contract.ts";
import { sortedIndex } from "./sorted.ts";

const deps: IndexDeps = { tokenize: () => [], tokenizerId: "none", fetchVectors: () => [] };

function create(field: string): Index {
  return sortedIndex.create(sortedIndex.options.parse({ field }), deps);
}

function item(n: number, fields: EntryFields, scope: Scope = PUBLIC): IndexItem {
  return { id: sampleId(n), scope, position: n, entry: sampleEntry(n, fields, scope) };
}

async function ask(index: Index, params: JsonObject = {}, limit = 100): Promise<Candidate[]> {
  return index.query({ scopes: [PUBLIC], limit, params });
}

async function order(index: Index, params: JsonObject = {}, limit = 100): Promise<number[]> {
  const numbers = new Map(Array.from({ length: 20 }, (_, n) => [sampleId(n), n]));
  return (await ask(index, params, limit)).map(({ id }) => numbers.get(id) ?? -1);
}

const NUMBERS = [-2, 0, 0.5, 1, 3];
for (const [name, values] of Object.entries({
  numbers: NUMBERS,
  texts: SAMPLE_WORDS.slice(0, 5),
  "numbers and texts": [...NUMBERS, ...SAMPLE_WORDS.slice(8, 12), null],
})) {
  testIndex({
    name: `sorted by ${name}`,
    create: () => create("metadata.value"),
    item: (n, random) => item(n, { metadata: { value: sampleOf(values, random) } }, sampleScope(random)),
    query: (random) => {
      const bound = sampleOf(values, random);
      const bounds = sampleOf([{}, { from: bound }, { to: bound }, { from: bound, to: bound }], random);
      return { params: { order: sampleOf(["asc", "desc"], random), ...(bound === null ? {} : bounds) } };
    },
  });
}

describe("sorted", () => {
  test("[S0-49] search_with_sort and search_range: bounds are inclusive, either may be missing", async () => {
    const index = create("importance");
    index.add([0.5, 0.1, 0.9, 0.5].map((importance, n) => item(n, { importance })));
    const byId = [0, 3].sort((a, b) => (sampleId(a) < sampleId(b) ? -1 : 1));
    expect(await order(index)).toEqual([1, ...byId, 2]);
    expect(await order(index, { order: "desc" })).toEqual([2, ...byId, 1]);
    expect(await order(index, { from: 0.5 })).toEqual([...byId, 2]);
    expect(await order(index, { to: 0.5 })).toEqual([1, ...byId]);
    expect(await order(index, { from: 0.2, to: 0.6 })).toEqual(byId);
    expect(await order(index, { from: 0.6, to: 0.2 })).toEqual([]);
  });

  test("[S0-49] the oldest, the count and all ids can be asked for", async () => {
    const index = create("happenedAt");
    index.add([30, 10, 20].map((happenedAt, n) => item(n, { happenedAt })));
    expect(await order(index, {}, 1)).toEqual([1]);
    expect(index.stats().items).toBe(3);
    expect(new Set(await order(index))).toEqual(new Set([0, 1, 2]));
  });

  test("numbers score by their value, texts by their rank", async () => {
    const numbers = create("metadata.value");
    numbers.add([5, -1, 0].map((value, n) => item(n, { metadata: { value } })));
    expect((await ask(numbers)).map(({ score, parts }) => [score, parts])).toEqual([
      [1, { value: -1 }],
      [0, { value: 0 }],
      [-5, { value: 5 }],
    ]);
    expect((await ask(numbers, { order: "desc" })).map(({ score }) => score)).toEqual([5, 0, -1]);
    const texts = create("metadata.value");
    texts.add(["茶", "apple", "pear", "apple"].map((value, n) => item(n, { metadata: { value } })));
    const ranks = [0, 0, -2, -3];
    expect((await ask(texts)).map(({ score }) => score)).toEqual(ranks);
    expect((await ask(texts, { order: "desc" })).map(({ parts }) => parts)).toEqual(
      [0, 1, 2, 2].map((rank) => ({ rank })),
    );
    expect(await order(texts, { from: "pear" })).toEqual([2, 0]);
  });

  test("an entry without the field is a member that is never found", async () => {
    const index = create("metadata.value");
    index.add([item(0, {}), item(1, { metadata: { value: [1] } }), item(2, { metadata: { value: 7 } })]);
    expect(index.stats().items).toBe(3);
    expect(await order(index)).toEqual([2]);
  });

  test("a text, bounds of two kinds, or a field nobody has is refused", async () => {
    const index = create("createdAt");
    const refused = expect.objectContaining({ code: "input_invalid" });
    expect(() => index.query({ scopes: [PUBLIC], limit: 1, text: "tea" })).toThrow(refused);
    await expect(ask(index, { from: 1, to: "b" })).rejects.toThrow(refused);
    expect(sortedIndex.options.safeParse({ field: "created_at" }).error?.message).toContain("createdAt");
    expect(sortedIndex.options.safeParse({}).success).toBe(false);
    expect(() => create("updatedAt").load(index.save())).toThrow(
      expect.objectContaining({ code: "storage_corrupt" }),
    );
  });
});
