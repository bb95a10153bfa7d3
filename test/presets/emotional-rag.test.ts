/** Emotional RAG (papers 9): lines with the ones they answer, chosen by meaning and by eight emotions. */
import { afterEach, describe, expect, test } from "vitest";
import type { NewTurn } from "../../src/base/turn.ts";
import type { FoundHit } from "../../src/pipeline/question.ts";
import { parsePreset } from "../../src/preset/load.ts";
import { hashEmbedder } from "../../src/testing/hash-embedder.ts";
import type { SeenRequest } from "../../src/testing/model-server.ts";
import {
  ALICE,
  openPresetWorld,
  type PresetWorld,
  type PresetWorldOptions,
} from "../../src/testing/preset-world.ts";
import { EMOTIONS } from "../../src/text/emotion.ts";

let world: PresetWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});
async function open(preset: Parameters<typeof openPresetWorld>[0], options: PresetWorldOptions = {}) {
  world = await openPresetWorld(preset, { embedder: hashEmbedder(), ...options });
  return world;
}
const changed = (rest: string) =>
  parsePreset(
    `name: x\nsummary: X.\nextends: emotional_rag\ndefaults: recommended\n${rest}\n`,
    "presets/x.yaml",
  );
const by = (strategy: string) =>
  changed(`stages: { memory_retrieval: { action: emotional, strategy: ${strategy} } }`);

const talk = (lines: readonly (readonly [string, string])[], session = "one"): NewTurn[] =>
  lines.map(([speaker, text], place) => ({
    speaker,
    text,
    session,
    happenedAt: Date.UTC(2026, 2, 2, 18, place),
  }));
const EN = talk([
  ["Ron", "Did you hear about the match?"],
  ["Hermione", "We won the match! I am so happy, I could dance all night."],
  ["Ron", "And the exam?"],
  ["Hermione", "I am terribly sad and afraid. I failed the exam and cried."],
  ["Ron", "What will you do tomorrow?"],
  ["Hermione", "I read in the library tomorrow."],
]);
const ZH = talk([
  ["小明", "你听说比赛的结果了吗？"],
  ["小红", "我们赢了比赛！我太高兴了，开心得跳舞。"],
  ["小明", "考试呢？"],
  ["小红", "我非常难过，也很害怕。考试没及格，我哭了。"],
  ["小明", "明天做什么？"],
  ["小红", "明天我去图书馆看书。"],
]);

/** Eight scores by what the text says, as the published list form has them. */
const feel = ({ body }: SeenRequest) => {
  const text = JSON.stringify(body.messages);
  const dim = /sad|cried|难过|哭/.test(text.split("---").at(-1) ?? text) ? "sadness" : "joy";
  return [{ analysis: "plain", dim, score: 9 }];
};

describe.each([
  ["English", EN, "I feel so sad and afraid, I could cry.", /failed the exam/],
  ["中文", ZH, "我好难过，好害怕，想哭。", /考试没及格/],
])("%s", (_, turns, question, mood) => {
  test("[C-23] with a model: one call for a line, one for the question; a line is kept with the one it answers", async () => {
    const { say, ask, entries, calls, storage } = await open("emotional_rag", {
      replies: { score_emotion: feel },
    });
    await say(turns);
    expect(calls()).toEqual(turns.map(() => "score_emotion"));
    const stored = await entries();
    const said = turns.map(({ speaker, text }) => `${speaker}: ${text}`);
    expect(stored.map(({ content }) => content)).toEqual(
      said.map((line, place) => (place === 0 ? line : `${said[place - 1]}\n${line}`)),
    );
    expect(stored.map(({ metadata }) => metadata.speaker)).toEqual(turns.map(({ speaker }) => speaker));
    const [first] = await storage().vectors(ALICE, "#emotion", [stored[3]!.id]);
    expect([...(first ?? [])]).toEqual([1, 1, 1, 1, 9, 1, 1, 1]);
    const { hits } = await ask(question);
    expect(calls()).toEqual(["score_emotion"]);
    expect(hits).toHaveLength(6);
    expect(hits[0]?.text).toMatch(mood);
    const { d_sem = 0, d_emo = 0, distance } = hits[0]?.scoreParts ?? {};
    expect(distance).toBeCloseTo(d_sem + d_emo, 10);
    expect(hits[0]?.score).toBeCloseTo(1 / (1 + d_sem + d_emo), 10);
  });

  test("[C-23] with no model: words of feeling tell the mood", async () => {
    const { say, ask, entries } = await open("emotional_rag");
    await say(turns);
    const emotions = (await entries()).map(({ metadata }) => metadata.emotion);
    expect(emotions[0]).toEqual({ category: "neutral", intensity: 0 });
    expect(emotions[1]).toMatchObject({ category: "joy" });
    const { hits } = await ask(question);
    expect(hits[0]?.text).toMatch(mood);
  });
});

test("a line of another session is not answered; only a role's lines are kept where the preset says so", async () => {
  const { say, entries } = await open("emotional_rag");
  await say([...EN.slice(0, 1), ...talk([["Hermione", "Good morning."]], "two")]);
  expect((await entries()).map(({ content }) => content)).toEqual([
    "Ron: Did you hear about the match?",
    "Hermione: Good morning.",
  ]);
  await world?.close();
  const role = await changed(
    `stages: { pre_insert: [{ action: transform, transform_type: with_previous, speakers: [Hermione] }, { action: score, score_type: emotion }] }`,
  );
  const only = await open(role);
  await only.say(EN);
  expect((await only.entries()).map(({ metadata }) => metadata.speaker)).toEqual([
    "Hermione",
    "Hermione",
    "Hermione",
  ]);
});

/** Items with given moods: "mood 3 1" shows anger 4, and so on; thirty of them. */
const WORDS = ["apple", "river", "stone", "cloud", "piano", "train"];
const ITEMS: NewTurn[] = Array.from({ length: 30 }, (_, n) => ({
  speaker: "",
  session: `s${n}`,
  text: `item${n} ${WORDS[n % WORDS.length]} ${WORDS[(n * 7 + 1) % WORDS.length]} anger${(n * 11) % 30}`,
}));
/** Anger from 1 to 10 by the item's number, joy 10 less: the question is as angry as can be. */
const anger = (text: string): number => 1 + (9 * Number(/anger(\d+)/.exec(text)?.[1] ?? 29)) / 29;
const moods = ({ body }: SeenRequest) => {
  const score = Math.round(anger(JSON.stringify(body.messages).split("---").at(-1) ?? ""));
  return { anger: score, joy: 11 - score };
};
const QUESTION = "apple river anger29";

async function found(strategy: string) {
  const { say, ask, calls } = await open(await by(strategy), { replies: { score_emotion: moods } });
  await say(ITEMS);
  calls();
  const { hits } = await ask(QUESTION);
  // All items with both distances, as one search that asks for everything sees them.
  const all = await ask({ text: QUESTION, topK: 30 });
  await world?.close();
  world = undefined;
  return { hits, all: all.hits };
}

type Parts = Readonly<Record<string, number>>;
const sorted = (items: readonly FoundHit[], of: (parts: Parts) => number) =>
  [...items].sort(
    (a, b) =>
      of(a.scoreParts) - of(b.scoreParts) ||
      a.scoreParts.d_sem! - b.scoreParts.d_sem! ||
      (a.id < b.id ? -1 : 1),
  );
const texts = (hits: readonly { text: string }[]) => hits.map(({ text }) => text);

describe("the five strategies choose among all", () => {
  test.each([
    ["original_rag", ({ d_sem = 0 }: Parts) => d_sem],
    ["c_a", ({ d_sem = 0, d_emo = 0 }: Parts) => d_sem + d_emo],
    ["c_m", ({ d_sem = 0, d_emo = 0 }: Parts) => d_sem * d_emo],
  ])("[P9-3] %s: the ten with the smallest distance", async (strategy, of) => {
    const { hits, all } = await found(strategy);
    expect(all).toHaveLength(30);
    expect(hits).toHaveLength(10);
    expect(texts(hits)).toEqual(texts(sorted(all, of)).slice(0, 10));
  });

  test("[P9-2] s_s: never one outside the twenty emotionally nearest, ordered by meaning", async () => {
    const everything = (await found("c_a")).all;
    const nearest = new Set(texts(sorted(everything, ({ d_emo = 0 }) => d_emo).slice(0, 20)));
    const limit = sorted(everything, ({ d_emo = 0 }) => d_emo)[19]?.scoreParts.d_emo ?? 0;
    const { hits, all } = await found("s_s");
    expect(all).toHaveLength(20);
    for (const hit of all) expect(nearest.has(hit.text) || hit.scoreParts.d_emo === limit).toBe(true);
    expect(texts(hits)).toEqual(texts(sorted(all, ({ d_sem = 0 }) => d_sem)).slice(0, 10));
  });

  test("s_c: the twenty nearest in meaning, ordered by mood", async () => {
    const everything = (await found("c_a")).all;
    const nearest = texts(sorted(everything, ({ d_sem = 0 }) => d_sem).slice(0, 20));
    const { hits, all } = await found("s_c");
    expect(texts(all).toSorted()).toEqual(nearest.toSorted());
    expect(texts(hits)).toEqual(texts(sorted(all, ({ d_emo = 0 }) => d_emo)).slice(0, 10));
  });

  test("the bound and the number of hits are options", async () => {
    const stage = "stages: { memory_retrieval: { action: emotional, strategy: s_s, bound: 4, top_k: 3 } }";
    const { say, ask } = await open(await changed(stage), { replies: { score_emotion: moods } });
    await say(ITEMS.slice(0, 8));
    expect((await ask(QUESTION)).hits).toHaveLength(3);
    expect((await ask({ text: QUESTION, topK: 9 })).hits).toHaveLength(4);
  });
});

test("[P9-1] c_m: where all moods are parallel every product is 0, and meaning decides", async () => {
  const flat = { replies: { score_emotion: Object.fromEntries(EMOTIONS.map((emotion) => [emotion, 3])) } };
  const { say, ask } = await open(await by("c_m"), flat);
  await say(ITEMS.slice(0, 12));
  const { hits } = await ask(QUESTION);
  for (const { scoreParts } of hits) expect(scoreParts.distance).toBeCloseTo(0, 6);
  const near = hits.map(({ scoreParts }) => scoreParts.d_sem ?? 0);
  expect(near).toEqual(near.toSorted((a, b) => a - b));
});

test("[P9-3] there are as many hits as items, up to ten", async () => {
  const { say, ask } = await open("emotional_rag");
  await say(ITEMS.slice(0, 4));
  expect((await ask("apple")).hits).toHaveLength(4);
  await say(ITEMS.slice(4, 14));
  expect((await ask("apple")).hits).toHaveLength(10);
});

test.each([
  ["no words of feeling", undefined],
  ["a model that names no emotion", { score_emotion: [{ analysis: "flat", dim: "joy", score: 1 }] }],
])("[P9-4] the default emotion is eight times 1: %s", async (_, replies) => {
  const { say, entries, storage } = await open("emotional_rag", replies === undefined ? {} : { replies });
  await say(["The train leaves at nine.", "火车九点开。"]);
  const ids = (await entries()).map(({ id }) => id);
  for (const vector of await storage().vectors(ALICE, "#emotion", ids))
    expect([...(vector ?? [])]).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
});
