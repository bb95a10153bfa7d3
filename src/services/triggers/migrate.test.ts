import { afterEach, describe, expect, test } from "vitest";
import type { EntryId } from "../../base/ids.ts";
import type { JsonObject } from "../../base/json.ts";
import { PUBLIC } from "../../base/scope.ts";
import {
  ALICE,
  DAY,
  HOUR,
  openTriggerWorld,
  type TriggerWorld,
  type TriggerWorldOptions,
} from "../../testing/trigger-world.ts";

const NONE = {
  upgrade_transform: "none",
  downgrade_transform: "none",
  summarize_prompt: "summarize",
  summary_max_words: 30,
  summary_batch: 10,
};
const HEAT: JsonObject = {
  migrate_policy: "heat",
  vitality: { policy: "memoryos_heat", form: "seed", decay_per_hour: 0.05 },
  hot_threshold: 0.8,
  hot_move: "promote",
  cold_threshold: 0.3,
  ...NONE,
};
const MANUAL: JsonObject = { migrate_policy: "manual", ids: null, filter: null, target_tier: "ltm", ...NONE };

function tiers(capacity: number | null = null, policy = "pending"): TriggerWorldOptions {
  const indexes = ["queue", "vector", "text"];
  const [stm, mtm, ltm] = ["stm", "mtm", "ltm"].map((name) => ({ name, membership: "exclusive", indexes }));
  return {
    service: "hierarchical_memory",
    options: {
      top_k: 10,
      tiers: [
        { ...stm, capacity },
        { ...mtm, capacity },
        { ...ltm, capacity: null },
      ],
      migration_policy: policy,
      eviction: null,
      graph: null,
    },
  };
}

let world: TriggerWorld | undefined;
afterEach(() => world?.close());
async function open(options: TriggerWorldOptions = tiers()): Promise<TriggerWorld> {
  world = await openTriggerWorld(options);
  return world;
}
const into = (targetTier: string) => ({ insertMode: "active", insertParams: { targetTier } }) as const;

async function look({ service, get }: TriggerWorld, id: EntryId, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await service.touch(ALICE, [await get(id)]);
}

describe("migrate by heat", () => {
  test("[S1-18][S1-19][S0-61][B.0.9-18][B.0.9-20] the cold goes one tier down, the hot one up, ids and vectors stay", async () => {
    const it = await open();
    const { clock, add, run, get, store } = it;
    const cold = await add("Mia sold her boat");
    clock.advance(10.3 * HOUR);
    const hot = await add("小明每天练琴", into("ltm"));
    const mild = await add("mild", into("mtm"));
    await look(it, hot, 4);
    const before = await store.vectors(ALICE, "hash-64", [cold, hot]);
    expect(await run("migrate", HEAT)).toMatchObject({
      examined: 3,
      moved: [
        { id: cold, from: "stm", to: "mtm" },
        { id: hot, from: "ltm", to: "mtm" },
      ],
    });
    expect((await get(mild)).tier).toBe("mtm");
    expect(await store.vectors(ALICE, "hash-64", [cold, hot])).toEqual(before);
    expect((await store.memberships(ALICE, [cold]))[0]).toEqual(expect.arrayContaining(["mtm-recent"]));
    expect((await store.memberships(ALICE, [cold]))[0]).not.toContain("stm-recent");
  });

  test("[S1-19] the ends of the list are no-ops", async () => {
    const it = await open();
    const { clock, add, run } = it;
    await add("cold at the end", into("ltm"));
    clock.advance(DAY);
    const hot = await add("hot at the front");
    await look(it, hot, 9);
    expect(await run("migrate", HEAT)).toMatchObject({ moved: [], reason: expect.any(String) });
  });

  test("a sweep done twice equals one done once: the hot must be seen again, the cold must cool anew", async () => {
    const it = await open();
    const { clock, add, run, writes } = it;
    const cold = await add("cold");
    clock.advance(11 * HOUR);
    const hot = await add("hot", into("ltm"));
    await look(it, hot, 9);
    expect((await run("migrate", HEAT)).moved).toHaveLength(2);
    writes();
    expect((await run("migrate", HEAT)).moved).toEqual([]);
    expect(writes()).toBe(0);
    clock.advance(1);
    await look(it, hot, 1);
    expect((await run("migrate", HEAT)).moved).toEqual([{ id: hot, from: "mtm", to: "stm" }]);
    clock.advance(11 * HOUR);
    expect((await run("migrate", HEAT)).moved).toContainEqual({ id: cold, from: "mtm", to: "ltm" });
  });

  test("[C-8] hot_move: archive sends the hot to the long term, as MemoryOS does", async () => {
    const it = await open();
    const { add, run } = it;
    const hot = await add("hot", into("mtm"));
    await look(it, hot, 9);
    const config = { ...HEAT, hot_move: "archive" };
    expect((await run("migrate", config)).moved).toEqual([{ id: hot, from: "mtm", to: "ltm" }]);
  });

  test("[C-4] the hot line is inclusive, the cold one is not; null is no line; another policy is another heat", async () => {
    const it = await open();
    const { add, run } = it;
    const id = await add("just so", into("mtm"));
    const service = { ...HEAT, vitality: { policy: "memoryos_heat", form: "service" } };
    expect((await run("migrate", { ...service, hot_threshold: 0.4, cold_threshold: 0.3 })).moved).toEqual([]);
    expect((await run("migrate", { ...service, hot_threshold: null, cold_threshold: null })).moved).toEqual(
      [],
    );
    expect(
      (await run("migrate", { ...service, hot_threshold: 0.3, cold_threshold: 0.3 })).moved,
    ).toHaveLength(1);
    const lfu = { ...HEAT, vitality: { policy: "lfu" }, cold_threshold: null };
    await look(it, id, 3);
    await run("migrate", { ...MANUAL, ids: [id], target_tier: "mtm" });
    it.clock.advance(1);
    await look(it, id, 1);
    expect((await run("migrate", { ...lfu, hot_threshold: 5 })).moved).toEqual([]);
    expect((await run("migrate", { ...lfu, hot_threshold: 4 })).moved).toHaveLength(1);
  });

  test.each([{ policy: "lfu" }, { policy: "strength_counter", strength_per_useful: 1 }])(
    "a policy by which nothing cools is refused for the cold: %o",
    async (vitality) => {
      const { run } = await open();
      await expect(run("migrate", { ...HEAT, vitality })).rejects.toMatchObject({
        code: "option_invalid",
        message: expect.stringContaining("cold_threshold null"),
      });
    },
  );

  test("the cold go on tier by tier, each time they have cooled anew", async () => {
    const { clock, add, run } = await open();
    const id = await add("一件小事");
    const tiersSeen: string[] = [];
    for (let day = 0; day < 3; day++) {
      clock.advance(2 * DAY);
      for (const { to } of (await run("migrate", HEAT)).moved) tiersSeen.push(to);
    }
    expect(tiersSeen).toEqual(["mtm", "ltm"]);
    expect(id).toBeDefined();
  });

  test("[C-31] public entries are moved by the public scope alone", async () => {
    const { clock, add, run } = await open();
    const id = await add("everybody's", {}, PUBLIC);
    clock.advance(DAY);
    expect((await run("migrate", HEAT)).moved).toEqual([]);
    expect((await run("migrate", HEAT, undefined, PUBLIC)).moved).toMatchObject([{ id }]);
  });
});

test("an entry that a move before it pushed on is not moved again", async () => {
  const { clock, add, run, get } = await open(tiers(1, "auto"));
  const first = await add("first");
  const pushed = await add("pushed on", into("mtm"));
  clock.advance(11 * HOUR);
  expect((await run("migrate", HEAT)).moved).toEqual([{ id: first, from: "stm", to: "mtm" }]);
  expect([(await get(first)).tier, (await get(pushed)).tier]).toEqual(["mtm", "ltm"]);
});

describe("migrate by time", () => {
  const TIME = { migrate_policy: "time", session_gap_seconds: 3600, ...NONE };

  test("when a session is over, what it left in the first tier moves on, and what goes on stays", async () => {
    const { clock, add, run } = await open();
    const first = await add("Hello");
    clock.advance(HOUR / 2);
    const second = await add("再见");
    expect((await run("migrate", TIME)).moved).toEqual([]);
    const short = await run("migrate", { ...TIME, session_gap_seconds: 60 });
    expect(short.moved).toEqual([{ id: first, from: "stm", to: "mtm" }]);
    await run("migrate", { ...MANUAL, ids: [first], target_tier: "stm" });
    clock.advance(2 * HOUR);
    await add("Good morning");
    const moved = [first, second].map((id) => ({ id, from: "stm", to: "mtm" }));
    expect((await run("migrate", TIME)).moved).toEqual(moved);
    expect((await run("migrate", TIME)).moved).toEqual([]);
    clock.advance(HOUR + 1);
    expect((await run("migrate", TIME)).moved).toHaveLength(1);
  });

  test("a conversation replayed later has the gaps it had", async () => {
    const { add, run } = await open();
    const then = Date.UTC(2023, 4, 8, 13);
    const old = await add("In May", { happenedAt: then });
    await add("A day later", { happenedAt: then + DAY });
    expect((await run("migrate", TIME)).moved).toEqual([{ id: old, from: "stm", to: "mtm" }]);
  });

  test("what the service wrote itself ends no session, and goes with the times it is about", async () => {
    const { add, run } = await open();
    const then = Date.UTC(2023, 4, 8, 13);
    const said = await add("In May", { happenedAt: then });
    const later = await add("五月，一分钟之后", { happenedAt: then + 60_000 });
    const insight = await add("An insight", { kind: "insight", sources: [said] });
    expect((await run("migrate", TIME)).moved).toEqual([]);
    const summary = await add("A summary", { kind: "summary", sources: [said], happenedAt: then });
    await add("A day later", { happenedAt: then + DAY });
    const moved = (await run("migrate", TIME)).moved.map(({ id }) => id);
    expect(moved.toSorted()).toEqual([said, later, summary].toSorted());
    expect(moved).not.toContain(insight);
  });
});

describe("migrate by overflow", () => {
  const OVERFLOW = { migrate_policy: "overflow", ...NONE };

  test("[S0-20][S0-23] what no longer fits moves on as far as it must, and no longer waits", async () => {
    const { add, run, get, service } = await open(tiers(1));
    const ids = [];
    for (const text of ["一", "二", "three"]) ids.push(await add(text));
    expect((await service.getStatus(ALICE)).count).toBe(2);
    const { moved } = await run("migrate", OVERFLOW);
    expect(moved).toHaveLength(3);
    expect(await Promise.all(ids.map(async (id) => (await get(id)).tier))).toEqual(["ltm", "mtm", "stm"]);
    expect((await service.getStatus(ALICE)).count).toBe(0);
    expect((await run("migrate", OVERFLOW)).moved).toEqual([]);
  });

  test("what waits is seen however much of it there is", async () => {
    const { store, add, run, service } = await open(tiers(1));
    const id = await add("一件事");
    const payload = { source_tier: "nowhere", target_tier: "ltm" };
    const many = Array.from({ length: 1100 }, (_, n) => ({ id, name: "migrate", occasion: `${n}`, payload }));
    await store.putWork(ALICE, many);
    expect((await run("migrate", OVERFLOW)).examined).toBe(1100);
    expect((await service.getStatus(ALICE)).count).toBe(0);
  });

  test("what has gone since is only acknowledged", async () => {
    const { add, run, service } = await open(tiers(1));
    const gone = await add("gone");
    await add("here");
    await service.delete(ALICE, gone);
    expect(await run("migrate", OVERFLOW)).toMatchObject({ moved: [] });
    expect((await service.getStatus(ALICE)).count).toBe(0);
  });
});

describe("migrate by hand", () => {
  test("the entries named by id, by a filter, or just inserted go to the tier that is named", async () => {
    const { add, run } = await open();
    const [one, two, three] = [await add("one"), await add("two", { tags: ["keep"] }), await add("三")];
    expect((await run("migrate", { ...MANUAL, ids: [one] })).moved).toEqual([
      { id: one, from: "stm", to: "ltm" },
    ]);
    expect((await run("migrate", { ...MANUAL, ids: [one] })).moved).toEqual([]);
    const filter = { op: "contains", field: "tags", value: "keep" };
    expect((await run("migrate", { ...MANUAL, filter })).moved).toMatchObject([{ id: two }]);
    expect((await run("migrate", { ...MANUAL, target_tier: "mtm" }, [three])).moved).toMatchObject([
      { id: three, to: "mtm" },
    ]);
  });

  test("what names no entry, two ways of naming, or no tier is refused", async () => {
    const { run } = await open();
    const filter = { op: "eq", field: "kind", value: "memory" };
    for (const config of [
      MANUAL,
      { ...MANUAL, ids: [], filter },
      { ...MANUAL, ids: [], target_tier: "ltn" },
    ]) {
      await expect(run("migrate", config)).rejects.toMatchObject({ code: "option_invalid" });
    }
  });
});

describe("transforms", () => {
  const sumUp = { ...MANUAL, downgrade_transform: "summarize" };

  test.each([
    ["Mia adopted a grey cat. The cat is called Tom.", "Mia now feeds the cat every morning."],
    ["小美收养了一只灰猫。猫的名字叫汤姆。", "小美每天早上喂猫。"],
  ])("summarize writes a summary that cites what moves and keeps it: %s", async (first, second) => {
    const { add, run, get } = await open();
    const ids = [await add(first), await add(second)];
    const { added, moved } = await run("migrate", { ...sumUp, ids });
    expect(moved).toHaveLength(2);
    const summary = await get(added[0]);
    expect(summary).toMatchObject({
      kind: "summary",
      tier: "ltm",
      sources: ids,
      metadata: { from_tier: "stm" },
    });
    expect(summary.content).toMatch(/Mia|小美/);
    for (const id of ids) expect(await get(id)).toMatchObject({ supersededBy: null, tier: "ltm" });
  });

  test("upward and downward have a transform each, with its own length and batches", async () => {
    const chat = ['{"summary": "one"}', '{"summary": "two"}', '{"summary": "Both moved."}'];
    const { add, run, get, server } = await open({ ...tiers(), chat });
    const ids = [
      await add("first", into("mtm")),
      await add("second", into("mtm")),
      await add("third", into("mtm")),
    ];
    expect((await run("migrate", { ...sumUp, ids, target_tier: "stm" })).added).toEqual([]);
    const config = { ...sumUp, ids, summary_batch: 1, summary_max_words: 12 };
    const { added } = await run("migrate", config);
    expect((await get(added[0])).content).toBe("Both moved.");
    expect(server?.requests).toHaveLength(3);
    expect(JSON.stringify(server?.requests[2]?.body)).toMatch(/12/);
    expect(JSON.stringify(server?.requests[1]?.body)).toMatch(/one/);
    const back = { ...MANUAL, upgrade_transform: "summarize", ids, target_tier: "mtm" };
    expect((await run("migrate", back)).added).toHaveLength(1);
  });

  test("a bad reply follows onBadReply: nothing is half moved, or the summary is made here", async () => {
    const strict = await open({ ...tiers(), chat: "no json" });
    const id = await strict.add("Mia adopted a cat.");
    await expect(strict.run("migrate", { ...sumUp, ids: [id] })).rejects.toMatchObject({
      code: "reply_invalid",
    });
    expect((await strict.get(id)).tier).toBe("stm");
    await strict.close();
    const lenient = await open({ ...tiers(), chat: "no json", onBadReply: "fallback" });
    const other = await lenient.add("Mia adopted a cat.");
    expect((await lenient.run("migrate", { ...sumUp, ids: [other] })).added).toHaveLength(1);
  });
});

test("a service without tiers has no use for it", async () => {
  const { run } = await open({});
  await expect(run("migrate", HEAT)).rejects.toMatchObject({ code: "capability_missing" });
});
