import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AsyncBatchedStore,
  type BaseStore,
  InMemoryStore,
  type Item,
  type Operation,
} from "@langchain/langgraph-checkpoint";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MemoryError } from "../../base/errors.ts";
import { where } from "../../base/filter.ts";
import { Memory } from "../../runtime/memory.ts";
import { hashEmbedder } from "../../testing/hash-embedder.ts";
import { NeuroMemStore } from "./index.ts";
import type { StoreMemory } from "./item-shelf.ts";

let folder: string;
const opened: Memory[] = [];
let memory: Memory;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-langgraph-"));
  memory = await open();
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await rm(folder, { recursive: true });
});

async function open(preset = "neuromem"): Promise<Memory> {
  const path = join(folder, "memory.db");
  const one = await Memory.open({ path, scope: "mia", embedder: hashEmbedder(), preset });
  opened.push(one);
  return one;
}

/** Without what differs from store to store by its nature. */
function plain(found: unknown): unknown {
  return JSON.parse(
    JSON.stringify(found ?? null, (key, value) =>
      ["createdAt", "updatedAt", "score"].includes(key) ? undefined : value,
    ),
  );
}

type Case = (store: BaseStore) => Promise<unknown>;

const CASES: Record<string, Case> = {
  "what was put is there, under its own namespace and key only": async (store) => {
    await store.put(["users", "mia"], "food", { likes: "pizza", count: 2, deep: { list: [1, null, "二"] } });
    await store.put(["users", "小林"], "food", { 喜欢: "火锅" });
    return [
      await store.get(["users", "mia"], "food"),
      await store.get(["users", "小林"], "food"),
      await store.get(["users", "mia"], "drink"),
      await store.get(["users"], "food"),
      await store.get(["users", "mia", "food"], "food"),
    ];
  },
  "the same value under two keys is two items": async (store) => {
    await store.put(["a"], "one", { text: "same" });
    await store.put(["a"], "two", { text: "same" });
    await store.put(["b"], "one", { text: "same" });
    await store.delete(["a"], "one");
    return [await store.search([]), await store.get(["a"], "one"), await store.get(["a"], "two")];
  },
  "a put replaces, also where the searched text stays": async (store) => {
    await store.put(["a"], "k", { text: "same", n: 1 }, ["text"]);
    await store.put(["a"], "k", { text: "same", n: 2 }, ["text"]);
    await store.put(["a"], "k", { text: "same", n: 2 }, ["text"]);
    return [await store.get(["a"], "k"), await store.search(["a"])];
  },
  "odd keys and values come back as they were": async (store) => {
    const keys = [
      "a/b",
      "a%2Fb",
      "a:b",
      " ",
      "键",
      "🙂",
      "x".repeat(300),
      "__proto__ ",
      "'; DROP TABLE",
      "*",
    ];
    const odd = {
      text: "\u0000\u0007\u0085 tab\t",
      "": "",
      html: "<b>&amp;</b>",
      many: "长".repeat(2000),
      no: null,
      yes: true,
    };
    for (const key of keys) await store.put(["odd"], key, { ...odd, key });
    return Promise.all(keys.map((key) => store.get(["odd"], key)));
  },
  "traps come back as they were": async (store) => {
    const values = [
      JSON.parse('{"__proto__":{"wild":1},"deep":{"__proto__":"二"},"constructor":"c"}'),
      { text: "<recalled-memory>\nquoted 引文\n</recalled-memory>" },
    ];
    const deep = `${'{"deeper":'.repeat(2000)}{"end":1}${"}".repeat(2000)}`;
    await store.put(["deep"], "k", JSON.parse(deep));
    const isSame = JSON.stringify((await store.get(["deep"], "k"))?.value) === deep;
    for (const [at, value] of values.entries()) await store.put(["traps"], `k${at}`, value);
    const found = await store.search(["traps"]);
    const [one] = await store.search(["traps"], { filter: { constructor: "c" } });
    // As text: reading it again in another way would lose a field.
    return [isSame, one?.key, ...found.map(({ value }) => JSON.stringify(value))];
  },
  "deleting what is not there does nothing": async (store) => {
    await store.delete(["a"], "k");
    await store.put(["a"], "k", { v: 1 });
    await store.delete(["a"], "other");
    return store.search(["a"]);
  },
  "a search pages, and its limit is 10": async (store) => {
    for (let at = 0; at < 12; at++) await store.put(["docs", "v1"], `k${at}`, { at });
    return [
      await store.search(["docs"]),
      await store.search(["docs"], { limit: 5, offset: 10 }),
      await store.search(["docs", "v1"], { limit: 2, offset: 3 }),
      await store.search(["docs", "v2"]),
      await store.search([], { offset: 100 }),
    ];
  },
  "a search filters by fields and operators": async (store) => {
    const values = [
      { kind: "dog", age: 3, name: "Rex" },
      { kind: "dog", age: 7, name: "豆豆" },
      { kind: "cat", age: 7, name: "Tom", wild: true },
      { kind: "cat", name: "Ida" },
    ];
    for (const [at, value] of values.entries()) await store.put(["pets"], `p${at}`, value);
    const filters = [
      { kind: "dog" },
      { kind: "dog", age: 7 },
      { age: { $gt: 3 } },
      { age: { $gte: 3, $lt: 7 } },
      { age: { $lte: 3 } },
      { age: { $ne: 7 } },
      { name: { $eq: "豆豆" } },
      { name: { $in: ["Tom", "Rex"] } },
      { name: { $nin: ["Tom", "Rex"] } },
      { wild: true },
      { missing: 1 },
    ];
    return Promise.all(filters.map((filter) => store.search(["pets"], { filter })));
  },
  "namespaces are listed by prefix, suffix, wildcard and depth": async (store) => {
    const spaces = [["a", "b", "c"], ["a", "b", "d"], ["a", "x", "c"], ["z"], ["文", "档"]];
    for (const space of spaces) await store.put(space, "k", { v: 1 });
    return Promise.all([
      store.listNamespaces(),
      store.listNamespaces({ prefix: ["a", "b"] }),
      store.listNamespaces({ suffix: ["c"] }),
      store.listNamespaces({ prefix: ["a", "*", "c"] }),
      store.listNamespaces({ prefix: ["a"], suffix: ["d"] }),
      store.listNamespaces({ maxDepth: 2 }),
      store.listNamespaces({ maxDepth: 1, limit: 1, offset: 1 }),
      store.listNamespaces({ prefix: ["a", "b", "c", "e"] }),
    ]);
  },
  "a batch reads what was there before it, and the last put of a key counts": async (store) => {
    await store.put(["a"], "k", { v: 0 });
    await store.put(["a"], "old", { v: 9 });
    const operations: Operation[] = [
      { namespace: ["a"], key: "k", value: { v: 1 } },
      { namespace: ["a"], key: "old", value: null },
      { namespace: ["a"], key: "old" },
      { namespace: ["a"], key: "new" },
      { namespace: ["a"], key: "new", value: { v: 5 } },
      { namespace: ["a"], key: "k", value: { v: 2 } },
      { namespacePrefix: ["a"], limit: 5, offset: 0 },
      { namespace: ["a"], key: "new", value: null },
      { matchConditions: [{ matchType: "prefix", path: ["a"] }], limit: 5, offset: 0 },
    ];
    return [await store.batch(operations), await store.search(["a"])];
  },
  "namespaces that are none are refused": async (store) => {
    const wrong = [[], ["a.b"], [""], ["langgraph", "x"]];
    return Promise.all(wrong.map((space) => store.put(space, "k", {}).catch((error: Error) => error.name)));
  },
};

describe("what LangGraph's own store does", () => {
  test.each(Object.entries(CASES))("%s", async (_, act) => {
    const found = plain(await act(new NeuroMemStore({ memory })));
    expect(found).toEqual(plain(await act(new InMemoryStore())));
  });
});

const texts = (items: readonly Item[]): unknown[] => items.map(({ value }) => value.text);

describe("search by meaning", () => {
  test.each([
    [
      "English",
      "Which colour does she paint in?",
      ["She paints only in the colour blue.", "He plays the cello at night.", "The train leaves at nine."],
    ],
    ["Chinese", "他在哪里学陶艺？", ["他每周三在杭州学陶艺。", "她的猫叫咪咪。", "火车九点开。"]],
  ])("the best comes first, and all of the namespace follow: %s", async (_, query, values) => {
    const store = new NeuroMemStore({ memory });
    for (const [at, text] of values.toReversed().entries())
      await store.put(["facts", "mia"], `f${at}`, { text, at });
    await store.put(["other"], "f", { text: values[0] });
    const found = await store.search(["facts"], { query });
    expect(found[0]?.value.text).toBe(values[0]);
    expect(found[0]?.score).toBeGreaterThan(0);
    expect(new Set(texts(found))).toEqual(new Set(values));
    expect(
      texts(await store.search(["facts"], { query, limit: 1, filter: { at: { $lt: 2 } } })),
    ).not.toContain(values[0]);
    const [first, second] = [
      await store.search(["facts"], { query, limit: 1 }),
      await store.search(["facts"], { query, limit: 2, offset: 1 }),
    ];
    expect(new Set(texts([...first, ...second]))).toEqual(new Set(values));
  });

  test("what is not indexed is not found by its text, and of others only the fields that are", async () => {
    const store = new NeuroMemStore({ memory });
    await store.put(["s"], "secret", { text: "the password is swordfish" }, false);
    await store.put(
      ["s"],
      "both",
      { title: "a walk in the park", body: "swordfish and chips", parts: [{ note: "first" }] },
      ["title", "parts[*].note"],
    );
    const scored = (await store.search(["s"], { query: "swordfish password" })).filter(
      ({ score }) => score !== undefined,
    );
    expect(scored.map(({ key }) => key)).not.toContain("secret");
    const contents = (await memory.list()).entries.map(({ content }) => content);
    expect(contents.join("\n")).not.toContain("swordfish");
    expect(contents).toContain("a walk in the park\nfirst");
    expect((await store.search(["s"], { query: "swordfish" })).map(({ key }) => key).sort()).toEqual([
      "both",
      "secret",
    ]);
    const titled = new NeuroMemStore({ memory, fields: ["title"] });
    await titled.put(["t"], "k", { title: "海边散步", body: "不该被搜到" });
    expect((await memory.list()).entries.at(-1)?.content).toBe("海边散步");
  });

  test("what was replaced or deleted is recalled no more, by nobody", async () => {
    const store = new NeuroMemStore({ memory });
    await store.put(["u"], "city", { text: "Mia lives in Rome." });
    await store.put(["u"], "city", { text: "Mia lives in Oslo." });
    await store.put(["u"], "pet", { text: "咪咪是一只猫。" });
    await store.delete(["u"], "pet");
    const { hits } = await memory.recall("Mia lives in Rome 咪咪");
    expect(hits.map(({ content }) => content)).toEqual(["Mia lives in Oslo."]);
    const gone = where.or(where.contains("content", "Rome"), where.contains("content", "咪咪"));
    expect((await memory.list({ filter: gone, all: true })).entries).toEqual([]);
    const lines = await Array.fromAsync(memory.export());
    expect(lines.join("\n")).not.toMatch(/Rome|咪咪/);
  });
});

describe("what lasts", () => {
  test("items outlive the process; a replaced one keeps the time it was made", async () => {
    const store = new NeuroMemStore({ memory });
    await store.put(["u"], "k", { v: 1 });
    const made = await store.get(["u"], "k");
    await store.put(["u"], "k", { v: "二" });
    await memory.close();
    const again = new NeuroMemStore({ memory: await open() });
    const item = await again.get(["u"], "k");
    expect(item?.value).toEqual({ v: "二" });
    expect(item?.createdAt).toEqual(made?.createdAt);
    expect(item?.updatedAt.getTime()).toBeGreaterThan(made?.updatedAt.getTime() ?? Number.NaN);
    expect(await again.listNamespaces()).toEqual([["u"]]);
  });

  test("several stores on one file see each other, and agree when all write at once", async () => {
    const stores = [memory, await open(), await open()].map((one) => new NeuroMemStore({ memory: one }));
    await Promise.all(stores.map((store, at) => store.put(["own"], `k${at}`, { at })));
    await Promise.all(stores.map((store, at) => store.put(["shared"], "k", { at })));
    const seen = await Promise.all(stores.map((store) => store.search([])));
    expect(seen[0]).toHaveLength(4);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
  });

  test("puts that nobody waits for end in the order they were made", async () => {
    const store = new NeuroMemStore({ memory });
    await Promise.all([1, 2, 3].map((v) => store.put(["u"], "k", { v })));
    expect((await store.get(["u"], "k"))?.value).toEqual({ v: 3 });
  });

  test("stopped between writing the new and forgetting the old: the new counts, and the next put clears up", async () => {
    await new NeuroMemStore({ memory }).put(["u"], "k", { v: 1 });
    const stopped: StoreMemory = {
      remember: (said) => memory.remember(said),
      recall: (question, options) => memory.recall(question, options),
      list: (options) => memory.list(options),
      forget: () => Promise.reject(new Error("power cut")),
    };
    await expect(new NeuroMemStore({ memory: stopped }).put(["u"], "k", { v: 2 })).rejects.toThrow(
      "power cut",
    );
    const store = new NeuroMemStore({ memory });
    expect((await store.get(["u"], "k"))?.value).toEqual({ v: 2 });
    expect(await store.search(["u"], { query: "v" })).toHaveLength(1);
    await store.put(["u"], "k", { v: 3 });
    expect((await memory.list({ all: true })).entries).toHaveLength(1);
  });

  test.each(["hybrid", "simple_memory", "memorybank"])("in other designs, too: %s", async (preset) => {
    const store = new NeuroMemStore({ memory: await open(preset) });
    await store.put(["u"], "a", { text: "Mia paints in blue." });
    await store.put(["u"], "b", { text: "Mia paints in blue." });
    await store.put(["u"], "a", { text: "小林学陶艺。" });
    await store.delete(["u"], "b");
    expect(texts(await store.search(["u"]))).toEqual(["小林学陶艺。"]);
  });
});

test("LangGraph's own batching stands in front of it", async () => {
  const store = new AsyncBatchedStore(new NeuroMemStore({ memory }));
  store.start();
  await Promise.all([store.put(["u"], "a", { v: 1 }), store.put(["u"], "b", { v: "二" })]);
  expect((await store.search(["u"])).map(({ value }) => value)).toEqual([{ v: 1 }, { v: "二" }]);
  await store.stop();
});

test("what somebody else keeps under the same name is no item, and spoils no search", async () => {
  const item = { path: "u/", key: "k", value: "{}", createdAt: 1, updatedAt: 1, isIndexed: true };
  for (const wrong of [{ value: "no JSON" }, { value: "[]" }, { key: "%" }, { path: "%ff/" }])
    await memory.remember({ judgment: "别人的", metadata: { langgraph: { ...item, ...wrong } } });
  const store = new NeuroMemStore({ memory });
  expect(await store.search([], { query: "别人的" })).toEqual([]);
  expect(await store.listNamespaces()).toEqual([]);
});

test("other memories of the scope are not items, and what is wrong is refused with what is valid", async () => {
  const store = new NeuroMemStore({ memory });
  await memory.remember("Mia moved to Rome.");
  expect(await store.search([], { query: "Rome" })).toEqual([]);
  await store.put(["u"], "k", { v: 1 });
  await expect(store.search(["u"], { filter: { v: { $like: "x" } } })).rejects.toThrow(
    "Valid: a plain value",
  );
  await expect(store.search(["u"], { limit: -1 })).rejects.toThrow("limit");
  await expect(store.put(["u"], "k", "text" as never)).rejects.toThrow("value");
  const loop: Record<string, unknown> = { 名: "环" };
  loop.self = loop;
  const text = { toJSON: () => "a text" };
  for (const value of [loop, text, { big: 1n }, { text: "长".repeat(1_000_001) }])
    await expect(store.put(["u"], "k", value)).rejects.toThrow(MemoryError);
  expect(await store.search(["u"], { query: "v", limit: 10, offset: 995 })).toEqual([]);
  expect(texts(await store.search(["u"]))).toHaveLength(1);
  const wrong = (options: unknown) => () => new NeuroMemStore(options as { memory: Memory });
  expect(wrong({ memory: {} })).toThrow("remember(), recall(), list() and forget()");
  expect(wrong({ memory, feilds: ["text"] })).toThrow("feilds");
  const operations = [{ matchConditions: [{ matchType: "middle", path: ["u"] }], limit: 1, offset: 0 }];
  await expect(store.batch(operations as Operation[])).rejects.toThrow("Valid: prefix, suffix");
});
