/** LoCoMo's retrieval baselines (papers 11): three databases of dated texts. The metric is in src/lab/measures. */
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
async function open(database: string, options: PresetWorldOptions = {}) {
  const preset = await parsePreset(
    `name: x\nsummary: X.\nextends: locomo_rag\ndefaults: recommended\nstages: { pre_insert: { action: transform, transform_type: session_database, database: ${database} } }\n`,
    "presets/x.yaml",
  );
  world = await openPresetWorld(database === "dialog" ? "locomo_rag" : preset, {
    embedder: hashEmbedder(),
    ...options,
  });
  return world;
}

const talk = (
  session: string,
  at: number,
  lines: readonly (readonly [string, string, string?])[],
): NewTurn[] =>
  lines.map(([speaker, text, caption], place) => ({
    speaker,
    text,
    session,
    happenedAt: at + place * 60_000,
    captions: caption === undefined ? [] : [caption],
  }));
const FIRST = Date.UTC(2023, 4, 8, 13, 56);
const SECOND = Date.UTC(2023, 4, 25, 9, 5);
const EN = [
  ...talk("1", FIRST, [
    ["Ann", "I adopted a dog called Rex yesterday.", "a brown dog on a sofa"],
    ["Bob", "Wow! I live in Rome with two cats."],
  ]),
  ...talk("2", SECOND, [
    ["Ann", "I finished my pottery class and made a blue bowl."],
    ["Bob", "Great!"],
  ]),
];
const ZH = [
  ...talk("一", FIRST, [
    ["小明", "我昨天收养了一只叫豆豆的狗。", "一只棕色的狗"],
    ["小红", "哇！我住在上海，有两只猫。"],
  ]),
  ...talk("二", SECOND, [
    ["小明", "我上完了陶艺课，做了一只蓝色的碗。"],
    ["小红", "真棒！"],
  ]),
];

describe.each([
  {
    language: "English",
    turns: EN,
    question: "Which dog did Ann adopt?",
    spoken:
      '(13:56 on 8 May 2023) Ann said, "I adopted a dog called Rex yesterday." and shared a brown dog on a sofa',
    fact: "Ann adopted a dog called Rex.",
    dated: "13:56 on 8 May 2023: Ann adopted a dog called Rex.",
    summary: "Ann adopted Rex.",
    summed: "13:57 on 8 May 2023: Ann adopted Rex.",
    local: /8 May 2023: Ann adopted a dog called Rex/,
  },
  {
    language: "中文",
    turns: ZH,
    question: "小明收养了什么狗？",
    spoken: "（2023年5月8日13:56）小明说：“我昨天收养了一只叫豆豆的狗。”，并分享了一只棕色的狗",
    fact: "小明收养了一只叫豆豆的狗。",
    dated: "2023年5月8日13:56：小明收养了一只叫豆豆的狗。",
    summary: "小明收养了豆豆。",
    summed: "2023年5月8日13:57：小明收养了豆豆。",
    local: /2023年5月8日13:56：.*小明.*豆豆/,
  },
])("$language", ({ turns, question, spoken, fact, dated, summary, summed, local }) => {
  test("[C-23] dialog: every line with its date and speaker; nobody is asked", async () => {
    const { say, ask, entries, calls } = await open("dialog", { replies: {} });
    await say(turns);
    expect(calls()).toEqual([]);
    const stored = await entries();
    expect(stored).toHaveLength(4);
    expect(stored[0]).toMatchObject({ content: spoken, happenedAt: FIRST });
    expect(stored.map(({ sources }) => sources.length)).toEqual([1, 1, 1, 1]);
    const { hits, context } = await ask(question);
    expect(hits[0]?.content).toBe(spoken);
    expect(context?.split("\n")[0]).toBe(spoken);
  });

  test("[C-23] observation, with a model: one call for a session; facts with the turns that tell them", async () => {
    const facts = { facts: [{ text: fact, speaker: turns[0]?.speaker ?? "", sources: [0] }] };
    const { say, ask, entries, calls } = await open("observation", {
      replies: { extract_facts: [facts, { facts: [] }] },
    });
    await say(turns);
    expect(calls()).toEqual(["extract_facts", "extract_facts"]);
    const [stored, ...more] = await entries();
    expect(more).toEqual([]);
    expect(stored).toMatchObject({ kind: "fact", content: dated, metadata: { speaker: turns[0]?.speaker } });
    expect(stored?.sources).toHaveLength(1);
    expect((await ask(question)).context).toBe(dated);
  });

  test("[C-23] observation, with no model", async () => {
    const { say, ask } = await open("observation");
    await say(turns);
    // What the picture shows is a fact beside what was told with it.
    const [first, second] = (await ask(question)).hits;
    expect(`${first?.text}\n${second?.text}`).toMatch(local);
  });

  test("[C-23] summary, with a model: one text for a session", async () => {
    const { say, ask, entries, calls } = await open("summary", {
      replies: { summarize_session: [{ summary }, { summary: "…" }] },
    });
    await say(turns);
    expect(calls()).toEqual(["summarize_session", "summarize_session"]);
    const [first, second] = await entries();
    expect(first).toMatchObject({ kind: "summary", content: summed });
    expect(first?.sources).toHaveLength(2);
    expect(second?.metadata.session).toBe(turns[2]?.session);
    expect((await ask(question)).hits[0]?.id).toBe(first?.id);
  });

  test("[C-23] summary, with no model", async () => {
    const { say, ask, entries } = await open("summary");
    await say(turns);
    expect((await entries()).map(({ content }) => content)).toEqual([
      expect.stringMatching(/Rex|豆豆/),
      expect.stringMatching(/bowl|碗/),
    ]);
    expect((await ask(question)).hits).toHaveLength(2);
  });
});

test("the five nearest, by the dot product of unit vectors", async () => {
  const { say, ask } = await open("dialog");
  await say(
    Array.from({ length: 8 }, (_, n) => ({
      speaker: "Ann",
      session: "1",
      text: `The dog number ${n} barks.`,
    })),
  );
  const { hits } = await ask("dog");
  expect(hits).toHaveLength(5);
  expect(hits[0]?.score).toBe(hits[0]?.scoreParts.cosine);
});

test("the day alone, and the length of a summary, are options", async () => {
  const stage = (rest: string) =>
    parsePreset(
      `name: x\nsummary: X.\nextends: locomo_rag\ndefaults: recommended\nstages: { pre_insert: { action: transform, transform_type: session_database, ${rest} } }\n`,
      "presets/x.yaml",
    );
  const days = await openPresetWorld(await stage("database: dialog, date_style: day"), {
    embedder: hashEmbedder(),
  });
  await days.say(EN.slice(1, 2));
  expect((await days.entries())[0]?.content).toBe(
    '(8 May 2023) Bob said, "Wow! I live in Rome with two cats."',
  );
  await days.close();
  const short = await openPresetWorld(await stage("database: summary, summary_max_words: 8"), {
    embedder: hashEmbedder(),
  });
  await short.say(EN.slice(0, 2));
  expect((await short.entries())[0]?.content.split(": ")[1]?.split(" ").length).toBeLessThanOrEqual(9);
  await short.close();
});
