/** SeCom (papers 8): sessions divided by topic, found by their denoised text, read as they were said. */
import { afterEach, describe, expect, test } from "vitest";
import type { NewTurn } from "../../src/base/turn.ts";
import { loadPreset, parsePreset } from "../../src/preset/load.ts";
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
async function open(preset: Parameters<typeof openPresetWorld>[0], options: PresetWorldOptions = {}) {
  world = await openPresetWorld(preset, { embedder: hashEmbedder(), ...options });
  return world;
}
const changed = (rest: string) =>
  parsePreset(`name: x\nsummary: X.\nextends: secom\n${rest}\n`, "presets/x.yaml");

const talk = (names: readonly [string, string], texts: readonly string[], session = "one"): NewTurn[] =>
  texts.map((text, place) => ({
    speaker: place % 2 === 0 ? names[0] : names[1],
    text,
    session,
    happenedAt: Date.UTC(2026, 2, 2, 18, place),
  }));

const EN = talk(
  ["Mia", "Ben"],
  [
    "I finally started violin lessons with Mrs. Okafor.",
    "A violin at last! Does Mrs. Okafor teach at the music school?",
    "Yes, the music school on Elm Street. The violin lessons are on Mondays.",
    "Then we can walk to the music school together.",
    "By the way, are you still allergic to peanuts?",
    "Yes, peanuts and cashews. Nuts of that kind make me ill.",
    "Then I leave the nuts out of the cake, peanuts above all.",
    "Thank you, a cake without peanuts is all I ask.",
  ],
);
const ZH = talk(
  ["王芳", "李强"],
  [
    "周末我们去了老灶火锅店，火锅味道特别好。",
    "老灶火锅店排队久吗？我也想吃火锅。",
    "火锅店排了一个小时的队。",
    "那下次吃火锅叫上我。",
    "对了，你什么时候去北京出差？",
    "下周三去北京出差，住在国贸附近。",
    "出差回来能从北京带点心吗？",
    "北京的点心没问题，出差回来给你。",
  ],
);
const TWO = {
  segments: [
    { start: 0, end: 1, summary: "first" },
    { start: 2, end: 3, summary: "second" },
  ],
};

describe.each([
  ["English", EN, "What about nuts and peanuts in the cake?", /peanuts/, /violin/],
  ["中文", ZH, "什么时候去北京出差？", /北京/, /火锅/],
])("%s", (_, turns, question, asked, other) => {
  test("[C-23] with a model: one call for a session; exchanges are numbered; segments are read in full", async () => {
    const { say, ask, entries, calls, requests } = await open("secom", { replies: { segment_topics: TWO } });
    const { done } = await say(turns);
    expect(calls()).toEqual(["segment_topics"]);
    const shown = JSON.stringify(requests[0]?.body);
    expect(shown).toContain("[3]");
    expect(shown).not.toContain("[4]");
    expect(done[0]?.result.stages.map(({ stage, action }) => `${stage}.${action}`)).toContain(
      "post_insert.continue_segment",
    );
    const stored = await entries();
    expect(stored.map(({ kind, content }) => [kind, content])).toEqual([
      [
        "segment",
        turns
          .slice(0, 4)
          .map(({ speaker, text }) => `${speaker}: ${text}`)
          .join("\n"),
      ],
      [
        "segment",
        turns
          .slice(4)
          .map(({ speaker, text }) => `${speaker}: ${text}`)
          .join("\n"),
      ],
    ]);
    expect(stored.map(({ sources, metadata }) => [sources.length, metadata.summary])).toEqual([
      [4, "first"],
      [4, "second"],
    ]);
    const { hits } = await ask(question);
    expect(hits[0]?.text).toMatch(asked);
    expect(hits[0]?.text).not.toMatch(other);
    expect(calls()).toEqual([]);
  });

  test("[C-23] with no model: the talk is divided where it turns", async () => {
    const { say, ask, entries } = await open("secom");
    await say(turns);
    const stored = await entries();
    expect(stored.map(({ sources }) => sources.length)).toEqual([4, 4]);
    expect(stored[0]?.content).toMatch(other);
    expect((await ask(question)).hits[0]?.text).toMatch(asked);
  });
});

const SEVEN = talk(
  ["Ann", "Bob"],
  Array.from({ length: 14 }, (_, n) => `Line number ${n} about nothing much.`),
);

test("[P8-1] a malformed division of seven exchanges gives segments of 3, 3 and 1", async () => {
  const { say, entries } = await open("secom", { replies: { segment_topics: "I would rather not." } });
  const { done } = await say(SEVEN);
  expect((await entries()).map(({ sources }) => sources.length)).toEqual([6, 6, 2]);
  const notes = done[0]?.result.stages.find(({ action }) => action === "transform")?.notes;
  expect(notes).toMatchObject({ malformed_segmentation: 7 });
});

test("[P8-1] counts that do not add up lose nothing", async () => {
  const short = {
    segments: [
      { start: 0, end: 1, summary: "" },
      { start: 2, end: 3, summary: "" },
    ],
  };
  const { say, entries, calls } = await open("secom", { replies: { segment_topics: short } });
  await say(SEVEN);
  expect(calls().length).toBeGreaterThan(1);
  const kept = (await entries()).flatMap(({ content }) => content.split("\n"));
  expect(kept).toEqual(SEVEN.map(({ speaker, text }) => `${speaker}: ${text}`));
});

test("malformed_exchanges: null divides by the words instead, as without a model", async () => {
  const stages =
    "stages: { pre_insert: { action: transform, transform_type: segment_denoise, malformed_exchanges: null } }";
  const { say, entries } = await open(await changed(`defaults: recommended\n${stages}`), {
    replies: { segment_topics: "no" },
  });
  await say(EN);
  expect((await entries()).map(({ sources }) => sources.length)).toEqual([4, 4]);
});

test("[P8-2] scores are of the denoised key, what is returned is what was said", async () => {
  const half = await changed(
    "defaults: recommended\nstages: { pre_insert: { action: transform, transform_type: segment_denoise, ratio: 0.5 } }",
  );
  const { say, ask, entries } = await open(half, { replies: { segment_topics: TWO } });
  await say(EN);
  for (const entry of await entries()) {
    const key = String(entry.metadata.compressed);
    const { hits } = await ask(key);
    // The question is the key of this segment: only the same text has the cosine 1.
    expect(hits[0]).toMatchObject({ id: entry.id, text: entry.content });
    expect(hits[0]?.score).toBeCloseTo(1, 5);
    expect((await ask(entry.content)).hits.find(({ id }) => id === entry.id)?.score).toBeLessThan(0.99);
  }
});

test("[P8-3] three segments are returned, of 0.9 of their length; 0.75 is one key away", async () => {
  const { service, stages } = await loadPreset("secom");
  expect(service.options.top_k).toBe(3);
  expect(stages.pre_insert[0]?.options).toMatchObject({ ratio: 0.9, malformed_exchanges: 3 });
  const share = async (preset: Parameters<typeof openPresetWorld>[0]): Promise<number> => {
    const { say, entries, close } = await openPresetWorld(preset, { embedder: hashEmbedder() });
    await say([...EN, ...ZH.map((turn) => ({ ...turn, session: "two" }))]);
    const stored = await entries();
    const length = (texts: readonly unknown[]) => texts.join("").length;
    await close();
    return (
      length(stored.map(({ metadata }) => metadata.compressed)) / length(stored.map(({ content }) => content))
    );
  };
  expect(await share("secom")).toBeCloseTo(0.89, 1);
  const paper = await changed(
    "defaults: recommended\nstages: { pre_insert: { action: transform, transform_type: segment_denoise, ratio: 0.75 } }",
  );
  expect(await share(paper)).toBeLessThan(0.76);
});

describe("[P8-4] while people talk: does the exchange go on with the last segment?", () => {
  const ONE_BY_ONE =
    "defaults: recommended\ninput: { window: { by: turns, size: 2, overlap: 0, context: 0 } }";
  const current = async ({ entries }: PresetWorld) =>
    (await entries()).filter(({ supersededBy }) => supersededBy === null);

  test.each([
    [EN, "violin"],
    [ZH, "火锅"],
  ])("yes joins it and keeps the number of units, no makes a new one", async (turns, topic) => {
    const opened = await open(await changed(ONE_BY_ONE), {
      replies: { judge_continuity: [{ continuous: true }, { continuous: false }, { continuous: true }] },
    });
    await opened.say(turns.slice(0, 2));
    expect(await current(opened)).toHaveLength(1);
    await opened.say(turns.slice(2, 4));
    const [joined, ...more] = await current(opened);
    expect(more).toEqual([]);
    expect(joined?.content.split("\n")).toHaveLength(4);
    expect(joined?.sources).toHaveLength(4);
    expect(String(joined?.metadata.compressed).length).toBeLessThan(joined?.content.length ?? 0);
    await opened.say(turns.slice(4, 6));
    expect(await current(opened)).toHaveLength(2);
    await opened.say(turns.slice(6, 8));
    expect((await current(opened)).map(({ sources }) => sources.length)).toEqual([4, 4]);
    expect(opened.calls()).toEqual(["judge_continuity", "judge_continuity", "judge_continuity"]);
    expect(JSON.stringify(opened.requests[0]?.body)).toContain(topic);
    expect((await opened.ask(topic)).hits.map(({ supersededBy }) => supersededBy)).toEqual([null, null]);
  });

  test.each([[EN], [ZH]])("without a model words decide", async (turns) => {
    const opened = await open(await changed(ONE_BY_ONE));
    await opened.say(turns);
    expect((await current(opened)).map(({ sources }) => sources.length)).toEqual([4, 4]);
  });

  test("another session is not asked about, unless it may go on; a segment does not outgrow its bound", async () => {
    const later = talk(
      ["Mia", "Ben"],
      EN.slice(2, 4).map(({ text }) => text),
      "two",
    );
    const yes = { replies: { judge_continuity: { continuous: true } } };
    const kept = await open(await changed(ONE_BY_ONE), yes);
    await kept.say([...EN.slice(0, 2), ...later]);
    expect(kept.calls()).toEqual([]);
    expect(await current(kept)).toHaveLength(2);
    await kept.close();
    const stage = (option: string) => `stages: { post_insert: { action: continue_segment, ${option} } }`;
    const across = await open(await changed(`${ONE_BY_ONE}\n${stage("across_sessions: true")}`), yes);
    await across.say([...EN.slice(0, 2), ...later]);
    expect(await current(across)).toHaveLength(1);
    await across.close();
    const small = await open(await changed(`${ONE_BY_ONE}\n${stage("max_segment_size: 30")}`), yes);
    await small.say(EN.slice(0, 4));
    expect(small.calls()).toEqual([]);
    expect(await current(small)).toHaveLength(2);
    await small.close();
    const whole = await open(await changed(`${ONE_BY_ONE}\n${stage("ratio: 1")}`), yes);
    await whole.say(EN.slice(0, 4));
    const [joined] = await current(whole);
    expect(joined?.metadata.compressed).toBe(joined?.content);
  });
});
