/** LD-Agent (papers 10): the session's lines, summaries of those before compared by nouns and age, and persona. */
import { afterEach, describe, expect, test } from "vitest";
import type { NewTurn } from "../../src/base/turn.ts";
import { parsePreset } from "../../src/preset/load.ts";
import { hashEmbedder } from "../../src/testing/hash-embedder.ts";
import {
  openPresetWorld,
  type PresetWorld,
  type PresetWorldOptions,
} from "../../src/testing/preset-world.ts";

let world: PresetWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});
async function open(
  preset: Parameters<typeof openPresetWorld>[0] = "ld_agent",
  options: PresetWorldOptions = {},
) {
  world = await openPresetWorld(preset, { embedder: hashEmbedder(), ...options });
  return world;
}
const changed = (rest: string) =>
  parsePreset(`name: x\nsummary: X.\nextends: ld_agent\ndefaults: recommended\n${rest}\n`, "presets/x.yaml");

const START = Date.UTC(2026, 3, 1, 18);
const DAY = 86_400_000;
const talk = (at: number, lines: readonly (readonly [string, string])[]): NewTurn[] =>
  lines.map(([speaker, text], place) => ({ speaker, text, happenedAt: at + place * 60_000 }));

const EN = [
  ...talk(START, [
    ["Mia", "I started violin lessons at the music school."],
    ["Ben", "A violin! I love cellos, I play the cello every evening."],
    ["Mia", "My teacher says the violin needs patience."],
  ]),
  ...talk(START + 10 * DAY, [
    ["Ben", "I moved to Lisbon and found a flat near the river."],
    ["Mia", "A flat near the river sounds lovely."],
  ]),
  ...talk(START + 20 * DAY, [["Mia", "Good morning, Ben."]]),
];
const ZH = [
  ...talk(START, [
    ["小美", "我开始在音乐学校学小提琴了。"],
    ["小刚", "小提琴！我喜欢大提琴，每天晚上练琴。"],
    ["小美", "老师说学小提琴需要耐心。"],
  ]),
  ...talk(START + 10 * DAY, [
    ["小刚", "我搬到上海了，在江边租了一套公寓。"],
    ["小美", "江边的公寓听起来不错。"],
  ]),
  ...talk(START + 20 * DAY, [["小美", "早上好，小刚。"]]),
];
const REPLIES = (summaries: readonly string[], trait: string) => ({
  extract_persona: [
    { traits: [] },
    { traits: [{ text: trait, kind: "preference" }] },
    { traits: "NO_TRAIT" },
  ],
  summarize_session: summaries.map((summary) => ({ summary })),
});
const current = async ({ entries }: PresetWorld) =>
  (await entries()).filter(({ supersededBy }) => supersededBy === null);

describe.each([
  {
    language: "English",
    turns: EN,
    question: "How is it going with the violin and the teacher?",
    summaries: ["Mia learns the violin with a patient teacher.", "Ben lives near the river in Lisbon."],
    trait: "Ben loves cellos.",
    rendered: /^\d+ days ago, Mia learns the violin/,
    nouns: ["violin", "music"],
    persona: /Ben: Ben (?:loves|plays)/,
  },
  {
    language: "中文",
    turns: ZH,
    question: "小提琴和老师怎么样了？",
    summaries: ["小美在学小提琴，老师很有耐心。", "小刚住在上海江边。"],
    trait: "小刚喜欢大提琴。",
    rendered: /^\d+天前，小美在学小提琴/,
    nouns: ["小提琴", "老师"],
    persona: /小刚: 小刚喜欢大提琴/,
  },
])("$language", ({ turns, question, summaries, trait, rendered, nouns, persona }) => {
  test("[S0-76] with a model: persona of every line, a summary when a session is over, found by its nouns", async () => {
    const opened = await open("ld_agent", { replies: REPLIES(summaries, trait) });
    const { done } = await opened.say(turns);
    const calls = opened.calls();
    expect(calls.filter((task) => task === "extract_persona")).toHaveLength(turns.length);
    expect(calls.filter((task) => task === "summarize_session")).toHaveLength(2);
    const stored = await current(opened);
    expect(stored.filter(({ tier }) => tier === "ltm").map(({ kind, content }) => [kind, content])).toEqual(
      summaries.map((summary) => ["summary", summary]),
    );
    const [first] = stored.filter(({ tier }) => tier === "ltm");
    expect(first).toMatchObject({
      happenedAt: turns[2]?.happenedAt,
      metadata: { nouns: expect.arrayContaining(nouns) },
    });
    expect(first?.sources).toHaveLength(3);
    expect(stored.filter(({ tier }) => tier === "stm").map(({ sources }) => sources)).toHaveLength(1);
    const lines = (await opened.entries()).filter(({ supersededBy }) => supersededBy === first?.id);
    expect(lines).toHaveLength(3);
    const notes = done[3]?.result.stages.find(({ action }) => action === "close_session")?.notes;
    expect(notes).toMatchObject({ sessions_closed: 1, closed: { lines: 3 } });
    const { hits, context, sections } = await opened.ask({ text: question, at: START + 21 * DAY });
    expect(opened.calls()).toEqual([]);
    expect(hits).toHaveLength(1);
    expect(hits[0]?.text).toMatch(rendered);
    expect(sections.persona).toEqual([expect.stringContaining(trait)]);
    expect(sections.history).toEqual([`${turns.at(-1)?.speaker}: ${turns.at(-1)?.text}`]);
    expect(context?.split("\n\n")).toHaveLength(3);
  });

  test("[S0-76] with no model: the same by rules", async () => {
    const opened = await open();
    await opened.say(turns);
    const [first, second] = (await current(opened)).filter(({ tier }) => tier === "ltm");
    expect(first?.metadata.nouns).toEqual(expect.arrayContaining(nouns));
    expect(second?.content).toMatch(/Lisbon|上海/);
    const { hits, context } = await opened.ask({ text: question, at: START + 21 * DAY });
    expect(hits.map(({ id }) => id)).toEqual([first?.id]);
    expect(context).toMatch(persona);
  });
});

test.each([
  [3600, 0],
  [3601, 1],
])("[P10-1] a silence of %i s ends %i session", async (seconds, ended) => {
  const opened = await open();
  const said = (text: string, at: number) => ({ speaker: "Mia", text, happenedAt: at });
  await opened.say([said("I bought a violin.", START), said("我买了一把琴。", START + seconds * 1000)]);
  const summaries = (await current(opened)).filter(({ kind }) => kind === "summary");
  expect(summaries).toHaveLength(ended);
});

test("[P10-3] after 1e7 seconds a memory counts e^-1 of λ·(nearness + overlap); released: λ·overlap", async () => {
  const last = EN[2]?.happenedAt ?? 0;
  const at = last + 1e10;
  const opened = await open();
  await opened.say(EN.slice(0, 4));
  const [hit] = (await opened.ask({ text: "the violin and the teacher", at })).hits;
  const { recency = 0, relevance = 0, topic_overlap = 0 } = hit?.scoreParts ?? {};
  expect(recency).toBeCloseTo(Math.exp(-1), 6);
  expect(relevance).toBeGreaterThan(0);
  expect(hit?.score).toBeCloseTo(recency * (relevance + topic_overlap), 10);
  await opened.close();
  const post = (await openedPost("relevance: 0")).hits[0];
  expect(post?.score).toBeCloseTo(
    (post?.scoreParts.recency ?? 0) * (post?.scoreParts.topic_overlap ?? 0),
    10,
  );

  async function openedPost(relevance: string) {
    const released = await changed(
      `stages: { post_retrieval: { action: rerank, rerank_type: weighted, weights: { recency: 1, importance: 0, ${relevance}, topic_overlap: 1 }, combine: decayed_sum, scaling: none, recency: { form: hours, factor_per_hour: 0.999640064794, time_field: happened_at }, overlap: mean_share, topic_fields: [nouns], max_keywords: 15 } }`,
    );
    const other = await open(released);
    await other.say(EN.slice(0, 4));
    return other.ask({ text: "the violin and the teacher", at });
  }
});

test.each([
  ["Which bank did the lawyer rob?", EN],
  ["律师抢劫了哪家银行？", ZH],
])("[P10-4] no shared noun, no memory: %s", async (question, turns) => {
  const opened = await open();
  await opened.say(turns);
  const { hits, sections } = await opened.ask(question);
  expect(hits).toEqual([]);
  expect(sections.history).toHaveLength(1);
});

test("at most one memory is returned, unless the question asks for more; thirty lines of the session at most", async () => {
  const opened = await open();
  const session = (day: number, text: string) => talk(START + day * DAY, [["Mia", text]]);
  await opened.say(
    [0, 1, 2, 3].flatMap((day) => session(day, `The violin lesson ${day} was about the bow.`)),
  );
  await opened.say(
    talk(
      START + 9 * DAY,
      Array.from({ length: 35 }, (_, n) => ["Ben", `Line ${n}.`] as const),
    ),
  );
  const at = START + 10 * DAY;
  expect((await opened.ask({ text: "What about the violin lesson?", at })).hits).toHaveLength(1);
  const { hits, sections } = await opened.ask({ text: "What about the violin lesson?", at, topK: 10 });
  expect(hits).toHaveLength(4);
  expect(sections.history).toHaveLength(30);
});

test("gap, words, nouns and tiers are options", async () => {
  const preset = await changed(
    "stages: { post_insert: { action: close_session, session_gap_seconds: 60, summary_max_words: 5, max_nouns: 2, to_tier: stm } }",
  );
  const opened = await open(preset);
  await opened.say([EN[0]!, { ...EN[1]!, happenedAt: START + 61_000 }]);
  const [summary] = (await current(opened)).filter(({ kind }) => kind === "summary");
  expect(summary?.tier).toBe("stm");
  expect(summary?.content.split(" ").length).toBeLessThanOrEqual(6);
  expect(summary?.metadata.nouns).toHaveLength(2);
});
