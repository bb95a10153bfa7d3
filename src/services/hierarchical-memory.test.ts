import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import { MemoryError } from "../base/errors.ts";
import type { Hit } from "../base/hit.ts";
import { type EntryId, parseEntryId } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import { PUBLIC, parseScope, type Scope } from "../base/scope.ts";
import type { TraceEvent } from "../base/trace.ts";
import type { Vector } from "../base/vector.ts";
import { CollectionManager } from "../collection/collection-manager.ts";
import { openInMemory } from "../storage/memory.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { HierarchicalMemory } from "./hierarchical-memory.ts";
import { openService } from "./index.ts";
import type { ServiceQuery } from "./service.ts";

const ALICE = parseScope("alice");
const BOB = parseScope("bob");
const SPACE = { space: "hand", dimension: 2 };
const ALL = ["queue", "vector", "text"];

const tier = (name: string, capacity: number | null, more: JsonObject = {}): JsonObject => ({
  name,
  capacity,
  membership: "exclusive",
  indexes: ALL,
  ...more,
});
const THREE = [tier("stm", 2), tier("mtm", 2), tier("ltm", null)];

/** A direction between 0 and 90 degrees. */
const at = (degrees: number): Vector => {
  const angle = (degrees * Math.PI) / 180;
  return { space: SPACE.space, values: Float32Array.of(Math.cos(angle), Math.sin(angle)) };
};

const clock = manualClock(Date.UTC(2026, 4, 1));
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface World {
  readonly service: HierarchicalMemory;
  readonly manager: CollectionManager;
  readonly heard: TraceEvent[];
  /** One minute after the last. */
  add(content: string, more?: JsonObject, scope?: Scope, degrees?: number): Promise<EntryId>;
  texts(query: ServiceQuery, scope?: Scope): Promise<string[]>;
  tierOf(id: EntryId): Promise<string | null | undefined>;
}

async function open(
  tiers: readonly JsonObject[],
  policy: "auto" | "pending",
  storage?: Storage,
): Promise<World> {
  const heard: TraceEvent[] = [];
  const trace = (event: TraceEvent): void => void heard.push(event);
  const manager = new CollectionManager(storage ?? (await openInMemory({ clock })), { clock, trace });
  closing.push(() => manager.close());
  const options = {
    collection_name: "tiers",
    top_k: 10,
    vitality: null,
    tiers: [...tiers],
    migration_policy: policy,
    eviction: null,
    graph: null,
  };
  const service = await openService("hierarchical_memory", options, {
    manager,
    clock,
    trace,
    fields: [{ name: "content", spaces: [SPACE] }],
    thinking: { onBadReply: "fallback" },
  });
  if (!(service instanceof HierarchicalMemory)) throw new Error("another service");
  return {
    service,
    manager,
    heard,
    add(content, more = {}, scope = ALICE, degrees = 10) {
      clock.advance(60_000);
      return service.insert(scope, { content, vectors: [at(degrees)], ...more });
    },
    texts: async (query, scope = ALICE) =>
      (await service.retrieve(scope, query)).map(({ content }: Hit) => content),
    tierOf: async (id) => (await (await manager.get("tiers")).get(ALICE, id))?.tier,
  };
}

const inTier = (...tiers: string[]): ServiceQuery => ({ hints: { strategy: "recent", tiers } });

describe("where entries go", () => {
  test("[S0-3][S0-15][C-5] a passive insert goes to the first tier, an active one where it is told", async () => {
    const { add, texts, service } = await open(THREE, "auto");
    await add("I moved to Berlin");
    await add("我搬到了柏林", { insertMode: "active", insertParams: { targetTier: "ltm" } });
    expect(await texts(inTier("stm"))).toEqual(["I moved to Berlin"]);
    expect(await texts(inTier("ltm"))).toEqual(["我搬到了柏林"]);
    const wrong = { content: "x", insertMode: "active", insertParams: { targetTier: "lmt" } } as const;
    await expect(service.insert(ALICE, wrong)).rejects.toThrow('Did you mean "ltm"?');
    const ignored = service.insert(ALICE, { content: "x", tier: "ltm" });
    await expect(ignored).rejects.toMatchObject({ code: "input_invalid" });
    const passive = service.insert(ALICE, { content: "x", insertParams: { targetTier: "ltm" } });
    await expect(passive).rejects.toMatchObject({ code: "input_invalid" });
  });

  test("[S0-61][S0-55][C-9][B.0.9-20][B.0.9-24] what no longer fits moves on: its id, vector and data stay", async () => {
    const { add, texts, service, manager, tierOf } = await open(THREE, "auto");
    const oldest = await add("first", { metadata: { n: 1 }, tags: ["旧"] }, ALICE, 80);
    const store = await manager.get("tiers");
    const before = await store.get(ALICE, oldest);
    for (const text of ["second", "third"]) await add(text, {}, ALICE, 10);
    expect(await tierOf(oldest)).toBe("mtm");
    for (const text of ["fourth", "fifth"]) await add(text, {}, ALICE, 10);
    expect(await tierOf(oldest)).toBe("ltm");
    expect(await texts(inTier("stm"))).toEqual(["fifth", "fourth"]);
    expect(await texts(inTier("mtm"))).toEqual(["third", "second"]);
    const after = await store.get(ALICE, oldest);
    expect(after).toEqual({ ...before, tier: "ltm", updatedAt: after?.updatedAt });
    // Found by the vector it came with, not by that of the entry that pushed it out.
    const hits = await service.retrieve(ALICE, { vectors: [at(80)], hints: { tiers: ["ltm"] } });
    expect(hits.map(({ id, score }) => [id, Math.round(score * 1000)])).toEqual([[oldest, 1000]]);
    expect((await service.getStatus(ALICE)).count).toBe(0);
    expect((await store.scan(ALICE)).length).toBe(5);
  });

  test("[B.0.9-12] the capacities are those of the tiers that are declared, whatever they are called", async () => {
    const tiers = [tier("core", 1), tier("recall", 3), tier("archival", null)];
    const { add, service } = await open(tiers, "auto");
    for (let n = 0; n < 6; n++) await add(`turn ${n}`);
    expect(await service.getTierStats(ALICE)).toEqual([
      { tier: "core", capacity: 1, entries: 1, waiting: 0 },
      { tier: "recall", capacity: 3, entries: 3, waiting: 0 },
      { tier: "archival", capacity: null, entries: 2, waiting: 0 },
    ]);
  });

  test("[C-7] what is in an overlay is found in the tier behind it too, and stays there when it falls out", async () => {
    const tiers = [tier("L1", 2, { membership: "overlay" }), tier("L2", null), tier("L3", null)];
    const { add, texts, service, tierOf } = await open(tiers, "auto");
    const [a, b, c] = [await add("apple"), await add("berry"), await add("cherry")];
    expect(await texts(inTier("L1"))).toEqual(["cherry", "berry"]);
    expect(new Set(await texts(inTier("L2")))).toEqual(new Set(["apple", "berry", "cherry"]));
    for (const strategy of ["semantic", "lexical", "temporal", "structured"] as const) {
      const query = { text: "apple berry cherry", vectors: [at(10)] };
      expect((await texts({ ...query, hints: { strategy, tiers: ["L2"] } })).sort()).toEqual([
        "apple",
        "berry",
        "cherry",
      ]);
      expect((await texts({ ...query, hints: { strategy, tiers: ["L1"] } })).sort()).toEqual([
        "berry",
        "cherry",
      ]);
      expect(await texts({ ...query, hints: { strategy } })).toHaveLength(3);
    }
    expect([await tierOf(a), await tierOf(b), await tierOf(c)]).toEqual(["L2", "L1", "L1"]);
    await service.migrate(ALICE, b, "L3");
    expect(await texts(inTier("L2", "L1"))).toEqual(["cherry", "apple"]);
    expect((await service.getTierStats(ALICE)).map(({ entries }) => entries)).toEqual([1, 2, 1]);
    // To the front again: in both, and out of the third.
    await service.migrate(ALICE, b, "L1");
    expect(await texts(inTier("L3"))).toEqual([]);
    expect(new Set(await texts(inTier("L2")))).toEqual(new Set(["apple", "berry", "cherry"]));
  });

  test("the last tier of declared size lets go into the archive, and what is pinned stays", async () => {
    const { add, texts, tierOf } = await open([tier("only", 1)], "auto");
    const pinned = await add("pinned", { pinned: true });
    const old = await add("old");
    const fresh = await add("fresh");
    expect([await tierOf(pinned), await tierOf(old), await tierOf(fresh)]).toEqual([
      "only",
      "archived",
      "only",
    ]);
    expect((await texts({ text: "pinned old fresh", hints: { strategy: "lexical" } })).sort()).toEqual([
      "fresh",
      "pinned",
    ]);
  });

  test("one scope's entries never push out another's", async () => {
    const { add, texts, service } = await open(THREE, "auto");
    for (const scope of [PUBLIC, BOB, ALICE]) {
      for (const text of ["one", "two"]) await add(`${scope} ${text}`, {}, scope);
    }
    expect((await texts(inTier("stm"))).sort()).toEqual([
      "alice one",
      "alice two",
      "public one",
      "public two",
    ]);
    expect(await texts(inTier("mtm"))).toEqual([]);
    await add("alice three");
    expect(await texts(inTier("mtm"))).toEqual(["alice one"]);
    expect((await service.getTierStats(BOB)).map(({ entries }) => entries)).toEqual([2, 0, 0]);
  });

  test("many at once: every tier keeps to its size and nothing is lost", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(ALICE, BOB, PUBLIC), { minLength: 1, maxLength: 25 }),
        async (scopes) => {
          const { service } = await open(THREE, "auto");
          const insert = (scope: Scope, n: number) =>
            service.insert(scope, { content: `n${n}`, vectors: [at(n)] });
          await Promise.all(scopes.map(insert));
          for (const scope of new Set(scopes)) {
            const own = scopes.filter((one) => one === scope).length;
            const stats = await service.getTierStats(scope);
            expect(stats.map(({ entries }) => entries)).toEqual([
              Math.min(own, 2),
              Math.min(Math.max(own - 2, 0), 2),
              Math.max(own - 4, 0),
            ]);
          }
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe("what waits for a decision", () => {
  test("[S0-23][B.0.9-21] every entry that no longer fits waits on its own, with where it is and where it should go", async () => {
    const { add, service, texts } = await open([tier("stm", 1), tier("ltm", 1)], "pending");
    const ids = [await add("one"), await add("two"), await add("three")];
    const status = await service.getStatus(ALICE);
    expect(status.pendingAction).toBe("migrate");
    expect(status.pendingItems.map(({ action, entry, details }) => ({ action, entry, details }))).toEqual(
      ids.slice(0, 2).map((entry) => ({
        action: "migrate",
        entry,
        details: { source_tier: "stm", target_tier: "ltm" },
      })),
    );
    // Nothing has moved, and what waits is found where it was.
    const query = { vectors: [at(10)], hints: { tiers: ["stm"] } };
    expect((await texts(query)).sort()).toEqual(["one", "three", "two"]);
    expect(await service.getTierStats(ALICE)).toMatchObject([{ entries: 3, waiting: 2 }, { entries: 0 }]);
    for (const { entry } of status.pendingItems) await service.migrate(ALICE, entry, "ltm");
    const next = await service.getStatus(ALICE);
    expect(next.pendingItems.map(({ action, entry, details }) => [action, entry, details])).toEqual([
      ["forget", ids[0], { source_tier: "ltm", target_tier: null }],
    ]);
    expect((await service.getStatus(BOB)).count).toBe(0);
  });

  test("an entry that comes back to a tier and overflows again waits again", async () => {
    const { add, service } = await open([tier("stm", 1), tier("ltm", null)], "pending");
    const [one] = [await add("one"), await add("two")];
    for (const move of ["ltm", "stm"]) await service.migrate(ALICE, one, move);
    const [first] = (await service.getStatus(ALICE)).pendingItems;
    await service.acknowledge(ALICE, first?.id ?? "");
    await add("three");
    const waiting = (await service.getStatus(ALICE)).pendingItems.map(({ entry }) => entry);
    expect(waiting).toContain(one);
  });

  test("[B.0.9-21] what waits survives a restart, and is not put down twice", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tiers-"));
    closing.push(async () => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "memory.db");
    const first = await open(
      [tier("stm", 1), tier("ltm", null)],
      "pending",
      await openSqlite(path, { clock }),
    );
    await first.add("一");
    await first.add("二");
    await first.manager.close();
    const again = await open(
      [tier("stm", 1), tier("ltm", null)],
      "pending",
      await openSqlite(path, { clock }),
    );
    expect((await again.service.getStatus(ALICE)).count).toBe(1);
    await again.add("三");
    expect((await again.service.getStatus(ALICE)).count).toBe(2);
  });

  test("what is superseded takes no part", async () => {
    const { add, service } = await open([tier("stm", 1), tier("ltm", null)], "pending");
    const old = await add("I live in Paris");
    await add("I live in Berlin", { supersedes: [old] });
    expect((await service.getStatus(ALICE)).count).toBe(0);
  });

  test("the work of an insert does not grow with what waits", async () => {
    const { add, heard } = await open([tier("stm", 1), tier("ltm", null)], "pending");
    const seen = async (text: string): Promise<number[]> => {
      heard.length = 0;
      await add(text);
      return heard.flatMap((event) => (event.type === "index-query" ? [event.hits] : []));
    };
    await add("0");
    const early = await seen("1");
    for (let n = 2; n < 40; n++) await add(`${n}`);
    expect(await seen("40")).toEqual(early);
  });
});

test("an entry that is in is in: where no room could be made the caller is not told otherwise, and the next insert makes it", async () => {
  const storage = await openInMemory({ clock });
  let isBroken = false;
  const flaky: Storage = {
    ...storage,
    commit: (scope, writes, ...rest) =>
      isBroken && writes.some(({ op }) => op === "index-leave")
        ? Promise.reject(new MemoryError("storage_io", "The disk is full."))
        : storage.commit(scope, writes, ...rest),
  };
  const { add, service, heard } = await open([tier("stm", 1), tier("ltm", null)], "auto", flaky);
  await add("one");
  isBroken = true;
  await add("two");
  expect(heard).toContainEqual(
    expect.objectContaining({
      type: "warning-raise",
      code: "storage_io",
      message: expect.stringContaining("made no room yet"),
    }),
  );
  expect((await service.getTierStats(ALICE)).map(({ entries }) => entries)).toEqual([2, 0]);
  isBroken = false;
  await add("three");
  expect((await service.getTierStats(ALICE)).map(({ entries }) => entries)).toEqual([1, 2]);
});

test("[B.0.9-18][C-8] the trigger migrate follows the thresholds it is given, through the tiers of the service", async () => {
  const { add, service, tierOf } = await open(THREE, "pending");
  const hot = await add("hot", { insertMode: "active", insertParams: { targetTier: "mtm" } });
  const cold = await add("cold");
  clock.advance(48 * 3_600_000);
  await service.retrieve(ALICE, { text: "hot", hints: { strategy: "lexical" } });
  const heat = {
    migrate_policy: "heat",
    vitality: { policy: "lru" },
    hot_move: "promote",
    upgrade_transform: "none",
    downgrade_transform: "none",
    summarize_prompt: "summarize",
    summary_max_words: 20,
    summary_batch: 5,
  };
  const sweep = (hot_threshold: number, cold_threshold: number) =>
    service.optimize(ALICE, { trigger: "migrate", config: { ...heat, hot_threshold, cold_threshold } });
  expect((await sweep(1, -100)).moved).toEqual([]);
  expect(new Set((await sweep(-1, -24)).moved)).toEqual(
    new Set([
      { id: hot, from: "mtm", to: "stm" },
      { id: cold, from: "stm", to: "mtm" },
    ]),
  );
  expect([await tierOf(hot), await tierOf(cold)]).toEqual(["stm", "mtm"]);
});

describe("looking", () => {
  test("[S0-22] moving by hand refuses what is not there", async () => {
    const { service, add, tierOf } = await open(THREE, "auto");
    const id = await add("x");
    await service.migrate(ALICE, id, "ltm");
    expect(await tierOf(id)).toBe("ltm");
    await expect(service.migrate(ALICE, id, "nowhere")).rejects.toThrow("Valid: ltm, mtm, stm");
    await expect(service.migrate(BOB, id, "stm")).rejects.toMatchObject({ code: "entry_not_found" });
    const unknown = parseEntryId("00000000-0000-7000-8000-000000000000");
    await expect(service.migrate(ALICE, unknown, "stm")).rejects.toMatchObject({ code: "entry_not_found" });
  });

  test("[B.0.9-13][B.0.9-1] only the hinted tiers are searched, and a hint of another name is refused", async () => {
    const { add, service, texts, heard } = await open(THREE, "auto");
    for (const name of ["red apple", "green apple", "红苹果 apple"]) await add(name);
    heard.length = 0;
    expect(await texts({ vectors: [at(10)], hints: { tiers: ["mtm"] } })).toEqual(["red apple"]);
    expect(heard.flatMap((event) => (event.type === "index-query" ? [event.index] : []))).toEqual([
      "mtm-v-hand",
    ]);
    for (const strategy of ["lexical", "recent", "temporal", "structured"] as const) {
      const text = strategy === "lexical" ? "apple" : undefined;
      expect(await texts({ text, hints: { strategy, tiers: ["mtm"] } })).toEqual(["red apple"]);
    }
    const misspelt = { hints: { tier: ["mtm"] } };
    await expect(service.retrieve(ALICE, misspelt as ServiceQuery)).rejects.toMatchObject({
      code: "input_invalid",
    });
    await expect(texts(inTier("mtn"))).rejects.toThrow('Did you mean "mtm"?');
  });

  test("without a hint all tiers answer: by nearness, by words of one scale, or the front first", async () => {
    const { add, texts } = await open([tier("stm", 1), tier("ltm", null)], "auto");
    await add("tea 茶", {}, ALICE, 40);
    await add("coffee and more coffee", {}, ALICE, 60);
    await add("water", {}, ALICE, 50);
    expect(await texts({ vectors: [at(41)] })).toEqual(["tea 茶", "water", "coffee and more coffee"]);
    expect(await texts({ vectors: [at(41)], topK: 1 })).toEqual(["tea 茶"]);
    expect(await texts({ text: "coffee" })).toEqual(["coffee and more coffee"]);
    expect(await texts({})).toEqual(["water", "coffee and more coffee", "tea 茶"]);
  });

  test("[S0-61] a tier has the indexes it declares: what cannot be looked for by meaning is given by arrival", async () => {
    const tiers = [tier("stm", 2, { indexes: ["queue"] }), tier("mtm", null, { indexes: ["vector"] })];
    const { add, texts, service } = await open(tiers, "auto");
    for (const [place, text] of ["a", "b", "c"].entries()) await add(text, {}, ALICE, 10 * place);
    expect(await texts({ vectors: [at(0)] })).toEqual(["a"]);
    expect(await texts({ vectors: [at(0)], hints: { tiers: ["stm"] } })).toEqual(["c", "b"]);
    expect(service.traits.abilities).toEqual(["queue", "vector", "tiers"]);
  });
});

test("tiers that cannot work are refused", async () => {
  const wrong: (readonly JsonObject[])[] = [
    [],
    [tier("a", 1), tier("a", 2)],
    [tier("archived", 1)],
    [tier("a-b", 1)],
    [tier("a", 1, { indexes: ["vector"] })],
    [tier("a", 0)],
    [tier("a", 1, { enter: 0.7 })],
  ];
  for (const tiers of wrong) {
    await expect(open(tiers, "auto")).rejects.toMatchObject({ code: "option_invalid" });
  }
});

describe("opening again", () => {
  const QUEUE = { indexes: ["queue"] };

  test.each<[string, readonly JsonObject[], readonly JsonObject[]]>([
    ["gains a vector index", [tier("stm", 2, QUEUE), tier("ltm", null)], THREE.toSpliced(1, 1)],
    [
      "gains an index of words",
      [tier("a", 2, QUEUE), tier("b", 2)],
      [tier("a", 2, { indexes: ["queue", "text"] }), tier("b", 2)],
    ],
    ["loses an index", [tier("a", 2), tier("b", 2)], [tier("a", 2, QUEUE), tier("b", 2)]],
    ["is gone", [tier("a", 2), tier("b", null, { indexes: ["vector"] })], [tier("a", 2)]],
    ["is new", THREE, [...THREE, tier("more", null)]],
    [
      "becomes an overlay",
      [tier("短期", 2), tier("长期", null)],
      [tier("短期", 2, { membership: "overlay" }), tier("长期", null)],
    ],
    ["has another place", [tier("a", 2), tier("b", 2)], [tier("b", 2), tier("a", 2)]],
  ])(
    "[C-9] is refused where a tier %s: entries would be looked for where they are not",
    async (_, made, other) => {
      const storage = await openInMemory({ clock });
      await open(made, "auto", storage);
      await expect(open(other, "auto", storage)).rejects.toMatchObject({
        code: "name_taken",
        message: expect.stringContaining("other tiers"),
      });
    },
  );

  test("other capacities and another policy are taken over, and what no longer fits moves on", async () => {
    const storage = await openInMemory({ clock });
    const { add } = await open([tier("stm", 3), tier("ltm", null)], "pending", storage);
    const ids = [await add("one"), await add("二"), await add("three")];
    const { add: more, tierOf } = await open([tier("stm", 2), tier("ltm", null)], "auto", storage);
    ids.push(await more("four"));
    expect(await Promise.all(ids.map(tierOf))).toEqual(["ltm", "ltm", "stm", "stm"]);
    const wide = await open([tier("stm", 10), tier("ltm", null)], "auto", storage);
    const last = [await wide.add("five"), await wide.add("六")];
    expect(await Promise.all([...ids, ...last].map(wide.tierOf))).toEqual([
      "ltm",
      "ltm",
      ...Array(4).fill("stm"),
    ]);
  });
});

describe("what waits is about what is there", () => {
  const PENDING = [tier("stm", 1), tier("ltm", null)];

  test("[B.0.9-21] it goes with the entry that is deleted, and with the one that is moved by hand", async () => {
    const { add, service } = await open(PENDING, "pending");
    const ids = [await add("one"), await add("二"), await add("three"), await add("four")];
    await service.delete(ALICE, ids[0] ?? fail());
    await service.migrate(ALICE, ids[1] ?? fail(), "ltm");
    const { pendingItems, count } = await service.getStatus(ALICE);
    expect(pendingItems.map(({ entry }) => entry)).toEqual([ids[2]]);
    expect(count).toBe(1);
    expect(await service.getTierStats(ALICE)).toMatchObject([{ waiting: 1 }, { waiting: 0 }]);
  });

  test("[S0-20] acknowledged without a move, an entry is the newest of its queue and waits again when pushed out", async () => {
    const { add, service, texts } = await open(PENDING, "pending");
    const kept = await add("kept");
    await add("二");
    const recent = { hints: { strategy: "recent", tiers: ["stm"] } } as const;
    const [item] = (await service.getStatus(ALICE)).pendingItems;
    expect(item?.entry).toBe(kept);
    await service.acknowledge(ALICE, item?.id ?? "");
    expect((await service.getStatus(ALICE)).count).toBe(0);
    expect(await texts({ ...recent, topK: 1 })).toEqual(["kept"]);
    await add("three");
    await add("four");
    expect((await service.getStatus(ALICE)).pendingItems.map(({ entry }) => entry)).toContain(kept);
  });

  test("an acknowledged entry that was superseded meanwhile does not come back to its queue", async () => {
    const { add, service, manager } = await open(PENDING, "pending");
    const [old, fresh] = [await add("old"), await add("fresh")];
    const [item] = (await service.getStatus(ALICE)).pendingItems;
    await service.supersede(ALICE, [old], fresh);
    await service.acknowledge(ALICE, item?.id ?? "");
    const store = await manager.get("tiers");
    expect((await store.memberships(ALICE, [old]))[0]).not.toContain("stm-recent");
  });

  test("[S0-19] more than a thousand are all counted, and all of them moved", {
    timeout: 60_000,
  }, async () => {
    const { add, service } = await open(
      [tier("stm", 1, { indexes: ["queue"] }), tier("ltm", null)],
      "pending",
    );
    for (let n = 0; n < 1006; n++) await add(`n${n}`);
    const status = await service.getStatus(ALICE);
    expect([status.count, status.pendingItems.length]).toEqual([1005, 1000]);
    expect(await service.getTierStats(ALICE)).toMatchObject([{ waiting: 1005 }, { waiting: 0 }]);
    const config = {
      migrate_policy: "overflow",
      upgrade_transform: "none",
      downgrade_transform: "none",
      summarize_prompt: "summarize",
      summary_max_words: 50,
      summary_batch: 10,
    };
    expect((await service.optimize(ALICE, { trigger: "migrate", config })).moved).toHaveLength(1005);
    expect((await service.getStatus(ALICE)).count).toBe(0);
  });
});

test("[S0-61] a move that is done is not reported as failed because no room could be made", async () => {
  const { add, service, manager, heard, tierOf } = await open(THREE, "auto");
  const id = await add("moved");
  const store = await manager.get("tiers");
  store.retrieve = () => Promise.reject(new MemoryError("locked", "The database is locked."));
  await service.migrate(ALICE, id, "ltm");
  expect(await tierOf(id)).toBe("ltm");
  expect(heard).toContainEqual(expect.objectContaining({ type: "warning-raise", code: "locked" }));
});

test("a tier without the index is named, where it is the tier that makes a way of looking impossible", async () => {
  const { add, service } = await open([tier("stm", 2, { indexes: ["queue"] }), tier("ltm", null)], "auto");
  await add("茶");
  const ask = (strategy: "semantic" | "lexical") =>
    service.retrieve(ALICE, { text: "茶", vectors: [at(0)], hints: { strategy, tiers: ["stm"] } });
  for (const strategy of ["semantic", "lexical"] as const) {
    await expect(ask(strategy)).rejects.toMatchObject({
      code: "capability_missing",
      message: expect.stringContaining("not in the tiers stm"),
    });
  }
  // Without a strategy the first way that the tier allows is taken.
  const hits = await service.retrieve(ALICE, { text: "茶", vectors: [at(0)], hints: { tiers: ["stm"] } });
  expect(hits.map(({ content }) => content)).toEqual(["茶"]);
});

function fail(): never {
  throw new Error("there is none");
}
