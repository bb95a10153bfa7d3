/** What BIEM asks of a memory in tiers: links across them, and room made by the least alive. */
import { afterEach, expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import { ALICE, HOUR, openTriggerWorld, type TriggerWorld } from "../testing/trigger-world.ts";

const ENERGY = {
  policy: "biem_energy",
  initial_energy: 0.5,
  decay_per_hour: 0.1,
  access_boost: 0.1,
  feedback_boost: 0.1,
};
const STAY = {
  upgrade_transform: "none",
  downgrade_transform: "none",
  summarize_prompt: "summarize",
  summary_max_words: 9,
  summary_batch: 9,
};
const FRONT = {
  migrate_policy: "front",
  vitality: ENERGY,
  enter: 0.7,
  min_looks: 2,
  leave: 0.3,
  idle_seconds: 3600,
  ...STAY,
};

let world: TriggerWorld | undefined;
afterEach(() => world?.close());

async function open(more: JsonObject = {}): Promise<TriggerWorld> {
  const tiers = [
    { name: "front", capacity: 2, membership: "overlay", indexes: ["queue"] },
    { name: "web", capacity: null, membership: "exclusive", indexes: ["vector", "text"] },
    { name: "facts", capacity: null, membership: "exclusive", indexes: ["vector", "text"] },
  ];
  const options = {
    top_k: 10,
    tiers,
    migration_policy: "auto",
    eviction: ENERGY,
    graph: { seeds: 1, depth: 2, decay: 0.5 },
    ...more,
  };
  world = await openTriggerWorld({
    service: "hierarchical_memory",
    options: { vitality: ENERGY, ...options },
  });
  return world;
}
const anchor = (value: number, { clock }: TriggerWorld) => ({ energyAnchor: { value, at: clock.now() } });
const into = (targetTier: string) => ({ insertMode: "active", insertParams: { targetTier } }) as const;

test("[S4-3] eviction: the least alive makes room; null: who came first", async () => {
  for (const [eviction, gone] of [
    [ENERGY, "second"],
    [null, "first"],
  ] as const) {
    const it = await open({ eviction });
    const ids = new Map<string, Awaited<ReturnType<TriggerWorld["add"]>>>();
    for (const [name, value] of [
      ["first", 0.9],
      ["second", 0.5],
      ["third", 0.6],
    ] as const)
      ids.set(name, await it.add(name, anchor(value, it)));
    for (const [name, id] of ids) expect((await it.get(id)).tier).toBe(name === gone ? "web" : "front");
    await it.close();
  }
});

test("[S4-4][S4-17] graph: links lead from tier to tier, and a move keeps them", async () => {
  const it = await open();
  const fact = await it.add("a fact about the sea", into("facts"));
  const note = await it.add("红色的自行车", {
    edges: [{ to: fact, type: "semantic", weight: 1, directed: false }],
  });
  const walk = async (depth?: number) => {
    const hints = {
      strategy: "graph",
      seeds: { [note]: 1 },
      ...(depth === undefined ? {} : { depth }),
    } as const;
    return (await it.service.retrieve(ALICE, { hints })).map(({ id, score }) => [id, score]);
  };
  expect(await walk()).toEqual([
    [note, 1],
    [fact, 0.5],
  ]);
  await it.run("migrate", {
    migrate_policy: "manual",
    ids: [note],
    filter: null,
    target_tier: "facts",
    ...STAY,
  });
  expect(await walk(1)).toEqual([
    [note, 1],
    [fact, 0.5],
  ]);
  const found = await it.service.retrieve(ALICE, { text: "红色的自行车", hints: { strategy: "graph" } });
  expect(found.map(({ id }) => id)).toEqual([note, fact]);
  expect(it.service.traits).toMatchObject({
    abilities: expect.arrayContaining(["graph"]),
    triggers: expect.arrayContaining(["link_evolution"]),
  });
});

test("without a graph it has no links to hold or to walk", async () => {
  const it = await open({ graph: null });
  expect(it.service.traits.abilities).not.toContain("graph");
  await expect(it.add("x", { edges: [{ to: await it.add("y"), type: "semantic" }] })).rejects.toMatchObject({
    code: "capability_missing",
  });
});

test("[S4-14][S4-19] front: every line it draws moves something, and twice is once", async () => {
  const it = await open();
  const hot = await it.add("hot", { ...into("web"), ...anchor(0.9, it) });
  const cold = await it.add("cold", anchor(0.2, it));
  const idle = await it.add("idle", anchor(0.9, it));
  const tiersOf = async () => Promise.all([hot, cold, idle].map(async (id) => (await it.get(id)).tier));
  await it.run("migrate", FRONT);
  expect(await tiersOf()).toEqual(["web", "web", "front"]);
  for (let look = 0; look < 2; look++) await it.service.touch(ALICE, [await it.get(hot)]);
  it.clock.advance(1000);
  expect((await it.run("migrate", { ...FRONT, min_looks: 3 })).moved).toEqual([]);
  expect((await it.run("migrate", { ...FRONT, enter: 1.5 })).moved).toEqual([]);
  expect((await it.run("migrate", FRONT)).moved).toMatchObject([{ id: hot, to: "front" }]);
  expect((await it.run("migrate", FRONT)).moved).toEqual([]);
  it.clock.advance(2 * HOUR);
  expect((await it.run("migrate", { ...FRONT, idle_seconds: 10_000 })).moved).toEqual([]);
  expect(
    (await it.run("migrate", { ...FRONT, idle_seconds: 10_000, leave: 0.9, enter: 1 })).moved,
  ).not.toEqual([]);
  await it.run("migrate", FRONT);
  expect(await tiersOf()).toEqual(["web", "web", "web"]);
});
