import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { GRAPH_OPTIONS } from "../../testing/graph-world.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { openRecallWorld } from "../../testing/recall-world.ts";
import { filter } from "./filter.ts";
import { merge } from "./merge.ts";
import { rerank } from "./rerank.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Notes: two are near to the question, the second is linked with 湖, which is linked with an island. */
async function recall(
  action: typeof rerank | typeof merge,
  options: JsonObject,
  { service = {}, links = true }: { readonly service?: JsonObject; readonly links?: boolean } = {},
) {
  const linkGraph = { ...GRAPH_OPTIONS, graph_type: "link_graph", ...service };
  const near = chosen(filter, { filter_type: "top_k", k: 2 });
  const world = await openRecallWorld([near, chosen(action, options)], {
    service: { name: "graph_memory", options: linkGraph },
    question: { routes: [{ strategy: "semantic" }] },
  });
  closing.push(world.close);
  const island = await world.add("an island", 85);
  const lake = await world.add("湖", 80, { edges: links ? [{ to: island, type: "semantic" }] : [] });
  await world.add("near, without links", 0);
  const edges = [
    { to: lake, type: "semantic" },
    { to: island, type: "temporal", weight: 0.001 },
  ];
  await world.add("near and linked", 20, { edges: links ? edges : [] });
  return world.ask("?");
}

const texts = ({ hits }: { readonly hits: readonly { readonly text: string }[] }): string[] =>
  hits.map(({ text }) => text);

describe("rerank by ppr", () => {
  const PPR = {
    rerank_type: "ppr",
    base_weight: 0.5,
    ppr_weight: 0.5,
    max_new: 5,
    depth: null,
    edge_types: null,
  };

  test("[S0-40][B.0.2] base and walk count half each, and what only the walk reached joins", async () => {
    const found = await recall(rerank, PPR);
    expect(texts(found).slice(0, 2)).toEqual(["near, without links", "near and linked"]);
    expect(new Set(texts(found).slice(2))).toEqual(new Set(["湖", "an island"]));
    expect(found.hits[0]?.scoreParts).toMatchObject({ base: 0.5 });
    expect(found.hits[1]?.scoreParts.base).toBe(0);
    expect(found.hits[2]?.scoreParts.base).toBeUndefined();
    expect(found.hits[2]?.scoreParts.ppr).toBeGreaterThan(0);
    expect(found.stages.at(-2)?.notes).toEqual({ reached: 2 });
  });

  test("the weights decide, max_new bounds what joins, 0 lets nothing join", async () => {
    const base = await recall(rerank, { ...PPR, base_weight: 1, ppr_weight: 0, max_new: 0 });
    expect(texts(base)).toEqual(["near, without links", "near and linked"]);
    expect(base.hits.map(({ score }) => score)).toEqual([1, 0]);
    const one = await recall(rerank, { ...PPR, max_new: 1 });
    expect(texts(one)).toHaveLength(3);
    const walked = await recall(rerank, { ...PPR, base_weight: 0, ppr_weight: 1 });
    expect(walked.hits[0]?.score).toBe(1);
  });

  test("depth and edge_types say how far and along which edges", async () => {
    expect(texts(await recall(rerank, { ...PPR, edge_types: ["temporal"] }))).not.toContain("湖");
    const far = await recall(rerank, { ...PPR, depth: 1, edge_types: ["semantic"] });
    expect(texts(far)).toContain("湖");
    expect(texts(far)).not.toContain("an island");
    expect(texts(await recall(rerank, { ...PPR, depth: 2, edge_types: ["semantic"] }))).toContain(
      "an island",
    );
  });

  test("it claims exactly the hints that it sends", () => {
    const claims = (more: object) => rerank.claims?.({ ...PPR, rerank_type: "ppr", ...more });
    expect(claims({})).toEqual({ abilities: ["graph"], hints: [{ strategy: "graph", names: ["seeds"] }] });
    expect(claims({ depth: 2, edge_types: ["semantic"] })?.hints).toEqual([
      { strategy: "graph", names: ["seeds", "depth", "edge_types"] },
    ]);
  });
});

describe("merge by link_expand", () => {
  const LINKS = { merge_strategy: "link_expand", depth: 1, edge_types: null, max_links: 5, decay: 0.5 };
  const bfs = { service: { retrieve_method: "bfs" } };

  test("[S0-73] linked notes join with a weaker score, as strong as the walk reached them", async () => {
    const found = await recall(merge, LINKS, bfs);
    expect(texts(found).slice(0, 2)).toEqual(["near, without links", "near and linked"]);
    expect(texts(found)).toHaveLength(4);
    expect(found.hits[2]?.score).toBeCloseTo(0.5, 5);
    expect(found.hits[2]?.scoreParts.link).toBe(1);
  });

  test("depth, edge_types, max_links and decay each decide", async () => {
    const semantic = { ...LINKS, edge_types: ["semantic"] };
    expect(texts(await recall(merge, semantic, bfs))).toEqual([
      "near, without links",
      "near and linked",
      "湖",
    ]);
    const two = await recall(merge, { ...semantic, depth: 2 }, bfs);
    expect(texts(two).slice(2)).toEqual(["湖", "an island"]);
    expect(two.hits[3]?.score).toBeLessThan(two.hits[2]?.score ?? 0);
    expect(texts(await recall(merge, { ...LINKS, max_links: 1 }, bfs))).toHaveLength(3);
    const close = await recall(merge, { ...semantic, decay: 1 }, bfs);
    expect(close.hits.find(({ text }) => text === "湖")?.score).toBe(1);
  });

  test("without links nothing joins", async () => {
    expect(texts(await recall(merge, LINKS, { ...bfs, links: false }))).toHaveLength(2);
  });

  test("in a knowledge graph two steps lead from memory to memory by what both speak of", async () => {
    const world = await openRecallWorld(
      [chosen(filter, { filter_type: "top_k", k: 1 }), chosen(merge, { ...LINKS, depth: 2 })],
      {
        service: { name: "graph_memory", options: { ...GRAPH_OPTIONS, retrieve_method: "bfs" } },
        question: { routes: [{ strategy: "semantic" }] },
      },
    );
    closing.push(world.close);
    const fact = (subject: string, relation: string, object: string) => ({
      metadata: { triples: [{ subject, relation, object }] },
    });
    await world.add("Ada lives in Berlin", 0, fact("Ada", "lives in", "Berlin"));
    await world.add("Berlin lies on the Spree", 90, fact("Berlin", "lies on", "Spree"));
    await world.add("小明住在上海", 90, fact("小明", "住在", "上海"));
    expect(texts(await world.ask("?"))).toEqual(["Ada lives in Berlin", "Berlin lies on the Spree"]);
  });
});

test("[S0-78] a hybrid memory with a graph is walked in the same way", async () => {
  const options = {
    ...{
      collection_name: "memories",
      top_k: 10,
      vitality: null,
      graph_enabled: true,
      overfetch: 2,
      text: { k1: 1.2, b: 0.75, around: [], dates: false },
    },
    graph: {
      ...{ walk: "spread", seeds: 5, passage_node_weight: 0.05, depth: 2, decay: 0.5 },
      ...{ link_threshold: 0.7, synonymy_threshold: 0.9, max_links: 5 },
    },
    ...{ fusion_strategy: "weighted", weights: { vector: 0.5, text: 0.2, graph: 0.3 }, rrf_k: null },
    conflict_check: null,
  };
  const near = chosen(filter, { filter_type: "top_k", k: 1 });
  const link = { merge_strategy: "link_expand", depth: 1, edge_types: null, max_links: 5, decay: 0.5 };
  const walk = {
    rerank_type: "ppr",
    base_weight: 0.5,
    ppr_weight: 0.5,
    max_new: 5,
    depth: 1,
    edge_types: null,
  };
  for (const action of [chosen(merge, link), chosen(rerank, walk)]) {
    const world = await openRecallWorld([near, action], {
      service: { name: "hybrid_memory", options },
      question: { routes: [{ strategy: "semantic" }] },
    });
    closing.push(world.close);
    const lake = await world.add("湖", 90);
    await world.add("far and alone", 90);
    await world.add("near and linked", 0, { edges: [{ to: lake, type: "semantic" }] });
    expect(texts(await world.ask("?"))).toEqual(["near and linked", "湖"]);
  }
});

test("[S0-62] a service without a graph refuses both", async () => {
  for (const [action, options] of [
    [
      rerank,
      { rerank_type: "ppr", base_weight: 1, ppr_weight: 1, max_new: 1, depth: null, edge_types: null },
    ],
    [merge, { merge_strategy: "link_expand", depth: 1, edge_types: null, max_links: 1, decay: 1 }],
  ] as const) {
    const world = await openRecallWorld([chosen<"post_retrieval">(action, options)]);
    closing.push(world.close);
    await world.add("a", 0);
    await expect(world.ask("a")).rejects.toMatchObject({ code: "capability_missing" });
  }
});

describe("[S4-17][B.4] rerank by activation", () => {
  const ACTIVATION = {
    rerank_type: "activation",
    seeds: 2,
    vector_weight: 0.7,
    activation_weight: 0.3,
    reached_share: 0.5,
    reached_above: 0.1,
    max_new: 5,
    depth: null,
    edge_types: null,
  };
  const scores = async (more: JsonObject, world: Parameters<typeof recall>[2] = {}) => {
    const { hits } = await recall(
      rerank,
      { ...ACTIVATION, ...more },
      { service: { retrieve_method: "spread" }, ...world },
    );
    return Object.fromEntries(hits.map(({ text, score }) => [text, Number(score.toFixed(3))]));
  };

  test("likeness and activation, weighed; what only links reach joins with its share", async () => {
    expect(await scores({})).toEqual({
      "near, without links": 1,
      "near and linked": Number((0.7 * Math.cos((20 * Math.PI) / 180) + 0.3).toFixed(3)),
      湖: 0.25,
      "an island": 0.125,
    });
  });

  test("every option counts", async () => {
    expect((await scores({ vector_weight: 0 }))["near, without links"]).toBe(0.3);
    expect((await scores({ activation_weight: 0 }))["near, without links"]).toBe(0.7);
    expect(await scores({ seeds: 1 })).not.toHaveProperty("湖");
    expect((await scores({ reached_share: 1 })).湖).toBe(0.5);
    expect(await scores({ reached_above: 0.3 })).not.toHaveProperty("an island");
    expect(await scores({ max_new: 1 })).not.toHaveProperty("an island");
    expect(await scores({ depth: 1, reached_above: 0 })).toHaveProperty("湖");
    expect(await scores({ edge_types: ["temporal"] })).not.toHaveProperty("湖");
    expect(Object.keys(await scores({}, { links: false }))).toHaveLength(2);
  });
});
