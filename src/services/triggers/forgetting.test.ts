import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { ARCHIVED } from "../../base/entry.ts";
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

const CONFIG: JsonObject = {
  vitality: { policy: "ebbinghaus", initial_strength: 0.8, decay_per_hour: 0.1, reinforcement_factor: 0.2 },
  threshold: 0.3,
  retention_min: 0,
  archive_before_delete: true,
  tiers: null,
  max_per_run: null,
  derived_kinds: [],
};

const TIERS = {
  service: "hierarchical_memory",
  options: {
    top_k: 10,
    tiers: ["stm", "ltm"].map((name) => ({
      name,
      capacity: null,
      membership: "exclusive",
      indexes: ["queue", "vector"],
    })),
    migration_policy: "pending",
    eviction: null,
    graph: null,
  },
};

let world: TriggerWorld | undefined;
afterEach(() => world?.close());
async function open(options?: TriggerWorldOptions): Promise<TriggerWorld> {
  world = await openTriggerWorld(options);
  return world;
}

async function found({ service }: TriggerWorld, text: string): Promise<string[]> {
  return (await service.retrieve(ALICE, { text, touch: false })).map(({ content }) => content);
}

describe("forgetting", () => {
  test("[S1-12][S1-13][B.0.9-15] what was never looked at goes after 9.8 hours, not before, and can still be read by id", async () => {
    const { clock, add, run, get, service } = await open();
    const id = await add("Mia bought a red kite");
    clock.advance(9.7 * HOUR);
    expect(await run("forgetting", CONFIG)).toMatchObject({
      examined: 1,
      retired: [],
      reason: expect.any(String),
    });
    clock.advance(0.2 * HOUR);
    expect(await run("forgetting", CONFIG)).toMatchObject({ examined: 1, retired: [id], deleted: [] });
    expect(await service.retrieve(ALICE, { text: "red kite" })).toEqual([]);
    expect(await get(id)).toMatchObject({ content: "Mia bought a red kite", tier: ARCHIVED });
  });

  test("[B.0.9-17] a memory that recall has shown lives on, and one shown often enough lives for ever", async () => {
    const { clock, add, run, service } = await open();
    const id = await add("小明买了一只风筝");
    for (let look = 0; look < 4; look++) await service.retrieve(ALICE, { text: "风筝" });
    clock.advance(365 * DAY);
    expect((await run("forgetting", CONFIG)).retired).toEqual([]);
    const other = await add("小红住在上海");
    clock.advance(2 * DAY);
    expect((await run("forgetting", CONFIG)).retired).toEqual([other]);
    expect(other).not.toBe(id);
  });

  test("[C-1] a sweep done twice equals one done once, and one that finds nothing writes nothing", async () => {
    const { clock, add, run, writes } = await open();
    await add("old");
    clock.advance(DAY);
    await add("new");
    expect((await run("forgetting", CONFIG)).retired).toHaveLength(1);
    writes();
    expect(await run("forgetting", CONFIG)).toMatchObject({ examined: 1, retired: [] });
    expect(writes()).toBe(0);
  });

  test("archive_before_delete: false deletes for good", async () => {
    const { clock, add, run, store } = await open();
    const id = await add("gone");
    clock.advance(DAY);
    const done = await run("forgetting", { ...CONFIG, archive_before_delete: false });
    expect(done).toMatchObject({ retired: [], deleted: [id] });
    expect(await store.get(ALICE, id)).toBeUndefined();
  });

  test("retention_min keeps so many, max_per_run takes at most so many, the weakest go first, the pinned never", async () => {
    const { clock, add, run } = await open();
    const pinned = await add("pinned", { pinned: true });
    const first = await add("first");
    clock.advance(HOUR);
    const second = await add("second");
    clock.advance(DAY);
    expect((await run("forgetting", { ...CONFIG, retention_min: 3 })).retired).toEqual([]);
    expect((await run("forgetting", { ...CONFIG, retention_min: 2 })).retired).toEqual([first]);
    const third = await add("third");
    clock.advance(DAY);
    expect((await run("forgetting", { ...CONFIG, max_per_run: 1 })).retired).toEqual([second]);
    expect((await run("forgetting", CONFIG)).retired).toEqual([third]);
    expect((await run("forgetting", CONFIG)).examined).toBe(1);
    expect(pinned).toBeDefined();
  });

  test.each([
    [{ policy: "lru" }, -24],
    [{ policy: "lfu" }, 1],
    [{ policy: "time_decay", decay_per_hour: 0.1 }, 0.1],
    [{ policy: "memoryos_heat", form: "seed", decay_per_hour: 0.05 }, 0.3],
    [{ policy: "memorybank_retention", form: "service", growth_per_recall: 0.5 }, 0.3],
  ])("[S0-35] by %o below %f", async (vitality, threshold) => {
    const { clock, add, run } = await open();
    const id = await add("一件旧事");
    clock.advance(2 * DAY);
    const config = { ...CONFIG, vitality, threshold };
    expect((await run("forgetting", config)).retired).toEqual([id]);
    expect((await run("forgetting", { ...config, threshold: -1000 })).retired).toEqual([]);
  });

  test("[C-31] another scope's memories and public ones are left alone", async () => {
    const { clock, add, run } = await open();
    await add("everybody's", {}, PUBLIC);
    const own = await add("Alice's");
    clock.advance(DAY);
    expect(await run("forgetting", CONFIG)).toMatchObject({ examined: 1, retired: [own] });
  });

  test("tiers: only entries of these are forgotten and counted; a tier that is none is refused", async () => {
    const { clock, add, run } = await open(TIERS);
    await add("front");
    const back = await add("back", { insertMode: "active", insertParams: { targetTier: "ltm" } });
    clock.advance(DAY);
    await expect(run("forgetting", { ...CONFIG, tiers: ["lmt"] })).rejects.toMatchObject({
      code: "option_invalid",
      message: expect.stringContaining('"ltm"'),
    });
    expect((await run("forgetting", { ...CONFIG, tiers: ["ltm"], retention_min: 1 })).retired).toEqual([]);
    expect((await run("forgetting", { ...CONFIG, tiers: ["ltm"] })).retired).toEqual([back]);
  });

  test("[S0-23] what the last tier has no room for goes however alive it is, and no longer waits", async () => {
    const full = { ...TIERS.options, tiers: TIERS.options.tiers.map((tier) => ({ ...tier, capacity: 1 })) };
    const { add, run, service } = await open({ ...TIERS, options: full });
    const toLast = { insertMode: "active", insertParams: { targetTier: "ltm" } } as const;
    const old = await add("old", toLast);
    await add("new", toLast);
    expect((await service.getStatus(ALICE)).head).toMatchObject({ action: "forget", entry: old });
    expect((await run("forgetting", CONFIG)).retired).toEqual([old]);
    expect((await service.getStatus(ALICE)).count).toBe(0);
  });

  test("[P4-4] derived_kinds are not scored: a summary goes when the last of what it sums up has gone (MemoryBank)", async () => {
    const open_ = await open();
    const { clock, add, run } = open_;
    const one = await add("第一天");
    clock.advance(HOUR);
    const two = await add("the same day");
    const day = await add("summary of the day", { kind: "summary", sources: [one, two] });
    const week = await add("summary of the week", { kind: "summary", sources: [day] });
    clock.advance(DAY);
    const config = { ...CONFIG, derived_kinds: ["summary"] };
    expect((await run("forgetting", { ...config, max_per_run: 1 })).retired).toEqual([one]);
    expect((await run("forgetting", config)).retired).toEqual([two, day, week]);
    expect(await found(open_, "summary")).toEqual([]);
  });

  test("a summary goes, too, when what it sums up was deleted by others, and a pinned one stays", async () => {
    const { clock, add, run, service } = await open();
    const one = await add("第一天");
    const day = await add("summary of the day", { kind: "summary", sources: [one] });
    await add("pinned summary", { kind: "summary", sources: [one], pinned: true });
    const config = { ...CONFIG, derived_kinds: ["summary"] };
    expect((await run("forgetting", config)).retired).toEqual([]);
    await service.delete(ALICE, one);
    expect((await run("forgetting", config)).retired).toEqual([day]);
    clock.advance(DAY);
    expect((await run("forgetting", config)).retired).toEqual([]);
  });

  test("a summary that stands in the place of what it sums up is scored as what it replaced", async () => {
    const { clock, add, run } = await open();
    const one = await add("turn one");
    const two = await add("第二句话");
    const first = await add("both", { kind: "summary", sources: [one, two], supersedes: [one, two] });
    const three = await add("turn three");
    const next = await add("all", { kind: "summary", sources: [first, three], supersedes: [first, three] });
    const config = { ...CONFIG, derived_kinds: ["summary"] };
    clock.advance(HOUR);
    expect(await run("forgetting", config)).toMatchObject({ examined: 1, retired: [] });
    clock.advance(DAY);
    expect((await run("forgetting", config)).retired).toEqual([next]);
    expect((await run("forgetting", config)).retired).toEqual([]);
  });

  test("whatever was stored and whenever it is asked: exactly the weak and unpinned go, once", async () => {
    const memory = fc.record({
      hours: fc.integer({ min: 0, max: 60 }),
      accessCount: fc.nat(6),
      pinned: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(memory, { maxLength: 12 }), async (memories) => {
        const it = await openTriggerWorld();
        const weak: string[] = [];
        for (const { hours, accessCount, pinned } of memories) {
          const lastAccessAt = it.clock.now() - hours * HOUR;
          const id = await it.add("一段记忆", { lastAccessAt, accessCount, pinned });
          const strength = 0.8 * Math.exp(-0.1 * hours) + 0.2 * Math.log(accessCount + 1);
          if (!pinned && strength < 0.3) weak.push(id);
        }
        expect((await it.run("forgetting", CONFIG)).retired.toSorted()).toEqual(weak.toSorted());
        expect((await it.run("forgetting", CONFIG)).retired).toEqual([]);
        await it.close();
      }),
      { numRuns: 25 },
    );
  });

  test("[P4-2] a drawn threshold: chance by retention, the same all day, another tomorrow; none on the day of recall", async () => {
    const retention = {
      policy: "memorybank_retention",
      form: "intended",
      initial_strength: 1,
      strength_per_recall: 1,
    };
    const config = (seed: number) => ({
      ...CONFIG,
      vitality: retention,
      threshold: { drawn: "daily", seed },
    });
    const it = await open();
    for (let n = 0; n < 200; n++) await it.add(`memory 记忆 ${n}`);
    const sweep = async (seed = 1) => (await it.run("forgetting", config(seed))).retired.length;
    it.clock.advance(11 * HOUR);
    expect(await sweep()).toBe(0);
    // After five days about e⁻¹ of them are left …
    it.clock.advance(5 * DAY);
    const gone = await sweep();
    expect(gone).toBeGreaterThan(200 * 0.45);
    expect(gone).toBeLessThan(200 * 0.8);
    expect(await sweep()).toBe(0);
    // … of which another seed, or the next day, takes some.
    expect(await sweep(2)).toBeGreaterThan(0);
    it.clock.advance(DAY);
    expect(await sweep()).toBeGreaterThan(0);
  });

  test("options are all required and no others are taken", async () => {
    const { run } = await open();
    for (const key of Object.keys(CONFIG)) {
      const { [key]: _left, ...rest } = CONFIG;
      await expect(run("forgetting", rest)).rejects.toMatchObject({ code: "option_invalid" });
    }
  });
});
