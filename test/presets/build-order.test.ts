import { describe, expect, test } from "vitest";
import { loadPreset } from "../../src/preset/load.ts";
import { hashEmbedder } from "../../src/testing/hash-embedder.ts";
import { openPresetWorld } from "../../src/testing/preset-world.ts";

/** S0-96, step by step. */
const ORDER = [
  ["scm", "secom"],
  ["generative_agents"],
  ["hipporag"],
  ["memgpt", "memory_os"],
  ["memorybank"],
  ["a_mem", "emotional_rag", "ld_agent"],
];

describe("[S0-96] the build order", () => {
  test.each(ORDER.flat())("%s is there, keeps what was said and recalls it", async (name) => {
    const world = await openPresetWorld(name, { embedder: hashEmbedder() });
    try {
      await world.say([
        { speaker: "Ada", text: "My sister Clara moved to Porto in spring." },
        { speaker: "Ben", text: "我下周去北京出差，我女儿小雨会来看我。" },
        { speaker: "Ada", text: "Clara is a vet and she has a grey cat." },
        { speaker: "Ben", text: "Good night, Ada." },
      ]);
      expect((await world.entries()).length).toBeGreaterThan(0);
      const { hits, context, sections } = await world.ask("Where did my sister Clara move to?");
      const told = [...hits.map(({ text }) => text), context ?? "", JSON.stringify(sections)].join("\n");
      expect(told).toMatch(/Porto/);
    } finally {
      await world.close();
    }
  });
});

test.each(["scm", "generative_agents", "a_mem"])(
  "[C-23] %s is there twice: as the paper has it, and as the five-dimension table has it",
  async (name) => {
    const actions = async (preset: string) =>
      Object.entries((await loadPreset(preset)).stages)
        .filter(([stage]) => stage !== "memory_insert")
        .map(([stage, chosen]) => [stage, chosen.map(({ action }) => action)]);
    expect(await actions(name)).not.toEqual(await actions(`table/${name}`));
  },
);
