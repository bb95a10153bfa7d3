import { afterEach, expect, test } from "vitest";
import { parsePreset } from "../../../preset/load.ts";
import { hashEmbedder } from "../../../testing/hash-embedder.ts";
import type { SeenRequest } from "../../../testing/model-server.ts";
import { openPresetWorld, type PresetWorld, type Replies } from "../../../testing/preset-world.ts";

const worlds: PresetWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function open(options: string, replies?: Replies): Promise<PresetWorld> {
  const text = `name: x\nsummary: X.\ndefaults: recommended
input: { unit: packet, window: { by: turns, size: 1, overlap: 0, context: 4 } }
service: { name: hybrid_memory }
stages:
  pre_insert: [{ action: transform, transform_type: new_fact_extract, ${options} }, { action: extract, extract_type: mention, mention_types: [identifier], max_mentions: 1 }]
  post_insert: mem0_crud`;
  const preset = await parsePreset(text, "x.yaml");
  const given = replies === undefined ? {} : { replies };
  const world = await openPresetWorld(preset, { embedder: hashEmbedder(), ...given });
  worlds.push(world);
  return world;
}
const shown = ({ body }: SeenRequest): string => JSON.stringify(body.messages);

test("every_turns and max_words: when the talk is put in short, and how short", async () => {
  const said = Array.from({ length: 9 }, (_, place) => `The cat number ${place} sleeps on the sofa of Mia.`);
  const count = async (options: string) => {
    const world = await open(options);
    await world.say(said);
    const summaries = (await world.entries()).filter(({ kind }) => kind === "summary");
    return [
      summaries.length,
      Math.max(0, ...summaries.map(({ content }) => content.split(" ").length)),
    ] as const;
  };
  const [often] = await count("summary: { every_turns: 2, prompt: summarize, max_words: 50 }");
  const [seldom, long] = await count("summary: { every_turns: 4, prompt: summarize, max_words: 50 }");
  const [, short] = await count("summary: { every_turns: 4, prompt: summarize, max_words: 10 }");
  expect(often).toBeGreaterThan(seldom);
  expect(long).toBeGreaterThan(short);
  expect(await count("summary: null")).toEqual([0, 0]);
});

test("earlier_chars cuts what went before; known_memories is how many are shown", async () => {
  const replies: Replies = {
    extract_new_facts: { facts: ["Mia likes tea."] },
    decide_crud: { decisions: [] },
  };
  const world = await open("earlier_chars: 10, known_memories: 1, summary: null", replies);
  await world.say(["Mia likes tea from the mountains.", "小美喜欢高山上的好茶，每天都喝三大杯。"]);
  const [, second] = world.requests.map(shown);
  expect(second).toContain("Mia likes …");
  expect(second).toContain("[0] Mia likes tea.");
  // It was shown, so it is not stored again.
  expect((await world.entries()).filter(({ kind }) => kind === "fact")).toHaveLength(1);
});

test("mention_types and max_mentions: which names are kept, and how many", async () => {
  const world = await open("summary: null");
  await world.say(["Mia filed the tickets AB-12 and CD-34 in Boston."]);
  expect((await world.entries())[0]?.metadata.mentions).toEqual(["AB-12"]);
});
