import { afterEach, describe, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import { where } from "../base/filter.ts";
import type { Hit } from "../base/hit.ts";
import type { EntryId } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import { PUBLIC, parseScope, type Scope } from "../base/scope.ts";
import type { Vector } from "../base/vector.ts";
import { CollectionManager } from "../collection/collection-manager.ts";
import type { EmbedderSet } from "../models/local/embedder-set.ts";
import { openInMemory } from "../storage/memory.ts";
import type { Storage } from "../storage/storage.ts";
import { untyped } from "../testing/collection-world.ts";
import { GRAPH_OPTIONS } from "../testing/graph-world.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import type { Hints } from "./hints.ts";
import { HybridMemory } from "./hybrid-memory.ts";
import { openService, serviceNamed } from "./index.ts";
import type { ServiceDeps, ServiceInsert, ServiceQuery } from "./service.ts";

const ALICE = parseScope("alice");
const BOB = parseScope("bob");
const SPACE = { space: "hand", dimension: 2 };

const PLAIN = {
  collection_name: "facts",
  top_k: 10,
  vitality: null,
  graph_enabled: false,
  graph: null,
  fusion_strategy: "weighted",
  weights: { vector: 0.7, text: 0.3, graph: null },
  rrf_k: null,
  overfetch: 2,
  text: { k1: 1.2, b: 0.75, around: [], dates: false },
  conflict_check: null,
};
const GRAPH = {
  ...PLAIN,
  graph_enabled: true,
  graph: {
    walk: "spread",
    seeds: 5,
    passage_node_weight: 0.5,
    depth: 2,
    decay: 0.5,
    link_threshold: 0.8,
    synonymy_threshold: 0.8,
    max_links: 5,
  },
  weights: { vector: 0.5, text: 0.2, graph: 0.3 },
};

/** A direction between 0 and 90 degrees. */
const at = (degrees: number): Vector => {
  const angle = (degrees * Math.PI) / 180;
  return { space: SPACE.space, values: Float32Array.of(Math.cos(angle), Math.sin(angle)) };
};

const clock = manualClock(Date.UTC(2026, 4, 1));
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface World {
  readonly service: HybridMemory;
  add(content: string, degrees: number, more?: Partial<ServiceInsert>, scope?: Scope): Promise<EntryId>;
  texts(query: ServiceQuery, scope?: Scope): Promise<string[]>;
}

async function depsOf(storage?: Storage, embedder?: EmbedderSet): Promise<ServiceDeps> {
  const manager = new CollectionManager(storage ?? (await openInMemory({ clock })), { clock });
  closing.push(() => manager.close());
  return {
    manager,
    clock,
    trace: () => undefined,
    fields: [{ name: "content", spaces: [SPACE] }],
    embedder,
    thinking: { onBadReply: "fallback" },
  };
}

async function open(options: JsonObject = PLAIN, storage?: Storage, embedder?: EmbedderSet): Promise<World> {
  const service = await openService("hybrid_memory", options, await depsOf(storage, embedder));
  if (!(service instanceof HybridMemory)) throw new Error("another service");
  return {
    service,
    add(content, degrees, more = {}, scope = ALICE) {
      clock.advance(60_000);
      return service.insert(scope, { content, vectors: [at(degrees)], ...more });
    },
    texts: async (query, scope = ALICE) => contents(await service.retrieve(scope, query)),
  };
}

const contents = (hits: readonly Hit[]): string[] => hits.map(({ content }) => content);

/** Near by meaning, near by words, and both a little. */
async function tea(options: JsonObject = PLAIN): Promise<World> {
  const world = await open(options);
  await world.add("she drinks oolong", 0);
  await world.add("tea tea tea 茶 茶", 80);
  await world.add("a cup of green tea in the garden, 绿茶", 20);
  return world;
}
const QUESTION = { text: "tea 茶", vectors: [at(0)] };

describe("several indexes, one answer", () => {
  test("[S0-3][S0-55][C-33] by default vectors and words are asked together, and a hit says what each gave it", async () => {
    const { service } = await tea();
    const hits = await service.retrieve(ALICE, QUESTION);
    expect(contents(hits)).toEqual([
      "she drinks oolong",
      "a cup of green tea in the garden, 绿茶",
      "tea tea tea 茶 茶",
    ]);
    const both = hits[1];
    expect(both?.scoreParts).toMatchObject({
      "vector.cosine": expect.closeTo(Math.cos((20 * Math.PI) / 180), 5),
      "weighted.vector": expect.any(Number),
      "weighted.text": expect.any(Number),
    });
    const { "weighted.vector": vector = 0, "weighted.text": text = 0 } = both?.scoreParts ?? {};
    expect(both?.score).toBeCloseTo(vector + text, 10);
    expect(Object.keys(both?.scoreParts ?? {}).some((part) => part.startsWith("text.term:"))).toBe(true);
    // Returned is looked at.
    expect((await service.retrieve(ALICE, QUESTION))[0]?.accessCount).toBe(1);
  });

  test("[S0-91] every strategy of fusion, weight and constant changes the answer", async () => {
    const scores = async (options: JsonObject): Promise<Record<string, number>> => {
      const { service } = await tea({ ...PLAIN, ...options });
      const hits = await service.retrieve(ALICE, QUESTION);
      return Object.fromEntries(
        hits.map(({ content, score }) => [content.slice(0, 3), Number(score.toFixed(4))]),
      );
    };
    const weighted = await scores({});
    expect(weighted.she).toBe(0.7);
    expect(await scores({ weights: { vector: 0.1, text: 0.9, graph: null } })).toMatchObject({
      she: 0.1,
      tea: 0.9,
    });
    const ranks = await scores({ fusion_strategy: "rrf", rrf_k: 60 });
    expect(ranks.she).toBe(Number((0.7 / 61).toFixed(4)));
    expect((await scores({ fusion_strategy: "rrf", rrf_k: 0 })).she).toBe(0.7);
    const raw = await scores({ fusion_strategy: "raw_weighted" });
    expect(raw.she).toBe(0.7);
    expect(raw.tea).toBeGreaterThan(weighted.tea ?? 0);
    expect(await scores({ fusion_strategy: "union", weights: null })).toEqual({
      she: 1,
      "a c": 0.5,
      tea: 0.3333,
    });
  });

  test("[B.0.3] overfetch: what is second in two lists may win only if the lists are deep enough", async () => {
    const first = async (overfetch: number): Promise<string[]> => {
      const { texts } = await tea({ ...PLAIN, overfetch, fusion_strategy: "rrf", rrf_k: 60 });
      return texts({ ...QUESTION, topK: 1 });
    };
    expect(await first(1)).toEqual(["she drinks oolong"]);
    expect(await first(2)).toEqual(["a cup of green tea in the garden, 绿茶"]);
  });

  test("[B.0.9-1] hints narrow and weigh the lists; what nothing has is refused", async () => {
    const { texts, service } = await tea();
    expect(await texts({ ...QUESTION, hints: { indexes: ["text"] } })).toHaveLength(2);
    expect((await texts({ ...QUESTION, hints: { weights: { vector: 0 } } }))[0]).toBe("tea tea tea 茶 茶");
    expect(await texts({ text: "tea" })).toHaveLength(2);
    expect((await texts({ ...QUESTION, hints: { keywords: ["oolong"], indexes: ["text"] } }))[0]).toBe(
      "she drinks oolong",
    );
    for (const hints of [
      { indexes: ["graph"] },
      { weights: { graph: 1 } },
      { tiers: ["stm"] },
      { strategy: "graph" },
    ] as const) {
      await expect(service.retrieve(ALICE, { ...QUESTION, hints })).rejects.toThrow(/Valid|does not read/);
    }
    const { service: union } = await tea({ ...PLAIN, fusion_strategy: "union", weights: null });
    const weighed = union.retrieve(ALICE, { ...QUESTION, hints: { weights: { text: 1 } } });
    await expect(weighed).rejects.toMatchObject({ code: "capability_missing" });
  });

  test("single indexes can be asked alone, and so can times and facts", async () => {
    const { texts } = await tea();
    const by = (
      strategy: "semantic" | "lexical" | "temporal" | "structured",
      query: ServiceQuery = QUESTION,
    ) => texts({ ...query, hints: { strategy } });
    expect((await by("semantic"))[2]).toBe("tea tea tea 茶 茶");
    expect((await by("lexical"))[0]).toBe("tea tea tea 茶 茶");
    expect((await by("temporal", {}))[0]).toBe("a cup of green tea in the garden, 绿茶");
    expect(await by("structured", { topK: 2 })).toHaveLength(2);
  });

  test("[S0-15] an active insert joins only the indexes it names", async () => {
    const { add, texts, service } = await open();
    await add("hidden words", 0, { insertMode: "active", insertParams: { targetIndexes: ["vector"] } });
    expect(await texts({ text: "hidden", hints: { strategy: "lexical" } })).toEqual([]);
    expect(await texts({ vectors: [at(0)] })).toEqual(["hidden words"]);
    expect(await texts({ hints: { strategy: "temporal" } })).toEqual(["hidden words"]);
    const graph = { content: "x", insertMode: "active", insertParams: { targetIndexes: ["graph"] } } as const;
    await expect(service.insert(ALICE, graph)).rejects.toThrow("Valid: text, vector");
  });
});

describe("[S0-22][B.0.9-16] multiIndexRetrieve", () => {
  test("puts different questions to different indexes", async () => {
    const { service } = await tea();
    const queries = [
      { index: "vector", vectors: [at(0)] },
      { index: "text", text: "oolong" },
      { index: "text", text: "garden" },
    ];
    const hits = await service.multiIndexRetrieve(ALICE, { queries, topK: 2 });
    expect(contents(hits)).toEqual(["she drinks oolong", "a cup of green tea in the garden, 绿茶"]);
    expect(hits[1]?.scoreParts).toMatchObject({ "weighted.text#2": 0.3 });
    const byWords = await service.multiIndexRetrieve(ALICE, {
      queries,
      topK: 1,
      fusion: { strategy: "rrf", rrf_k: 1, weights: null },
      weights: { vector: 0, text: 1 },
    });
    expect(byWords[0]?.score).toBe(0.5);
    expect(byWords[0]?.accessCount).toBe(1);
  });

  test("refuses an index it lacks, a question that cannot be asked there, and a hint nobody reads", async () => {
    const { service } = await tea();
    const ask = (query: Parameters<typeof service.multiIndexRetrieve>[1]["queries"][number]) =>
      service.multiIndexRetrieve(ALICE, { queries: [query] });
    await expect(ask({ index: "txet", text: "tea" })).rejects.toThrow('Did you mean "text"?');
    await expect(ask({ index: "vector", text: "tea" })).rejects.toMatchObject({ code: "input_invalid" });
    const unread = ask({ index: "text", text: "tea", hints: { depth: 2 } });
    await expect(unread).rejects.toMatchObject({ code: "capability_missing" });
    const queries = [{ index: "text", text: "tea" }];
    for (const weights of [{ graph: 1 }, { vector: 1 }]) {
      const weighed = service.multiIndexRetrieve(ALICE, { queries, weights });
      await expect(weighed).rejects.toMatchObject({ code: "unknown_name" });
    }
  });

  test("refuses a word it does not know, no question at all, and a fusion there is not", async () => {
    const { service } = await tea();
    const queries = [{ index: "text", text: "茶" }];
    for (const request of [
      { queries: [] },
      { queries, top_k: 1 },
      { queries, topK: 1.5 },
      { queries: [{ ...queries[0], wat: 1 }] },
      { queries, fusion: { strategy: "nope" } },
    ]) {
      await expect(service.multiIndexRetrieve(ALICE, untyped(request))).rejects.toMatchObject({
        code: "input_invalid",
      });
    }
  });
});

describe("[B.0.9-1] hints are for the lists that are really asked", () => {
  test.each<[string, Hints]>([
    ["depth", { indexes: ["text"], depth: 2 }],
    ["entities", { indexes: ["text", "vector"], entities: ["Ben"] }],
    ["edge_types", { indexes: ["vector"], edge_types: ["link"] }],
    ["fields", { indexes: ["text"], fields: ["content"] }],
    ["keywords", { indexes: ["vector"], keywords: ["茶"] }],
  ])("%s is refused where no asked list reads it", async (name, hints) => {
    const { service } = await open(GRAPH);
    await expect(service.retrieve(ALICE, { ...QUESTION, hints })).rejects.toMatchObject({
      code: "capability_missing",
      message: expect.stringContaining(`"${name}"`),
    });
  });

  test("a weight of a list that is not asked, or of a field where vectors are not, is refused", async () => {
    const { service } = await open(GRAPH);
    for (const hints of [
      { indexes: ["text"], weights: { vector: 1 } },
      { indexes: ["text"], weights: { content: 1 } },
    ]) {
      await expect(service.retrieve(ALICE, { ...QUESTION, hints })).rejects.toMatchObject({
        code: "unknown_name",
      });
    }
    await expect(
      service.retrieve(ALICE, { text: "tea", hints: { weights: { vector: 1 } } }),
    ).rejects.toMatchObject({ code: "unknown_name" });
  });
});

describe("what could never be found is refused", () => {
  test("an entry for the vectors without one, one for no index, and a vector of nobody's space", async () => {
    const { service, add } = await open();
    const into = (targetIndexes: string[], vectors: Vector[]) =>
      service.insert(ALICE, {
        ...{ content: "绿茶", vectors },
        ...{ insertMode: "active", insertParams: { targetIndexes } },
      });
    await expect(into(["vector"], [])).rejects.toMatchObject({ code: "vector_invalid" });
    await expect(into(["text", "vector"], [])).rejects.toMatchObject({ code: "vector_invalid" });
    await expect(into([], [at(0)])).rejects.toMatchObject({ code: "input_invalid" });
    const stranger = { space: "another", values: Float32Array.of(1, 0) };
    await expect(add("tea", 0, { vectors: [stranger] })).rejects.toMatchObject({
      code: "embedder_mismatch",
      message: expect.stringContaining("hand"),
    });
    await into(["text"], []);
    await into(["vector"], [at(0)]);
  });
});

describe("[B.0.9-9] one scope does not wait for another's embedder", () => {
  test.each(["hybrid_memory", "graph_memory"])("in %s", async (name) => {
    const words = hashEmbedder();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow: EmbedderSet = {
      ...words,
      embedDocuments: async (texts, options) => {
        if (texts.includes("Ann")) await held;
        return words.embedDocuments(texts, options);
      },
    };
    const options = name === "hybrid_memory" ? GRAPH : GRAPH_OPTIONS;
    const service = await openService(name, options, await depsOf(undefined, slow));
    const knows = { triples: [{ subject: "Ann", relation: "knows", object: "Ben" }] };
    const waiting = service.insert(ALICE, { content: "Ann knows Ben", metadata: knows });
    // Neither another scope nor the same one waits for it.
    await service.insert(BOB, { content: "鲍勃喜欢茶" });
    await service.insert(ALICE, { content: "安喜欢咖啡" });
    release();
    await waiting;
    expect((await service.retrieve(ALICE, { text: "Ann", hints: { strategy: "graph" } }))[0]?.content).toBe(
      "Ann knows Ben",
    );
  });

  test("two memories of one scope that bring the same name at once make one entity", async () => {
    const deps = await depsOf(undefined, hashEmbedder());
    const service = await openService("graph_memory", GRAPH_OPTIONS, deps);
    const metadata = { triples: [{ subject: "王芳", relation: "住在", object: "北京" }] };
    await Promise.all([1, 2, 3].map((n) => service.insert(ALICE, { content: `第${n}条`, metadata })));
    const store = await deps.manager.get(service.collection);
    const nodes = await store.scan(ALICE, { filter: where.eq("kind", "entity") });
    expect(nodes.map(({ content }) => content).sort()).toEqual(["北京", "王芳"]);
  });
});

describe("[B.0.9-11] the graph", () => {
  test("edges are held and walked where it is enabled, and refused where it is not", async () => {
    const plain = await open();
    const other = await plain.add("another", 0);
    const linked = plain.add("linked", 0, { edges: [{ to: other, type: "link" }] });
    await expect(linked).rejects.toThrow("graph_enabled: true");
    expect(plain.service.traits.strategies.graph).toBeUndefined();
    expect(plain.service.traits.triggers).not.toContain("link_evolution");

    const { add, texts, service } = await open(GRAPH);
    const far = await add("the key is under the mat", 90);
    await add("my house in Berlin 我在柏林的家", 0, { edges: [{ to: far, type: "link" }] });
    const query = { vectors: [at(0)], topK: 5 };
    expect(await texts({ ...query, hints: { strategy: "graph" } })).toContain("the key is under the mat");
    const hits = await service.retrieve(ALICE, query);
    expect(hits.find(({ id }) => id === far)?.scoreParts).toHaveProperty(["graph.activation"]);
    const walk = { index: "graph", hints: { seeds: { [far]: 1 } } };
    expect(contents(await service.multiIndexRetrieve(ALICE, { queries: [walk] }))).toEqual([
      "the key is under the mat",
      "my house in Berlin 我在柏林的家",
    ]);
    expect(service.traits).toMatchObject({ abilities: ["vector", "text", "graph"] });
    expect(service.traits.triggers).toContain("link_evolution");
  });

  test("memories that speak of the same things are found through them, and only within the scope", async () => {
    const { add, texts, service } = await open(GRAPH);
    const triple = (subject: string, relation: string, object: string) => ({
      metadata: { triples: [{ subject, relation, object }] },
    });
    const tom = await add("Tom lives in Berlin", 90, triple("Tom", "lives in", "Berlin"));
    await add("柏林 has 3.7 million people", 85, triple("Berlin", "has", "3.7 million people"));
    await add("Bob's secret about Berlin", 80, triple("Berlin", "hides", "a secret"), BOB);
    const query = { text: "unrelated words", hints: { strategy: "graph", entities: ["Tom"] } } as const;
    expect(await texts(query)).toEqual(["Tom lives in Berlin", "柏林 has 3.7 million people"]);
    expect(await texts({ ...query, hints: { ...query.hints, depth: 1 } })).toEqual(["Tom lives in Berlin"]);
    // Names are no memories.
    expect(await texts({ hints: { strategy: "structured" } })).toHaveLength(2);
    expect(await texts({ hints: { strategy: "temporal" } })).toHaveLength(2);
    await service.delete(ALICE, tom);
    expect(await texts(query)).toEqual([]);
  });

  test("where walks start, how far they go and what is left on the way are options", async () => {
    const walked = async (
      graph: JsonObject,
      hints: ServiceQuery["hints"] = {},
    ): Promise<Record<string, number>> => {
      const world = await open({ ...GRAPH, graph: { ...GRAPH.graph, ...graph } });
      const far = await world.add("far 远", 90);
      const near = await world.add("near 近", 80, { edges: [{ to: far, type: "link" }] });
      const start = await world.add("start 起点", 0, { edges: [{ to: near, type: "link" }] });
      const seeds = hints?.seeds === undefined ? {} : { seeds: { [start]: 1 } };
      const query = { vectors: [at(0)], hints: { strategy: "graph", ...seeds } } as const;
      const hits = await world.service.retrieve(ALICE, query);
      return Object.fromEntries(
        hits.map(({ content, score }) => [content.split(" ")[0], Number(score.toFixed(3))]),
      );
    };
    const fromStart = { seeds: {} };
    expect(await walked({}, fromStart)).toEqual({ start: 1, near: 0.5, far: 0.25 });
    expect(await walked({ depth: 1 }, fromStart)).toEqual({ start: 1, near: 0.5 });
    expect(await walked({ decay: 0.9 }, fromStart)).toEqual({ start: 1, near: 0.9, far: 0.81 });
    expect(await walked({})).toMatchObject({ start: 0.5 });
    expect(await walked({ passage_node_weight: 0.1 })).toMatchObject({ start: 0.1 });

    const reached = async (seeds: number): Promise<number> => {
      const world = await open({ ...GRAPH, graph: { ...GRAPH.graph, seeds, passage_node_weight: 0 } });
      await world.add("jazz all night", 0, {
        metadata: { triples: [{ subject: "Tom", relation: "likes", object: "jazz" }] },
      });
      await world.add("喝茶", 90, {
        metadata: { triples: [{ subject: "小红", relation: "喜欢", object: "茶" }] },
      });
      const query = { text: "Tom 和 小红", hints: { strategy: "graph" } } as const;
      return (await world.service.retrieve(ALICE, query)).filter(({ score }) => score > 0).length;
    };
    expect([await reached(1), await reached(4)]).toEqual([1, 2]);
  });

  test("names that are alike are linked, as far as the options say", async () => {
    const reached = async (graph: JsonObject): Promise<string[]> => {
      const options = { ...GRAPH, graph: { ...GRAPH.graph, passage_node_weight: 0, ...graph } };
      const world = await open(options, undefined, hashEmbedder());
      for (const name of ["New York City", "New York State", "New York"]) {
        const triples = [{ subject: name, relation: "is", object: `part of ${name.length}` }];
        await world.add(`about ${name}`, 0, { metadata: { triples } });
      }
      return (await world.texts({ hints: { strategy: "graph", entities: ["New York"] } })).sort();
    };
    expect(await reached({ synonymy_threshold: 0.6 })).toHaveLength(3);
    expect(await reached({ synonymy_threshold: 0.6, max_links: 1 })).toHaveLength(2);
    expect(await reached({ synonymy_threshold: 0.99 })).toEqual(["about New York"]);
  });

  test("it can be enabled later: what is there joins it, and tags do not become names", async () => {
    const storage = await openInMemory({ clock });
    const before = await open(PLAIN, storage);
    await before.add("I like jazz", 0, { tags: ["music"] });
    const after = await open(GRAPH, storage);
    const query = { text: "music", vectors: [at(0)], hints: { strategy: "graph" } } as const;
    expect(await after.texts(query)).toEqual(["I like jazz"]);
    expect((await after.service.retrieve(ALICE, query))[0]?.scoreParts.seed).toBeLessThanOrEqual(0.5);
  });
});

describe("[S0-23][B.0.9-8] possible clashes", () => {
  const CHECKED = { ...PLAIN, conflict_check: { similarity: 0.9, top: 2 } };
  const similar = async ({ service }: World): Promise<unknown[]> =>
    (await service.getStatus(ALICE)).pendingItems.map(({ action, details }) => [
      action,
      details.pending_similar,
    ]);

  test("what is new and near to what is known is stored, and waits to be decided with what it is near to", async () => {
    const world = await open(CHECKED);
    const old = await world.add("I live in Paris 我住在巴黎", 0);
    await world.add("I like jazz", 80);
    expect(await similar(world)).toEqual([]);
    const fresh = await world.add("I live in Berlin 我住在柏林", 10);
    expect(await similar(world)).toEqual([["crud", [old]]]);
    expect((await world.service.getStatus(ALICE)).head).toMatchObject({ entry: fresh, action: "crud" });
    expect(await world.texts({ text: "live 住", hints: { strategy: "lexical" } })).toHaveLength(2);
    expect(world.service.traits.pending).toEqual(["crud"]);
  });

  test("the nearest come first, no more than asked for, and only the scope's own", async () => {
    const world = await open(CHECKED);
    for (let n = 0; n < 12; n++) await world.add(`public ${n}`, 20, {}, PUBLIC);
    const [far, near, mid] = [await world.add("a", 0), await world.add("b", 60), await world.add("c", 25)];
    for (const { id } of (await world.service.getStatus(ALICE)).pendingItems)
      await world.service.acknowledge(ALICE, id);
    await world.add("new", 20);
    expect(await similar(world)).toEqual([["crud", [mid, far]]]);
    expect(near).not.toBe(mid);
    expect((await world.service.getStatus(BOB)).count).toBe(0);
  });

  test("not asked: where it is off, in active inserts, about what is superseded anyway", async () => {
    const off = await open();
    await off.add("a", 0);
    await off.add("b", 0);
    expect(await similar(off)).toEqual([]);
    const world = await open(CHECKED);
    const old = await world.add("a", 0);
    await world.add("b", 0, { insertMode: "active" });
    await world.add("c", 80);
    const wide = await open({ ...CHECKED, conflict_check: { similarity: 0, top: 5 } });
    const first = await wide.add("a", 0);
    await wide.add("b", 80, { supersedes: [first] });
    expect([...(await similar(world)), ...(await similar(wide))]).toEqual([]);
    await wide.add("c", 0);
    expect(await similar(wide)).toHaveLength(1);
    expect(old).not.toBe(first);
  });
});

test("[B.0.9-14] optimize takes a trigger with its config, and refuses what makes no sense here", async () => {
  const { service, add } = await open();
  const ids = [await add("old", 0), await add("茶", 10)];
  clock.advance(100 * 3_600_000);
  const forgetting = {
    vitality: { policy: "lru" },
    threshold: -24,
    retention_min: 1,
    archive_before_delete: true,
    tiers: null,
    max_per_run: null,
    derived_kinds: [],
  };
  const report = await service.optimize(ALICE, { trigger: "forgetting", config: forgetting });
  expect(report).toMatchObject({ trigger: "forgetting", retired: ids.slice(0, 1) });
  for (const trigger of ["migrate", "link_evolution"] as const) {
    const refused = service.optimize(ALICE, { trigger, config: {} });
    await expect(refused).rejects.toMatchObject({ code: "capability_missing" });
  }
});

test("options that would be ignored are refused", () => {
  const { options } = serviceNamed("hybrid_memory");
  const wrong: JsonObject[] = [
    { ...PLAIN, fusion_strategy: "union" },
    { ...PLAIN, weights: null },
    { ...PLAIN, rrf_k: 60 },
    { ...PLAIN, fusion_strategy: "rrf" },
    { ...PLAIN, weights: { vector: 1, text: 1, graph: 1 } },
    { ...PLAIN, graph: GRAPH.graph },
    { ...GRAPH, graph: null },
    { ...GRAPH, weights: PLAIN.weights },
    { ...PLAIN, reranker: true },
    { ...PLAIN, overfetch: 0 },
  ];
  for (const given of wrong) expect(options.safeParse(given).success, JSON.stringify(given)).toBe(false);
  for (const given of [PLAIN, GRAPH]) expect(options.safeParse(given).success).toBe(true);
});
