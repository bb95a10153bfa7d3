import { expect, test } from "vitest";
import { parsePreset } from "../../preset/load.ts";
import { hashEmbedder } from "../../testing/hash-embedder.ts";
import { openPresetWorld } from "../../testing/preset-world.ts";

async function entryOf(metadata: Record<string, unknown>) {
  const preset = await parsePreset(
    `name: carried
summary: Turns with what was told about them.
defaults: recommended
service: { name: neuromem_vdb, collection_name: carried }
stages: { pre_insert: { action: carry, fields: [location, tags, importance] } }`,
    "carried.yaml",
  );
  const world = await openPresetWorld(preset, { embedder: hashEmbedder() });
  try {
    const { done } = await world.say([
      { text: "我们在外滩见面。", metadata: JSON.parse(JSON.stringify(metadata)) },
    ]);
    const notes = done[0]?.result.stages.find(({ action }) => action === "carry")?.notes;
    return { entry: (await world.entries())[0], notes };
  } finally {
    await world.close();
  }
}

test("[S4-9] what was told about a turn goes with its memory, and nothing that was not asked for", async () => {
  const { entry } = await entryOf({ location: "上海", tags: ["约会", "date"], importance: 0.9, secret: 1 });
  expect(entry).toMatchObject({ tags: ["date", "约会"], importance: 0.9, metadata: { location: "上海" } });
  expect(entry?.metadata).not.toHaveProperty("secret");
});

test("what is of the wrong form is told of and left out; the memory is kept", async () => {
  const { entry, notes } = await entryOf({ tags: "date", importance: 7 });
  expect(entry).toMatchObject({ tags: [], importance: null });
  expect(notes).toMatchObject({ not_carried: ["tags", "importance"] });
});
