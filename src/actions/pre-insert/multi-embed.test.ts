import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { parseScope } from "../../base/scope.ts";
import type { Vector } from "../../base/vector.ts";
import { measureField, measureSpace, textField } from "../../services/vector-fields.ts";
import { HASH_SPACE, hashEmbedder } from "../../testing/hash-embedder.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { openPreInsertWorld, type PreInsertSetup } from "../../testing/pre-insert-world.ts";
import { extract } from "./extract.ts";
import { multiEmbed } from "./multi-embed.ts";
import { score } from "./score.ts";
import { triEmbed } from "./tri-embed.ts";

const ALICE = parseScope("alice");
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const keywords = chosen(extract, {
  extract_type: "keyword",
  keyword_prompt: "extract_keywords",
  max_keywords: 3,
  add_to_metadata: true,
});

const { spaces } = hashEmbedder();
const FIELDS = [textField("content", spaces), textField("words", spaces), measureField("mood", 8)];

async function open(options: JsonObject, more: Partial<PreInsertSetup> = {}) {
  const world = await openPreInsertWorld({
    pre: [keywords, chosen(multiEmbed, options)],
    fields: FIELDS,
    ...more,
  });
  closing.push(world.close);
  return world;
}

const vector = async (text: string, space = HASH_SPACE): Promise<Vector> => {
  const made = await hashEmbedder().embedDocument(text);
  return { space, values: made?.values ?? new Float32Array(64) };
};

const DICT = {
  output: "dict",
  fields: [
    { name: "content", field: "content" },
    { name: "words", field: "keywords" },
    { name: "mood", field: "emotion" },
  ],
};

describe("dict", () => {
  test("[S0-30][S0-42] a vector for each field, each found by its own", async () => {
    const world = await open(DICT);
    const { entries, drafts } = await world.keep(["Ada plays the violin.", "小美非常高兴。"]);
    expect(drafts[0]?.vectors.map(({ space }) => space)).toEqual([
      HASH_SPACE,
      `${HASH_SPACE}#words`,
      measureSpace("mood"),
    ]);
    expect(entries[0]?.metadata.vector_fields).toEqual(["content", "words", "mood"]);
    const query = await vector("violin", `${HASH_SPACE}#words`);
    const hits = await world.service.retrieve(ALICE, {
      vectors: [query],
      topK: 1,
      hints: { strategy: "semantic", fields: ["words"] },
    });
    expect(hits.map(({ content }) => content)).toEqual(["Ada plays the violin."]);
  });

  test("what a draft does not have is not embedded, and the record says so", async () => {
    const world = await open({ output: "dict", fields: [{ name: "words", field: "summary" }] });
    const { drafts, notes } = await world.keep(["Ada plays the violin."]);
    // The content's own vector is made in any case.
    expect(drafts[0]?.vectors.map(({ space }) => space)).toEqual([HASH_SPACE]);
    expect(notes).toMatchObject({ without_summary: 1 });
  });

  test("a mood that was scored before is taken over", async () => {
    const feel = chosen(score, { score_type: "emotion", emotion_prompt: "score_emotion" });
    const scores = {
      joy: 9,
      acceptance: 1,
      fear: 1,
      surprise: 1,
      sadness: 1,
      disgust: 1,
      anger: 1,
      anticipation: 1,
    };
    const world = await open(
      {},
      {
        pre: [feel, chosen(multiEmbed, { output: "dict", fields: [{ name: "mood", field: "emotion" }] })],
        fields: [...FIELDS, measureField("emotion", 8)],
        chat: JSON.stringify(scores),
      },
    );
    const { drafts } = await world.keep(["A table has legs."]);
    const mood = drafts[0]?.vectors.find(({ space }) => space === measureSpace("mood"));
    expect(mood?.values[0]).toBe(9);
  });

  test("it claims the fields that the service must have, and refuses a name twice", () => {
    expect(multiEmbed.claims?.(multiEmbed.options.parse(DICT))).toMatchObject({
      embedder: true,
      insertMethods: ["multi_index_insert"],
      vectorFields: [{ name: "words" }, { name: "mood", dimension: 8 }],
    });
    const twice = { output: "dict", fields: [DICT.fields[1], DICT.fields[1]] };
    expect(multiEmbed.options.safeParse(twice).success).toBe(false);
  });
});

test("[B.0.2] concat: one vector that ranks as the weighted parts laid end to end", async () => {
  const nearness = async (weight: number) => {
    const fields = [
      { field: "content", weight: 1 },
      { field: "speaker", weight },
    ];
    const world = await open({ output: "concat", fields });
    const { drafts, entries } = await world.keep([{ text: "I play in Rome.", speaker: "Violinist" }]);
    expect(drafts[0]?.vectors).toHaveLength(1);
    expect(entries[0]?.metadata.vector_fields).toEqual(["content"]);
    const values = drafts[0]?.vectors[0]?.values ?? [];
    const parts = [
      { weight: 1, ...(await vector("I play in Rome.")) },
      { weight, ...(await vector("Violinist")) },
    ];
    const query = (await vector("violinist")).values;
    const dot = (a: ArrayLike<number>): number =>
      query.reduce((sum, value, i) => sum + value * (a[i] ?? 0), 0);
    expect(dot(values)).toBeCloseTo(
      parts.reduce((sum, part) => sum + part.weight * dot(part.values), 0),
      4,
    );
    const [hit] = await world.service.retrieve(ALICE, { vectors: [await vector("violinist")], topK: 1 });
    return hit?.score ?? 0;
  };
  expect(await nearness(5)).toBeGreaterThan(await nearness(0.1));
});

test("[B.0.2] separate: an entry for each text, which shows what was said", async () => {
  const world = await open({
    output: "separate",
    fields: [{ field: "content" }, { field: "keywords" }, { field: "topic" }],
  });
  const { entries } = await world.keep(["小美在上海拉小提琴。"]);
  expect(entries).toHaveLength(2);
  expect(entries[0]).toMatchObject({
    content: "小美在上海拉小提琴。",
    metadata: { embedded_field: "content" },
  });
  expect(entries[1]).toMatchObject({
    content: expect.stringContaining("小提琴"),
    metadata: { embedded_field: "keywords", original_text: "小美在上海拉小提琴。" },
  });
  const none = await open({ output: "separate", fields: [{ field: "topic" }] });
  expect((await none.keep(["Ada"])).entries.map(({ content }) => content)).toEqual(["Ada"]);
});

test("[papers 8] nouns can be embedded by themselves; moods alone ask for no embedder", async () => {
  const nouns = chosen(extract, { extract_type: "noun", max_nouns: 5, add_to_metadata: true });
  const dict = { output: "dict", fields: [{ name: "words", field: "nouns" }] };
  const world = await open({}, { pre: [nouns, chosen(multiEmbed, dict)] });
  const { drafts } = await world.keep(["The children feed dogs."]);
  const made = drafts[0]?.vectors.find(({ space }) => space === `${HASH_SPACE}#words`);
  expect(made?.values).toEqual((await vector("child, dog")).values);

  const claims = (...fields: JsonObject[]) =>
    multiEmbed.claims?.(multiEmbed.options.parse({ output: "dict", fields }));
  const mood = { name: "mood", field: "emotion" };
  expect(claims(mood)).toMatchObject({ abilities: ["vector"] });
  expect(claims(mood)?.embedder).toBeUndefined();
  expect(claims(mood, { name: "words", field: "nouns" })).toMatchObject({ embedder: true });
});

test("separate: what was read out of a text shows that text, its content too", async () => {
  const triples = chosen(triEmbed, {
    triple_extraction_prompt: "extract_triples",
    max_triples: 1,
    entry: "triple",
  });
  const separate = chosen(multiEmbed, {
    output: "separate",
    fields: [{ field: "content" }, { field: "speaker" }],
  });
  const world = await open({}, { pre: [triples, separate] });
  const { entries } = await world.keep([{ text: "Well, I live in Rome, you know.", speaker: "Ada" }]);
  expect(entries).toHaveLength(2);
  for (const { kind, metadata } of entries) {
    expect(kind).toBe("triple");
    expect(metadata.original_text).toBe("Well, I live in Rome, you know.");
  }
});
