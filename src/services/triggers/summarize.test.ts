import { afterEach, describe, expect, test } from "vitest";
import type { Entry } from "../../base/entry.ts";
import type { JsonObject } from "../../base/json.ts";
import { PUBLIC } from "../../base/scope.ts";
import { openInMemory } from "../../storage/memory.ts";
import {
  ALICE,
  DAY,
  HOUR,
  openTriggerWorld,
  type TriggerWorld,
  type TriggerWorldOptions,
} from "../../testing/trigger-world.ts";
import { portraitsIn } from "./summarize/portrait.ts";

const SHARED = {
  summarize_prompt: "summarize",
  max_words: 40,
  batch_size: 20,
  replace_originals: false,
  importance: 0.7,
  kind: "summary",
};
const MANUAL = { trigger_mode: "manual", ...SHARED };
const SINGLE: JsonObject = { ...MANUAL, strategy: "single", group_by: null };
const INCREMENTAL: JsonObject = { ...MANUAL, strategy: "incremental" };
const HIERARCHICAL: JsonObject = {
  ...MANUAL,
  strategy: "hierarchical",
  windows: ["daily", "weekly", "global"],
  time_zone: "UTC",
  portrait_of: null,
  portrait_prompt: "summarize_day",
  merge_prompt: "merge_portraits",
  closes: "clock",
  target_tiers: null,
};

let world: TriggerWorld | undefined;
afterEach(() => world?.close());
async function open(options?: TriggerWorldOptions): Promise<TriggerWorld> {
  world = await openTriggerWorld(options);
  return world;
}
const bodyOf = (it: TriggerWorld, n: number): string => JSON.stringify(it.server?.requests[n]?.body);

async function current({ store }: TriggerWorld): Promise<Entry[]> {
  return (await store.scan(ALICE, { limit: 1000 })).filter(({ supersededBy }) => supersededBy === null);
}

describe("summarize, single", () => {
  test.each([
    ["Mia adopted a grey cat from the shelter.", "Mia's cat is called Tom.", /cat/],
    ["小美从收容所收养了一只灰猫。", "小美的猫叫汤姆。", /猫/],
  ])(
    "[S0-35][B.0.9-15] one summary of what is new, in its language, citing it: %s",
    async (first, second, words) => {
      const { add, run, get, service, writes } = await open();
      const ids = [await add(first), await add(second)];
      const { added, retired, examined } = await run("summarize", SINGLE);
      expect({ retired, examined }).toEqual({ retired: [], examined: 2 });
      expect(await get(added[0])).toMatchObject({
        kind: "summary",
        sources: ids,
        importance: 0.7,
        scope: ALICE,
      });
      expect((await get(added[0])).content).toMatch(words);
      const hits = await service.retrieve(ALICE, { text: first });
      expect(hits.map(({ id }) => id)).toEqual(expect.arrayContaining([...ids, ...added]));
      writes();
      expect(await run("summarize", SINGLE)).toMatchObject({ added: [], reason: expect.any(String) });
      expect(writes()).toBe(0);
      const later = await add("Tom likes fish.");
      expect((await get((await run("summarize", SINGLE)).added[0])).sources).toEqual([later]);
    },
  );

  test("what the service writes itself is embedded", async () => {
    const { add, run, store } = await open();
    await add("Mia adopted a cat.");
    const { added } = await run("summarize", SINGLE);
    expect((await store.vectors(ALICE, "hash-64", added))[0]).toHaveLength(64);
  });

  test("group_by: one summary per value of a metadata field", async () => {
    const { add, run, get } = await open();
    const one = await add("Hello", { metadata: { session: "s1" } });
    const two = await add("你好", { metadata: { session: "s2" } });
    const { added } = await run("summarize", { ...SINGLE, group_by: "session" });
    const groups = await Promise.all(added.map(async (id) => await get(id)));
    expect(groups.map(({ sources }) => sources)).toEqual([[one], [two]]);
    expect(groups[0]?.metadata).toMatchObject({ group: { session: "s1" } });
  });

  test("replace_originals: the summary takes their place in recall, and they can still be read", async () => {
    const it = await open();
    const { add, run, get } = it;
    const id = await add("Mia adopted a cat.");
    const { added, retired } = await run("summarize", { ...SINGLE, replace_originals: true });
    expect(retired).toEqual([id]);
    expect(await get(id)).toMatchObject({ content: "Mia adopted a cat.", supersededBy: added[0] });
    expect((await current(it)).map((entry) => entry.id)).toEqual(added);
    expect((await run("summarize", { ...SINGLE, replace_originals: true })).added).toEqual([]);
  });

  test("max_words, batch_size, importance and kind do what they say", async () => {
    const it = await open({ chat: ['{"summary": "so far"}', '{"summary": "in the end"}'] });
    const { add, run, get } = it;
    for (const text of ["one", "two", "three"]) await add(text);
    const config = { ...SINGLE, max_words: 17, batch_size: 2, importance: 0.2, kind: "digest" };
    const { added } = await run("summarize", config);
    expect(await get(added[0])).toMatchObject({ content: "in the end", kind: "digest", importance: 0.2 });
    expect(it.server?.requests).toHaveLength(2);
    expect(bodyOf(it, 0)).toContain("17");
    expect(bodyOf(it, 1)).toContain("so far");
    expect((await run("summarize", config)).added).toEqual([]);
  });

  test("a bad reply follows onBadReply, and leaves nothing half-done", async () => {
    const strict = await open({ chat: "no json" });
    await strict.add("Mia adopted a cat.");
    await expect(strict.run("summarize", SINGLE)).rejects.toMatchObject({ code: "reply_invalid" });
    expect(await current(strict)).toHaveLength(1);
    await strict.close();
    const lenient = await open({ chat: "no json", onBadReply: "fallback" });
    await lenient.add("Mia adopted a cat.");
    expect((await lenient.run("summarize", SINGLE)).added).toHaveLength(1);
  });

  test("[C-31] a scope sums up its own memories, not public ones, and what it writes is its own", async () => {
    const { add, run, get } = await open();
    await add("public news", {}, PUBLIC);
    const own = await add("private note");
    const { added } = await run("summarize", SINGLE);
    expect(await get(added[0])).toMatchObject({ scope: ALICE, sources: [own] });
  });
});

describe("summarize, when", () => {
  test("overflow: when min_count entries have come that no summary has taken up", async () => {
    const { add, run } = await open();
    const { trigger_mode: _mode, ...rest } = SINGLE;
    const config = { ...rest, trigger_mode: "overflow", min_count: 2 };
    await add("one");
    expect(await run("summarize", config)).toMatchObject({ added: [], reason: expect.any(String) });
    await add("two");
    expect((await run("summarize", config)).added).toHaveLength(1);
    await add("three");
    expect((await run("summarize", config)).added).toEqual([]);
    expect((await run("summarize", { ...config, min_count: 1 })).added).toHaveLength(1);
  });

  test("periodic: when the last summary is interval_minutes old", async () => {
    const { add, run, clock } = await open();
    const { trigger_mode: _mode, ...rest } = SINGLE;
    const config = { ...rest, trigger_mode: "periodic", interval_minutes: 60 };
    await add("one");
    expect((await run("summarize", config)).added).toEqual([]);
    clock.advance(HOUR);
    expect((await run("summarize", config)).added).toHaveLength(1);
    await add("two");
    clock.advance(HOUR - 1);
    expect((await run("summarize", config)).added).toEqual([]);
    expect((await run("summarize", { ...config, interval_minutes: 30 })).added).toHaveLength(1);
  });

  test("an option of another mode or strategy is refused", async () => {
    const { run } = await open();
    for (const wrong of [
      { ...SINGLE, min_count: 3 },
      { ...INCREMENTAL, group_by: null },
      { ...HIERARCHICAL, windows: [] },
    ]) {
      await expect(run("summarize", wrong)).rejects.toMatchObject({ code: "option_invalid" });
    }
  });
});

describe("summarize, incremental", () => {
  test("each goes on from the one before and takes its place", async () => {
    const it = await open({
      chat: ['{"summary": "Mia has a cat."}', '{"summary": "Mia has a cat and a dog."}'],
    });
    const { add, run, get } = it;
    await add("Mia adopted a cat.");
    const [first] = (await run("summarize", INCREMENTAL)).added;
    expect((await run("summarize", INCREMENTAL)).added).toEqual([]);
    const dog = await add("Mia adopted a dog.");
    const { added, retired } = await run("summarize", INCREMENTAL);
    expect(bodyOf(it, 1)).toContain("Mia has a cat.");
    expect(bodyOf(it, 1)).not.toContain("Mia adopted a cat.");
    expect(await get(added[0])).toMatchObject({ content: "Mia has a cat and a dog.", sources: [first, dog] });
    expect(retired).toEqual([first]);
    expect((await get(first)).supersededBy).toBe(added[0]);
    expect((await run("summarize", { ...INCREMENTAL, replace_originals: true })).retired).toEqual([]);
  });

  test("what was deleted does not live on in it: it is made anew from what is left", async () => {
    const seen: string[] = [];
    const it = await open({
      chat: ({ body }) => {
        seen.push(JSON.stringify(body));
        return JSON.stringify({ summary: `summary ${seen.length}` });
      },
    });
    const cat = await it.add("Mia adopted a cat.");
    await it.run("summarize", INCREMENTAL);
    const secret = await it.add("小美的密码是一二三四");
    await it.run("summarize", INCREMENTAL);
    const dog = await it.add("Mia adopted a dog.");
    const [third] = (await it.run("summarize", INCREMENTAL)).added;
    await it.service.delete(ALICE, secret);
    const { added, retired } = await it.run("summarize", INCREMENTAL);
    expect(retired).toEqual([third]);
    expect((await it.get(added[0])).sources).toEqual([cat, dog]);
    expect(seen.at(-1)).toContain("Mia adopted a cat.");
    expect(seen.at(-1)).not.toContain("密码");
    expect(seen.at(-1)).not.toContain("summary 3");
    expect((await it.run("summarize", INCREMENTAL)).added).toEqual([]);
  });

  test("what is not due is told without reading any text", async () => {
    const { add, run, store } = await open();
    const config = { ...INCREMENTAL, trigger_mode: "overflow", min_count: 3 };
    await add("一");
    await add("two");
    const scan = store.scan.bind(store);
    let texts = 0;
    store.scan = async (...asked) => {
      const found = await scan(...asked);
      texts += found.length;
      return found;
    };
    expect(await run("summarize", config)).toMatchObject({
      examined: 2,
      added: [],
      reason: expect.any(String),
    });
    expect(texts).toBe(0);
    await add("three");
    expect((await run("summarize", config)).added).toHaveLength(1);
  });

  test("what was summed up is known after a restart", async () => {
    const storage = await openInMemory();
    const before = await openTriggerWorld({ storage });
    await before.add("小美养了一只猫");
    expect((await before.run("summarize", INCREMENTAL)).added).toHaveLength(1);
    const after = await open({ storage });
    expect((await after.run("summarize", INCREMENTAL)).added).toEqual([]);
  });
});

describe("summarize, hierarchical", () => {
  /** The world starts on Monday, 4 May 2026, at noon. */
  async function week(): Promise<TriggerWorld> {
    const it = await open();
    await it.add("On Monday Mia went to the zoo.");
    it.clock.advance(DAY);
    await it.add("星期二小美去了医院。");
    it.clock.advance(DAY);
    return it;
  }
  const windowsOf = async (it: TriggerWorld) =>
    (await current(it)).flatMap(({ metadata: { window, window_start: start } }) =>
      window === undefined ? [] : [`${window} ${start}`],
    );

  test("a day, a week has its summary when it is over, all of time as far as it goes, each from those below", async () => {
    const it = await week();
    const { run, clock, get } = it;
    const first = await run("summarize", HIERARCHICAL);
    expect(await windowsOf(it)).toEqual(["daily 2026-05-04", "daily 2026-05-05"]);
    expect((await run("summarize", HIERARCHICAL)).added).toEqual([]);
    clock.advance(5 * DAY);
    const { added } = await run("summarize", HIERARCHICAL);
    expect(await windowsOf(it)).toContain("weekly 2026-05-04");
    expect((await get(added[0])).sources).toEqual(first.added);
    expect((await get(added[1])).metadata).toMatchObject({ window: "global" });
    expect((await get(added[1])).sources).toEqual([added[0]]);
    expect((await run("summarize", HIERARCHICAL)).added).toEqual([]);
  });

  test("a late entry, or one that was deleted, makes its day anew and all above it; nothing else", async () => {
    const it = await week();
    const { run, clock, add, service, get } = it;
    clock.advance(7 * DAY);
    const before = await run("summarize", HIERARCHICAL);
    expect(before.added).toHaveLength(4);
    const late = await add("On Monday it also rained.", { happenedAt: Date.UTC(2026, 4, 4, 20) });
    const again = await run("summarize", HIERARCHICAL);
    expect(again.added).toHaveLength(3);
    expect(again.retired).toEqual([before.added[0], before.added[2], before.added[3]]);
    expect((await get(again.added[0])).sources).toContain(late);
    await service.delete(ALICE, late);
    const third = await run("summarize", HIERARCHICAL);
    expect((await get(third.added[0])).content).not.toContain("rained");
    expect((await run("summarize", HIERARCHICAL)).added).toEqual([]);
    expect(await windowsOf(it)).toHaveLength(4);
  });

  test("replace_originals: a day once summed up is not summed up again, and a late entry is added to it", async () => {
    const it = await week();
    const { run, add, get } = it;
    const config = { ...HIERARCHICAL, windows: ["daily"], replace_originals: true };
    const first = await run("summarize", config);
    expect(first.retired).toHaveLength(2);
    expect((await run("summarize", config)).added).toEqual([]);
    const late = await add("On Monday it rained.", { happenedAt: Date.UTC(2026, 4, 4, 20) });
    const { added } = await run("summarize", config);
    const before = (await get(first.added[0])).sources;
    expect((await get(added[0])).sources).toEqual([...before, late]);
    expect((await run("summarize", config)).added).toEqual([]);
  });

  test("windows says which there are, time_zone where days begin", async () => {
    const it = await week();
    await it.run("summarize", { ...HIERARCHICAL, windows: ["global"] });
    expect(await windowsOf(it)).toEqual(["global "]);
    await it.close();
    const east = await open();
    await east.add("Late in the evening", { happenedAt: Date.UTC(2026, 4, 2, 20) });
    await east.run("summarize", { ...HIERARCHICAL, windows: ["daily"], time_zone: "Asia/Shanghai" });
    expect(await windowsOf(east)).toEqual(["daily 2026-05-03"]);
    await expect(east.run("summarize", { ...HIERARCHICAL, time_zone: "Nowhere" })).rejects.toMatchObject({
      code: "input_invalid",
    });
  });

  test("overflow counts what is new in days that are over; weeks follow by themselves", async () => {
    const it = await week();
    const { trigger_mode: _mode, ...rest } = HIERARCHICAL;
    const config = { ...rest, trigger_mode: "overflow", min_count: 3 };
    expect((await it.run("summarize", config)).added).toEqual([]);
    expect((await it.run("summarize", { ...config, min_count: 2 })).added).toHaveLength(2);
    it.clock.advance(7 * DAY);
    expect((await it.run("summarize", config)).added).toHaveLength(2);
  });

  test("portrait_of: a day's summary also tells the mood and personality of a speaker (MemoryBank)", async () => {
    const it = await open();
    await it.add("I am so happy, I love my new job!", { metadata: { speaker: "Mia" } });
    it.clock.advance(DAY);
    const config = { ...HIERARCHICAL, windows: ["daily"], portrait_of: "Mia" };
    const { added } = await it.run("summarize", config);
    const portrait = {
      speaker: "Mia",
      personality: expect.stringMatching(/job/),
      strategy: expect.stringMatching(/\S/),
    };
    expect((await it.get(added[0])).metadata).toMatchObject({ portraits: [portrait] });
  });

  test("[S0-71] the global summary carries one portrait of each person, made of the daily ones; assistants have none", async () => {
    const it = await open();
    const say = (text: string, speaker: string, more: JsonObject = {}) =>
      it.add(`${speaker}: ${text}`, { metadata: { speaker, ...more } });
    await say("I love my new job!", "Mia");
    await say("Congratulations on the job!", "Bot", { role: "assistant" });
    await say("我喜欢爬山。", "王芳");
    it.clock.advance(DAY);
    await say("I am sad today, I miss my sister.", "Mia");
    it.clock.advance(DAY);
    const config = { ...HIERARCHICAL, windows: ["daily", "global"], portrait_of: "*" };
    const { added } = await it.run("summarize", config);
    const [first, second, whole] = await Promise.all(added.map((id) => it.get(id)));
    const speakers = (entry: Entry | undefined) =>
      portraitsIn(entry?.metadata ?? {}).map(({ speaker }) => speaker);
    expect([first, second, whole].map(speakers)).toEqual([["Mia", "王芳"], ["Mia"], ["Mia", "王芳"]]);
    expect(whole?.metadata).toMatchObject({ window: "global" });
    const [mia] = portraitsIn(whole?.metadata ?? {});
    expect(mia?.personality).toContain("job");
    expect(mia?.strategy).toBe(portraitsIn(second?.metadata ?? {})[0]?.strategy);
  });

  test("closes talk: a day is summed up when the next has begun, once, and again for what comes late", async () => {
    const it = await open();
    const config = { ...HIERARCHICAL, windows: ["daily", "global"], closes: "talk" };
    const say = async (text: string, day: number) => {
      const id = await it.add(text, { happenedAt: Date.UTC(2023, 4, day, 9) });
      return (await it.run("summarize", config, [id])).added.length;
    };
    expect(await say("Mia went to the zoo.", 1)).toBe(0);
    expect(await say("小美也去了动物园。", 1)).toBe(0);
    expect(await say("Mia flew home.", 2)).toBe(2);
    expect(await say("Mia slept.", 2)).toBe(0);
    expect(await windowsOf(it)).toEqual(["daily 2023-05-01", "global "]);
    expect(await say("At the zoo it rained.", 1)).toBe(2);
    // By the clock all of this is long over.
    expect((await it.run("summarize", { ...config, closes: "clock" })).added).toHaveLength(2);
  });

  test("target_tiers: each window's summaries go to a tier of their own", async () => {
    const tier = (name: string) => ({ name, capacity: null, membership: "exclusive", indexes: ["queue"] });
    const tiers = [tier("said"), tier("days"), tier("all")];
    const options = { top_k: 10, tiers, migration_policy: "auto", eviction: null, graph: null };
    const it = await open({ service: "hierarchical_memory", options });
    await it.add("Mia went to the zoo.");
    it.clock.advance(DAY);
    const config = {
      ...HIERARCHICAL,
      windows: ["daily", "global"],
      target_tiers: { daily: "days", global: "all" },
    };
    const { added } = await it.run("summarize", config);
    const placed = await Promise.all(added.map((id) => it.get(id)));
    expect(placed.map(({ tier: at }) => at)).toEqual(["days", "all"]);
  });
});
