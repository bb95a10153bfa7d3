import { afterEach, describe, expect, test } from "vitest";
import { openRetrievalWorld, type RetrievalSetup } from "../../testing/retrieval-world.ts";
import { embedding } from "./embedding.ts";
import { multiEmbed } from "./multi-embed.ts";
import { route } from "./route.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const at = Date.UTC(2026, 4, 1, 12);
const day = (month: number, date: number) => Date.UTC(2026, month - 1, date);

async function open(options: object, setup: Partial<RetrievalSetup> = {}) {
  const action = { action: route, options: JSON.parse(JSON.stringify(options)) };
  const world = await openRetrievalWorld({ ...setup, pre: [...(setup.pre ?? []), action] });
  closers.push(world.close);
  await world.say([
    { text: "Mia moved to Berlin.", happenedAt: day(4, 22) },
    { text: "Mia bought a violin in Berlin.", happenedAt: day(1, 10) },
    { text: "小美搬到了上海。", happenedAt: day(4, 23) },
    { text: "小美在上海买了小提琴。", happenedAt: day(1, 11) },
  ]);
  return world;
}

const one = { allow_multi_route: false, max_routes: null, keep_default: false };
const several = { allow_multi_route: true, max_routes: 2, keep_default: false };
const semantic = { strategy: "semantic", params: {} };
const own = { strategy: null, params: {} };
const texts = ({ hits }: { hits: readonly { text: string }[] }) => hits.map(({ text }) => text);

describe("keyword", () => {
  const rules = [
    { keywords: ["exact words", "原话"], strategy: "lexical", params: { keywords: ["violin", "小提琴"] } },
    {
      keywords: ["january", "一月"],
      strategy: "structured",
      params: { time_range: { from: day(1, 1), to: day(1, 31) } },
    },
    { keywords: ["everything"], strategy: "structured", params: {} },
  ];
  const plain = { route_strategy: "keyword", rules, ...several, default_route: own };

  test("[S0-36] [S0-38] [B.0.9-1] the rules whose words the question holds lay out the ways, and the service follows their hints", async () => {
    const world = await open(plain);
    const english = await world.ask("The exact words, please");
    expect(english.question.routes).toEqual([{ strategy: "lexical", keywords: ["violin", "小提琴"] }]);
    expect(texts(english)).toHaveLength(2);
    const chinese = await world.ask("一月有什么原话？");
    expect(chinese.lists.map(({ hints }) => hints.strategy)).toEqual(["lexical", "structured"]);
    expect(chinese.stages[0]?.notes).toMatchObject({
      route_strategy: "keyword",
      strategies: ["lexical", "structured"],
      params: [{ keywords: ["violin", "小提琴"] }, { time_range: { from: day(1, 1), to: day(1, 31) } }],
    });
  });

  test("a word is a whole word, and no rule fits means the default route", async () => {
    const world = await open({
      ...plain,
      default_route: { strategy: "lexical", params: { keywords: ["moved"] } },
    });
    expect(texts(await world.ask("Everythings? Januaryish?"))).toEqual(["Mia moved to Berlin."]);
  });

  test("one way, or at most so many", async () => {
    const text = "The exact words of january, everything";
    const only = await open({ ...plain, ...one });
    expect((await only.ask(text)).lists).toHaveLength(1);
    const two = await open(plain);
    expect((await two.ask(text)).lists).toHaveLength(2);
    const three = await open({ ...plain, max_routes: 3 });
    expect((await three.ask(text)).lists).toHaveLength(3);
    await expect(open({ ...plain, max_routes: null })).rejects.toThrow("max_routes");
    await expect(open({ ...plain, ...one, max_routes: 2 })).rejects.toThrow("max_routes");
  });

  test("it claims the hints of every way it may lay out", () => {
    expect(route.claims?.(route.options.parse(plain))).toEqual({
      hints: [
        { strategy: "lexical", names: ["keywords"] },
        { strategy: "structured", names: ["time_range"] },
        { strategy: "structured", names: [] },
        { strategy: undefined, names: [] },
      ],
      asksVectorFields: [],
    });
    const byField = [{ keywords: ["mood"], strategy: "semantic", params: { fields: ["emotion"] } }];
    const claims = route.claims?.(route.options.parse({ ...plain, rules: byField }));
    expect(claims?.asksVectorFields).toEqual(["emotion"]);
  });
});

describe("local", () => {
  const plain = {
    route_strategy: "local",
    ...several,
    time_route: { strategy: "structured", params: {} },
    time_margin_days: 0,
    name_route: { strategy: "lexical", params: {} },
    default_route: own,
  };

  test("a time in the question becomes a range of time, meant from the moment of asking", async () => {
    const world = await open({ ...plain, ...one });
    const last = await world.ask({ text: "What happened last week?", at });
    expect(last.question.routes).toEqual([
      { strategy: "structured", time_range: { from: day(4, 20), to: day(4, 27) - 1 } },
    ]);
    expect(texts(last)).toEqual(["小美搬到了上海。", "Mia moved to Berlin."]);
    expect(texts(await world.ask({ text: "上周发生了什么？", at }))).toHaveLength(2);
    const earlier = await world.ask({ text: "What happened last week?", at: day(1, 18) });
    expect(texts(earlier)).toEqual(["小美在上海买了小提琴。", "Mia bought a violin in Berlin."]);
  });

  test("the zone moves the days, the margin widens them", async () => {
    const wide = await open({ ...plain, ...one, time_margin_days: 2 });
    const hours = 3_600_000;
    const range = { from: day(4, 18), to: day(4, 29) - 1 };
    expect((await wide.ask({ text: "last week?", at })).question.routes[0]?.time_range).toEqual(range);
    expect(
      (await wide.ask({ text: "last week?", at, zone: "Asia/Shanghai" })).question.routes[0]?.time_range,
    ).toEqual({ from: range.from - 8 * hours, to: range.to - 8 * hours });
  });

  test("names become keywords, or the entities that a walk begins with", async () => {
    const words = await open({ ...plain, name_route: { strategy: "lexical", params: {} } });
    expect((await words.ask("Who saw Mia in Berlin?")).question.routes).toEqual([
      { strategy: "lexical", keywords: ["Mia", "Berlin"] },
    ]);
    expect(texts(await words.ask("谁去过上海？"))).toHaveLength(2);
    const graph = await open(
      { ...plain, name_route: { strategy: "graph", params: { depth: 2 } } },
      {
        service: { name: "graph_memory", options: GRAPH },
      },
    );
    const walked = await graph.ask("Who saw Mia in Berlin?");
    expect(walked.question.routes).toEqual([{ strategy: "graph", depth: 2, entities: ["Mia", "Berlin"] }]);
  });

  test("both ways where both fit, the default where neither does, and off means off", async () => {
    const world = await open(plain);
    expect((await world.ask({ text: "What did Mia do last week?", at })).lists).toHaveLength(2);
    expect((await world.ask("who moved?")).question.routes).toEqual([]);
    const off = await open({ ...plain, time_route: null, time_margin_days: null, name_route: null });
    expect((await off.ask({ text: "What did Mia do last week?", at })).question.routes).toEqual([]);
    await expect(open({ ...plain, time_route: null })).rejects.toThrow("time_margin_days");
  });

  test("keep_default: the service's own way is taken beside a way by names, and not beside one of its own", async () => {
    const world = await open({ ...plain, keep_default: true, time_route: own });
    expect((await world.ask("What did Mia buy?")).question.routes).toEqual([
      { strategy: "lexical", keywords: ["Mia"] },
      {},
    ]);
    const { routes } = (await world.ask("王芳在上海买了什么？")).question;
    expect(routes).toEqual([{ strategy: "lexical", keywords: expect.arrayContaining(["上海"]) }, {}]);
    expect((await world.ask({ text: "What did Mia do last week?", at })).question.routes).toEqual([
      { time_range: expect.anything() },
      { strategy: "lexical", keywords: ["Mia"] },
    ]);
    expect((await world.ask("who moved?")).question.routes).toEqual([]);
    const other = await open({ ...plain, keep_default: true, default_route: semantic });
    expect((await other.ask("What did Mia buy?")).question.routes[1]).toEqual({ strategy: "semantic" });
  });

  test("it claims the hints that it adds itself", () => {
    const options = { ...plain, name_route: { strategy: "graph", params: { depth: 2 } } };
    expect(route.claims?.(route.options.parse(options))).toMatchObject({
      hints: [
        { strategy: "structured", names: ["time_range"] },
        { strategy: "graph", names: ["depth", "entities"] },
        { strategy: undefined, names: [] },
      ],
    });
  });
});

test("llm: the model finds names and times, by the prompt that is named; times are read here", async () => {
  const reply = {
    keywords: [],
    persons: ["Mia"],
    time_expression: "last week",
    location: "Berlin",
    entities: ["violin"],
  };
  const options = {
    route_strategy: "llm",
    prompt: "my_analysis",
    ...several,
    time_route: { strategy: "structured", params: {} },
    time_margin_days: 0,
    name_route: { strategy: "lexical", params: {} },
    default_route: own,
  };
  const world = await open(options, {
    chat: JSON.stringify(reply),
    promptFiles: { my_analysis: "DISSECT.\n---\n{{question}} {{persons}}" },
  });
  const { question } = await world.ask({ text: "And then?", at });
  expect(question.routes).toEqual([
    { strategy: "structured", time_range: { from: day(4, 20), to: day(4, 27) - 1 } },
    { strategy: "lexical", keywords: ["Mia", "Berlin", "violin"] },
  ]);
  expect(world.asked()).toContain("DISSECT");
});

test("ways that were laid out before are kept: those of the same strategy become one", async () => {
  const fields = [{ name: "content", kind: "text", weight: 1 }];
  const embed = { action: multiEmbed, options: { fields, spaces: "all", emotion_prompt: null } };
  const options = {
    route_strategy: "local",
    ...one,
    time_route: semantic,
    time_margin_days: 0,
    name_route: null,
    default_route: { strategy: "lexical", params: {} },
  };
  const world = await open(options, { pre: [embed] });
  const timed = await world.ask({ text: "Mia last week", at });
  expect(timed.question.routes).toEqual([
    { strategy: "semantic", fields: ["content"], weights: { content: 1 }, time_range: expect.anything() },
  ]);
  expect(texts(timed)).not.toContain("Mia bought a violin in Berlin.");
  expect((await world.ask("Mia")).lists.map(({ hints }) => hints.strategy)).toEqual(["semantic", "lexical"]);
});

test("a service that cannot go a way says so", async () => {
  const options = {
    route_strategy: "keyword",
    rules: [{ keywords: ["mia"], strategy: "graph", params: {} }],
    ...one,
    default_route: own,
  };
  const embed = { action: embedding, options: { embedding_model: "default", spaces: "all" } };
  const world = await open(options, { pre: [embed] });
  await expect(world.ask("Mia")).rejects.toMatchObject({ code: "capability_missing" });
});

const GRAPH = {
  collection_name: "graph",
  top_k: 10,
  vitality: null,
  graph_type: "link_graph",
  edge_policy: "bidirectional",
  link_mode: "auto",
  max_links: 3,
  synonymy_threshold: 0.1,
  retrieve_method: "bfs",
  ppr: { damping: 0.5, epsilon: 1e-4, depth: null },
  ...{ normaliser: "unicode", enhanced_rerank: false, passage_edge_weight: 1, doc_ensemble: null },
  seeds: { linking_top_k: 5, passage_node_weight: 0.05, link_threshold: 0.8, node_specificity: false },
  walk: { depth: 2, decay: 0.5 },
};
