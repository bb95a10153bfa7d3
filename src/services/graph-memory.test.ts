import { afterEach, describe, expect, test } from "vitest";
import { PUBLIC } from "../base/scope.ts";
import { untyped } from "../testing/collection-world.ts";
import { ALICE, BOB, GRAPH_OPTIONS, GraphWorld, type GraphWorldOptions } from "../testing/graph-world.ts";
import { ENTITY, entityName } from "./graph/entity.ts";
import { isTelling } from "./graph/knowledge.ts";
import { relationNames } from "./graph/relations.ts";

const worlds: GraphWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});
const open = async (given: GraphWorldOptions = {}): Promise<GraphWorld> => {
  const world = await GraphWorld.open(given);
  worlds.push(world);
  return world;
};
const entities = async (world: GraphWorld, scope = ALICE): Promise<string[]> =>
  (await world.all(scope)).flatMap(({ kind, content }) => (kind === ENTITY ? [content] : []));

const MIA = ["Mia met Ben in Paris", ["Mia | met | Ben", "Mia | was in | Paris"]] as const;
const BEN = ["Ben bakes bread", ["ben | bakes | bread"]] as const;
const FANG = ["王芳住在北京", ["王芳 | 住在 | 北京"]] as const;
const LI = ["李明去北京出差", ["李明 | 去 | 北京"]] as const;

describe("a knowledge graph is written with its memories", () => {
  test("[S0-3][C-35] triples become entities and edges, one node per name, English and Chinese", async () => {
    const world = await open();
    for (const [content, triples] of [MIA, BEN, FANG, LI]) await world.add(content, triples);
    expect((await entities(world)).sort()).toEqual(
      ["Ben", "Mia", "Paris", "bread", "北京", "李明", "王芳"].sort(),
    );
    expect(await world.edges()).toEqual(
      [
        "Mia met Ben in Paris -contains-> Mia (1)",
        "Mia met Ben in Paris -contains-> Ben (1)",
        "Mia met Ben in Paris -contains-> Paris (1)",
        "Ben bakes bread -contains-> Ben (1)",
        "Ben bakes bread -contains-> bread (1)",
        "王芳住在北京 -contains-> 王芳 (1)",
        "王芳住在北京 -contains-> 北京 (1)",
        "李明去北京出差 -contains-> 李明 (1)",
        "李明去北京出差 -contains-> 北京 (1)",
        "Mia -relation-> Ben (1)",
        "Mia -relation-> Paris (1)",
        "Ben -relation-> bread (1)",
        "王芳 -relation-> 北京 (1)",
        "李明 -relation-> 北京 (1)",
      ].sort(),
    );
  });

  test("[C-35] a relation counts the facts that memories state of it and keeps what they call it", async () => {
    const world = await open();
    await world.add("Mia likes Ben", ["Mia | likes | Ben"]);
    const second = await world.add("Mia loves Ben", ["Mia | loves | Ben", "Mia | likes | Ben"]);
    const relation = async () => {
      const edges = await world.store.edges(
        ALICE,
        (await world.all()).map(({ id }) => id),
      );
      return edges
        .filter(({ type }) => type === "relation")
        .map((edge) => [edge.weight, relationNames(edge)]);
    };
    expect(await relation()).toEqual([[3, ["likes", "loves"]]]);
    await world.service.delete(ALICE, second);
    expect(await relation()).toEqual([[1, ["likes"]]]);
  });

  test("a memory, its entities, their edges and what waits about them are one transaction", async () => {
    const alike = { Benny: ["Ben", 0.9] } as const;
    const world = await open({ alike, options: { link_mode: "pending" } });
    await world.add(...MIA);
    const before = world.commits.count;
    await world.add("Benny sings", ["Benny | sings | songs", "Mia | hears | Benny"]);
    expect(world.commits.count).toBe(before + 1);
    expect((await world.service.getStatus(ALICE)).count).toBe(1);
    expect(await world.edges()).toContain("Mia -relation-> Benny (1)");
  });

  test("two inserts at once that bring the same name make one node", async () => {
    const world = await open();
    await Promise.all([world.add(...MIA), world.add(...BEN), world.add("Ben is tall", ["Ben | is | tall"])]);
    expect((await entities(world)).filter((name) => entityName(name) === "ben")).toHaveLength(1);
  });

  test("malformed triples are refused and nothing is stored; names of signs alone are passed over", async () => {
    const world = await open();
    const wrong = world.add("a", [], { metadata: { triples: [{ subject: "a" }] } });
    await expect(wrong).rejects.toMatchObject({ code: "input_invalid" });
    expect(await world.all()).toEqual([]);
    await world.add("b", ["!!! | is | ？", "Mia | is | Mia"]);
    expect(await entities(world)).toEqual(["Mia"]);
    expect(await world.edges()).toEqual(["b -contains-> Mia (1)"]);
  });

  test("the kind of entities is the graph's own; what is kept out of the graph brings none", async () => {
    const world = await open();
    await expect(world.add("x", [], { kind: ENTITY })).rejects.toMatchObject({
      code: "input_invalid",
      message: expect.stringContaining("another kind"),
    });
    const insertParams = { targetIndexes: ["text"] };
    await world.add("Mia met Ben", ["Mia | met | Ben"], { insertMode: "active", insertParams, vectors: [] });
    expect(await entities(world)).toEqual([]);
  });

  test("one form for every way to write a name, and Chinese names keep theirs", () => {
    expect(["U.S.A.", "  New\nYork ", "北京", "Ｍｉａ", "!?"].map((name) => entityName(name))).toEqual([
      "u s a",
      "new york",
      "北京",
      "mia",
      "",
    ]);
    expect(["北京", "王", "ab", "abc", "u s a"].map(isTelling)).toEqual([true, false, false, true, true]);
  });
});

describe("deleting", () => {
  test("[B.0.9-22] takes entities, vectors and words along that nothing else needs, and only those", async () => {
    const world = await open();
    const mia = await world.add(...MIA);
    const ben = await world.add(...BEN);
    expect(await world.service.delete(ALICE, mia)).toBe(true);
    expect((await entities(world)).sort()).toEqual(["Ben", "bread"]);
    expect(await world.service.delete(ALICE, ben)).toBe(true);
    expect(await world.all()).toEqual([]);
    for (const { name, items } of (await world.service.stats()).indexes)
      expect([name, items]).toEqual([name, 0]);
  });

  test("[C-31] another scope's memory of the same things stays as it was", async () => {
    const world = await open();
    const mine = await world.add(...MIA);
    await world.add(MIA[0], MIA[1], {}, BOB);
    const before = [await world.all(BOB), await world.edges(BOB)];
    await world.service.delete(ALICE, mine);
    expect([await world.all(BOB), await world.edges(BOB)]).toEqual(before);
  });
});

describe("hubs", () => {
  const reads = async (world: GraphWorld, act: () => Promise<unknown>): Promise<number> => {
    const { store } = world;
    const [edges, getMany] = [store.edges.bind(store), store.getMany.bind(store)];
    let count = 0;
    store.edges = async (...asked) => counted(await edges(...asked));
    store.getMany = async (...asked) => counted(await getMany(...asked));
    const counted = <T>(rows: T[]): T[] => {
      count += rows.length;
      return rows;
    };
    await act();
    Object.assign(store, { edges, getMany });
    return count;
  };

  test("what is stated of a thing that everything speaks of costs no more than of any other", async () => {
    const world = await open({ withoutEmbedder: true });
    for (let n = 0; n < 30; n++) await world.add(`memory ${n}`, [`User | likes | thing ${n}`]);
    let last = await world.add("last", ["User | likes | last"]);
    expect(
      await reads(world, async () => (last = await world.add("再一个", ["User | 喜欢 | thing 3"]))),
    ).toBe(0);
    expect(await world.edges()).toContain("User -relation-> thing 3 (2)");
    expect(await reads(world, () => world.service.delete(ALICE, last))).toBeLessThan(12);
    expect(await world.edges()).toContain("User -relation-> thing 3 (1)");
    expect(await entities(world)).toContain("User");
  });

  test("a deletion and what becomes of relations by it are one transaction", async () => {
    const world = await open();
    await world.add("Mia likes Ben", ["Mia | likes | Ben"]);
    const second = await world.add("Mia loves Ben", ["Mia | loves | Ben", "Ben | owns | dog"]);
    const before = world.commits.count;
    expect(await world.service.delete(ALICE, second)).toBe(true);
    expect(world.commits.count).toBe(before + 1);
    expect(await world.edges()).toContain("Mia -relation-> Ben (1)");
    expect(await world.service.delete(ALICE, second)).toBe(false);
  });
});

describe("[C-31] scopes", () => {
  test("a private scope ties its nodes to public ones of the same name, and changes nothing public", async () => {
    const world = await open();
    await world.add(BEN[0], BEN[1], {}, PUBLIC);
    const before = [await world.all(PUBLIC), await world.edges(PUBLIC)];
    await world.add("Ben owes me money", ["Ben | owes | money"]);
    expect(await world.edges()).toContain("Ben -synonym-> ben (1)");
    expect([await world.all(PUBLIC), await world.edges(PUBLIC)]).toEqual(before);
    // Through the tie a question in the private scope reaches what is public, and not the other way round.
    const query = { hints: { entities: ["money"] } };
    expect(await world.find(query)).toEqual(["Ben owes me money", "Ben bakes bread"]);
    expect(await world.find({ hints: { entities: ["bread"] } }, PUBLIC)).toEqual(["Ben bakes bread"]);
    expect(await world.find(query, BOB)).toEqual([]);
  });
});

describe("looking", () => {
  const filled = async (given: GraphWorldOptions = {}) => {
    const world = await open(given);
    for (const [content, triples] of [MIA, BEN, FANG, LI]) await world.add(content, triples);
    return world;
  };

  test("[S0-22] memories come back, never entities, by every way of looking", async () => {
    const world = await filled();
    const vectors = world.vectors(MIA[0]);
    for (const strategy of ["graph", "semantic", "lexical", "structured"] as const) {
      const hits = await world.service.retrieve(ALICE, {
        text: "Mia Ben 北京",
        vectors,
        hints: { strategy },
        topK: 50,
      });
      expect(hits.length, strategy).toBeGreaterThan(0);
      expect(hits.filter(({ kind }) => kind === ENTITY)).toEqual([]);
    }
  });

  test("two steps are found that nearness cannot find: Mia met Ben, Ben bakes bread", async () => {
    const world = await filled();
    const query = { vectors: world.vectors("nothing like it"), hints: { entities: ["Mia"] } };
    expect((await world.find(query)).slice(0, 2)).toEqual([MIA[0], BEN[0]]);
    expect((await world.find({ hints: { entities: ["王芳"] } })).slice(0, 2)).toEqual([FANG[0], LI[0]]);
  });

  test("names in the words of the question are seeds without any embedder", async () => {
    const world = await filled({ withoutEmbedder: true });
    expect((await world.find({ text: "谁住在北京？" })).sort()).toEqual([FANG[0], LI[0]].sort());
    expect((await world.find({ text: "What does Ben do?" })).slice(0, 2).sort()).toEqual(
      [BEN[0], MIA[0]].sort(),
    );
    // "Benjamin" holds "ben", but not as a word.
    expect(await world.find({ text: "Benjamin" })).toEqual([]);
  });

  test("names near to the question are seeds; a hinted name that is unknown stands for the nearest", async () => {
    const alike = { question: ["bread", 0.9], loaf: ["bread", 0.85], cake: ["bread", 0.7] } as const;
    const world = await filled({ alike });
    expect((await world.find({ vectors: world.vectors("question") }))[0]).toBe(BEN[0]);
    expect((await world.find({ hints: { entities: ["loaf"] } }))[0]).toBe(BEN[0]);
    expect(await world.find({ hints: { entities: ["cake"] } })).toEqual([]);
  });

  test("[B.0.9-1] every hint is followed: seeds, entities, edge types, depth; others are refused", async () => {
    const world = await filled();
    const [mia] = (await world.all()).filter(({ content }) => content === "Mia");
    const seeds = { [mia?.id ?? ""]: 1 };
    expect(await world.find({ hints: { seeds } })).toEqual([MIA[0], BEN[0]]);
    expect(await world.find({ hints: { seeds, depth: 1 } })).toEqual([MIA[0]]);
    expect(await world.find({ hints: { seeds, edge_types: ["relation"] } })).toEqual([]);
    await expect(world.find({ hints: { seeds, tiers: ["x"] } })).rejects.toMatchObject({
      code: "capability_missing",
    });
  });

  test("where no thing is named or near, memories come in the order of nearness (HippoRAG 2)", async () => {
    const world = await filled({ alike: { question: [FANG[0], 0.8] } });
    const query = { vectors: world.vectors("question"), hints: { entities: [] }, topK: 2 };
    const hits = await world.service.retrieve(ALICE, query);
    expect(hits.map(({ content, score }) => [content, Number(score.toFixed(4))])[0]).toEqual([FANG[0], 0.8]);
    // The nearest memory weighs passage_node_weight as a seed, the farthest nothing.
    const seeded = await world.service.retrieve(ALICE, { ...query, hints: { entities: ["Mia"] }, topK: 10 });
    const seedOf = (content: string) => seeded.find((hit) => hit.content === content)?.scoreParts.seed ?? 0;
    expect([seedOf(FANG[0]), seedOf(LI[0])]).toEqual([0.05, 0]);
  });

  test("names are found wherever they stand in a question, and parts of words take nobody's place", async () => {
    const world = await open({ withoutEmbedder: true });
    await world.add("of zoe", ["Zoe | is | here"]);
    for (let n = 0; n < 26; n++) {
      const letter = String.fromCharCode(97 + n);
      await world.add(`noise ${letter}`, [`${letter} | is | ${letter}${letter}`]);
    }
    const filler = "the quick brown fox jumps over a lazy dog and more ".repeat(8);
    const options = { topK: 1, hints: { strategy: "graph" as const } };
    expect(await world.find({ text: `${filler} tell me about Zoe`, ...options })).toEqual(["of zoe"]);
    await world.add("王芳的事", ["王芳 | 在 | 这里"]);
    expect(await world.find({ text: `${"今天天气很好，".repeat(50)}王芳呢？`, ...options })).toEqual([
      "王芳的事",
    ]);
  });

  test("linking_top_k bounds all seeds together, after they are weighed", async () => {
    const alike = { q: ["xylophone", 0.9] } as const;
    const seeds = { ...GRAPH_OPTIONS.seeds, linking_top_k: 1, passage_node_weight: 0 };
    const world = await open({ alike, options: { seeds } });
    for (const n of [1, 2, 3]) await world.add(`busy ${n}`, ["xylophone | has | keys"]);
    await world.add("rare", ["Zoe | is | here"]);
    const hits = await world.service.retrieve(ALICE, { text: "Zoe?", vectors: world.vectors("q") });
    expect(hits.filter(({ score }) => score > 0).map(({ content }) => content)).toEqual(["rare"]);
  });

  test("what comes first does not depend on how many are asked for", async () => {
    const alike = { q: ["xylophone", 0.6], n1: ["q", 0.7], n2: ["q", 0.6], n3: ["q", 0.5] } as const;
    const seeds = { ...GRAPH_OPTIONS.seeds, passage_node_weight: 0.9 };
    const world = await open({ alike, options: { seeds } });
    await world.add("of x", ["xylophone | is | here"]);
    for (const name of ["n1", "n2", "n3"]) await world.add(name, [`${name} thing | is | there`]);
    const all = await world.find({ vectors: world.vectors("q"), topK: 10 });
    for (const topK of [1, 2, 3]) {
      expect(await world.find({ vectors: world.vectors("q"), topK })).toEqual(all.slice(0, topK));
    }
  });

  test("[B.0.9-1] keywords count beside a vector, and entities beside seeds", async () => {
    const world = await open();
    const one = await world.add("one", ["alpha | is | here"]);
    await world.add("two", ["beta | is | there"]);
    await world.add("the word kite", []);
    const found = await world.find({ hints: { seeds: { [one]: 1 }, entities: ["beta"] } });
    expect(found.sort()).toEqual(["one", "two"]);
    const vectors = world.vectors("elsewhere");
    const hits = await world.service.retrieve(ALICE, {
      vectors,
      hints: { strategy: "graph", keywords: ["kite"] },
    });
    expect(hits.find(({ content }) => content === "the word kite")?.scoreParts.seed).toBeGreaterThan(0);
  });

  test("what only forgotten memories speak of is no seed, and they make no thing less telling", async () => {
    const world = await open({ withoutEmbedder: true });
    const gone = await world.add("gone", ["Zoe | knows | Ben"]);
    await world.add("here", ["Ben | bakes | bread"]);
    const score = async () => (await world.service.retrieve(ALICE, { text: "Ben" }))[0]?.scoreParts.seed;
    await world.store.archiveMany(ALICE, [gone]);
    expect(await world.find({ text: "Zoe" })).toEqual([]);
    expect(await world.find({ text: "Ben" })).toEqual(["here"]);
    expect(await score()).toBeUndefined();
  });

  test("a hit says what it is made of, and looks are counted", async () => {
    const world = await filled();
    const [hit] = await world.service.pprRetrieve(ALICE, { vectors: world.vectors(BEN[0]), text: "Ben" });
    expect(Object.keys(hit?.scoreParts ?? {}).sort()).toEqual(["ppr", "reset", "seed"]);
    expect((await world.the(BEN[0])).accessCount).toBe(1);
    await world.service.pprRetrieve(ALICE, { text: "Ben", touch: false });
    expect((await world.the(BEN[0])).accessCount).toBe(1);
  });

  test("looks at neighbours are counted, unless the caller says otherwise", async () => {
    const world = await filled();
    const { id } = await world.the("Mia");
    const [hit] = await world.service.getNeighbors(ALICE, id);
    const looks = async () => (await world.the(hit?.content ?? "")).accessCount;
    expect(await looks()).toBe(1);
    await world.service.getNeighbors(ALICE, id, { touch: false });
    expect(await looks()).toBe(1);
  });

  test("own: memories of the scope alone, reached over public ones too", async () => {
    for (const retrieve_method of ["ppr", "bfs", "spread"]) {
      const walk = { depth: 3, decay: 0.5 };
      const world = await open({ options: { retrieve_method, walk } });
      for (let i = 0; i < 100; i++) await world.add(...MIA, {}, PUBLIC);
      await world.add(...BEN);
      const question = { hints: { entities: ["Mia"] }, topK: 1 };
      expect(await world.find(question)).toEqual([MIA[0]]);
      expect(await world.find({ ...question, own: true })).toEqual([BEN[0]]);
      expect(await world.find({ ...question, own: true }, BOB)).toEqual([]);
    }
  });

  test("[S0-22] neighbours by depth, type and direction", async () => {
    const world = await filled();
    const memory = await world.the(MIA[0]);
    const around = async (request = {}) =>
      (await world.service.getNeighbors(ALICE, memory.id, request)).map(({ content }) => content).sort();
    expect(await around()).toEqual(["Ben", "Mia", "Paris"]);
    expect(await around({ depth: 2 })).toEqual([BEN[0], "Ben", "Mia", "Paris", "bread"].sort());
    expect(await around({ types: ["relation"] })).toEqual([]);
    expect(await world.service.getNeighbors(BOB, (await world.the("Ben")).id)).toEqual([]);
    for (const wrong of [{ hops: 2 }, { depth: 0 }, { types: "relation" }, { direction: "up" }])
      await expect(world.service.getNeighbors(ALICE, memory.id, untyped(wrong))).rejects.toMatchObject({
        code: "input_invalid",
      });

    const directed = await open({ options: { edge_policy: "directed" } });
    await directed.add(...MIA);
    await directed.add(...BEN);
    const ben = await directed.the("Ben");
    const of = async (direction?: "out" | "in") =>
      (await directed.service.getNeighbors(ALICE, ben.id, { direction, types: ["relation"] })).map(
        ({ content }) => content,
      );
    expect([await of(), await of("out"), await of("in")]).toEqual([["bread"], ["bread"], ["Mia"]]);
  });
});

describe("[B.0.9-11][S0-91] every option changes what happens", () => {
  const chain = async (given: GraphWorldOptions) => {
    const world = await open(given);
    await world.add("one", ["a | to | b"]);
    await world.add("two", ["b | to | c"]);
    await world.add("three", ["c | to | d"]);
    return world;
  };
  const from = (name: string) => ({ hints: { entities: [name] } });

  test("retrieve_method, walk.depth", async () => {
    const found = async (retrieve_method: string, depth = 2) =>
      (await chain({ options: { retrieve_method, walk: { depth, decay: 0.5 } } })).find(from("a"));
    expect(await found("ppr")).toEqual(["one", "two", "three"]);
    expect(await found("neighbors")).toEqual(["one"]);
    expect(await found("bfs", 2)).toEqual(["one", "two"]);
    expect(await found("bfs", 3)).toEqual(["one", "two", "three"]);
    expect(await found("spread", 1)).toEqual(["one"]);
    expect(await found("spread", 2)).toEqual(["one", "two"]);
    const flat = await chain({ options: { retrieve_method: "vector_only" } });
    expect(Object.keys(flat.service.traits.strategies)[0]).toBe("semantic");
    expect(await flat.find({ hints: { ...from("a").hints, strategy: "graph" } })).toEqual(["one", "two"]);
  });

  test("[B.0.3] the score of a step-wise walk is 1 / (1 + depth); spreading decays by walk.decay", async () => {
    const scores = async (options: GraphWorldOptions["options"]) =>
      (await (await chain({ options: options ?? {} })).service.retrieve(ALICE, from("a"))).map(
        ({ score }) => score,
      );
    expect(await scores({ retrieve_method: "bfs", walk: { depth: 3, decay: 0.5 } })).toEqual([
      1 / 2,
      1 / 3,
      1 / 4,
    ]);
    const [half = 0] = await scores({ retrieve_method: "spread", walk: { depth: 2, decay: 0.5 } });
    const [less = 0] = await scores({ retrieve_method: "spread", walk: { depth: 2, decay: 0.25 } });
    expect(half).toBeCloseTo(2 * less, 6);
  });

  test("ppr.damping, ppr.epsilon, ppr.depth", async () => {
    const ppr = { ...GRAPH_OPTIONS.ppr };
    const hits = async (change: object) =>
      (await chain({ options: { ppr: { ...ppr, ...change } } })).service.retrieve(ALICE, from("a"));
    const share = (list: readonly { readonly score: number }[]) =>
      (list[1]?.score ?? 0) / (list[0]?.score ?? 1);
    expect(share(await hits({ damping: 0.9 }))).toBeGreaterThan(share(await hits({ damping: 0.5 })));
    expect((await hits({ epsilon: 0.2 })).length).toBeLessThan((await hits({ epsilon: 1e-6 })).length);
    expect((await hits({ depth: 2 })).map(({ content }) => content)).toEqual(["one", "two"]);
  });

  test("seeds: linking_top_k, passage_node_weight, node_specificity", async () => {
    const alike = { q: ["xylophone", 0.9], near: ["q", 0.5] } as const;
    const ask = async (change: object) => {
      const world = await open({ alike, options: { seeds: { ...GRAPH_OPTIONS.seeds, ...change } } });
      await world.add("of x", ["xylophone | is | here"]);
      await world.add("near");
      const hits = await world.service.retrieve(ALICE, { vectors: world.vectors("q") });
      return { contents: hits.map(({ content }) => content), scores: hits.map(({ score }) => score) };
    };
    expect((await ask({ passage_node_weight: 0 })).scores[1]).toBe(0);
    expect((await ask({ passage_node_weight: 1 })).contents[0]).toBe("near");
    expect((await ask({ passage_node_weight: 0.05 })).contents[0]).toBe("of x");

    const rarity = async (node_specificity: boolean) => {
      const world = await open({ options: { seeds: { ...GRAPH_OPTIONS.seeds, node_specificity } } });
      for (const n of [1, 2, 3]) await world.add(`busy ${n}`, ["hub | has | spoke"]);
      await world.add("rare", ["gem | is | precious"]);
      const hits = await world.service.retrieve(ALICE, { hints: { entities: ["hub", "gem"] } });
      return hits.find(({ content }) => content === "rare")?.scoreParts.ppr ?? 0;
    };
    // The gem weighs 1 beside the hub's 1/3, instead of 1 beside 1.
    expect((await rarity(true)) / (await rarity(false))).toBeCloseTo(0.75 / 0.5, 2);

    const seeded = async (linking_top_k: number) => {
      const two = { p: ["xylophone", 0.6], yarn: ["p", 0.6] } as const;
      const world = await open({
        alike: two,
        options: { seeds: { ...GRAPH_OPTIONS.seeds, linking_top_k, passage_node_weight: 0 } },
      });
      await world.add("of x", ["xylophone | is | here"]);
      await world.add("of y", ["yarn | is | there"]);
      const hits = await world.service.retrieve(ALICE, { vectors: world.vectors("p") });
      return hits.filter(({ score }) => score > 0).length;
    };
    expect([await seeded(1), await seeded(5)]).toEqual([1, 2]);
  });

  test("edge_policy: a directed relation is walked only the way it was stated", async () => {
    const found = async (edge_policy: string) =>
      (
        await chain({ options: { edge_policy, retrieve_method: "bfs", walk: { depth: 2, decay: 0.5 } } })
      ).find(from("d"));
    expect(await found("bidirectional")).toEqual(["three", "two"]);
    // From d no relation leads back to c; what contains d does.
    expect(await found("directed")).toEqual(["three"]);
  });
});

describe("[S0-23] what is new and near", () => {
  const alike = { "New York City": ["New York", 0.9], NYC: ["New York", 0.85] } as const;
  const speak = async (link_mode: string, more: object = {}) => {
    const world = await open({ alike, options: { link_mode, ...more } });
    await world.add("first", ["New York | is | big"]);
    await world.add("second", ["New York City | is | loud"]);
    await world.add("third", ["NYC | is | fun"]);
    return world;
  };

  test("names are joined at once, left waiting, or left alone: link_mode, synonymy_threshold, max_links", async () => {
    const synonyms = async (world: GraphWorld) =>
      (await world.edges()).filter((edge) => edge.includes("-synonym->"));
    expect(await synonyms(await speak("auto"))).toEqual([
      "NYC -synonym-> New York (0.85)",
      "New York City -synonym-> New York (0.9)",
    ]);
    expect(await synonyms(await speak("auto", { synonymy_threshold: 0.88 }))).toHaveLength(1);
    expect(await synonyms(await speak("auto", { synonymy_threshold: 0.7, max_links: 1 }))).toHaveLength(2);
    expect(await synonyms(await speak("auto", { synonymy_threshold: 0.7, max_links: 5 }))).toHaveLength(3);
    expect(await synonyms(await speak("none"))).toEqual([]);
    const waiting = await speak("pending");
    expect(await synonyms(waiting)).toEqual([]);
    const { pendingItems } = await waiting.service.getStatus(ALICE);
    const [newYork] = (await waiting.all()).filter(({ content }) => content === "New York");
    expect(
      pendingItems.map(({ action, entry, details }) => ({
        action,
        details,
        node: entry === details.pending_node,
      })),
    ).toEqual([
      {
        action: "synonym",
        node: true,
        details: expect.objectContaining({ pending_candidates: [{ id: newYork?.id, similarity: 0.9 }] }),
      },
      {
        action: "synonym",
        node: true,
        details: expect.objectContaining({ pending_candidates: [{ id: newYork?.id, similarity: 0.85 }] }),
      },
    ]);
  });

  test("two names of one memory that are alike are joined, too", async () => {
    const world = await open({ alike, options: { link_mode: "auto" } });
    await world.add("only", ["New York | is also called | New York City"]);
    expect(await world.edges()).toContain("New York City -synonym-> New York (0.9)");
  });

  test("notes are linked at once or left waiting; what is placed actively is linked as its caller says", async () => {
    const notes = { 茶很好喝: ["喝茶", 0.9] } as const;
    const link = async (link_mode: string, insertMode: "passive" | "active" = "passive") => {
      const world = await open({ alike: notes, options: { graph_type: "link_graph", link_mode } });
      await world.add("喝茶");
      await world.add("茶很好喝", [], { insertMode });
      return world;
    };
    expect(await (await link("auto")).edges()).toEqual(["茶很好喝 -link-> 喝茶 (0.9)"]);
    expect(await (await link("auto", "active")).edges()).toEqual([]);
    expect((await (await link("pending")).service.getStatus(ALICE)).pendingAction).toBe("link");
    expect((await (await link("pending", "active")).service.getStatus(ALICE)).count).toBe(0);
    expect((await (await link("none")).service.getStatus(ALICE)).count).toBe(0);
  });

  test("[C-31] nothing is near across private scopes", async () => {
    const world = await open({ alike, options: { link_mode: "auto" } });
    await world.add("hers", ["New York | is | big"], {}, BOB);
    await world.add("mine", ["New York City | is | loud"]);
    expect((await world.edges()).filter((edge) => edge.includes("synonym"))).toEqual([]);
  });
});

test("graph_type: notes are walked along their links, by what resembles the question", async () => {
  const alike = { question: ["tea", 0.9], milk: ["tea", 0.2] } as const;
  const world = await open({
    alike,
    options: { graph_type: "link_graph", seeds: { ...GRAPH_OPTIONS.seeds, linking_top_k: 1 } },
  });
  const tea = await world.add("tea");
  await world.add("biscuits", ["ignored | in | notes"], { edges: [{ to: tea, type: "link" }] });
  await world.add("unrelated");
  expect(await world.find({ vectors: world.vectors("question") })).toEqual(["tea", "biscuits"]);
  expect(await world.find({ text: "biscuits" })).toEqual(["biscuits", "tea"]);
  expect((await world.all()).filter(({ kind }) => kind === ENTITY)).toEqual([]);
});
