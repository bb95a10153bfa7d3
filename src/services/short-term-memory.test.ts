import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ARCHIVED } from "../base/entry.ts";
import { MemoryError } from "../base/errors.ts";
import { where } from "../base/filter.ts";
import type { EntryId } from "../base/ids.ts";
import { PUBLIC, type Scope } from "../base/scope.ts";
import type { TraceEvent } from "../base/trace.ts";
import { ALICE, BOB, ServiceWorld } from "../testing/service-world.ts";
import { openHybridMemory } from "./hybrid-memory.ts";
import type { ServiceInsert } from "./service.ts";
import { openShortTermMemory, type ShortTermMemory } from "./short-term-memory.ts";

const options = { collection_name: "notes", top_k: 10, vitality: null, maxlen: 3 };

describe("short_term_memory", () => {
  let world: ServiceWorld;
  let memory: ShortTermMemory;
  const open = async () => {
    memory = await openShortTermMemory(options, world.deps);
  };
  beforeEach(async () => {
    world = new ServiceWorld({ name: "short_term_memory", options }, "a file");
    await world.start();
    await open();
  });
  afterEach(() => world.stop());

  const say = async (scope: Scope, content: string, more: Partial<ServiceInsert> = {}): Promise<EntryId> => {
    world.clock.advance(1000);
    return memory.insert(scope, { content, ...more });
  };
  const sayAll = async (scope: Scope, texts: readonly string[], more: Partial<ServiceInsert> = {}) => {
    for (const text of texts) await say(scope, text, more);
  };
  const window = async (scope: Scope) => (await memory.window(scope)).map(({ content }) => content);

  test("[S0-91] the window holds the last maxlen entries in the order of arrival, over a restart", async () => {
    await sayAll(ALICE, ["one", "二", "three", "四", "five"]);
    expect(await window(ALICE)).toEqual(["three", "四", "five"]);
    await world.reopen();
    await open();
    expect(await window(ALICE)).toEqual(["three", "四", "five"]);
    await say(ALICE, "六");
    expect(await window(ALICE)).toEqual(["四", "five", "六"]);
  });

  test("what falls out is archived: in no index, out of recall, and still readable by its id", async () => {
    const id = await say(ALICE, "tea in Berlin", { vectors: world.vectorsOf(0) });
    await sayAll(ALICE, ["喝茶", "coffee", "火车"], {
      vectors: world.vectorsOf(0),
    });
    const entry = (await world.everything(ALICE)).get(id);
    expect(entry).toMatchObject({ id, content: "tea in Berlin", tier: ARCHIVED });
    expect(await world.store.memberships(ALICE, [id])).toEqual([[]]);
    for (const hints of [
      { strategy: "lexical" },
      { strategy: "semantic" },
      { strategy: "recent" },
    ] as const) {
      const found = await memory.retrieve(ALICE, { text: "tea Berlin", vectors: world.vectorsOf(0), hints });
      expect(found.map((hit) => hit.id)).not.toContain(id);
    }
    expect(await world.store.scan(ALICE, { filter: where.eq("tier", ARCHIVED) })).toHaveLength(1);
  });

  test("[B.0.3] an active insert is forced in: it pushes nothing out until the next passive one", async () => {
    await sayAll(ALICE, ["one", "two", "three"]);
    await say(ALICE, "forced", { insertMode: "active" });
    expect(await window(ALICE)).toEqual(["one", "two", "three", "forced"]);
    await say(ALICE, "five");
    expect(await window(ALICE)).toEqual(["three", "forced", "five"]);
  });

  test("an active insert past the queue is found by words and takes no place in the window", async () => {
    const insertParams = { targetIndexes: ["text"] };
    await say(ALICE, "a fact on the side", { insertMode: "active", insertParams });
    await sayAll(ALICE, ["one", "two", "three"]);
    expect(await window(ALICE)).toEqual(["one", "two", "three"]);
    expect((await memory.retrieve(ALICE, { text: "fact" })).map(({ content }) => content)).toEqual([
      "a fact on the side",
    ]);
  });

  test("[C-31] only a scope's own entries count; the public ones it sees are not its to move", async () => {
    const shared = await say(PUBLIC, "p1");
    await sayAll(PUBLIC, ["p2", "p3"]);
    await say(PUBLIC, "p4", { insertMode: "active" });
    await sayAll(BOB, ["b1", "b2", "b3"]);
    await sayAll(ALICE, ["a1", "a2", "a3", "a4"]);
    expect(await window(ALICE)).toEqual(["p1", "p2", "p3", "p4", "a2", "a3", "a4"]);
    expect(await window(BOB)).toEqual(["p1", "p2", "p3", "p4", "b1", "b2", "b3"]);
    expect(await window(PUBLIC)).toEqual(["p1", "p2", "p3", "p4"]);
    expect((await world.everything(PUBLIC)).get(shared)?.tier).toBeNull();
  });

  test("without words and vector the newest come first, as many as top_k or as asked", async () => {
    await sayAll(ALICE, ["one", "two", "three"]);
    expect((await memory.retrieve(ALICE, {})).map(({ content }) => content)).toEqual(["three", "two", "one"]);
    expect(await memory.retrieve(ALICE, { topK: 2 })).toHaveLength(2);
    const narrow = await openShortTermMemory({ ...options, top_k: 1 }, world.deps);
    expect(await narrow.retrieve(ALICE, {})).toHaveLength(1);
  });

  test("another maxlen is taken over: the window grows, or the next insert archives what no longer fits", async () => {
    await sayAll(ALICE, ["one", "二", "three"]);
    memory = await openShortTermMemory({ ...options, maxlen: 4 }, world.deps);
    await say(ALICE, "four");
    expect(await window(ALICE)).toEqual(["one", "二", "three", "four"]);
    memory = await openShortTermMemory({ ...options, maxlen: 2 }, world.deps);
    await say(ALICE, "五");
    expect(await window(ALICE)).toEqual(["four", "五"]);
  });

  test("an entry that is in is not reported as lost because another could not be archived", async () => {
    await sayAll(ALICE, ["one", "二", "three"]);
    const heard: TraceEvent[] = [];
    const deps = { ...world.deps, trace: (event: TraceEvent) => void heard.push(event) };
    memory = await openShortTermMemory(options, deps);
    world.store.archiveMany = () => Promise.reject(new MemoryError("locked", "The database is locked."));
    const id = await say(ALICE, "four");
    expect((await world.everything(ALICE)).has(id)).toBe(true);
    expect(heard).toContainEqual(expect.objectContaining({ type: "warning-raise", code: "locked" }));
  });

  test("what was archived stays out of sight when the collection gets more indexes", async () => {
    await sayAll(ALICE, ["green tea", "二", "three", "四"]);
    const hybrid = await openHybridMemory(
      {
        ...{ collection_name: options.collection_name, top_k: 10, vitality: null },
        ...{ graph_enabled: false, graph: null, fusion_strategy: "union", weights: null, rrf_k: null },
        ...{ overfetch: 2, conflict_check: null, text: { k1: 1.2, b: 0.75, around: [], dates: false } },
      },
      world.deps,
    );
    const found = await hybrid.retrieve(ALICE, { hints: { strategy: "temporal" } });
    expect(found.map(({ content }) => content).sort()).toEqual(["three", "二", "四"]);
  });

  test("any mix of inserts: the window is the last maxlen, the archive the rest, and nothing is lost", async () => {
    const steps = fc.array(fc.record({ scope: fc.constantFrom(ALICE, BOB), forced: fc.boolean() }), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (inserts) => {
        for (const scope of [ALICE, BOB])
          for (const id of (await world.everything(scope)).keys()) await memory.delete(scope, id);
        let expected: string[] = [];
        for (const [n, { scope, forced }] of inserts.entries()) {
          await say(scope, `n${n}`, { insertMode: forced ? "active" : "passive" });
          if (scope !== ALICE) continue;
          expected.push(`n${n}`);
          if (!forced) expected = expected.slice(-options.maxlen);
        }
        expect(await window(ALICE)).toEqual(expected);
        const said = inserts.flatMap(({ scope }, n) => (scope === ALICE ? [`n${n}`] : []));
        const kept = [...(await world.everything(ALICE)).values()];
        expect(kept.map(({ content }) => content)).toEqual(said);
        const archived = kept.filter(({ tier }) => tier === ARCHIVED).map(({ content }) => content);
        expect(archived).toEqual(said.filter((content) => !expected.includes(content)));
      }),
      { numRuns: 15, seed: 4 },
    );
  });
});
