import { afterEach, expect, test } from "vitest";
import { parsePreset } from "../../../preset/load.ts";
import { hashEmbedder } from "../../../testing/hash-embedder.ts";
import { openPresetWorld, type PresetWorld } from "../../../testing/preset-world.ts";

const TURNS = [
  "The capital of Zorland is Aro.",
  "Zorland is a land of lakes.",
  "The capital of Zorland is Bel, a harbour town by the sea.",
  "佐国的首都是阿城。",
  "佐国的首都是贝城。",
];

const worlds: PresetWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function open(shared: number, turns: readonly string[] = TURNS): Promise<PresetWorld> {
  const text = `name: x\nsummary: X.\ndefaults: recommended\nservice: { name: neuromem_vdb }\nstages: { post_retrieval: { action: rerank, rerank_type: newest_of_same, min_shared: ${shared} } }`;
  const world = await openPresetWorld(await parsePreset(text, "x.yaml"), { embedder: hashEmbedder() });
  worlds.push(world);
  await world.say(turns);
  return world;
}

test("the newest of what says the same of something comes first, in both languages; nothing is dropped", async () => {
  const world = await open(0.4);
  const english = await world.ask("What is the capital of Zorland?");
  expect(english.hits[0]?.content).toContain("Bel");
  expect(english.hits).toHaveLength(5);
  expect(english.hits.every(({ score }, place) => score <= (english.hits[place - 1]?.score ?? 2))).toBe(true);
  expect((await world.ask("佐国的首都是什么？")).hits[0]?.content).toBe("佐国的首都是贝城。");
});

test("what the question names stays where it was found; so does what shares less than min_shared", async () => {
  const named = await (await open(0.4)).ask("Was Aro the capital of Zorland?");
  expect(named.hits[0]?.content).toContain("Aro");
  const strict = await (await open(0.9)).ask("What is the capital of Zorland?");
  expect(strict.hits[0]?.content).toContain("Aro");
  expect(strict.stages.find(({ action }) => action === "rerank")?.notes.moved).toBe(0);
});

test("a word of the question that both share names neither of them, in both languages", async () => {
  const world = await open(0.4, [
    "Ann Lee is married to Bo Lee.",
    "Ann Lee is married to Carl Ray.",
    "红星队的运动是足球 运动。",
    "红星队的运动是篮球。",
  ]);
  expect((await world.ask("Who is Ann Lee married to?")).hits[0]?.content).toContain("Carl");
  expect((await world.ask("Is Ann Lee married to Bo Lee?")).hits[0]?.content).toContain("Bo Lee");
  expect((await world.ask("红星队的运动是什么？")).hits[0]?.content).toContain("篮球");
});
