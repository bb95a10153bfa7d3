import { afterEach, expect, test } from "vitest";
import { bilingual } from "../../models/local/bilingual.ts";
import type { EmbedderSet } from "../../models/local/embedder-set.ts";
import type { Embedder } from "../../models/model.ts";
import { measureField, textField } from "../../services/vector-fields.ts";
import { HASH_SPACE, hashEmbedder } from "../../testing/hash-embedder.ts";
import { openRetrievalWorld, type RetrievalSetup } from "../../testing/retrieval-world.ts";
import { EMOTIONS } from "../../text/emotion.ts";
import { emotionInsert } from "../memory-insert/emotion-insert.ts";
import { score } from "../pre-insert/score.ts";
import { multiEmbed } from "./multi-embed.ts";
import { optimize } from "./optimize.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const prompt = "score_emotion";
const embedder = hashEmbedder();
async function open(options: object, setup: Partial<RetrievalSetup> = {}) {
  const world = await openRetrievalWorld({
    fields: [textField("content", embedder.spaces), measureField("emotion", EMOTIONS.length)],
    embedder,
    pre_insert: [{ action: score, options: { score_type: "emotion", emotion_prompt: prompt } }],
    memory_insert: [{ action: emotionInsert, options: {} }],
    pre: [{ action: multiEmbed, options: { ...options } }],
    ...setup,
  });
  closers.push(world.close);
  await world.say([
    "The picnic was lovely, I am so happy.",
    "The funeral was so sad, I cried.",
    "野餐太开心了，我很高兴。",
    "葬礼很悲伤，我哭了。",
  ]);
  return world;
}

const content = { name: "content", kind: "text" };
const mood = { name: "emotion", kind: "emotion" };

test("[S0-37] [B.0.9-3] memories of the question's mood come first where mood counts, of its words where they do", async () => {
  const weighed = (one: number, other: number) =>
    open({
      fields: [
        { ...content, weight: one },
        { ...mood, weight: other },
      ],
      spaces: "all",
      emotion_prompt: prompt,
    });
  const byMood = await weighed(0, 1);
  expect((await byMood.ask("I am sad and I cried about the picnic")).hits[0]?.text).toMatch(/sad|悲伤/);
  expect((await byMood.ask("我很高兴，葬礼")).hits[0]?.text).toMatch(/happy|高兴/);
  const byWords = await weighed(1, 0);
  expect((await byWords.ask("sad picnic was lovely so")).hits[0]?.text).toContain("picnic");
});

test("[B.0.9-1] it sends the fields and weights that the service fuses by", async () => {
  const fields = [
    { ...content, weight: 0.7 },
    { ...mood, weight: 0.3 },
  ];
  const world = await open({ fields, spaces: "native", emotion_prompt: prompt });
  const { question, hits } = await world.ask("a lovely picnic");
  expect(question.routes).toEqual([
    { strategy: "semantic", fields: ["content", "emotion"], weights: { content: 0.7, emotion: 0.3 } },
  ]);
  expect(question.queries[0]?.vectors.map(({ space }) => space)).toEqual([HASH_SPACE, "#emotion"]);
  expect(hits[0]?.scoreParts).toMatchObject({ content: expect.any(Number), emotion: expect.any(Number) });
});

test("spaces: those of the question's own language, or all", async () => {
  const named = (id: string): Embedder => ({
    id,
    provider: "test",
    dimension: 2,
    maxBatch: 9,
    embed: async (texts) => texts.map((text) => Float32Array.of(text.length, 1)),
  });
  const both = bilingual({ en: named("e"), zh: named("z") });
  const spacesOf = async (spaces: string, text: string) => {
    const options = { fields: [{ ...content, weight: 1 }], spaces, emotion_prompt: null };
    const fields = [textField("content", both.spaces), measureField("emotion", EMOTIONS.length)];
    const world = await open(options, { embedder: both, fields });
    return (await world.ask(text)).question.queries[0]?.vectors.map(({ space }) => space);
  };
  expect(await spacesOf("native", "picnic")).toEqual(["e"]);
  expect(await spacesOf("native", "野餐")).toEqual(["z"]);
  expect(await spacesOf("all", "野餐")).toEqual(["e", "z"]);
});

test("a question that nobody embeds goes the service's own way, and is felt where feelings are asked for", async () => {
  const deaf: EmbedderSet = { ...embedder, embedQuery: async () => [] };
  const pre = [{ ...content, weight: 1 }];
  const world = await open({ fields: pre, spaces: "all", emotion_prompt: null }, { embedder: deaf });
  const { hits, question, stages } = await world.ask("picnic 野餐");
  expect(question.routes).toEqual([]);
  expect(stages[0]?.notes).toEqual({ without_vector: true });
  expect(hits.map(({ text }) => text).sort()).toEqual([
    "The picnic was lovely, I am so happy.",
    "野餐太开心了，我很高兴。",
  ]);
  const fields = [
    { ...content, weight: 1 },
    { ...mood, weight: 1 },
  ];
  const feeling = await open({ fields, spaces: "all", emotion_prompt: prompt }, { embedder: deaf });
  expect((await feeling.ask("I am sad and cried")).hits[0]?.text).toMatch(/sad|悲伤/);
});

test("a field that the service does not have is refused", async () => {
  const world = await open({
    fields: [{ name: "emotoin", kind: "emotion", weight: 1 }],
    spaces: "all",
    emotion_prompt: prompt,
  });
  await expect(world.ask("happy")).rejects.toThrow('There is no vector field "emotoin"');
});

test("the emotion of the question is asked by the prompt that is named", async () => {
  const scores = (strongest: string) =>
    JSON.stringify(Object.fromEntries(EMOTIONS.map((emotion) => [emotion, emotion === strongest ? 10 : 1])));
  const world = await open(
    { fields: [{ ...mood, weight: 1 }], spaces: "all", emotion_prompt: "my_mood" },
    {
      chat: ({ body }) => scores(/FEEL|funeral|葬礼/.test(JSON.stringify(body)) ? "sadness" : "joy"),
      promptFiles: { my_mood: "FEEL this.\n---\n{{text}}" },
    },
  );
  expect((await world.ask("whatever")).hits[0]?.text).toMatch(/sad|悲伤/);
  expect(world.asked()).toContain("FEEL");
});

test("an instruction is embedded, and felt by nobody", async () => {
  const around = { optimize_type: "instruction", prefix: "terrible horrible sad: ", suffix: "" };
  const fields = [
    { ...content, weight: 1 },
    { ...mood, weight: 1 },
  ];
  const options = { fields, spaces: "all", emotion_prompt: prompt };
  const with_ = await open(options, {
    pre: [
      { action: optimize, options: around },
      { action: multiEmbed, options },
    ],
  });
  const without = await open(options);
  const vectors = async (world: typeof with_) =>
    (await world.ask("picnic")).question.queries[0]?.vectors.map(({ values }) => [...values]);
  const [a, b] = [await vectors(with_), await vectors(without)];
  expect(a?.[0]).not.toEqual(b?.[0]);
  expect(a?.[1]).toEqual(b?.[1]);
});

test("it claims what it needs: the fields, an embedder for texts, a prompt for moods", () => {
  const claims = (fields: object[], emotion_prompt: string | null) =>
    multiEmbed.claims?.(multiEmbed.options.parse({ fields, spaces: "all", emotion_prompt }));
  expect(claims([{ ...content, weight: 1 }], null)).toMatchObject({
    embedder: true,
    queryVector: true,
    asksVectorFields: [],
    prompts: [],
  });
  expect(claims([{ ...mood, weight: 1 }], prompt)).toMatchObject({ asksVectorFields: ["emotion"] });
  expect(claims([{ ...mood, weight: 1 }], prompt)).not.toHaveProperty("embedder");
  expect(() => claims([{ ...mood, weight: 1 }], null)).toThrow("emotion_prompt");
});
