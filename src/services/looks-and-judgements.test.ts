import { afterEach, describe, expect, test } from "vitest";
import { MemoryError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { PUBLIC } from "../base/scope.ts";
import type { TraceEvent } from "../base/trace.ts";
import { createVitality, vitalitySchema } from "../policies/vitality/index.ts";
import { ALICE, BOB, noteOf, ServiceWorld } from "../testing/service-world.ts";

const BIEM = {
  ...{ policy: "biem_energy", initial_energy: 0.5, decay_per_hour: 0.1 },
  ...{ access_boost: 0.1, feedback_boost: 0.2 },
};
const STRENGTH = { policy: "strength_counter", strength_per_useful: 3 };
const GRADES = {
  policy: "tiered_usefulness",
  points_per_useful: 3,
  grades: [
    { useful_from: 0, days_per_loss: 3, useless_recall_loss: 0 },
    { useful_from: 3, days_per_loss: null, useless_recall_loss: 1 },
    { useful_from: 10, days_per_loss: null, useless_recall_loss: 0 },
  ],
};

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(vitality: JsonObject | null): Promise<ServiceWorld> {
  const options = { collection_name: "notes", top_k: 5, vitality };
  const world = new ServiceWorld({ name: "neuromem_vdb", options }, "memory");
  await world.start();
  closing.push(() => world.stop());
  return world;
}

describe("feedback", () => {
  /** How alive the only entry is after each judgement, and how often it was found useful. */
  async function judge(policy: JsonObject, ...values: readonly number[]) {
    const world = await open(policy);
    const vitality = createVitality(vitalitySchema.parse(policy));
    const id = await world.remember(ALICE, 0, { strength: 5 });
    const seen = [];
    for (const value of [0, ...values]) {
      const entry = (await world.everything(ALICE)).get(id);
      await world.service.feedback(ALICE, entry === undefined ? [] : [entry], value);
      const after = (await world.everything(ALICE)).get(id);
      if (after === undefined) throw new Error("it is there");
      seen.push([Number(vitality.score(after, world.clock.now()).toFixed(6)), after.usefulCount]);
    }
    return seen;
  }

  test("[S4-13] raises and lowers energy by the feedback_boost, and praise is counted", async () => {
    expect(await judge(BIEM, 1, -0.5, 0)).toEqual([
      [0.5, 0],
      [0.7, 1],
      [0.6, 1],
      [0.6, 1],
    ]);
  });

  test("[S3-27] raises the strength by strength_per_useful, and blame takes none", async () => {
    expect(await judge(STRENGTH, 1, -1, 0.5)).toEqual([
      [5, 0],
      [8, 1],
      [8, 1],
      [11, 2],
    ]);
  });

  test("a useless recall costs what the grade says; no judgement costs nothing", async () => {
    expect(await judge(GRADES, 1, 0, -1, 0)).toEqual([
      [5, 0],
      [5, 1],
      [5, 1],
      [4, 1],
      [4, 1],
    ]);
  });

  test("counts praise where there is no vitality, and is no look", async () => {
    const world = await open(null);
    const id = await world.remember(ALICE, 1);
    const before = (await world.everything(ALICE)).get(id);
    for (const value of [1, 0, -1])
      await world.service.feedback(ALICE, before === undefined ? [] : [before], value);
    expect((await world.everything(ALICE)).get(id)).toEqual({ ...before, usefulCount: 1 });
  });

  test("[C-31] is for what a scope can see: public entries, but nobody else's", async () => {
    const world = await open(BIEM);
    const shared = await world.remember(PUBLIC, 0);
    const hers = await world.remember(BOB, 1);
    const all = new Map([...(await world.everything(PUBLIC)), ...(await world.everything(BOB))]);
    const entry = (id: string) => [...all.values()].filter((one) => one.id === id);
    await world.service.feedback(ALICE, entry(shared), 1);
    expect((await world.everything(PUBLIC)).get(shared)?.usefulCount).toBe(1);
    await world.refuses("entry_not_found", world.service.feedback(ALICE, entry(hers), 1));
  });
});

describe("a look that cannot be counted", () => {
  test.each([
    ["a locked database", new MemoryError("locked", "The database is locked.")],
    ["an error that is nobody's", new Error("database is locked")],
  ])("is warned of, and the hits are returned all the same: %s", async (_, error) => {
    const heard: TraceEvent[] = [];
    const world = await open(null);
    const trace = (event: TraceEvent) => void heard.push(event);
    const service = await world.openWith(world.subject.options, { ...world.deps, trace });
    await world.remember(ALICE, 1);
    world.store.touch = () => Promise.reject(error);
    const hits = await service.retrieve(ALICE, { text: noteOf(1) });
    expect(hits.map(({ content }) => content)).toEqual([noteOf(1)]);
    await service.touch(ALICE, hits);
    expect(heard.filter(({ type }) => type === "warning-raise")).toHaveLength(2);
  });
});

describe("superseding", () => {
  test("[C-11] is by a current entry that the scope sees, all or none, and never in circles", async () => {
    const world = await open(null);
    const [a, b, c] = [
      await world.remember(ALICE, 0),
      await world.remember(ALICE, 1),
      await world.remember(ALICE, 2),
    ];
    const hers = await world.remember(BOB, 3);
    const { service } = world;
    const before = await world.everything(ALICE);
    await world.refuses("entry_not_found", service.supersede(ALICE, [a], hers));
    await world.refuses("entry_not_found", service.supersede(ALICE, [a], world.store.newId()));
    await world.refuses("entry_not_found", service.supersede(ALICE, [a, hers, b], c));
    expect(await world.everything(ALICE)).toEqual(before);
    await service.supersede(ALICE, [a], b);
    await expect(service.supersede(ALICE, [b], a)).rejects.toThrow(MemoryError);
    expect(await world.ask(ALICE, 1, "lexical")).toContain(b);
  });

  test("[C-11] what an entry stood for is found again when that entry is deleted", async () => {
    const world = await open(null);
    const [old, fresh] = [await world.remember(ALICE, 1), await world.remember(ALICE, 2)];
    await world.service.supersede(ALICE, [old], fresh);
    expect(await world.ask(ALICE, 1, "lexical")).not.toContain(old);
    await world.service.delete(ALICE, fresh);
    expect(await world.ask(ALICE, 1, "lexical")).toContain(old);
  });
});
