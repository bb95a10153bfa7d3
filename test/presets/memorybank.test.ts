import { afterEach, describe, expect, test } from "vitest";
import { ARCHIVED, type Entry } from "../../src/base/entry.ts";
import type { NewTurn } from "../../src/base/turn.ts";
import { parsePreset } from "../../src/preset/load.ts";
import type { Preset } from "../../src/preset/preset.ts";
import { portraitsIn } from "../../src/services/triggers/summarize/portrait.ts";
import { hashEmbedder } from "../../src/testing/hash-embedder.ts";
import { openPresetWorld, type PresetWorld, type Replies } from "../../src/testing/preset-world.ts";

const worlds: PresetWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function open(replies?: Replies): Promise<PresetWorld> {
  return opened(await openPresetWorld("memorybank", replies === undefined ? {} : { replies }));
}

function opened(world: PresetWorld): PresetWorld {
  worlds.push(world);
  return world;
}

const DAY = 86_400_000;
/** Long before the engine's clock: a talk that is read in later. */
const START = Date.UTC(2023, 4, 1, 9);
const turn = (speaker: string, day: number, minute: number, text: string): NewTurn => ({
  speaker,
  role: speaker === "Bot" ? "assistant" : "user",
  text,
  happenedAt: START + day * DAY + minute * 60_000,
});

const ENGLISH = [
  turn("Ava", 0, 0, "I am so nervous, my piano exam is on Friday and I feel awful."),
  turn("Bot", 0, 1, "You practised well. Which piece will you play?"),
  turn("Ava", 0, 2, "I will play a nocturne by Chopin."),
  turn("Bot", 0, 3, "A lovely choice."),
  turn("Ava", 4, 0, "I passed the piano exam, I am so happy! My teacher Mrs Brown hugged me."),
  turn("Bot", 4, 1, "Congratulations, Ava!"),
  turn("Ava", 4, 2, "I love baking, so tonight I bake a carrot cake for everyone."),
  turn("Ava", 6, 0, "Now I look for a second-hand cello."),
];
const CHINESE = [
  turn("小林", 0, 0, "我好紧张，星期五要考钢琴，我很害怕。"),
  turn("Bot", 0, 1, "你练得很好。你要弹哪首曲子？"),
  turn("小林", 0, 2, "我会弹肖邦的夜曲。"),
  turn("Bot", 0, 3, "很好的选择。"),
  turn("小林", 4, 0, "我通过了钢琴考试，太开心了！我的老师陈老师拥抱了我。"),
  turn("Bot", 4, 1, "恭喜你！"),
  turn("小林", 4, 2, "我喜欢烘焙，今晚我给大家烤胡萝卜蛋糕。"),
  turn("小林", 6, 0, "现在我想买一把二手大提琴。"),
];

const scripted = (language: "en" | "zh"): Replies =>
  language === "en"
    ? {
        summarize_day: [
          { summary: "Ava fears her piano exam.", personality: "Ava is anxious.", strategy: "Calm her." },
          { summary: "Ava passed her exam.", personality: "Ava is joyful.", strategy: "Share her joy." },
        ],
        summarize: [{ summary: "Ava has an exam." }, { summary: "Ava had an exam and passed it." }],
        merge_portraits: [
          { personality: "Ava worries.", strategy: "Be calm." },
          { personality: "Ava worries first and is joyful then.", strategy: "Encourage her." },
        ],
      }
    : {
        summarize_day: [
          { summary: "小林害怕钢琴考试。", personality: "小林很焦虑。", strategy: "安抚她。" },
          { summary: "小林通过了考试。", personality: "小林很开心。", strategy: "分享喜悦。" },
        ],
        summarize: [{ summary: "小林有考试。" }, { summary: "小林参加了考试并通过了。" }],
        merge_portraits: [
          { personality: "小林容易担心。", strategy: "保持冷静。" },
          { personality: "小林先担心后开心。", strategy: "多鼓励她。" },
        ],
      };

const current = (entries: readonly Entry[], tier: string): Entry[] =>
  entries.filter((one) => one.tier === tier && one.supersededBy === null);

describe.each([
  ["English", ENGLISH, scripted("en"), "Ava", "What will Ava play at the exam?", /Chopin/],
  ["中文", CHINESE, scripted("zh"), "小林", "小林考试弹什么曲子？", /肖邦/],
] as const)("[S0-71] MemoryBank, %s", (_, talk, replies, user, question, answer) => {
  test("with a model: turns, days that are over, everything, portraits; and all of it in the answer", async () => {
    const world = await open(replies);
    await world.say(talk);
    // Two days are over when the third begins.
    const once = ["summarize_day", "merge_portraits", "summarize"];
    expect(world.calls()).toEqual([...once, ...once]);
    const entries = await world.entries();
    expect(current(entries, "stm")).toHaveLength(talk.length);
    const days = current(entries, "mtm");
    expect(days.map(({ metadata }) => metadata.window_start)).toEqual(["2023-05-01", "2023-05-05"]);
    expect(days.map(({ sources }) => sources.length)).toEqual([4, 3]);
    const [whole, ...others] = current(entries, "ltm");
    expect(others).toEqual([]);
    expect(whole?.sources).toEqual(days.map(({ id }) => id));
    expect(portraitsIn(whole?.metadata ?? {}).map(({ speaker }) => speaker)).toEqual([user]);
    // The first global summary has given way to the second.
    const before = entries.filter(({ tier, supersededBy }) => tier === "ltm" && supersededBy !== null);
    expect(before.map(({ supersededBy }) => supersededBy)).toEqual([whole?.id]);

    const found = await world.ask(question);
    expect(found.hits).toHaveLength(6);
    expect(found.hits.every(({ tier }) => tier !== "ltm")).toBe(true);
    const shown = found.hits.find(({ text }) => answer.test(text));
    // With its neighbours of the same day, and the day's date.
    expect(shown?.text).toMatch(/2023/);
    expect(shown?.text.split("\n").length).toBeGreaterThan(1);
    expect(found.context).toContain(portraitsIn(whole?.metadata ?? {})[0]?.personality);
    expect(found.context).toContain(whole?.content);
    expect(found.sections.history).toHaveLength(7);
    expect((found.context ?? "").match(/^## .*/gm)).toEqual([
      "## Related memories",
      "## Portrait",
      "## What happened so far",
      "## Last turns",
    ]);
    expect(world.calls()).toEqual([]);
  });

  test("without a model: the same by rules", async () => {
    const world = await open();
    await world.say(talk);
    const entries = await world.entries();
    expect(current(entries, "mtm")).toHaveLength(2);
    const [whole] = current(entries, "ltm");
    const [portrait] = portraitsIn(whole?.metadata ?? {});
    expect(portrait).toMatchObject({ speaker: user, strategy: expect.stringMatching(/\S/) });
    const found = await world.ask(question);
    expect(found.hits.slice(0, 3).some(({ text }) => answer.test(text))).toBe(true);
    expect(found.context).toContain(portrait?.personality);
  });
});

describe("forgetting", () => {
  /** Forgets after every packet, so that a test need not wait for its turn. */
  const eager = (form = "intended"): Promise<Preset> => {
    const vitality = `{ policy: memorybank_retention, form: ${form}, initial_strength: 1, strength_per_recall: 1 }`;
    return parsePreset(
      `name: eager\nextends: memorybank
service: { vitality: ${vitality} }
stages:
  post_insert:
    - { action: summarize, strategy: hierarchical, every_turns: 1, windows: [daily, global], closes: talk, target_tiers: { daily: mtm, global: ltm }, trigger_mode: manual }
    - { action: forgetting, every_turns: 1, vitality: ${vitality}, threshold: { drawn: daily, seed: 1 }, retention_min: 0, derived_kinds: [summary] }\n`,
      "presets/eager.yaml",
    );
  };
  const quick = async (form?: string): Promise<PresetWorld> =>
    opened(await openPresetWorld(await eager(form), { embedder: hashEmbedder() }));
  const talk = Array.from({ length: 100 }, (_, n) =>
    turn("Ava", 0, n, `Fact number ${n} about the piano 钢琴.`),
  );
  const left = async (world: PresetWorld) => current(await world.entries(), "stm").length;

  test("[P4-2] what was stored today stays, however long ago it happened", async () => {
    const world = await quick();
    await world.say(talk);
    expect(await left(world)).toBe(100);
  });

  test("[P4-1] after five days about e⁻¹ is left; what is forgotten is archived; the forms are switches", async () => {
    const leftAfter = async (form: string) => {
      const world = await quick(form);
      await world.say(talk);
      world.clock.advance(5 * DAY);
      await world.say([turn("Ava", 0, 200, "One more fact.")]);
      const entries = await world.entries();
      expect(entries.filter(({ tier }) => tier === ARCHIVED).length + (await left(world))).toBe(101);
      return (await left(world)) - 1;
    };
    const intended = await leftAfter("intended");
    expect(intended).toBeGreaterThan(15);
    expect(intended).toBeLessThan(60);
    // e⁻⁵ of them.
    expect(await leftAfter("paper")).toBeLessThan(10);
  });

  test("[P4-3] a recall adds exactly 1 to the strength and counts as the last one; so the recalled last longer", async () => {
    const world = await quick();
    await world.say([turn("Ava", 0, 0, "Ava plays the piano."), turn("Ava", 0, 1, "Rain fell.")]);
    world.clock.advance(DAY);
    await world.ask("piano");
    const [entry] = current(await world.entries(), "stm");
    expect(entry).toMatchObject({ strength: 1, accessCount: 1, lastAccessAt: world.clock.now() });
    await world.ask("piano");
    expect(current(await world.entries(), "stm")[0]).toMatchObject({ strength: 2 });
  });

  test("[P4-4] when the last turn of a day is forgotten its summary goes, and the day with it", async () => {
    const world = await quick("paper");
    await world.say([turn("Ava", 0, 0, "Ava plays the piano."), turn("Ava", 2, 0, "小林烤蛋糕。")]);
    expect(current(await world.entries(), "mtm")).toHaveLength(1);
    world.clock.advance(60 * DAY);
    await world.say([turn("Ava", 2, 1, "It rains.")]);
    const entries = await world.entries();
    expect(current(entries, "stm").map(({ content }) => content)).toEqual(["Ava: It rains."]);
    expect(current(entries, "mtm")).toEqual([]);
    const gone = entries.filter(({ tier }) => tier === ARCHIVED).map(({ kind }) => kind);
    expect(gone.filter((kind) => kind === "summary")).toHaveLength(2);
    // Nothing makes it anew.
    await world.say([turn("Ava", 3, 0, "It snows.")]);
    const days = current(await world.entries(), "mtm").map(({ metadata }) => metadata.window_start);
    expect(days).toEqual(["2023-05-03"]);
  });
});
