import { afterEach, expect, test } from "vitest";
import { countByRules, graphSizes } from "../../bench/lab/hippo-graph.ts";
import type { SeenRequest } from "../../src/testing/model-server.ts";
import { ALICE, openPresetWorld, type PresetWorld } from "../../src/testing/preset-world.ts";

const worlds: PresetWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

/** Three passages with what a model read out of them, in the form of the recordings that HippoRAG publishes. */
const DOCUMENTS = [
  {
    title: "Lake Mirren",
    passage: "Lake Mirren\nLake Mirren lies in Tarn Valley. Its dam was built by Ida Brandt in 1931.",
    extracted_entities: ["Lake Mirren", "Tarn Valley", "Ida Brandt", "1931"],
    extracted_triples: [
      ["Lake Mirren", "lies in", "Tarn Valley"],
      ["dam of Lake Mirren", "was built by", "Ida Brandt"],
      ["dam of Lake Mirren", "was built in", "1931"],
      ["Lake Mirren", "lies in", "tarn valley"],
      ["not a triple", "of three"],
    ],
  },
  {
    title: "Ida Brandt",
    passage: "Ida Brandt\nIda Brandt was an engineer from Oslo, who lived and taught in Oslo.",
    extracted_entities: ["Ida Brandt", "Oslo"],
    extracted_triples: [
      ["Ida Brandt", "was", "engineer"],
      ["Ida Brandt", "came from", "Oslo"],
      ["Ida Brandt", "taught in", "Oslo"],
      ["Oslo", "is home of", "Ida Brandt"],
      ["Ida Brandt", "is", "Ida Brandt"],
    ],
  },
  {
    title: "密林湖",
    passage: "密林湖\n密林湖的水坝由伊达·布兰特建造。",
    extracted_entities: ["密林湖", "伊达·布兰特"],
    extracted_triples: [
      ["密林湖的水坝", "建造者是", "伊达·布兰特"],
      ["Lake Mirren", "lies in", "Tarn Valley"],
      ["…", "is", "nothing"],
    ],
  },
];

/** The number that the prompt gives a fact. */
function numberOf(fact: string, { body }: SeenRequest): number {
  const lines = JSON.stringify(body.messages).split("\\n");
  const line = lines.find((one) => one.startsWith("[") && one.includes(fact));
  return Number(line?.match(/\d+/)?.[0]);
}

async function replayed(name: string): Promise<PresetWorld> {
  let [names, triples] = [0, 0];
  const world = await openPresetWorld(name, {
    replies: {
      extract_entities: () => ({ entities: DOCUMENTS[names++]?.extracted_entities ?? [] }),
      extract_triples: () => ({ triples: DOCUMENTS[triples++]?.extracted_triples ?? [] }),
      filter_facts: (request) => ({ keep: [numberOf("was built by Ida Brandt", request)] }),
    },
  });
  worlds.push(world);
  await world.say(DOCUMENTS.map(({ passage }) => passage));
  return world;
}

test("[P1-4] a recording makes a graph of the sizes that the paper's rules give, through the preset's own pipeline", async () => {
  const world = await replayed("hipporag2");
  expect(world.calls()).toEqual(DOCUMENTS.flatMap(() => ["extract_entities", "extract_triples"]));
  const sizes = await graphSizes(world.storage(), ALICE, world.memory().service.collection);
  expect(sizes).toEqual(countByRules(DOCUMENTS));
  // By hand; "nothing" is a name, though the other end of its triple is none.
  expect(sizes).toEqual({
    ...{ passages: 3, phrases: 10, facts: 9, context: 5 + 3 + 5, pairs: 6, statements: 9, states: 10 },
  });
});

test("the walk leads from a question's fact to a passage that shares no word with it", async () => {
  const world = await replayed("hipporag2");
  world.calls();
  const { hits, stages } = await world.ask("Where did the builder of the dam of Lake Mirren come from?");
  expect(world.calls()).toEqual(["filter_facts"]);
  expect(hits.slice(0, 2).map(({ content }) => content.split("\n")[0])).toContain("Ida Brandt");
  const { notes } = stages.find(({ action }) => action === "recognition") ?? {};
  expect(notes).toMatchObject({ facts: { kept: ["dam of Lake Mirren was built by Ida Brandt"] } });
});

test("HippoRAG 1 keeps no facts, and its edges to names count the facts that name them", async () => {
  const world = await replayed("hipporag");
  const { collection } = world.memory().service;
  const sizes = await graphSizes(world.storage(), ALICE, collection);
  expect(sizes).toEqual({ ...countByRules(DOCUMENTS), facts: 0, states: 0 });
  const [first, second] = await world.entries();
  const edges = await world.storage().edges(ALICE, collection, [first!.id]);
  const contains = edges.filter(({ type }) => type === "contains").map(({ weight }) => weight);
  expect(contains.sort()).toEqual([1, 1, 1, 1, 2]);
  expect(second?.kind).toBe("entity");
});
