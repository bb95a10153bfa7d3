import { afterEach, describe, expect, test } from "vitest";
import { manualClock } from "../../base/clock.ts";
import type { JsonObject } from "../../base/json.ts";
import { PUBLIC } from "../../base/scope.ts";
import { silent } from "../../base/trace.ts";
import { CollectionManager } from "../../collection/collection-manager.ts";
import type { EmbedderSet } from "../../models/local/embedder-set.ts";
import { openInMemory } from "../../storage/memory.ts";
import { hashEmbedder } from "../../testing/hash-embedder.ts";
import type { SeenRequest, ServerReply } from "../../testing/model-server.ts";
import {
  ALICE,
  HOUR,
  openTriggerWorld,
  type TriggerWorld,
  type TriggerWorldOptions,
} from "../../testing/trigger-world.ts";
import { openService } from "../index.ts";
import { CONTENT, textField } from "../vector-fields.ts";

const SHARED = {
  about: { type: "general" },
  question_prompt: "reflect_questions",
  prompt: "reflect_insights",
  question_count: 3,
  recent_count: 100,
  evidence_count: 30,
  evidence_by: null,
  max_reflections: 5,
  reflection_depth: null,
  store_reflection: true,
  importance: 0.8,
};
const MANUAL: JsonObject = { trigger_mode: "manual", ...SHARED };
const CATS = ["Mia adopted a grey cat.", "Mia feeds the cat every morning.", "The cat sleeps on Mia's desk."];
const CATS_ZH = ["小美收养了一只灰猫。", "小美每天早上喂猫。", "猫睡在小美的书桌上。"];

let world: TriggerWorld | undefined;
afterEach(() => world?.close());
async function open(options?: TriggerWorldOptions): Promise<TriggerWorld> {
  world = await openTriggerWorld(options);
  return world;
}

/** One question, and for it one insight from the statements 0 and 1 (or others), told apart by its number. */
function scripted(evidence: readonly number[] = [0, 1]): (request: SeenRequest) => ServerReply {
  let insights = 0;
  return ({ body }) => {
    if (JSON.stringify(body).includes('"reflect_questions"')) return '{"questions": ["What does Mia love?"]}';
    insights++;
    return JSON.stringify({ insights: [{ insight: `Mia loves animals (${insights}).`, evidence }] });
  };
}

describe("reflection", () => {
  test.each([
    ["en", CATS],
    ["zh", CATS_ZH],
  ])(
    "[S0-35][B.0.9-15] insights follow from what is new and cite it, with no model (%s)",
    async (_language, texts) => {
      const { add, run, get, service } = await open();
      const ids: string[] = [];
      for (const text of texts) ids.push(await add(text));
      const { added, examined } = await run("reflection", MANUAL);
      expect(examined).toBe(3);
      expect(added.length).toBeGreaterThan(0);
      const insight = await get(added[0]);
      expect(insight).toMatchObject({
        kind: "insight",
        importance: 0.8,
        scope: ALICE,
        metadata: { depth: 1 },
      });
      expect(ids).toEqual(expect.arrayContaining([...insight.sources]));
      expect(insight.sources.length).toBeGreaterThan(1);
      const hits = await service.retrieve(ALICE, { text: insight.content });
      expect(hits.map(({ id }) => id)).toContain(insight.id);
    },
  );

  test("done again with nothing new it does nothing, also after a restart", async () => {
    const storage = await openInMemory();
    const before = await openTriggerWorld({ storage });
    for (const text of CATS) await before.add(text);
    expect((await before.run("reflection", MANUAL)).added).not.toEqual([]);
    const after = await open({ storage });
    expect(await after.run("reflection", MANUAL)).toMatchObject({
      added: [],
      reason: expect.stringContaining("nothing new"),
    });
  });

  test("[P2-2] Generative Agents: fifteen events of poignancy 10 make exactly one reflection at 150, and then the count starts anew", async () => {
    const { add, run } = await open({ chat: scripted() });
    const config = {
      trigger_mode: "threshold",
      importance_threshold: 150,
      unjudged_importance: 0.5,
      ...SHARED,
    };
    for (let i = 0; i < 14; i++) await add(`event ${i}`, { importance: 1 });
    expect(await run("reflection", config)).toMatchObject({
      added: [],
      reason: expect.stringContaining("140"),
    });
    await add("event 14", { importance: 1 });
    expect((await run("reflection", config)).added).toHaveLength(1);
    await add("event 15", { importance: 1 });
    expect((await run("reflection", config)).added).toEqual([]);
    expect((await run("reflection", { ...config, importance_threshold: 10 })).added).toHaveLength(1);
  });

  test("unjudged_importance is what an entry weighs that nobody judged", async () => {
    const { add, run } = await open({ chat: scripted() });
    const config = {
      trigger_mode: "threshold",
      importance_threshold: 10,
      unjudged_importance: 0.4,
      ...SHARED,
    };
    for (const text of ["one", "two"]) await add(text);
    expect((await run("reflection", config)).added).toEqual([]);
    expect((await run("reflection", { ...config, unjudged_importance: 0.5 })).added).toHaveLength(1);
  });

  test("by count and by time", async () => {
    const { add, run, clock } = await open({ chat: scripted() });
    const count = { trigger_mode: "count", memory_count: 2, ...SHARED };
    const periodic = { trigger_mode: "periodic", interval_minutes: 60, ...SHARED };
    await add("one");
    expect((await run("reflection", count)).added).toEqual([]);
    expect((await run("reflection", periodic)).added).toEqual([]);
    await add("two");
    expect((await run("reflection", count)).added).toHaveLength(1);
    await add("three");
    clock.advance(HOUR);
    expect((await run("reflection", { ...periodic, interval_minutes: 61 })).added).toEqual([]);
    expect((await run("reflection", periodic)).added).toHaveLength(1);
    await expect(run("reflection", { ...periodic, memory_count: 2 })).rejects.toMatchObject({
      code: "option_invalid",
    });
  });

  test("[P2-3] an insight lies one deeper than the deepest of its evidence, and reflection_depth bounds it", async () => {
    const deep = async (reflection_depth: number | null) => {
      const it = await open({ chat: scripted([0, 1, 2]) });
      await it.add("What does Mia love? 0", { metadata: { depth: 2 }, kind: "insight" });
      await it.add("Mia loves cats");
      await it.add("Mia loves dogs");
      await it.add("Mia loves birds");
      const { added } = await it.run("reflection", { ...MANUAL, reflection_depth, evidence_count: 3 });
      const { metadata } = await it.get(added[0]);
      await it.close();
      return metadata.depth;
    };
    expect(await deep(null)).toBe(3);
    expect(await deep(2)).toBe(1);
  });

  test("question_count, recent_count, evidence_count and max_reflections reach the model", async () => {
    const seen: string[] = [];
    const it = await open({
      chat: ({ body }) => {
        const asked = JSON.stringify(body);
        seen.push(asked);
        if (asked.includes('"reflect_questions"')) return '{"questions": ["Which cat?", "Which morning?"]}';
        return JSON.stringify({
          insights: [1, 2, 3].map((n) => ({ insight: `Insight ${seen.length}.${n}`, evidence: [0] })),
        });
      },
    });
    for (const text of CATS) await it.add(text);
    const config = {
      ...MANUAL,
      question_count: 2,
      recent_count: 2,
      evidence_count: 1,
      evidence_by: null,
      max_reflections: 3,
      importance: 0.3,
    };
    const { added } = await it.run("reflection", config);
    expect(added).toHaveLength(3);
    expect((await it.get(added[0])).importance).toBe(0.3);
    expect(seen[0]).not.toContain("adopted");
    expect(seen[0]).toContain("feeds");
    expect(seen[0]).toMatch(/\b2\b/);
    expect(seen[1]).not.toContain("[1]");
  });

  test("evidence_by: by recency, importance and relevance over all candidates, not by nearness alone", async () => {
    const evidence = async (evidence_by: JsonObject | null) => {
      const it = await open({ chat: scripted([0]) });
      await it.add("What does Mia love? Cats.", { importance: 0.1 });
      await it.add("小美结婚了", { importance: 1 });
      await it.add("Mia walks", { importance: 0.1 });
      const { added } = await it.run("reflection", { ...MANUAL, evidence_count: 1, evidence_by });
      const [source] = (await it.get(added[0])).sources;
      const [found] = (await it.store.scan(ALICE, {})).filter(({ id }) => id === source);
      await it.close();
      return found?.content;
    };
    const recency = { form: "hours", factor_per_hour: 0.995, time_field: "last_seen_at" };
    const by = (importance: number, candidates: number) => ({
      ...{ candidates, recency, unjudged_importance: 0.5 },
      weights: { recency: 0, importance, relevance: 1 },
    });
    expect(await evidence(null)).toBe("What does Mia love? Cats.");
    expect(await evidence(by(0, 10))).toBe("What does Mia love? Cats.");
    expect(await evidence(by(2, 10))).toBe("小美结婚了");
    expect(await evidence(by(2, 1))).toBe("What does Mia love? Cats.");
  });

  test("an insight's own importance is asked for where the config names a prompt, and counts towards no reflection", async () => {
    const reply = scripted([0]);
    const it = await open({
      chat: (request) =>
        JSON.stringify(request.body).includes('"score_importance"') ? '{"importance": 9}' : reply(request),
    });
    await it.add("Mia loves cats");
    const importance = { importance_prompt: "score_importance" };
    const { added } = await it.run("reflection", { ...MANUAL, importance });
    expect((await it.get(added[0])).importance).toBe(0.9);
  });

  test("store_reflection: false tells and keeps nothing", async () => {
    const { add, run, writes } = await open({ chat: scripted() });
    for (const text of CATS) await add(text);
    writes();
    const done = await run("reflection", { ...MANUAL, store_reflection: false });
    expect(done).toMatchObject({ added: [], unstored: ["Mia loves animals (1)."] });
    expect(writes()).toBe(0);
  });

  test.each([
    ["self", ["Bob said hello", "I am tired"]],
    ["other", ["Carl lives in Rome"]],
  ] as const)("about %s: by who spoke, and who is named", async (type, expected) => {
    const seen: string[] = [];
    const it = await open({
      chat: (request) => {
        seen.push(JSON.stringify(request.body));
        return scripted([0])(request);
      },
    });
    const texts: readonly [string, JsonObject][] = [
      ["Bob said hello", { speaker: "Ann" }],
      ["I am tired", { speaker: "Bob" }],
      ["Carl lives in Rome", { speaker: "Ann" }],
    ];
    for (const [text, metadata] of texts) await it.add(text, { metadata });
    await it.run("reflection", { ...MANUAL, about: { type, name: "Bob" } });
    for (const [text] of texts) {
      if (expected.some((one) => one === text)) expect(seen[0]).toContain(text);
      else for (const asked of seen) expect(asked).not.toContain(text);
    }
  });

  test("[C-31] evidence of a private scope may be public, and what follows is private", async () => {
    const { add, run, get, store } = await open({ chat: scripted() });
    const open_ = await add("Mia loves cats, everybody knows", {}, PUBLIC);
    const own = await add("Mia loves dogs");
    const { added } = await run("reflection", { ...MANUAL, evidence_count: 2 });
    const insight = await get(added[0]);
    expect(insight.scope).toBe(ALICE);
    expect(insight.sources.toSorted()).toEqual([open_, own].toSorted());
    expect(await store.get(PUBLIC, insight.id)).toBeUndefined();
  });

  test("an insight is about the time of its evidence", async () => {
    const { add, run, get } = await open({ chat: scripted([0]) });
    const then = Date.UTC(2023, 4, 8);
    await add("Mia loves cats", { happenedAt: then });
    const { added } = await run("reflection", MANUAL);
    expect((await get(added[0])).happenedAt).toBe(then);
  });

  test("each subject goes on from where it stopped itself", async () => {
    const { add, run } = await open({ chat: scripted([0]) });
    const about = (type: string) => ({ ...MANUAL, about: { type, name: "Bob" } });
    await add("I am tired", { metadata: { speaker: "Bob" } });
    await add("Carl lives in Rome", { metadata: { speaker: "Ann" } });
    for (const type of ["self", "other"]) {
      expect((await run("reflection", about(type))).added).toHaveLength(1);
      expect((await run("reflection", about(type))).reason).toContain("nothing new");
    }
    expect((await run("reflection", MANUAL)).added).toHaveLength(1);
  });

  test("what arrives while a model thinks is considered next time", async () => {
    let arrive: (() => Promise<unknown>) | undefined;
    let arriving: Promise<unknown> | undefined;
    const reply = scripted([0]);
    const it = await open({
      chat: (request) => {
        arriving ??= arrive?.();
        return reply(request);
      },
    });
    await it.add("Mia loves cats");
    arrive = () => it.add("Mia loves dogs");
    expect((await it.run("reflection", MANUAL)).examined).toBe(1);
    await arriving;
    const next = await it.run("reflection", MANUAL);
    expect(next.reason ?? "").not.toContain("nothing new");
    expect(next.added).toHaveLength(1);
  });

  test("where nothing follows, the model is not asked the same again, also after a restart", async () => {
    let asked = 0;
    const chat = () => {
      asked++;
      return '{"questions": []}';
    };
    const storage = await openInMemory();
    const before = await openTriggerWorld({ storage, chat });
    await before.add("小美喜欢猫");
    expect((await before.run("reflection", MANUAL)).reason).toContain("Nothing follows");
    const first = asked;
    const after = await open({ storage, chat });
    expect((await after.run("reflection", MANUAL)).reason).toContain("nothing new");
    expect(asked).toBe(first);
    expect(await after.service.retrieve(ALICE, { text: "How far reflection has come" })).toEqual([]);
  });

  test("what is embedded for a private scope is charged to it", async () => {
    const clock = manualClock(0);
    const manager = new CollectionManager(await openInMemory({ clock }), { clock });
    const paid: unknown[] = [];
    const plain = hashEmbedder();
    const embedder: EmbedderSet = {
      ...plain,
      embedDocuments(texts, options) {
        paid.push(options?.scope);
        return plain.embedDocuments(texts, options);
      },
      embedQuery(text, options) {
        paid.push(options?.scope);
        return plain.embedQuery(text, options);
      },
    };
    const service = await openService(
      "neuromem_vdb",
      { collection_name: "notes", vitality: null, top_k: 10 },
      {
        ...{ manager, clock, embedder, trace: silent, thinking: { onBadReply: "throw" } },
        fields: [textField(CONTENT, embedder.spaces)],
      },
    );
    for (const content of CATS) await service.insert(ALICE, { content });
    expect((await service.optimize(ALICE, { trigger: "reflection", config: MANUAL })).added).not.toEqual([]);
    expect(paid.length).toBeGreaterThan(1);
    expect(new Set(paid)).toEqual(new Set([ALICE]));
    await manager.close();
  });

  test("what is not due is told without reading any text of a memory", async () => {
    const { add, run, store } = await open();
    const scan = store.scan.bind(store);
    let texts = 0;
    store.scan = async (...asked) => {
      const found = await scan(...asked);
      texts += found.length;
      return found;
    };
    for (const text of CATS) await add(text);
    const config = { trigger_mode: "count", memory_count: 4, ...SHARED };
    expect(await run("reflection", config)).toMatchObject({ examined: 3, added: [] });
    expect(texts).toBe(0);
  });

  test("a look for evidence is not counted, and a bad reply follows onBadReply", async () => {
    const strict = await open({ chat: "no json" });
    const id = await strict.add("Mia loves cats");
    await expect(strict.run("reflection", MANUAL)).rejects.toMatchObject({ code: "reply_invalid" });
    expect((await strict.get(id)).accessCount).toBe(0);
    await strict.close();
    const lenient = await open({ chat: "no json", onBadReply: "fallback" });
    for (const text of CATS_ZH) await lenient.add(text);
    expect((await lenient.run("reflection", MANUAL)).added).not.toEqual([]);
  });

  test("a name is told from a longer one, and in Chinese it needs no spaces", async () => {
    const it = await open();
    const about = async (name: string) =>
      (await it.run("reflection", { ...MANUAL, about: { type: "self", name } })).reason ?? "";
    await it.add("Anna met Joanna");
    await it.add("昨天小明去了北京");
    expect(await about("Ann")).toContain("nothing new");
    for (const name of ["Anna", "小明"]) expect(await about(name)).not.toContain("nothing new");
  });

  test("services that find by arrival, by hashes of vectors or in tiers reflect too", async () => {
    const hash = { k_nearest: 10, form: "sign", lsh_nbits: 32, seed: 1, max_hamming: 32 };
    const services: TriggerWorldOptions[] = [
      { service: "short_term_memory", options: { top_k: 10, maxlen: 50 } },
      { service: "vector_hash_memory", options: hash },
    ];
    for (const one of services) {
      const it = await open({ ...one, chat: scripted() });
      for (const text of CATS) await it.add(text);
      expect((await it.run("reflection", MANUAL)).added).toHaveLength(1);
      await it.close();
    }
  });
});
