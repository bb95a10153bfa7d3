import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { where } from "../base/filter.ts";
import type { Hit } from "../base/hit.ts";
import type { JsonObject } from "../base/json.ts";
import { PUBLIC } from "../base/scope.ts";
import type { Vector } from "../base/vector.ts";
import { untyped } from "../testing/collection-world.ts";
import { HASH_SPACE } from "../testing/hash-embedder.ts";
import { ALICE, BOB, ServiceWorld } from "../testing/service-world.ts";
import { openService, serviceNamed } from "./index.ts";
import { type FuzzyOptions, KeyValueMemory, openKeyValueMemory } from "./key-value-memory.ts";
import type { ServiceInsert } from "./service.ts";

const options = {
  collection_name: "notes",
  top_k: 10,
  vitality: null,
  match_type: "exact",
  key_extractor: "entity",
  max_keys: 8,
  fuzzy_threshold: 0.8,
  semantic_threshold: 0.7,
  case_sensitive: false,
} as const;

const direction = (x: number, y: number): Vector => {
  const values = new Float32Array(64);
  values.set([x, y]);
  return { space: HASH_SPACE, values };
};

describe("key_value_memory", () => {
  let world: ServiceWorld;
  let made = 0;
  beforeEach(async () => {
    world = new ServiceWorld({ name: "key_value_memory", options }, "a file");
    await world.start();
  });
  afterEach(() => world.stop());

  /** Each set of options over a collection of its own. */
  const open = (changed: Partial<Parameters<typeof openKeyValueMemory>[0]> = {}) =>
    openKeyValueMemory({ ...options, collection_name: `notes${++made}`, ...changed }, world.deps);
  const put = (memory: KeyValueMemory, content: string, key?: string, more: Partial<ServiceInsert> = {}) =>
    memory.insert(ALICE, {
      content,
      ...(key === undefined ? {} : { insertMode: "active", insertParams: { key } }),
      ...more,
    });
  const contents = (hits: readonly Hit[]) => hits.map(({ content }) => content);

  test("[S0-22][B.0.9-16] getByKey finds what lies under a key, newest first, over a restart", async () => {
    const memory = await open({ collection_name: "kept" });
    await put(memory, "born in May", "birthday");
    await put(memory, "born in June after all", "birthday");
    await put(memory, "喜欢喝茶", "爱好");
    expect(contents(await memory.getByKey(ALICE, "birthday"))).toEqual([
      "born in June after all",
      "born in May",
    ]);
    expect(contents(await memory.getByKey(ALICE, "birthday", 1))).toEqual(["born in June after all"]);
    expect(await memory.getByKey(ALICE, "birth")).toEqual([]);
    await world.reopen();
    const again = await open({ collection_name: "kept" });
    expect(contents(await again.getByKey(ALICE, "爱好"))).toEqual(["喜欢喝茶"]);
    const [entry] = await again.getByKey(ALICE, "爱好");
    expect(entry?.metadata).toEqual({ key: "爱好" });
    expect(await again.getByKey(BOB, "爱好")).toEqual([]);
  });

  test("[S0-22][B.0.9-16] fuzzySearch finds similar keys, English and Chinese, the most similar first", async () => {
    const memory = await open();
    await put(memory, "one", "favourite colour");
    await put(memory, "two", "favorite color");
    await put(memory, "三", "出生日期");
    expect(contents(await memory.fuzzySearch(ALICE, "favorite colour"))).toEqual(["one", "two"]);
    expect(contents(await memory.fuzzySearch(ALICE, "favorite colour", { limit: 1 }))).toEqual(["one"]);
    expect(await memory.fuzzySearch(ALICE, "出生年月")).toEqual([]);
    expect(contents(await memory.fuzzySearch(ALICE, "出生年月", { threshold: 0.5 }))).toEqual(["三"]);
    expect(contents(await memory.fuzzySearch(ALICE, "出生日子", { threshold: 0.75 }))).toEqual(["三"]);
    const [hit] = await memory.fuzzySearch(ALICE, "出生日子", { threshold: 0.75 });
    expect(hit?.accessCount).toBe(2);
    const strict = await open({ fuzzy_threshold: 0.95 });
    await put(strict, "one", "favourite colour");
    expect(await strict.fuzzySearch(ALICE, "favorite colour")).toEqual([]);
  });

  test("an entry without a key is found under the names in it; the extractor and its limit decide", async () => {
    const text = "Melanie met Caroline in Berlin";
    const keysFor = async (changed: Partial<typeof options> | JsonObject) => {
      const memory = await open(changed);
      await put(memory, text);
      await put(memory, "王芳在北京开了一家咖啡馆");
      const all = await (await world.deps.manager.get(memory.collection)).scan(ALICE);
      return all.map(({ metadata }) => metadata.key);
    };
    const [english, chinese] = await keysFor({ key_extractor: "entity" });
    expect(english).toEqual(expect.arrayContaining(["Melanie", "Caroline", "Berlin"]));
    expect(chinese).toEqual(expect.arrayContaining(["王芳", "北京"]));
    expect((await keysFor({ key_extractor: "entity", max_keys: 1 }))[0]).toBe("Melanie");
    expect((await keysFor({ key_extractor: "keyword" }))[1]).toContain("咖啡馆");
    expect(await keysFor({ key_extractor: "none", max_keys: null })).toEqual([undefined, undefined]);
  });

  test("keys that an entry came with are its keys, beside the one an active insert names", async () => {
    const memory = await open();
    await put(memory, "Melanie is here", undefined, { metadata: { key: ["visit", "今天"], room: 4 } });
    await put(memory, "Caroline is here", "second", { metadata: { key: "visit" } });
    expect(contents(await memory.getByKey(ALICE, "visit"))).toEqual(["Caroline is here", "Melanie is here"]);
    expect(contents(await memory.getByKey(ALICE, "今天"))).toEqual(["Melanie is here"]);
    expect(contents(await memory.getByKey(ALICE, "second"))).toEqual(["Caroline is here"]);
    expect(await memory.getByKey(ALICE, "Melanie")).toEqual([]);
    const [hit] = await memory.getByKey(ALICE, "今天");
    expect(hit?.metadata).toEqual({ key: ["visit", "今天"], room: 4 });
  });

  test("a key that could not be looked up is refused, and never replaced by others", async () => {
    const memory = await open();
    for (const key of [42, ["tea", 7], "   ", ["茶", ""], [], null]) {
      await expect(put(memory, "Melanie is here", undefined, { metadata: { key } })).rejects.toMatchObject({
        code: "input_invalid",
        message: expect.stringContaining("metadata.key"),
      });
    }
    await expect(put(memory, "Melanie is here", "   ")).rejects.toMatchObject({ code: "input_invalid" });
    await expect(memory.retrieve(ALICE, { hints: { key: " " } })).rejects.toMatchObject({
      code: "input_invalid",
    });
    for (const [key, asked] of [
      ["", {}],
      ["tea", { limit: -1 }],
      ["tea", { threshold: 5 }],
      ["tea", untyped<FuzzyOptions>({ least: 1 })],
    ] as const) {
      await expect(memory.fuzzySearch(ALICE, key, asked)).rejects.toMatchObject({ code: "input_invalid" });
    }
    await expect(memory.getByKey(ALICE, "tea", 1.5)).rejects.toMatchObject({ code: "input_invalid" });
  });

  test("a key in traditional characters is the same in simplified ones, however it is asked for", async () => {
    const memory = await open({ match_type: "fuzzy" });
    await put(memory, "simplified", "咖啡馆");
    await put(memory, "traditional", "圖書館");
    for (const key of ["咖啡馆", "咖啡館"]) {
      expect(contents(await memory.getByKey(ALICE, key))).toEqual(["simplified"]);
      expect(contents(await memory.fuzzySearch(ALICE, key, { threshold: 0.99 }))).toEqual(["simplified"]);
      expect(contents(await memory.retrieve(ALICE, { text: `${key}在哪儿？` }))).toEqual(["simplified"]);
    }
    expect(contents(await memory.getByKey(ALICE, "图书馆"))).toEqual(["traditional"]);
    expect(contents(await memory.retrieve(ALICE, { text: "图书馆在哪儿？" }))).toEqual(["traditional"]);
  });

  test("hints help to choose the way of looking: the first that reads them all", async () => {
    const memory = await open({ match_type: "semantic" });
    await put(memory, "by key", "茶", { vectors: [direction(0, 1)] });
    await put(memory, "by meaning", "other", { vectors: [direction(1, 0)] });
    const question = { text: "茶", vectors: [direction(1, 0)] };
    expect(contents(await memory.retrieve(ALICE, question))).toEqual(["by meaning"]);
    expect(contents(await memory.retrieve(ALICE, { ...question, hints: { key: "茶" } }))).toEqual(["by key"]);
    const exact = await open();
    await put(exact, "by meaning", "other", { vectors: [direction(1, 0)] });
    const hints = { fields: ["content"] };
    expect(contents(await exact.retrieve(ALICE, { ...question, hints }))).toEqual(["by meaning"]);
    // Where no way reads them all, the first says which it does not read.
    await world.refuses(
      "capability_missing",
      exact.retrieve(ALICE, { ...question, hints: { ...hints, key: "茶" } }),
    );
  });

  test("max_keys is a number where keys are extracted, and null where none are", () => {
    const { options: schema } = serviceNamed("key_value_memory");
    expect(schema.safeParse({ ...options, key_extractor: "none", max_keys: null }).success).toBe(true);
    expect(schema.safeParse({ ...options, key_extractor: "none", max_keys: 3 }).success).toBe(false);
    expect(schema.safeParse({ ...options, max_keys: null }).success).toBe(false);
  });

  test("[B.0.9-25] match_type decides how a question without a hint is matched", async () => {
    const fill = async (memory: KeyValueMemory) => {
      await put(memory, "plays the violin", "Melanie", { vectors: world.vectorsOf(0) });
      await put(memory, "plays the cello", "Caroline", { vectors: world.vectorsOf(1) });
    };
    const ask = async (match_type: "exact" | "fuzzy" | "semantic", text: string) => {
      const memory = await open({ match_type, key_extractor: "none", max_keys: null });
      await fill(memory);
      return contents(await memory.retrieve(ALICE, { text, vectors: world.vectorsOf(1) }));
    };
    expect(await ask("exact", "Melanie")).toEqual(["plays the violin"]);
    expect(await ask("exact", "Melani")).toEqual([]);
    expect(await ask("fuzzy", "Melani")).toEqual(["plays the violin"]);
    expect(await ask("fuzzy", "What does Melanie play?")).toEqual(["plays the violin"]);
    expect(await ask("semantic", "Melanie")).toEqual(["plays the cello"]);
  });

  test("[B.0.9-25] a misspelt name in a question is found where similar keys count, by the extractor's reading", async () => {
    const question = { text: "What does Carolina play?" };
    for (const [match_type, found] of [
      ["exact", []],
      ["fuzzy", ["the cello"]],
    ] as const) {
      const memory = await open({ match_type });
      await put(memory, "the cello", "Caroline");
      expect(contents(await memory.retrieve(ALICE, question))).toEqual(found);
    }
  });

  test("a question asks for the hinted key, the hinted words or the keys in it; without any for its words", async () => {
    const memory = await open();
    await put(memory, "plays the violin", "Melanie");
    await put(memory, "开咖啡馆", "王芳");
    const ask = async (text: string | undefined, hints = {}) =>
      contents(await memory.retrieve(ALICE, { text, hints }));
    expect(await ask("What does Melanie play?")).toEqual(["plays the violin"]);
    expect(await ask("王芳做什么?")).toEqual(["开咖啡馆"]);
    expect(await ask("what does melanie like?")).toEqual(["plays the violin"]);
    expect(await ask("who plays it?")).toEqual(["plays the violin"]);
    expect(await ask(undefined, { key: "melanie" })).toEqual(["plays the violin"]);
    expect(await ask("What does Melanie play?", { keywords: ["王芳"] })).toEqual(["开咖啡馆"]);
    expect(await ask("violin", { strategy: "lexical" })).toEqual(["plays the violin"]);
    expect(
      await memory.retrieve(ALICE, { hints: { key: "Melanie" }, filter: where.eq("kind", "no such kind") }),
    ).toEqual([]);
  });

  test("semantic_threshold leaves out what is not near, case_sensitive tells Tea from tea", async () => {
    // At an angle of 60 degrees.
    const [one, two] = [direction(1, 0), direction(0.5, Math.sqrt(0.75))];
    const near = { vectors: [one], hints: { strategy: "semantic" } } as const;
    for (const [semantic_threshold, found] of [
      [0.9, 1],
      [0.4, 2],
    ] as const) {
      const memory = await open({ semantic_threshold });
      await put(memory, "one", "a", { vectors: [one] });
      await put(memory, "two", "b", { vectors: [two] });
      expect(await memory.retrieve(ALICE, near)).toHaveLength(found);
    }
    for (const [case_sensitive, found] of [
      [true, 1],
      [false, 2],
    ] as const) {
      const memory = await open({ case_sensitive });
      await put(memory, "one", "Tea");
      await put(memory, "two", "tea");
      expect(await memory.getByKey(ALICE, "tea")).toHaveLength(found);
    }
  });

  test("a key that changes with its entry's metadata is found under the new one only", async () => {
    const memory = await open();
    const id = await put(memory, "plays the violin", "Melanie");
    await memory.insert(PUBLIC, { content: "公开", insertMode: "active", insertParams: { key: "Melanie" } });
    const store = await world.deps.manager.get(memory.collection);
    await store.update(ALICE, id, { metadata: { key: "Mel" } });
    expect(contents(await memory.getByKey(ALICE, "Melanie"))).toEqual(["公开"]);
    expect(contents(await memory.getByKey(ALICE, "Mel"))).toEqual(["plays the violin"]);
  });

  test("[B.0.9-25] the registry opens it with every option", async () => {
    const service = await openService(
      "key_value_memory",
      { ...options, collection_name: "by-name" },
      world.deps,
    );
    expect(service).toBeInstanceOf(KeyValueMemory);
  });

  test("[S3-16][S3-17][C-32] a deletion leaves the mirror of tags alone; a sweep makes it anew of those still borne", async () => {
    const memory = await open({ match_type: "tag" });
    const put = (content: string, tags: readonly string[], strength: number) =>
      memory.insert(ALICE, { content, tags, strength });
    const gone = await put("deleted", ["茶", "deleted only"], 10);
    await put("spent", ["茶", "spent only"], 0);
    await put("lively", ["茶"], 10);
    const mirror = async (): Promise<unknown> =>
      (await memory.stats()).indexes.find(({ kind }) => kind === "tag");
    expect(await memory.retrieve(ALICE, { text: "喝茶" })).toHaveLength(3);
    await memory.delete(ALICE, gone);
    expect(contents(await memory.retrieve(ALICE, { text: "喝茶" })).toSorted()).toEqual(["lively", "spent"]);
    expect(await mirror()).toMatchObject({ items: 2, tags: 3 });
    await memory.optimize(ALICE, {
      trigger: "forgetting",
      config: {
        vitality: { policy: "strength_counter", strength_per_useful: 3 },
        threshold: 1,
        retention_min: 0,
        archive_before_delete: false,
        tiers: null,
        max_per_run: null,
        derived_kinds: [],
      },
    });
    expect(await mirror()).toMatchObject({ items: 1, tags: 1 });
    expect(contents(await memory.retrieve(ALICE, { text: "喝茶, spent only" }))).toEqual(["lively"]);
  });

  test("[S3-13][S3-20] match_type tag: by the tags that stand in the question alone, and by a tag as a key", async () => {
    const memory = await open({ match_type: "tag", key_extractor: "keyword" });
    await put(memory, "小明请大家吃火锅。", undefined, { tags: ["小明", "火锅"] });
    await put(memory, "Mia drinks tea.", undefined, { tags: ["tea"] });
    await put(memory, "A note under a key", "kite");
    await put(memory, "violin lessons on Friday");
    const ask = async (text: string) => contents(await memory.retrieve(ALICE, { text }));
    expect(await ask("小明说去吃火锅")).toEqual(["小明请大家吃火锅。"]);
    expect(await ask("Some TEA?")).toEqual(["Mia drinks tea."]);
    expect(await ask("where is the kite")).toEqual(["A note under a key"]);
    expect(await ask("the violin lessons of last week")).toEqual(["violin lessons on Friday"]);
    expect(await ask("Mia drinks nothing")).toEqual([]);
    expect(contents(await memory.getByKey(ALICE, "火锅"))).toEqual(["小明请大家吃火锅。"]);
    const exact = await open({ match_type: "tag", case_sensitive: true });
    await put(exact, "Mia drinks tea.", undefined, { tags: ["tea"] });
    expect(await exact.retrieve(ALICE, { text: "Some TEA?" })).toEqual([]);
  });
});
