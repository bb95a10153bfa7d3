import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { parseScope } from "../../base/scope.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { openPreInsertWorld, type PreInsertSetup } from "../../testing/pre-insert-world.ts";
import { extract } from "./extract.ts";
import { triEmbed } from "./tri-embed.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const tri = (more: JsonObject = {}): JsonObject => ({
  triple_extraction_prompt: "extract_triples",
  max_triples: 10,
  entry: "passage",
  ...more,
});

async function open(options: JsonObject, more: Partial<PreInsertSetup> = {}) {
  const world = await openPreInsertWorld({ pre: [chosen(triEmbed, options)], ...more });
  closing.push(world.close);
  return world;
}

const ADA = { text: "I live in Berlin. I love my dog.", speaker: "Ada" };
const MEI = { text: "我住在上海。", speaker: "小美" };

describe("tri_embed", () => {
  test("[S0-26][S0-42] passage: what was said, with its triples beside it", async () => {
    const { entries, drafts } = await (await open(tri())).keep([ADA, MEI, "Hm."]);
    expect(entries.map(({ content }) => content)).toEqual([ADA.text, MEI.text, "Hm."]);
    expect(entries.map(({ kind }) => kind)).toEqual(["triple", "triple", "triple"]);
    expect(entries[0]?.metadata.triples).toHaveLength(2);
    expect(entries[1]?.metadata.triples).toMatchObject([{ subject: "小美", object: "上海" }]);
    expect(entries[2]?.metadata.triples).toEqual([]);
    expect(drafts[0]).toMatchObject({ insertMethod: "triple_insert" });
  });

  test("[S0-26][B.0.2] triple: one entry each, embedded by itself; what was said is shown in its place", async () => {
    const world = await open(tri({ entry: "triple" }));
    const { entries, drafts } = await world.keep([ADA, MEI, "Hm."]);
    expect(entries.map(({ content }) => content)).toEqual([
      expect.stringMatching(/^Ada lives? in Berlin$/),
      expect.stringMatching(/^Ada loves? .*dog$/),
      "小美住在上海",
      "Hm.",
    ]);
    expect(entries.map(({ metadata }) => metadata.original_text)).toEqual([
      ADA.text,
      ADA.text,
      MEI.text,
      undefined,
    ]);
    expect(entries[1]?.sources).toEqual([drafts[0]?.turns[0]?.id]);
    expect(drafts[1]?.embedText).toBeUndefined();
  });

  test("max_triples bounds them; names that were found before are shown to the model", async () => {
    expect(
      (await (await open(tri({ max_triples: 1 }))).keep([ADA])).entries[0]?.metadata.triples,
    ).toHaveLength(1);
    const entity = chosen(extract, {
      extract_type: "entity",
      entity_prompt: "extract_entities",
      entity_types: ["place"],
      add_to_metadata: true,
    });
    const chat = (request: { body: JsonObject }) =>
      JSON.stringify(request.body.messages).includes("<entities>")
        ? JSON.stringify({ triples: [["Ada", "lives in", "Berlin"]] })
        : JSON.stringify({ entities: [{ name: "Berlin", type: "place" }] });
    const world = await open({}, { pre: [entity, chosen(triEmbed, tri())], chat });
    const { entries } = await world.keep([ADA]);
    expect(entries[0]?.metadata.triples).toEqual([
      { subject: "Ada", relation: "lives in", object: "Berlin" },
    ]);
    expect(world.asked()).toMatch(/<entities>\\nBerlin/);
    // Who "I" is was worked in before the model was asked.
    expect(world.asked()).toContain("Ada lives in Berlin");
  });

  test("a dialogue is asked about once, each line by its speaker", async () => {
    const world = await open(tri({ entry: "triple" }), { input: { unit: "packet", with_speaker: true } });
    const { entries } = await world.keep([ADA, { text: "I live in Rome.", speaker: "Ben" }]);
    expect(entries.map(({ content }) => content)).toContainEqual(
      expect.stringMatching(/^Ben lives? in Rome$/),
    );
    expect(world.heard.filter((event) => event.type === "task-run")).toHaveLength(1);
  });

  test("a knowledge graph links what was said by its triples: the second hop is found", async () => {
    const options = {
      collection_name: "notes",
      top_k: 5,
      vitality: null,
      graph_type: "knowledge_graph",
      edge_policy: "bidirectional",
      link_mode: "auto",
      max_links: 50,
      synonymy_threshold: 0.8,
      retrieve_method: "ppr",
      ppr: { damping: 0.5, epsilon: 1e-6, depth: null },
      ...{ normaliser: "unicode", enhanced_rerank: false, passage_edge_weight: 1, doc_ensemble: null },
      seeds: { linking_top_k: 5, passage_node_weight: 0.05, link_threshold: 0.8, node_specificity: true },
      walk: { depth: 2, decay: 0.5 },
    };
    const world = await open(tri(), { service: { name: "graph_memory", options } });
    await world.keep([ADA, "Berlin lies in Germany.", "Soup needs salt."]);
    const hits = await world.service.retrieve(parseScope("alice"), {
      hints: { strategy: "graph", entities: ["Germany"] },
    });
    expect(hits.map(({ content }) => content)).toEqual(["Berlin lies in Germany.", ADA.text]);
  });
});
