/** BIEM: energy, a canvas over a web of links, facts crystallised from groups, and conflicts that restructure memory. */
import { afterEach, describe, expect, test } from "vitest";
import type { EntryId } from "../../src/base/ids.ts";
import type { JsonObject } from "../../src/base/json.ts";
import type { NewTurn } from "../../src/base/turn.ts";
import { loadPreset } from "../../src/preset/load.ts";
import type { Preset } from "../../src/preset/preset.ts";
import { hashEmbedder } from "../../src/testing/hash-embedder.ts";
import { ALICE, openPresetWorld, type PresetWorldOptions } from "../../src/testing/preset-world.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(options: PresetWorldOptions = {}, preset: string | Preset = "biem") {
  const world = await openPresetWorld(preset, options);
  closing.push(world.close);
  return world;
}
type World = Awaited<ReturnType<typeof open>>;

/** The preset with other options of one action. */
async function changed(stage: "pre_insert" | "post_insert", action: string, options: JsonObject) {
  const base = await loadPreset("biem");
  const actions = base.stages[stage].map((one) =>
    one.action === action ? { ...one, options: { ...one.options, ...options } } : one,
  );
  return { ...base, stages: { ...base.stages, [stage]: actions } };
}

const HOUR = 3_600_000;
const MINUTE = 60_000;
const START = Date.UTC(2026, 4, 1, 12);
const said = (speaker: string, text: string, minute = 0): NewTurn => ({
  speaker,
  text,
  happenedAt: START + minute * MINUTE,
});

const ENGLISH = [
  said("Mia", "I live in Paris, in the old town of it."),
  said("Ben", "Nice! I play the violin in the orchestra of Utrecht every Friday.", 1),
  said("Mia", "Important: the concert tickets cost 45 euros, don't forget them.", 2),
  said("Ben", "Ok.", 3),
  said("Mia", "I moved last week. I live in Berlin now.", 20),
  said("Ben", "My violin teacher is called Carol Smith, she comes from Dublin.", 21),
];
const CHINESE = [
  said("小美", "我住在上海的老城区里面。"),
  said("小强", "我每周五在乐团拉小提琴，老师叫王芳。", 1),
  said("小美", "重要：音乐会的票要45元，千万别忘了带上。", 2),
  said("小强", "好。", 3),
  said("小美", "我搬家了。我现在住在北京。", 20),
];

const vectorOf = async (text: string) =>
  (await hashEmbedder().embedDocuments([text], { scope: ALICE })).filter((one) => one !== undefined);

const stored = async (world: World, part: string) =>
  (await world.entries()).find(({ content }) => content.includes(part));

describe("without a model", () => {
  test.each([
    ["English", ENGLISH, ["Paris", "Berlin", "violin in the", "Ok."], "Where does Mia live?"],
    ["Chinese", CHINESE, ["上海", "北京", "小提琴", "好。"], "小美住在哪里？"],
  ] as const)(
    "[S4-1][S4-15][S4-16] %s: encoded, energised, placed, linked; what is outdated leaves recall and stays readable",
    async (_language, dialogue, [old, fresh, violin, empty], question) => {
      const world = await open();
      await world.say(dialogue);
      const [before, after] = [await stored(world, old), await stored(world, fresh)];
      expect(before?.supersededBy).toBe(after?.id);
      const music = await stored(world, violin);
      expect(music).toMatchObject({ tier: "L1", metadata: { sentiment: expect.any(Number) } });
      expect(music?.metadata.entities).not.toEqual([]);
      // Short and empty: little energy, so it is in the web alone.
      expect(await stored(world, empty)).toMatchObject({ tier: "L2" });
      expect((await stored(world, empty))?.energyAnchor?.value).toBeLessThan(0.5);
      const links = await world.storage().edges(ALICE, "biem", [music?.id ?? ("" as EntryId)]);
      expect(links.map(({ type }) => type)).toContain("temporal");
      const { hits, context } = await world.ask(question);
      expect(hits[0]?.id).toBe(after?.id);
      expect(hits.map(({ id }) => id)).not.toContain(before?.id);
      expect(context).toMatch(/^## Relevant Memories\n\n1\. \[[●○◌] E=0\.\d\d\] /);
    },
  );
});

test.each([
  ["English", "I live in Paris. My old dog Rex died in spring.", "I live in Berlin."],
  ["Chinese", "我住在上海。我的老狗旺财春天死了。", "我住在北京。"],
])("%s: a turn that tells more than what has changed stays in recall", async (_language, old, fresh) => {
  const world = await open();
  await world.say([said("Mia", old), said("Mia", fresh, 20)]);
  expect((await world.entries()).filter(({ supersededBy }) => supersededBy !== null)).toEqual([]);
});

describe("with a model", () => {
  const entities = { entities: [{ name: "Mia", type: "person" }] };
  test.each([
    [
      "English",
      said("Mia", "I enjoy long walks in the woods."),
      said("Mia", "I do not enjoy long walks in the woods."),
    ],
    ["Chinese", said("小美", "我喜欢在树林里长时间散步。"), said("小美", "我不喜欢在树林里长时间散步。")],
  ] as const)(
    "[S4-15] %s: entities are asked for, and a suspected clash is",
    async (_language, old, fresh) => {
      const verdict = { kind: "contradiction", confidence: 0.95, evidence: ["yes and no"] };
      const world = await open({ replies: { extract_entities: entities, detect_conflict: verdict } });
      await world.say([old]);
      expect(world.calls()).toEqual(["extract_entities"]);
      const { done } = await world.say([fresh]);
      expect(world.calls()).toEqual(["extract_entities", "detect_conflict"]);
      const checked = done[0]?.result.stages.find(({ action }) => action === "conflict_signals");
      expect(checked?.notes.conflicts).toMatchObject([
        { signals: [{ kind: "contradiction", confidence: 0.95, action: "restructure", priority: 0.7 }] },
      ]);
      expect((await world.entries()).map(({ supersededBy }) => supersededBy === null)).toEqual([false, true]);
    },
  );

  test("[B.4] energy above 0.7 is mixed with what the model says, 0.4 to 0.6", async () => {
    const replies = { extract_entities: { entities: [] }, score_importance: { importance: 2 } };
    const world = await open({ replies, embedder: hashEmbedder() });
    await world.say([
      said("Mia", "Important: Anna Smith and Tom Jones of Dublin pay 45 euros, remember it."),
    ]);
    expect(world.calls()).toContain("score_importance");
    const [entry] = await world.entries();
    const estimate = ((entry?.energyAnchor?.value ?? 0) - 0.6 * 0.2) / 0.4;
    expect(estimate).toBeGreaterThan(0.7);
    expect(estimate).toBeLessThanOrEqual(1);
  });
});

describe("conflict signals", () => {
  const CITY = [said("Mia", "I live in Paris."), said("Mia", "I live in Berlin now.", 30)];

  test("[B.4] as the program had it: what is not cold is asked about, both stay, and the question waits with its evidence", async () => {
    const preset = await changed("post_insert", "conflict_signals", { restructure_confidence: null });
    const world = await open({}, preset);
    await world.say(CITY);
    const entries = await world.entries();
    expect(entries.every(({ supersededBy }) => supersededBy === null)).toBe(true);
    const { pendingItems } = await world.memory().service.getStatus(ALICE);
    expect(pendingItems).toMatchObject([
      {
        action: "crud",
        entry: entries[1]?.id,
        details: { signals: [{ entry: entries[0]?.id, action: "confirm", priority: 0.7 }] },
      },
    ]);
    await world.memory().service.acknowledge(ALICE, pendingItems[0]?.id ?? "");
    expect((await world.memory().service.getStatus(ALICE)).count).toBe(0);
  });

  test("[B.4] a cold memory gives way", async () => {
    const preset = await changed("post_insert", "conflict_signals", { restructure_confidence: null });
    const world = await open({}, preset);
    await world.say(CITY.slice(0, 1));
    world.clock.advance(12 * HOUR);
    await world.say(CITY.slice(1));
    expect((await world.entries()).map(({ supersededBy }) => supersededBy === null)).toEqual([false, true]);
  });

  test("[B.4] a signal of low priority is let be", async () => {
    const preset = await changed("post_insert", "conflict_signals", { ignore_below: 0.8 });
    const world = await open({}, preset);
    await world.say(CITY);
    expect((await world.entries()).every(({ supersededBy }) => supersededBy === null)).toBe(true);
    expect((await world.memory().service.getStatus(ALICE)).count).toBe(0);
  });
});

describe("energy and tiers", () => {
  test("[S4-11][S4-12][S4-13] energy fades from its anchor, a look adds 0.1 and is written back, praise adds", async () => {
    const world = await open({ embedder: hashEmbedder() });
    await world.say([said("Mia", "I live in a small house.")]);
    const energy = async () => (await world.entries())[0]?.energyAnchor;
    const begun = await energy();
    world.clock.advance(HOUR);
    await world.ask("I live in a small house.");
    const looked = await energy();
    expect(looked?.value).toBeCloseTo((begun?.value ?? 0) * Math.exp(-0.1) + 0.1, 6);
    expect(looked?.at).toBe(world.clock.now());
    await world.memory().service.feedback(ALICE, await world.entries(), 1);
    expect((await energy())?.value).toBeCloseTo((looked?.value ?? 0) + 0.1, 6);
  });

  test("[S4-3][S4-16] the canvas holds 100; the one of lowest energy leaves it and stays in the web", async () => {
    const base = await loadPreset("biem");
    const [canvas, ...behind] = base.service.options.tiers as JsonObject[];
    const tiers = [{ ...canvas, capacity: 3 }, ...behind];
    const preset = { ...base, service: { ...base.service, options: { ...base.service.options, tiers } } };
    expect(canvas).toMatchObject({ name: "L1", capacity: 100, membership: "overlay" });
    const world = await open({ embedder: hashEmbedder() }, preset);
    const service = world.memory().service;
    const put = (content: string, value: number) =>
      service.insert(ALICE, { content, energyAnchor: { value, at: world.clock.now() } });
    for (const [text, value] of [
      ["a", 0.6],
      ["b", 0.9],
      ["c", 0.5],
      ["d", 0.8],
    ] as const)
      await put(text, value);
    const tierOf = new Map((await world.entries()).map(({ content, tier }) => [content, tier]));
    expect(Object.fromEntries(tierOf)).toEqual({ a: "L1", b: "L1", c: "L2", d: "L1" });
  });

  test("[S4-14][S4-19] below 0.3 or unused for an hour it leaves the canvas; hot and often looked at it comes back, once", async () => {
    const world = await open({ embedder: hashEmbedder() });
    const text = "Anna Smith pays 45 euros for the concert in the old town hall of Utrecht.";
    await world.say([said("Mia", text)]);
    const sweep = async () => {
      const { options } = world.preset.stages.post_insert.find(({ action }) => action === "migrate")!;
      const { every_turns: _every, ...config } = options;
      const { moved } = await world.memory().service.optimize(ALICE, { trigger: "migrate", config });
      return [moved.length, (await stored(world, "Anna"))?.tier];
    };
    expect((await stored(world, "Anna"))?.tier).toBe("L1");
    expect(await sweep()).toEqual([0, "L1"]);
    world.clock.advance(2 * HOUR);
    expect(await sweep()).toEqual([1, "L2"]);
    expect(await sweep()).toEqual([0, "L2"]);
    world.clock.advance(1000);
    await world.ask(text);
    expect(await sweep()).toEqual([0, "L2"]);
    await world.ask(text);
    await world.ask(text);
    expect(await sweep()).toEqual([1, "L1"]);
    expect(await sweep()).toEqual([0, "L1"]);
  });
});

describe("recall", () => {
  test("[S4-17][S4-18][B.4] 0.7 likeness and 0.3 activation over two hops of half; what only links reach joins with half", async () => {
    const world = await open({ embedder: hashEmbedder() });
    const service = world.memory().service;
    const put = async (content: string, edges: readonly { to: EntryId; weight: number }[] = []) => {
      const links = edges.map((edge) => ({ ...edge, type: "semantic", directed: false }));
      return service.insert(ALICE, {
        content,
        vectors: await vectorOf(content),
        edges: links,
      });
    };
    const far = await service.insert(ALICE, { content: "two links away" });
    const near = await service.insert(ALICE, {
      content: "one link away",
      edges: [{ to: far, type: "semantic", weight: 0.8, directed: false }],
    });
    const seed = await put("the red bicycle", [{ to: near, weight: 1 }]);
    const { hits } = await world.ask("the red bicycle");
    expect(hits.map(({ id }) => id)).toEqual([seed, near, far]);
    expect(hits[0]?.scoreParts).toMatchObject({ activation: 1 });
    expect(hits[0]?.score).toBeCloseTo(0.7 * (hits[0]?.scoreParts.vector ?? 0) + 0.3, 6);
    // 1 · 0.5 · 1, then · 0.5 · 0.8; half of each.
    expect(hits[1]?.score).toBeCloseTo(0.25, 6);
    expect(hits[2]?.score).toBeCloseTo(0.1, 6);
  });

  test("[S4-23][S4-24][C-4] the block: ● above 0.7, ○ up to it, ◌ up to 0.3, entities on a second line", async () => {
    const world = await open({ embedder: hashEmbedder() });
    const service = world.memory().service;
    const at = world.clock.now();
    for (const [content, value] of [
      ["tea one", 0.71],
      ["tea two", 0.7],
      ["tea three", 0.41],
      ["tea four", 0.3],
    ] as const)
      await service.insert(ALICE, {
        content,
        energyAnchor: { value, at },
        metadata: { entities: content === "tea one" ? ["Mia", "Rome"] : [] },
        vectors: await vectorOf(content),
      });
    const { context } = await world.ask({ text: "tea" });
    expect(context).toContain("[● E=0.71] tea one\n   Entities: Mia, Rome");
    expect(context).toContain("[○ E=0.70] tea two");
    expect(context).toContain("[○ E=0.41] tea three");
    expect(context).toContain("[◌ E=0.30] tea four");
  });
});

test("[S4-6][S4-16][S4-19] five alike memories become one fact in L3, which recall finds; never the same twice", async () => {
  const world = await open({ embedder: hashEmbedder() });
  const teas = ["green", "black", "white", "red", "cold"].map((kind, n) =>
    said("Mia", `I drink one cup of good ${kind} tea in the garden every single morning.`, n),
  );
  await world.say(teas);
  const { options } = world.preset.stages.post_insert.find(({ action }) => action === "consolidate")!;
  const { every_turns: _every, ...rest } = options;
  const config = { ...rest, strategy: "clusters", trigger_mode: "manual" };
  const run = () => world.memory().service.optimize(ALICE, { trigger: "summarize", config });
  const facts = async () => (await world.entries()).filter(({ kind }) => kind === "fact");
  await run();
  await run();
  expect(await facts()).toMatchObject([{ tier: "L3", metadata: { confidence: expect.any(Number) } }]);
  expect((await facts())[0]?.sources).toHaveLength(5);
  const { hits } = await world.ask("Who drinks tea in the garden every morning?");
  expect(hits.map(({ kind }) => kind)).toContain("fact");
});
