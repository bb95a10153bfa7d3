import { afterEach, describe, expect, test } from "vitest";
import { where } from "../../base/filter.ts";
import type { JsonObject } from "../../base/json.ts";
import { parseScope } from "../../base/scope.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { DAY, HOUR, openRecallWorld } from "../../testing/recall-world.ts";
import { augment } from "./augment.ts";
import { filter } from "./filter.ts";

const MINUTE = HOUR / 60;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(options: JsonObject, k = 10) {
  const world = await openRecallWorld([
    chosen(filter, { filter_type: "top_k", k }),
    chosen(augment, options),
  ]);
  closing.push(world.close);
  return world;
}

const texts = ({ hits }: { readonly hits: readonly { readonly text: string }[] }): string[] =>
  hits.map(({ text }) => text);

describe("persona and traits", () => {
  const ALL = { speakers: null, max_entries: 100, max_items: 10 };

  async function recall(options: JsonObject) {
    const { add, ask, now } = await open(options);
    const persona = (speaker: string, kind: string, text: string) => ({ speaker, kind, text });
    await add("one", 0, {
      happenedAt: now - 2 * DAY,
      metadata: { persona: [persona("Ada", "trait", "is patient"), persona("Ada", "fact", "lives in Rome")] },
    });
    await add("二", 10, {
      happenedAt: now - DAY,
      metadata: { persona: [persona("小明", "trait", "很耐心")] },
    });
    await add("three", 20, {
      happenedAt: now,
      metadata: { persona: [persona("Ada", "trait", "is patient")] },
    });
    await add("four", 30, { happenedAt: now, metadata: { persona: "not a list" } });
    return (await ask("?")).sections;
  }

  test("[S0-40] what entries tell of their speakers, newest first, each once; traits are a part of it", async () => {
    expect(await recall({ augment_type: "persona", ...ALL })).toEqual({
      persona: ["Ada: is patient", "小明: 很耐心", "Ada: lives in Rome"],
    });
    expect(await recall({ augment_type: "traits", ...ALL })).toEqual({
      traits: ["Ada: is patient", "小明: 很耐心"],
    });
  });

  test("speakers, max_entries and max_items each bound it", async () => {
    const run = (more: JsonObject) => recall({ augment_type: "persona", ...ALL, ...more });
    expect(await run({ speakers: ["小明"] })).toEqual({ persona: ["小明: 很耐心"] });
    expect(await run({ max_items: 1 })).toEqual({ persona: ["Ada: is patient"] });
    expect(await run({ max_entries: 3 })).toEqual({ persona: ["Ada: is patient", "小明: 很耐心"] });
  });

  test("it is narrowed by the question's filter, and by when it is asked", async () => {
    const { add, ask, now } = await open({ augment_type: "persona", ...ALL });
    const of = (text: string, session: string, days: number) => ({
      happenedAt: now - days * DAY,
      metadata: { session, persona: [{ speaker: "Ada", kind: "fact", text }] },
    });
    await add("one", 0, of("lives in Rome", "a", 2));
    await add("二", 10, of("住在罗马", "b", 3));
    await add("three", 20, of("lives in Oslo", "a", 0));
    const filter = where.eq("metadata.session", "a");
    const shown = async (question: object) => (await ask({ text: "?", ...question })).sections.persona;
    expect(await shown({})).toHaveLength(3);
    expect(await shown({ filter })).toEqual(["Ada: lives in Oslo", "Ada: lives in Rome"]);
    expect(await shown({ at: now - DAY })).toEqual(["Ada: lives in Rome", "Ada: 住在罗马"]);
  });

  test("what is told seldom is found behind many entries that tell nothing", async () => {
    const { add, ask, now } = await open({ augment_type: "persona", ...ALL, max_entries: 200 });
    const persona = [{ speaker: "小明", kind: "fact", text: "住在上海" }];
    await add("old", 0, { happenedAt: now - DAY, metadata: { persona } });
    for (let n = 0; n < 100; n++) await add(`line ${n}`, 90);
    expect((await ask("?")).sections.persona).toEqual(["小明: 住在上海"]);
  });

  test("what another scope knows stays there", async () => {
    const { ask, service } = await open({ augment_type: "persona", ...ALL });
    const metadata = { persona: [{ speaker: "Bob", kind: "trait", text: "is secretive" }] };
    await service.insert(parseScope("bob"), { content: "bob's", metadata });
    expect((await ask("?")).sections).toEqual({ persona: [] });
  });
});

describe("events", () => {
  async function recall(more: JsonObject) {
    const options = {
      augment_type: "events",
      kinds: ["event"],
      within_days: null,
      max_items: 10,
      date_style: "day",
    };
    const { add, ask, now } = await open({ ...options, ...more });
    await add("The flood", 0, { kind: "event", happenedAt: now - 40 * DAY });
    await add("搬家", 10, { kind: "event", happenedAt: now - 3 * DAY });
    await add("A plan for later", 20, { kind: "event", happenedAt: now + DAY });
    await add("A thought", 30, { kind: "insight", happenedAt: now - DAY });
    return (await ask("?")).sections.events;
  }

  test("[S0-40] what happened before the question, newest first, with its date", async () => {
    expect(await recall({})).toEqual(["[2026年4月28日] 搬家", "[22 March 2026] The flood"]);
    expect(await recall({ within_days: 7 })).toEqual(["[2026年4月28日] 搬家"]);
    expect(await recall({ max_items: 1 })).toEqual(["[2026年4月28日] 搬家"]);
    expect(await recall({ kinds: ["insight"], date_style: "ago" })).toEqual(["[1 day ago] A thought"]);
  });
});

test("events are narrowed by the question's filter", async () => {
  const options = { kinds: ["event"], within_days: null, max_items: 9, date_style: "day" };
  const { add, ask, now } = await open({ augment_type: "events", ...options });
  await add("The flood", 0, { kind: "event", happenedAt: now - DAY, metadata: { session: "a" } });
  await add("搬家", 0, { kind: "event", happenedAt: now - DAY, metadata: { session: "b" } });
  const { sections } = await ask({ text: "?", filter: where.eq("metadata.session", "b") });
  expect(sections.events).toEqual(["[2026年4月30日] 搬家"]);
});

describe("context and neighbours", () => {
  async function talk(options: JsonObject) {
    const world = await open(options, 1);
    const { add, now } = world;
    const line = (text: string, minutes: number, session: string, degrees = 90) =>
      add(text, degrees, { happenedAt: now - HOUR + minutes * MINUTE, metadata: { session } });
    await line("One.", 0, "a");
    await line("二。", 1, "a");
    await line("The answer is three.", 2, "a", 0);
    await line("Elsewhere.", 2, "b");
    await line("Four.", 3, "a");
    await line("Five.", 30, "a");
    return world.ask("?");
  }

  test("[S0-95] context shows what was said around a hit in its session, in order", async () => {
    const run = async (within_minutes: number, max_items: number) =>
      texts(await talk({ augment_type: "context", within_minutes, max_items, derived_kinds: ["summary"] }));
    expect(await run(10, 5)).toEqual(["One.\n二。\nThe answer is three.\nFour."]);
    expect(await run(10, 1)).toEqual(["二。\nThe answer is three.\nFour."]);
    expect(await run(60, 2)).toEqual(["One.\n二。\nThe answer is three.\nFour.\nFive."]);
    expect(await run(0.5, 2)).toEqual(["The answer is three."]);
  });

  test("several entries read out of one saying show it once, and what nobody said stands around nothing", async () => {
    const run = async (options: JsonObject, derived_kinds: string[]) => {
      const world = await open({ within_minutes: 10, derived_kinds, ...options }, 1);
      const { add, now } = world;
      const said = (text: string, minutes: number, more: object = {}) => ({
        happenedAt: now - HOUR + minutes * MINUTE,
        metadata: { session: "a", original_text: text },
        ...more,
      });
      await add("(Ada, has, cat)", 90, said("Ada has a cat and a dog.", 0));
      await add("(Ada, has, dog)", 90, said("Ada has a cat and a dog.", 0));
      await add("(Tom, 是, 猫)", 0, said("Tom是Ada的猫。", 1));
      await add("(Ada, 有, 猫)", 90, said("Tom是Ada的猫。", 1));
      await add("All about Ada", 90, said("All about Ada", 2, { kind: "summary" }));
      return texts(await world.ask("?"));
    };
    const context = { augment_type: "context", max_items: 5 };
    expect(await run(context, ["summary"])).toEqual(["Ada has a cat and a dog.\nTom是Ada的猫。"]);
    expect(await run(context, [])).toEqual(["Ada has a cat and a dog.\nTom是Ada的猫。\nAll about Ada"]);
    const neighbours = { augment_type: "neighbours", before: 5, after: 5, score_factor: 0.5 };
    expect(await run(neighbours, ["summary"])).toEqual(["Tom是Ada的猫。", "Ada has a cat and a dog."]);
  });

  test("neighbours are hits of their own, behind theirs and weaker", async () => {
    const run = (more: JsonObject) =>
      talk({
        augment_type: "neighbours",
        before: 1,
        after: 1,
        within_minutes: 10,
        derived_kinds: ["summary"],
        score_factor: 0.5,
        ...more,
      });
    const found = await run({});
    expect(texts(found)).toEqual(["The answer is three.", "二。", "Four."]);
    expect(found.hits.map(({ score }) => Number(score.toFixed(3)))).toEqual([1, 0.5, 0.5]);
    expect(texts(await run({ before: 2, after: 0 }))).toEqual(["The answer is three.", "One.", "二。"]);
    expect(texts(await run({ before: 0, after: 5, within_minutes: 60 }))).toEqual([
      "The answer is three.",
      "Four.",
      "Five.",
    ]);
    expect((await run({ score_factor: 0.1 })).hits[1]?.score).toBeCloseTo(0.1, 5);
  });

  test("a memory without a session is surrounded by time alone, and a neighbour that was found itself stays where it is", async () => {
    const world = await openRecallWorld([
      chosen(augment, {
        augment_type: "neighbours",
        before: 9,
        after: 9,
        within_minutes: 10,
        derived_kinds: ["summary"],
        score_factor: 0.5,
      }),
    ]);
    closing.push(world.close);
    await world.add("a", 0);
    await world.add("乙", 10);
    expect(texts(await world.ask("?"))).toEqual(["a", "乙"]);
    expect((await world.ask("?")).stages.at(-2)?.notes).toEqual({ neighbours: 0 });
  });
});

test("[S0-95] metadata shows the chosen keys that a hit has, on one line", async () => {
  const { add, ask } = await open({ augment_type: "metadata", keys: ["location", "persons", "mood"] });
  await add("Lunch", 0, { metadata: { persons: ["Ada", "小明"], location: "Ro\nme", secret: "no" } });
  await add("Nothing known", 10, { metadata: { mood: null } });
  await add("数字", 20, { metadata: { mood: { joy: 1 } } });
  expect(texts(await ask("?"))).toEqual([
    "Lunch (location: Ro me; persons: Ada, 小明)",
    "Nothing known",
    '数字 (mood: {"joy":1})',
  ]);
});

test("[S0-73] metadata shows tags, which are the memory's own", async () => {
  const { add, ask } = await open({ augment_type: "metadata", keys: ["context", "tags"] });
  await add("Lunch", 0, { tags: ["food", "美食"], metadata: { context: "A meal." } });
  await add("Nothing", 10);
  // What the text says already is not said twice.
  await add("小雨: 我养了一只猫。", 20, { tags: ["宠物"], metadata: { context: "小雨: 我养了一只猫。" } });
  expect(texts(await ask("?"))).toEqual([
    "Lunch (context: A meal.; tags: food, 美食)",
    "Nothing",
    "小雨: 我养了一只猫。 (tags: 宠物)",
  ]);
});

describe("temporal", () => {
  async function recall(style: string, zone = "UTC", form = "brackets") {
    const { add, ask, now } = await open({ augment_type: "temporal", style, form });
    await add("We met", 0, { happenedAt: now - 3 * DAY });
    await add("我们见面了", 10, { happenedAt: now - 5 * HOUR });
    await add("Мы встретились", 20, { happenedAt: now - DAY });
    return texts(await ask({ text: "?", zone }));
  }

  test("[S0-95] the date stands before the text, in the text's language and the asker's zone", async () => {
    expect(await recall("day")).toEqual([
      "[28 April 2026] We met",
      "[2026年5月1日] 我们见面了",
      "[2026-04-30] Мы встретились",
    ]);
    expect((await recall("minute"))[1]).toBe("[2026年5月1日07:00] 我们见面了");
    expect((await recall("minute", "+08:00"))[1]).toBe("[2026年5月1日15:00] 我们见面了");
    expect(await recall("ago")).toEqual([
      "[3 days ago] We met",
      "[5小时前] 我们见面了",
      "[1 day ago] Мы встретились",
    ]);
  });

  test("[S0-76] or as a clause, as LD-Agent's prompt has it", async () => {
    expect(await recall("ago", "UTC", "clause")).toEqual([
      "3 days ago, We met",
      "5小时前，我们见面了",
      "1 day ago, Мы встретились",
    ]);
  });
});

test("it claims the search that it makes", () => {
  const structured = { hints: [{ strategy: "structured", names: [] }] };
  expect(
    augment.claims?.({ augment_type: "context", within_minutes: 1, max_items: 1, derived_kinds: [] }),
  ).toEqual(structured);
  expect(augment.claims?.({ augment_type: "temporal", style: "day", form: "brackets" })).toEqual({});
});

describe("section", () => {
  const LAST = {
    augment_type: "section",
    section: "history",
    kinds: null,
    tiers: null,
    max_items: 2,
    date_style: null,
  };

  async function recall(change: JsonObject) {
    const { add, ask, now } = await open({ ...LAST, ...change });
    await add("first", 0, { happenedAt: now - 3 * DAY });
    await add("第二", 10, { happenedAt: now - 2 * DAY });
    await add("a summary", 20, { happenedAt: now - DAY, kind: "summary" });
    await add("to come", 20, { happenedAt: now + DAY });
    return (await ask("?")).sections;
  }

  test("[S0-40] the newest entries of some kinds beside the hits, oldest first, nothing from after the question", async () => {
    expect(await recall({})).toEqual({ history: ["第二", "a summary"] });
    expect(await recall({ section: "overview", kinds: ["summary"] })).toEqual({ overview: ["a summary"] });
    expect(await recall({ max_items: 1 })).toEqual({ history: ["a summary"] });
    expect(await recall({ max_items: 3 })).toEqual({ history: ["first", "第二", "a summary"] });
    const dated = await recall({ date_style: "ago" });
    expect(dated.history).toEqual(["[2天前] 第二", "[1 day ago] a summary"]);
  });

  test("tiers are the service's", async () => {
    const tier = (name: string) => ({ name, capacity: null, membership: "exclusive", indexes: ["vector"] });
    const options = { collection_name: "notes", top_k: 5, vitality: null, tiers: [tier("stm"), tier("ltm")] };
    const rest = { migration_policy: "auto", eviction: null, graph: null };
    const world = await openRecallWorld([chosen(augment, { ...LAST, tiers: ["ltm"] })], {
      service: { name: "hierarchical_memory", options: { ...options, ...rest } },
    });
    closing.push(world.close);
    await world.add("here", 0);
    await world.add("there", 0, { insertMode: "active", insertParams: { targetTier: "ltm" } });
    expect((await world.ask("?")).sections).toEqual({ history: ["there"] });
  });
});

describe("portrait", () => {
  test("[S0-71] of each person the one of the longest span; how to answer in the portrait's language", async () => {
    const { add, ask, now } = await open({ augment_type: "portrait", kinds: ["summary"], max_entries: 5 });
    const summary = (window: string, days: number, ...portraits: readonly (readonly string[])[]) =>
      add(window, 0, {
        kind: "summary",
        happenedAt: now - days * DAY,
        metadata: {
          window,
          portraits: portraits.map(([speaker = "", personality = "", strategy = ""]) => ({
            speaker,
            personality,
            strategy,
          })),
        },
      });
    await summary("global", 3, ["Mia", "Curious.", "Ask her much."]);
    await summary("daily", 1, ["Mia", "Tired.", "Be brief."], ["王芳", "开朗。", "多聊旅行。"]);
    await add("no portrait", 0, { kind: "summary", metadata: { portraits: "none" } });
    const found = await ask("?");
    expect(found.sections).toEqual({
      portrait: [
        "Mia: Curious.",
        "Talking with Mia: Ask her much.",
        "王芳: 开朗。",
        "与王芳交谈：多聊旅行。",
      ],
    });
    const narrow = await open({ augment_type: "portrait", kinds: ["insight"], max_entries: 5 });
    expect((await narrow.ask("?")).sections).toEqual({ portrait: [] });
  });
});

describe("same_day", () => {
  const SAME = { augment_type: "same_day", max_chars: 24, time_zone: "UTC", derived_kinds: ["summary"] };

  async function recall(change: JsonObject = {}, k = 1) {
    const { add, ask, now } = await open({ ...SAME, ...change }, k);
    const noon = now - (now % DAY) - DAY + 12 * HOUR;
    const said = (text: string, degrees: number, minutes: number) =>
      add(text, degrees, { happenedAt: noon + minutes * MINUTE });
    await said("the evening before", 80, -13 * 60);
    await said("one one", 70, 0);
    await said("the hit", 0, 1);
    await said("three three", 60, 2);
    await said("四四", 20, 3);
    await add("a summary", 75, { happenedAt: noon + 2 * MINUTE, kind: "summary" });
    return texts(await ask("?"));
  }

  test("[S0-71] what was said around a turn on its day joins it, as long as the whole stays short", async () => {
    expect(await recall()).toEqual(["the hit\nthree three\n四四"]);
    expect(await recall({ max_chars: 27 })).toEqual(["one one\nthe hit\nthree three\n四四"]);
    expect(await recall({ max_chars: 3 })).toEqual(["the hit"]);
    expect(await recall({ max_chars: 1000 })).toEqual(["one one\nthe hit\nthree three\n四四"]);
    // Five hours to the east it is all one day.
    expect(await recall({ max_chars: 1000, time_zone: "+05:00" })).toEqual([
      expect.stringMatching(/^the evening before\none one\n/),
    ]);
    expect((await recall({ max_chars: 1000, derived_kinds: [] }))[0]).toContain("a summary");
  });

  test("hits whose turns meet are one text, of the better one; the other shows nothing", async () => {
    expect(await recall({}, 2)).toEqual(["the hit\nthree three\n四四", ""]);
    expect(await recall({ max_chars: 3 }, 2)).toEqual(["the hit", "四四"]);
  });
});
