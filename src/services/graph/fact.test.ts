import { afterEach, describe, expect, test } from "vitest";
import type { EntryId } from "../../base/ids.ts";
import { ALICE, BOB, GRAPH_OPTIONS, GraphWorld, type GraphWorldOptions } from "../../testing/graph-world.ts";
import { entityName } from "./entity.ts";

const worlds: GraphWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});
async function open({ options, ...given }: GraphWorldOptions = {}): Promise<GraphWorld> {
  const world = await GraphWorld.open({ ...given, options: { enhanced_rerank: true, ...options } });
  worlds.push(world);
  return world;
}

const factsOf = (world: GraphWorld, text: string, topK = 10, scope = ALICE) =>
  world.service.retrieve(scope, { vectors: world.vectors(text), topK, hints: { strategy: "fact" } });
const idOf = async (world: GraphWorld, fact: string): Promise<EntryId> => (await world.the(fact)).id;

describe("facts are stored once, with who states them (HippoRAG 2)", () => {
  test("a fact that two memories state, however written, is one, in English and Chinese", async () => {
    const world = await open();
    await world.add("one", ["Ada | lives in | Rome", "小明 | 住在 | 上海"]);
    await world.add("two", ["ADA | Lives in | Rome.", "小明 | 住在 | 上海"]);
    const found = await factsOf(world, "Ada lives in Rome");
    expect(found.map(({ content }) => content).sort()).toEqual(["Ada lives in Rome", "小明住在上海"]);
    expect((await world.edges()).filter((edge) => edge.includes("-states->"))).toEqual([
      "one -states-> Ada lives in Rome (1)",
      "one -states-> 小明住在上海 (1)",
      "two -states-> Ada lives in Rome (1)",
      "two -states-> 小明住在上海 (1)",
    ]);
  });

  test("the fact and its names go with the last memory that states it, and not before", async () => {
    const world = await open();
    const one = await world.add("one", ["Ada | lives in | Rome"]);
    const two = await world.add("two", ["Ada | lives in | Rome", "Ada | likes | tea"]);
    await world.service.delete(ALICE, two);
    expect((await world.all()).map(({ content }) => content).sort()).toEqual([
      "Ada",
      "Ada lives in Rome",
      "Rome",
      "one",
    ]);
    await world.service.delete(ALICE, one);
    expect(await world.all()).toEqual([]);
  });

  test("facts are nobody's memories: no other way of looking gives them, and nobody writes them", async () => {
    const world = await open();
    await world.add("one", ["Ada | lives in | Rome"]);
    for (const strategy of ["semantic", "lexical", "structured", "graph"] as const) {
      const query = { text: "Ada lives in Rome", vectors: world.vectors("Ada lives in Rome") };
      expect(await world.find({ ...query, hints: { strategy } })).not.toContain("Ada lives in Rome");
    }
    await expect(world.add("x", [], { kind: "fact_node" })).rejects.toMatchObject({ code: "input_invalid" });
    const plain = await open({ options: { enhanced_rerank: false } });
    await plain.add("one", ["Ada | lives in | Rome"]);
    expect((await plain.all()).map(({ kind }) => kind)).not.toContain("fact_node");
    await expect(factsOf(plain, "one")).rejects.toMatchObject({ code: "capability_missing" });
  });

  test("facts of another scope, and those that only superseded memories state, are not found", async () => {
    const world = await open();
    const old = await world.add("old", ["Ada | lives in | Rome"]);
    await world.add("theirs", ["Ada | lives in | Oslo"], {}, BOB);
    const fresh = await world.add("new", ["Ada | lives in | Paris"]);
    await world.service.supersede(ALICE, [old], fresh);
    expect((await factsOf(world, "x")).map(({ content }) => content)).toEqual(["Ada lives in Paris"]);
  });

  test("the nearest of all facts has 1, the farthest 0, whatever is asked for", async () => {
    const alike = { near: ["q", 0.9], middle: ["q", 0.5], far: ["q", 0.1] } as const;
    const world = await open({
      alike: Object.fromEntries(Object.entries(alike).map(([name, like]) => [`a is ${name}`, like])),
    });
    await world.add("all", ["a | is | near", "a | is | middle", "a | is | far"]);
    const scores = (await factsOf(world, "q", 3)).map(({ score }) => Number(score.toFixed(3)));
    expect(scores).toEqual([1, 0.5, 0]);
    const two = await factsOf(world, "q", 2);
    expect(two.map(({ score }) => Number(score.toFixed(3)))).toEqual([1, 0.5]);
    expect(two[0]?.scoreParts.cosine).toBeCloseTo(0.9, 3);
  });
});

describe("where a walk begins", () => {
  /** x is spoken of in four memories and in both facts. */
  async function crowded(options = {}): Promise<GraphWorld> {
    const world = await open({
      options: { seeds: { ...GRAPH_OPTIONS.seeds, passage_node_weight: 0 }, ...options },
    });
    await world.add("m1", ["xylo | has | alpha"]);
    await world.add("m2", ["xylo | has | beta"]);
    await world.add("m3", ["xylo | has | gamma"]);
    await world.add("m4", ["xylo | has | delta"]);
    return world;
  }
  const walk = async (world: GraphWorld, hints: object) => {
    const hits = await world.service.retrieve(ALICE, { hints: { strategy: "graph", ...hints } });
    return Object.fromEntries(hits.map(({ content, score }) => [content, Number(score.toFixed(5))]));
  };

  test("[P1-2] a thing in two kept facts of 1.0 and 0.6, in four memories, begins with 0.2", async () => {
    const world = await crowded();
    const [one, two] = [await idOf(world, "xylo has alpha"), await idOf(world, "xylo has beta")];
    const [x, a, b] = [await idOf(world, "xylo"), await idOf(world, "alpha"), await idOf(world, "beta")];
    const byFacts = await walk(world, { facts: { [one]: 1, [two]: 0.6 } });
    expect(byFacts).toEqual(await walk(world, { seeds: { [x]: 0.2, [a]: 1, [b]: 0.6 } }));
    expect(byFacts).not.toEqual(await walk(world, { seeds: { [x]: 0.4, [a]: 1, [b]: 0.6 } }));
    const flat = await crowded({
      seeds: { ...GRAPH_OPTIONS.seeds, passage_node_weight: 0, node_specificity: false },
    });
    const ids = await Promise.all(["xylo has alpha", "xylo", "alpha"].map((name) => idOf(flat, name)));
    expect(await walk(flat, { facts: { [ids[0] ?? ""]: 1 } })).toEqual(
      await walk(flat, { seeds: { [ids[1] ?? ""]: 1, [ids[2] ?? ""]: 1 } }),
    );
  });

  test("linking_top_k keeps the heaviest things", async () => {
    const seeds = { ...GRAPH_OPTIONS.seeds, passage_node_weight: 0, linking_top_k: 1 };
    const world = await crowded({ seeds });
    const ids = await Promise.all(["xylo has alpha", "alpha"].map((name) => idOf(world, name)));
    expect(await walk(world, { facts: { [ids[0] ?? ""]: 1 } })).toEqual(
      await walk(world, { seeds: { [ids[1] ?? ""]: 1 } }),
    );
  });

  test("[P1-3] the nearest memory begins with 0.05 exactly, the farthest with 0", async () => {
    const world = await open({ alike: { one: ["q", 0.9], two: ["q", 0.5], three: ["q", 0.1] } });
    await world.add("one", ["Ada | lives in | Rome"]);
    await world.add("two", ["Bob | lives in | Oslo"]);
    await world.add("three", ["Cy | lives in | Bonn"]);
    const hits = await world.service.retrieve(ALICE, { vectors: world.vectors("q") });
    const seedOf = (content: string) => hits.find((hit) => hit.content === content)?.scoreParts.seed ?? 0;
    expect([seedOf("one"), seedOf("two"), seedOf("three")].map((seed) => Number(seed.toFixed(6)))).toEqual([
      0.05, 0.025, 0,
    ]);
  });

  test("enhanced_rerank links a question to facts, else to names", async () => {
    const alike = { "Ada lives in Rome": ["q", 0.9], Bob: ["q", 0.8] } as const;
    const found = async (enhanced_rerank: boolean) => {
      const seeds = { ...GRAPH_OPTIONS.seeds, linking_top_k: 1, passage_node_weight: 0 };
      const world = await open({ alike, options: { enhanced_rerank, seeds } });
      await world.add("of Ada", ["Ada | lives in | Rome"]);
      await world.add("of Bob", ["Bob | lives in | Oslo"]);
      return (await world.find({ vectors: world.vectors("q") }))[0];
    };
    expect(await found(true)).toBe("of Ada");
    expect(await found(false)).toBe("of Bob");
  });
});

describe("HippoRAG 1: memories are no nodes", () => {
  const v1 = {
    enhanced_rerank: false,
    passage_edge_weight: null,
    seeds: { ...GRAPH_OPTIONS.seeds, passage_node_weight: 0, link_threshold: 0 },
  };

  test("a memory has, for every fact, what the two names in it have; passages do not carry the walk", async () => {
    const world = await open({ options: v1 });
    await world.add("twice", ["Ada | lives in | Rome", "Ada | works in | Rome"]);
    await world.add("once", ["Ada | likes | tea"]);
    await world.add("apart", ["Bob | lives in | Oslo"]);
    const hits = await world.service.retrieve(ALICE, { hints: { entities: ["Ada"] } });
    const score = Object.fromEntries(hits.map((hit) => [hit.content, hit.score]));
    // The walk from Ada: 2 of 3 statements lead to Rome, 1 to tea, and all of them back.
    const [ada, rome, tea] = [2 / 3, 2 / 9, 1 / 9];
    expect(score.twice).toBeCloseTo(2 * (ada + rome), 4);
    expect(score.once).toBeCloseTo(ada + tea, 4);
    expect(score.apart).toBeUndefined();
  });

  test("ppr.depth bounds how far from a name in the question a memory may be", async () => {
    const reach = async (depth: number | null) => {
      const world = await open({ options: { ...v1, ppr: { ...GRAPH_OPTIONS.ppr, depth } } });
      await world.add("ab", ["Ada | knows | Bob"]);
      await world.add("bc", ["Bob | knows | Cyd"]);
      await world.add("cd", ["Cyd | knows | Dan"]);
      return world.find({ hints: { entities: ["Ada"] } });
    };
    expect(await reach(1)).toEqual(["ab"]);
    expect(await reach(2)).toEqual(["ab", "bc"]);
    expect(await reach(null)).toEqual(["ab", "bc", "cd"]);
  });

  test("a name links to exactly one known name, the most like, and sets its weight, however often", async () => {
    const alike = { Adda: ["Ada", 0.5], "Ada L.": ["Ada", 0.6] } as const;
    const world = await open({ alike, options: v1 });
    await world.add("of Ada", ["Ada | lives in | Rome"]);
    await world.add("of Bob", ["Bob | lives in | Oslo"]);
    const ask = (entities: string[]) => world.service.retrieve(ALICE, { hints: { entities } });
    const scores = (hits: Awaited<ReturnType<typeof ask>>) =>
      hits.map(({ content, score }) => [content, score]);
    expect(scores(await ask(["Adda"]))).toEqual(scores(await ask(["Ada"])));
    expect(scores(await ask(["Adda", "Ada L.", "Bob"]))).toEqual(scores(await ask(["Ada", "Bob"])));
  });

  test("doc_ensemble: nearness counts where a link is unsure, and only there", async () => {
    const alike = { Adda: ["Ada", 0.5], near: ["q", 0.9] } as const;
    const first = async (doc_ensemble: object | null, entities: string[]) => {
      const world = await open({ alike, options: { ...v1, doc_ensemble: doc_ensemble as null } });
      await world.add("of Ada", ["Ada | lives in | Rome"]);
      await world.add("near");
      return (await world.service.retrieve(ALICE, { vectors: world.vectors("q"), hints: { entities } }))[0];
    };
    const ensemble = { sure_from: 0.9, dense_weight: 0.6 };
    expect((await first(null, ["Adda"]))?.content).toBe("of Ada");
    expect(await first(ensemble, ["Adda"])).toMatchObject({ content: "near", scoreParts: { dense: 0.6 } });
    expect((await first(ensemble, ["Ada"]))?.content).toBe("of Ada");
    expect((await first({ ...ensemble, dense_weight: 0.2 }, ["Adda"]))?.content).toBe("of Ada");
  });

  test("without nodes a memory cannot be where a walk begins", async () => {
    const seeds = { ...GRAPH_OPTIONS.seeds, passage_node_weight: 0.05 };
    await expect(open({ options: { ...v1, seeds } })).rejects.toMatchObject({ code: "option_invalid" });
  });
});

describe("names", () => {
  test('[P1-4] "U.S.A." is "u s a"; 北京 keeps its name, and loses it with ascii; two signs have no synonyms', async () => {
    expect(entityName("U.S.A.")).toBe("u s a");
    expect(entityName("U.S.A.", "ascii")).toBe("u s a");
    expect([entityName("北京"), entityName("北京", "ascii")]).toEqual(["北京", ""]);
    const names = async (normaliser: string) => {
      const world = await open({ options: { normaliser } });
      await world.add("m", ["王芳 | 住在 | 北京", "Zoë | met | Ada"]);
      const entities = (await world.all()).filter(({ kind }) => kind === "entity");
      return entities.map(({ metadata }) => metadata.name);
    };
    expect(await names("unicode")).toEqual(["王芳", "北京", "zoë", "ada"]);
    expect(await names("ascii")).toEqual(["zo", "ada"]);
    const alike = { "A.B": ["AB", 0.99], "New York": ["NYC", 0.95] } as const;
    const world = await open({ alike, options: { link_mode: "auto" } });
    await world.add("m", ["AB | is like | A.B", "NYC | is | New York"]);
    const synonyms = (await world.edges()).filter((edge) => edge.includes("synonym"));
    expect(synonyms).toEqual(["New York -synonym-> NYC (0.95)"]);
  });

  test("synonym_merge: a likeness counts beside a relation, or takes its place; once, however often it is looked for", async () => {
    const edges = async (synonym_merge: string) => {
      const world = await open({ alike: { "New York": ["NYC town", 0.9] } });
      await world.add("m", ["NYC town | is | New York"]);
      const config = {
        link_policy: "synonym_edge",
        knn_k: 10,
        threshold: 0.8,
        synonym_merge,
        edge_weight: 1,
      };
      await world.evolve(config);
      await world.evolve(config);
      return (await world.edges()).filter((edge) => !edge.startsWith("m "));
    };
    const synonym = "NYC town -synonym-> New York (0.9)";
    expect(await edges("add")).toEqual(["NYC town -relation-> New York (1)", synonym]);
    expect(await edges("overwrite")).toEqual([synonym]);
  });
});
