import { afterEach, describe, expect, test } from "vitest";
import { manualClock } from "../../../base/clock.ts";
import { createIds } from "../../../base/ids.ts";
import type { JsonObject } from "../../../base/json.ts";
import { seededRandom } from "../../../base/random.ts";
import { PUBLIC } from "../../../base/scope.ts";
import { makeTurn, type Turn } from "../../../base/turn.ts";
import type { ActionDefinition } from "../../../pipeline/action.ts";
import { evolveNote } from "../../../tasks/evolve-note.ts";
import type { Script } from "../../../testing/model-server.ts";
import type { PipelineSetup } from "../../../testing/pipeline-world.ts";
import {
  openPostInsertWorld,
  type PostInsertSetup,
  type PostInsertWorld,
} from "../../../testing/post-insert-world.ts";
import { consolidate } from "../consolidate.ts";
import { forgetting } from "../forgetting.ts";
import { linkEvolution } from "../link-evolution.ts";
import { migrate } from "../migrate.ts";
import { reflection } from "../reflection.ts";
import { routeLinks } from "../route-links.ts";
import { summarize } from "../summarize.ts";
import { isDue } from "./scheduled.ts";

const worlds: PostInsertWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function open(
  action: ActionDefinition<"post_insert">,
  options: JsonObject,
  setup: Partial<PostInsertSetup> = {},
): Promise<PostInsertWorld> {
  const world = await openPostInsertWorld({
    ...setup,
    post: [{ action, options: { every_turns: 1, ...options } }],
  });
  worlds.push(world);
  return world;
}

const FORGET: JsonObject = {
  vitality: { policy: "lru" },
  threshold: -24,
  retention_min: 0,
  archive_before_delete: true,
  tiers: null,
  max_per_run: null,
  derived_kinds: [],
};

const REFLECT: JsonObject = {
  trigger_mode: "count",
  memory_count: 3,
  about: { type: "general" },
  question_prompt: "reflect_questions",
  prompt: "reflect_insights",
  question_count: 1,
  recent_count: 10,
  evidence_count: 5,
  evidence_by: null,
  max_reflections: 2,
  reflection_depth: null,
  store_reflection: true,
  importance: 0.8,
};

const SUM_UP: JsonObject = {
  strategy: "incremental",
  trigger_mode: "overflow",
  min_count: 2,
  summarize_prompt: "summarize",
  max_words: 20,
  batch_size: 10,
  replace_originals: false,
  importance: 0.7,
  kind: "summary",
};

const STAY: JsonObject = {
  upgrade_transform: "none",
  downgrade_transform: "none",
  summarize_prompt: "summarize",
  summary_max_words: 50,
  summary_batch: 10,
};

const TIERS: PipelineSetup["service"] = {
  name: "hierarchical_memory",
  options: {
    collection_name: "notes",
    top_k: 10,
    vitality: null,
    tiers: [
      { name: "stm", capacity: 2, membership: "exclusive", indexes: ["queue", "vector", "text"] },
      { name: "ltm", capacity: null, membership: "exclusive", indexes: ["vector", "text"] },
    ],
    migration_policy: "pending",
    eviction: null,
    graph: null,
  },
};

const GRAPH: PipelineSetup["service"] = {
  name: "graph_memory",
  options: {
    collection_name: "notes",
    top_k: 10,
    vitality: null,
    graph_type: "link_graph",
    edge_policy: "bidirectional",
    link_mode: "none",
    max_links: 5,
    synonymy_threshold: 0.8,
    retrieve_method: "spread",
    ppr: { damping: 0.5, epsilon: 0.0001, depth: null },
    ...{ normaliser: "unicode", enhanced_rerank: false, passage_edge_weight: 1, doc_ensemble: null },
    seeds: { linking_top_k: 5, passage_node_weight: 0.05, link_threshold: 0.8, node_specificity: true },
    walk: { depth: 2, decay: 0.5 },
  },
};

describe("[S0-35] the service's own triggers, with every option on the way", () => {
  test("[B.0.9-15] reflection writes insights when enough has come", async () => {
    const world = await open(reflection, REFLECT);
    await world.say(["Ada bakes bread.", "Ada bakes cake."]);
    expect(world.notes()).toMatchObject({ reason: expect.stringContaining("2 of 3") });
    await world.say(["Ada bakes bread and cake every day."]);
    const insights = (await world.all()).filter(({ kind }) => kind === "insight");
    expect(insights.map(({ id }) => id)).toEqual(world.notes().added);
    expect(insights.length).toBeGreaterThan(0);
  });

  test("[B.0.9-15] summarize writes summaries that cite, in Chinese", async () => {
    const world = await open(summarize, SUM_UP);
    await world.say(["小明喜欢喝茶。", "小明住在北京。"]);
    const [first, second, summary] = await world.all();
    expect(summary).toMatchObject({ kind: "summary", sources: [first?.id, second?.id] });
  });

  test("forgetting takes what nobody looked at out of recall", async () => {
    const world = await open(forgetting, FORGET);
    await world.say(["Ada likes tea."]);
    world.clock.advance(48 * 3_600_000);
    await world.say(["Ada likes cake."]);
    const [old] = await world.all();
    expect(world.notes()).toMatchObject({ retired: [old?.id], examined: 2 });
    expect(await world.service.retrieve(old?.scope ?? PUBLIC, { text: "tea" })).toEqual([]);
  });

  test("[B.0.9-20] migrate moves what no longer fits; ids stay", async () => {
    const world = await open(migrate, { migrate_policy: "overflow", ...STAY }, { service: TIERS });
    const { inserted } = await world.say(["one tea", "two tea", "three tea"]);
    const entries = await world.all();
    expect(entries.map(({ id }) => id)).toEqual(inserted.map(({ id }) => id));
    expect(entries.map(({ tier }) => tier)).toEqual(["ltm", "stm", "stm"]);
    expect(world.notes()).toMatchObject({ moved: [{ id: inserted[0]?.id, from: "stm", to: "ltm" }] });
    expect((await world.service.getStatus(entries[0]?.scope ?? PUBLIC)).count).toBe(0);
  });

  test("[B.0.9-5] link_evolution knows the new entries by their ids and links them", async () => {
    const options = {
      link_policy: "synonym_edge",
      knn_k: 5,
      threshold: 0.5,
      synonym_merge: "add",
      edge_weight: 1,
    };
    const world = await open(linkEvolution, options, { service: GRAPH });
    const { inserted } = await world.say([
      "Ada owns a red dog.",
      "Ada owns a big red dog.",
      "小明喜欢喝茶。",
    ]);
    const [first, second, third] = inserted.map(({ id }) => id);
    const scope = (await world.all())[0]?.scope ?? PUBLIC;
    const edges = await world.storage.edges(
      scope,
      "notes",
      [first, second, third].filter((id) => id !== undefined),
    );
    expect(edges.map(({ from, to }) => [from, to])).toEqual([[first, second]]);
    expect(world.notes()).toMatchObject({ edges: 1 });
  });

  test("[B.0.9-14][B.0.9-15] a service that has no use for the trigger refuses, loudly", async () => {
    const options = {
      link_policy: "synonym_edge",
      knn_k: 5,
      threshold: 0.5,
      synonym_merge: "add",
      edge_weight: 1,
    };
    const world = await open(linkEvolution, options);
    await expect(world.say(["tea"])).rejects.toMatchObject({ code: "capability_missing" });
    expect(await world.current()).toEqual(["tea"]);
  });
});

describe("[B.0.6] every_turns", () => {
  test("1: after every packet, about the entries that came; more: now and then, about all of them", async () => {
    const policy = {
      link_policy: "synonym_edge",
      knn_k: 50,
      threshold: 0.9,
      synonym_merge: "add",
      edge_weight: 1,
    };
    const world = await open(linkEvolution, { ...policy, every_turns: 2 }, { service: GRAPH });
    let runs = 0;
    for (let turn = 0; turn < 60; turn++) {
      await world.say([`The same tea ${turn % 2 === 0 ? "again" : "again!"}`]);
      const { examined } = world.notes();
      if (examined === undefined) expect(world.notes()).toEqual({ due: false });
      else {
        runs++;
        expect(examined).toBe(turn + 1);
      }
    }
    // Drawn by the turns' ids: about half of them.
    expect(runs).toBeGreaterThan(0);
    expect(runs).toBeLessThan(60);
  });
});

test("[B.0.6] every_turns: the same turns decide the same, and on average one in so many", () => {
  const world = sampleTurns(2000);
  const due = (every: number) => world.filter((turn) => isDue([turn], every));
  expect(due(1)).toHaveLength(2000);
  expect(due(10).length).toBeGreaterThan(140);
  expect(due(10).length).toBeLessThan(260);
  expect(due(10)).toEqual(due(10));
  // A packet is due if one of its turns is.
  expect(isDue(world.slice(0, 500), 10)).toBe(true);
  expect(isDue([], 10)).toBe(false);
});

function sampleTurns(count: number): Turn[] {
  const ids = createIds(manualClock(0), seededRandom(1));
  return Array.from({ length: count }, (_, seq) => ({
    ...makeTurn({ text: "tea" }, { id: ids.turn(), scope: PUBLIC, recordedAt: 0 }),
    seq,
  }));
}

describe("route_links", () => {
  const ROUTE: JsonObject = {
    temporal: { window_seconds: 300, min_weight: 0.1, max_links: 1, max_weight: 2 },
    semantic: { similarity_threshold: 0.5, max_links: 10, max_weight: 2 },
    causal: { min_confidence: 0.8, max_links: 10, max_weight: 2 },
    strengthen_by: 0.1,
    max_out_edges: 50,
  };
  const linksOf = async (world: PostInsertWorld) => {
    const entries = await world.all();
    const name = new Map(entries.map(({ id, content }) => [id, content]));
    const edges = await world.storage.edges(
      entries[0]?.scope ?? PUBLIC,
      "notes",
      entries.map(({ id }) => id),
    );
    return edges.map(({ from, to, type }) => `${name.get(from)} -${type}-> ${name.get(to)}`).sort();
  };
  const minutes = (text: string, minute: number) => ({ text, happenedAt: Date.UTC(2026, 0, 1, 12, minute) });

  test("[S4-7][S4-16] new memories are tied to what came just before, what is alike and what caused them", async () => {
    const world = await open(routeLinks, ROUTE, { service: GRAPH });
    await world.say([minutes("red dog", 0), minutes("blue sky", 1)]);
    await world.say([minutes("red dog too", 30)]);
    expect(await linksOf(world)).toEqual(["blue sky -temporal-> red dog", "red dog too -semantic-> red dog"]);
    const [cause] = await world.all();
    const scope = cause?.scope ?? PUBLIC;
    const causes = [
      { id: cause?.id ?? "", confidence: 0.9 },
      { id: "00000000-0000-7000-8000-000000000000", confidence: 1 },
    ];
    const effect = await world.service.insert(scope, { content: "bark", metadata: { causes } });
    const config = { link_policy: "route", ...ROUTE };
    await world.service.optimize(scope, { trigger: "link_evolution", config, entries: [effect] });
    expect(await linksOf(world)).toContain("bark -causal-> red dog");
    // Once is enough: all are routed.
    expect(await world.service.optimize(scope, { trigger: "link_evolution", config })).toMatchObject({
      edges: 0,
    });
  });

  test("every part can be left out, and the number of links is bounded", async () => {
    const said = [minutes("red dog", 0), minutes("red dog two", 1), minutes("red dog three", 2)];
    const links = async (change: JsonObject) => {
      const world = await open(routeLinks, { ...ROUTE, ...change }, { service: GRAPH });
      await world.say(said);
      return (await linksOf(world)).map((link) => link.split("-")[1]);
    };
    expect((await links({ semantic: null })).sort()).toEqual(["temporal", "temporal"]);
    expect((await links({ temporal: null })).sort()).toEqual(["semantic", "semantic", "semantic"]);
    expect(await links({ temporal: null, max_out_edges: 1 })).toHaveLength(2);
    expect(await links({ temporal: null, semantic: null })).toEqual([]);
  });

  test("a link that is there already grows", async () => {
    for (const strengthen_by of [0, 0.5]) {
      const world = await open(routeLinks, ROUTE, { service: GRAPH });
      const { inserted } = await world.say([minutes("red dog", 0)]);
      const [to] = inserted.map(({ id }) => id);
      const scope = (await world.all())[0]?.scope ?? PUBLIC;
      const edges = to === undefined ? [] : [{ to, type: "temporal", weight: 0.3, provenance: "route" }];
      const happenedAt = Date.UTC(2026, 0, 1, 12, 1);
      const id = await world.service.insert(scope, { content: "blue sky", happenedAt, edges });
      const config = { link_policy: "route", ...ROUTE, strengthen_by };
      await world.service.optimize(scope, { trigger: "link_evolution", config, entries: [id] });
      const [edge] = await world.storage.edges(scope, "notes", [id]);
      expect(edge?.weight).toBeCloseTo(0.3 + strengthen_by);
    }
  });
});

describe("consolidate", () => {
  const CRYSTAL: JsonObject = {
    recent: 100,
    similarity_threshold: 0.5,
    min_size: 2,
    vitality: { policy: "lfu" },
    target_tier: null,
    summarize_prompt: "summarize",
    max_words: 20,
    batch_size: 10,
    replace_originals: false,
    importance: 0.7,
    kind: "fact",
  };
  const facts = async (world: PostInsertWorld) => (await world.all()).filter(({ kind }) => kind === "fact");

  test("[S4-16] alike memories become one fact that cites them; the same group never twice, a grown one anew", async () => {
    const world = await open(consolidate, CRYSTAL);
    const { inserted } = await world.say([
      "Ada likes red tea.",
      "Ada likes red tea much.",
      "Rome is far away.",
    ]);
    const [first] = await facts(world);
    expect([...(first?.sources ?? [])].sort()).toEqual(inserted.slice(0, 2).map(({ id }) => id));
    expect(first?.metadata).toMatchObject({ strategy: "clusters", confidence: 0 });
    await world.say(["A wholly different matter."]);
    expect(await facts(world)).toHaveLength(1);
    const more = await world.say(["Ada likes red tea so much."]);
    const grown = (await facts(world)).at(-1);
    expect(grown?.sources).toContain(more.inserted[0]?.id);
    expect((await facts(world))[0]?.supersededBy).toBe(grown?.id);
  });

  test("every option counts, in Chinese as well", async () => {
    const said = ["小明喜欢喝红茶。", "小明喜欢喝绿茶。", "小明喜欢喝茶。"];
    const made = async (change: JsonObject) => {
      const world = await open(consolidate, { ...CRYSTAL, ...change });
      await world.say(said);
      return {
        facts: (await world.all()).filter(({ kind }) => kind !== "memory"),
        current: await world.current(),
      };
    };
    const plain = await made({});
    expect(plain.facts[0]).toMatchObject({ importance: 0.7, kind: "fact" });
    expect((await made({ min_size: 4 })).facts).toEqual([]);
    expect((await made({ similarity_threshold: 0.999 })).facts).toEqual([]);
    expect((await made({ recent: 2 })).facts[0]?.sources).toHaveLength(2);
    expect((await made({ kind: "crystal", importance: 0.2 })).facts[0]).toMatchObject({
      kind: "crystal",
      importance: 0.2,
    });
    expect((await made({ replace_originals: true })).current).toHaveLength(1);
    const alive = await made({ vitality: { policy: "time_decay", decay_per_hour: 0 } });
    expect(alive.facts[0]?.metadata.confidence).toBe(1);
    expect((await made({ max_words: 3 })).facts[0]?.content.length).toBeLessThan(
      plain.facts[0]?.content.length ?? 0,
    );
  });

  test("batch_size: texts are shown in so many at once", async () => {
    const asked = async (batch_size: number) => {
      const world = await open(
        consolidate,
        { ...CRYSTAL, batch_size },
        { chat: '{"summary": "Ada likes tea."}' },
      );
      await world.say(["Ada likes red tea.", "Ada likes red tea much."]);
      return world.asked().split("system").length - 1;
    };
    expect(await asked(1)).toBeGreaterThan(await asked(10));
  });
});

test("a bad reply on the way: the rules write, or the insert fails and nothing is lost", async () => {
  const setup = { chat: "not json" };
  const lenient = await open(summarize, SUM_UP, { ...setup, onBadReply: "fallback" });
  await lenient.say(["Ada likes tea.", "Ada likes cake."]);
  expect(await lenient.all()).toHaveLength(3);
  const strict = await open(summarize, SUM_UP, { ...setup, onBadReply: "throw" });
  await expect(strict.say(["Ada likes tea.", "Ada likes cake."])).rejects.toMatchObject({
    code: "reply_invalid",
  });
  expect(await strict.current()).toEqual(["Ada likes tea.", "Ada likes cake."]);
});

test("what they need of a preset", () => {
  const claims = (action: ActionDefinition<"post_insert">, options: JsonObject) =>
    action.claims?.(action.options.parse({ every_turns: 1, ...options }));
  expect(claims(reflection, REFLECT)).toMatchObject({
    triggers: ["reflection"],
    prompts: [{ prompt: "reflect_questions" }, { prompt: "reflect_insights" }],
  });
  expect(claims(forgetting, { ...FORGET, tiers: ["stm"] })).toEqual({
    triggers: ["forgetting"],
    tiers: ["stm"],
  });
  const manual = { migrate_policy: "manual", ids: null, filter: null, target_tier: "ltm", ...STAY };
  expect(claims(migrate, manual)).toMatchObject({ triggers: ["migrate"], tiers: ["ltm"] });
  expect(claims(summarize, SUM_UP)).toMatchObject({ prompts: [{ prompt: "summarize" }] });
});

test("[B.0.9-10][B.0.9-23] every option that names a prompt changes what the model is asked", async () => {
  const asked = async (
    action: ActionDefinition<"post_insert">,
    options: JsonObject,
    prompt: { readonly key: string; readonly text: string; readonly chat: Script },
    service?: PipelineSetup["service"],
  ) => {
    const { key, text, chat } = prompt;
    const promptFiles = { mine: `Mark ${key}.\n\n---\n\n${text}\n` };
    const setup = { chat, promptFiles, ...(service === undefined ? {} : { service }) };
    const world = await open(action, { ...options, [key]: "mine" }, setup);
    await world.say(["Ada owns a red dog.", "Ada owns a big red dog.", "Ada owns the red dog."]);
    expect(world.asked()).toContain(`Mark ${key}.`);
  };
  const summary = { text: "{{texts}} {{previous}} {{max_words}}", chat: '{"summary": "Ada owns a dog."}' };
  await asked(summarize, SUM_UP, { key: "summarize_prompt", ...summary });
  const moving = { migrate_policy: "overflow", ...STAY, downgrade_transform: "summarize" };
  await asked(migrate, moving, { key: "summarize_prompt", ...summary }, TIERS);
  const days = {
    windows: ["global"],
    time_zone: "UTC",
    portrait_of: null,
    portrait_prompt: "summarize_day",
    merge_prompt: "merge_portraits",
    closes: "clock",
    target_tiers: null,
  };
  const hierarchical = { ...SUM_UP, strategy: "hierarchical", ...days };
  await asked(summarize, hierarchical, { key: "summarize_prompt", ...summary });

  const portrait = {
    ...days,
    windows: ["daily", "global"],
    portrait_of: "Mia",
    portrait_prompt: "mine",
    merge_prompt: "ours",
  };
  const promptFiles = {
    mine: "Mark portrait.\n\n---\n\n{{date}} {{speaker}} {{dialogue}}\n",
    ours: "Mark merge.\n\n---\n\n{{speaker}} {{portraits}}\n",
  };
  const chat = '{"summary": "Mia likes tea.", "personality": "calm", "strategy": "be calm"}';
  const world = await open(summarize, { ...hierarchical, ...portrait }, { chat, promptFiles });
  const happenedAt = Date.UTC(2026, 3, 1);
  await world.say(["I like tea.", "I like cake."].map((text) => ({ text, happenedAt, speaker: "Mia" })));
  expect(world.asked()).toContain("Mark portrait.");
  expect(world.asked()).toContain("Mark merge.");

  const questions = { text: "{{statements}} {{count}}", chat: '{"questions": ["What does Ada own?"]}' };
  await asked(reflection, REFLECT, { key: "question_prompt", ...questions });
  const insights = {
    text: "{{statements}} {{question}} {{count}}",
    chat: [questions.chat, '{"insights": [{"insight": "Ada owns a dog.", "evidence": [0]}]}'],
  };
  await asked(reflection, REFLECT, { key: "prompt", ...insights });

  const evolution = {
    text: evolveNote.placeholders.map((name) => `{{${name}}}`).join(" "),
    chat: "whatever",
  };
  const auto = { link_policy: "auto_link", max_links: 2, threshold: 0.1, auto_link_prompt: "evolve_note" };
  await asked(linkEvolution, auto, { key: "auto_link_prompt", ...evolution }, GRAPH);
  const note = {
    link_policy: "evolve_note",
    neighbours: 2,
    prompt: "evolve_note",
    update_target: "neighbour",
    reembed: null,
    rebuild: null,
  };
  await asked(linkEvolution, note, { key: "prompt", ...evolution }, GRAPH);
});

test("what looks for likeness says that it needs vectors", () => {
  const claims = (action: ActionDefinition<"post_insert">, options: JsonObject) =>
    action.claims?.(action.options.parse({ every_turns: 1, ...options }));
  const VECTORS = { abilities: ["vector"], embedder: true };
  const synonym = {
    link_policy: "synonym_edge",
    knn_k: 5,
    threshold: 0.7,
    synonym_merge: "add",
    edge_weight: 1,
  };
  const auto = { link_policy: "auto_link", max_links: 5, threshold: 0.7, auto_link_prompt: "evolve_note" };
  const strengthen = { link_policy: "strengthen", strengthen_factor: 0.1, decay_rate: 0.01, max_weight: 10 };
  expect(claims(linkEvolution, synonym)).toMatchObject(VECTORS);
  expect(claims(linkEvolution, auto)).toMatchObject(VECTORS);
  expect(claims(linkEvolution, strengthen)?.embedder).toBeUndefined();

  const routing = { temporal: null, causal: null, strengthen_by: 0.1, max_out_edges: 9 };
  const semantic = { similarity_threshold: 0.7, max_links: 3, max_weight: 2 };
  expect(claims(routeLinks, { ...routing, semantic })).toMatchObject(VECTORS);
  expect(claims(routeLinks, { ...routing, semantic: null })?.embedder).toBeUndefined();

  const writing = {
    ...{ trigger_mode: "manual", summarize_prompt: "summarize", max_words: 60, batch_size: 40 },
    ...{ replace_originals: false, importance: 0.7, kind: "fact" },
  };
  const clusters = {
    strategy: "clusters",
    recent: 9,
    similarity_threshold: 0.7,
    min_size: 2,
    vitality: { policy: "lru" },
    target_tier: null,
  };
  expect(claims(summarize, { ...writing, ...clusters })).toMatchObject(VECTORS);
  const placed = claims(summarize, { ...writing, ...clusters, target_tier: "facts" });
  expect(placed).toMatchObject({ ...VECTORS, tiers: ["facts"] });
  expect(claims(summarize, { ...writing, strategy: "single", group_by: null })?.embedder).toBeUndefined();
});

test("heat that is cold above where it is hot is refused", () => {
  const options = {
    ...{ every_turns: 1, migrate_policy: "heat", vitality: { policy: "lru" }, hot_move: "promote" },
    ...{ upgrade_transform: "none", downgrade_transform: "none", summarize_prompt: "summarize" },
    ...{ summary_max_words: 60, summary_batch: 40 },
  };
  const parse = (hot_threshold: number | null, cold_threshold: number) =>
    migrate.options.safeParse({ ...options, hot_threshold, cold_threshold });
  expect(parse(0.3, 0.7).error?.message).toContain("hot_threshold");
  expect(parse(0.7, 0.3).success).toBe(true);
  expect(parse(null, 0.3).success).toBe(true);
});
