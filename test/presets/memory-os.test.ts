import { afterEach, describe, expect, test } from "vitest";
import type { Entry } from "../../src/base/entry.ts";
import { ARCHIVED } from "../../src/base/entry.ts";
import type { NewTurn } from "../../src/base/turn.ts";
import { parsePreset } from "../../src/preset/load.ts";
import type { Preset } from "../../src/preset/preset.ts";
import { hashEmbedder } from "../../src/testing/hash-embedder.ts";
import type { SeenRequest } from "../../src/testing/model-server.ts";
import { openPresetWorld, type PresetWorld, type Replies } from "../../src/testing/preset-world.ts";

const worlds: PresetWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

/** MemoryOS with room for two pages at hand, so that a short talk fills it. */
function small(migrate = ""): Promise<Preset> {
  const tier = "membership: exclusive, indexes: [queue, vector, text]";
  const stage = `migrate_policy: segments, segment_tier: mtm, long_term_tier: lpm${migrate}`;
  return parsePreset(
    `name: small\nextends: memory_os
service: { tiers: [{ name: stm, capacity: 2, ${tier} }, { name: mtm, capacity: null, ${tier} }, { name: lpm, capacity: null, ${tier} }] }
stages: { post_insert: { action: migrate, ${stage} } }\n`,
    "presets/small.yaml",
  );
}

async function open(replies?: Replies): Promise<PresetWorld> {
  return opened(await openPresetWorld(await small(), replies === undefined ? {} : { replies }));
}

/** Where meaning does not matter. */
async function openQuick(preset?: Preset): Promise<PresetWorld> {
  const options = { replies: scripted("en"), embedder: hashEmbedder() };
  return opened(await openPresetWorld(preset ?? (await small()), options));
}

function opened(world: PresetWorld): PresetWorld {
  worlds.push(world);
  return world;
}

const START = Date.UTC(2026, 3, 1, 9);
const exchanges = (user: string, ...texts: readonly string[]): NewTurn[] =>
  texts.map((text, n) => ({
    speaker: n % 2 === 0 ? user : "Bot",
    role: n % 2 === 0 ? "user" : "assistant",
    text,
    happenedAt: START + n * 60_000,
  }));

const ENGLISH = exchanges(
  "Mia",
  "I started bouldering at the climbing gym in Leeds last week.",
  "Bouldering at a climbing gym is a great start.",
  "My climbing partner at the gym is called Tom, he has climbed for ten years.",
  "Climbing with an experienced partner like Tom helps.",
  "Tom and I want to climb outdoors at Stanage Edge in May.",
  "For climbing outdoors at Stanage bring a crash pad.",
  "I bought new climbing shoes for the trip to Stanage.",
  "Climbing shoes should be tight but not painful.",
  "By the way, different topic: my grandmother's lentil soup needs cumin and lemon.",
  "Cumin and lemon give lentil soup its taste.",
  "Another thing, my cat Pixel hides under the sofa during storms.",
  "Pixel feels safe under the sofa.",
);
const CHINESE = exchanges(
  "王芳",
  "我上周在成都的攀岩馆开始学攀岩。",
  "在攀岩馆学攀岩是个好开始。",
  "我的攀岩搭档叫李强，他已经攀岩十年了。",
  "有李强这样有经验的攀岩搭档很有帮助。",
  "我和李强打算五月去阳朔户外攀岩。",
  "去阳朔户外攀岩要带好安全绳。",
  "我为阳朔的攀岩之旅买了新的攀岩鞋。",
  "攀岩鞋要紧一点，但不能疼。",
  "换个话题，我奶奶做的扁豆汤要放孜然和柠檬。",
  "孜然和柠檬让扁豆汤更有味道。",
  "另外，我家的猫豆包打雷时总躲在沙发下面。",
  "豆包在沙发下面觉得安全。",
);

/** A model that tells climbing from soup. */
function scripted(language: "en" | "zh"): Replies {
  const bodyOf = ({ body }: SeenRequest): string => JSON.stringify(body.messages);
  const words =
    language === "en"
      ? {
          climb: /climb|Stanage/,
          theme: "climbing",
          keys: ["climbing", "gym"],
          on: "Mia goes climbing with Tom.",
          off: "Mia's grandmother cooks lentil soup.",
          soup: "soup",
        }
      : {
          climb: /攀岩/,
          theme: "攀岩",
          keys: ["攀岩", "岩馆"],
          on: "王芳和李强一起攀岩。",
          off: "王芳的奶奶做扁豆汤。",
          soup: "扁豆汤",
        };
  const isOn = (request: SeenRequest): boolean => words.climb.test(bodyOf(request));
  return {
    judge_continuity: (request) => ({
      continuous: !/different topic|Another thing|换个话题|另外/.test(
        bodyOf(request).split("---").at(-1) ?? "",
      ),
    }),
    summarize_chain: { summary: words.on },
    themes: (request) => ({
      themes: [
        isOn(request)
          ? { theme: words.theme, keywords: words.keys, content: words.on }
          : { theme: words.soup, keywords: [words.soup], content: words.off },
      ],
    }),
    update_profile:
      language === "en"
        ? {
            profile: "Sport (High): climbs every week and plans trips outdoors.",
            user_facts: ["Mia climbs with Tom."],
            assistant_knowledge: ["Bot advises a crash pad for Stanage."],
          }
        : {
            profile: "运动（高）：每周都去攀岩，还计划户外攀岩旅行。",
            user_facts: ["王芳和李强一起攀岩。"],
            assistant_knowledge: ["助手建议去阳朔带安全绳。"],
          },
  };
}

const of = (entries: readonly Entry[], kind: string): Entry[] =>
  entries.filter((one) => one.kind === kind && one.tier !== ARCHIVED && one.supersededBy === null);

/** Every page that left short-term memory is in a segment, and a segment holds nothing else. */
function checkFiled(entries: readonly Entry[]): void {
  const filed = of(entries, "memory").filter(({ tier }) => tier === "mtm");
  const held = new Set(of(entries, "segment").flatMap(({ sources }) => sources));
  expect([...held].sort()).toEqual(filed.map(({ id }) => id).sort());
}

describe.each([
  ["English", ENGLISH, scripted("en"), "Mia", /climb/, "What should I bring to Stanage?", /crash pad/],
  ["中文", CHINESE, scripted("zh"), "王芳", /攀岩/, "去阳朔攀岩要带什么？", /安全绳/],
] as const)("[S0-74] MemoryOS, %s", (_, talk, replies, user, topic, question, answer) => {
  test("with a model: pages, chains, segments by theme, a profile from the hot one, and the way back", async () => {
    const world = await open(replies);
    const { done } = await world.say(talk);
    const calls = world.calls();
    // Six pages; the first has nothing to go on from; four leave, and make one segment hot.
    expect(calls.filter((task) => task === "judge_continuity")).toHaveLength(5);
    expect(calls.filter((task) => task === "themes")).toHaveLength(4);
    expect(calls.filter((task) => task === "summarize_chain")).toHaveLength(4);
    expect(calls.filter((task) => task === "update_profile")).toHaveLength(1);
    expect(done.map(({ turns }) => turns.length)).toEqual([2, 2, 2, 2, 2, 2]);
    const entries = await world.entries();
    checkFiled(entries);
    const [segment, ...others] = of(entries, "segment");
    expect(others).toEqual([]);
    expect(segment).toMatchObject({ tier: "mtm", strength: 0, content: expect.stringMatching(topic) });
    expect(segment?.sources).toHaveLength(4);
    const pages = of(entries, "memory");
    expect(pages.map(({ tier }) => tier)).toEqual(["mtm", "mtm", "mtm", "mtm", "stm", "stm"]);
    const chains = pages.map(({ metadata }) => metadata.chain_id);
    expect(chains.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => pages[0]?.metadata.page_id));
    expect(new Set(chains).size).toBe(3);
    expect(pages[1]?.metadata.previous_page).toBe(pages[0]?.metadata.page_id);
    const [profile] = of(entries, "profile");
    expect(profile).toMatchObject({
      tier: "lpm",
      metadata: { user, assistant: "Bot" },
      sources: segment?.sources,
    });
    expect(of(entries, "user_knowledge")).toHaveLength(1);
    expect(done.at(-1)?.result.stages.find(({ action }) => action === "migrate")?.notes.moved).toHaveLength(
      1,
    );

    const found = await world.ask(question);
    expect(found.hits[0]?.text).toMatch(answer);
    expect(found.hits[0]?.scoreParts).toMatchObject({ segment: expect.any(Number) });
    expect(found.hits[0]?.text).toContain("chain_summary");
    const titles = (found.context ?? "").match(/^## .*/gm);
    expect(titles).toEqual([
      "## Recent conversation",
      "## Earlier conversation",
      "## User profile",
      "## Known about the user",
      "## Known of the assistant",
    ]);
    // The segment was visited: the pipeline counted it.
    expect(of(await world.entries(), "segment")[0]).toMatchObject({ accessCount: 1 });
    expect(world.calls()).toEqual([]);
  });

  test("without a model: the same shape by rules", async () => {
    const world = await open();
    await world.say(talk);
    const entries = await world.entries();
    checkFiled(entries);
    const pages = of(entries, "memory");
    expect(pages.filter(({ tier }) => tier === "mtm")).toHaveLength(4);
    expect(pages[1]?.metadata.chain_id).toBe(pages[0]?.metadata.page_id);
    expect(pages[4]?.metadata.previous_page).toBeNull();
    expect(of(entries, "segment").every(({ content }) => topic.test(content))).toBe(true);
    const found = await world.ask(question);
    expect(found.hits.slice(0, 2).some(({ text }) => answer.test(text))).toBe(true);
    const history = found.sections.history;
    expect(Array.isArray(history) ? history : []).toHaveLength(2);
    expect(found.context).toMatch(answer);
  });
});

describe("MemoryOS over time", () => {
  const about = (n: number): NewTurn[] =>
    exchanges(
      "Mia",
      `I climbed route number ${n} at the climbing gym.`,
      "Climbing at the gym is good training.",
    );

  test("[P6-1][P6-4] the fourth page of a segment makes it hot; after the profile its heat is its recency", async () => {
    const world = await openQuick();
    for (let n = 0; n < 5; n++) await world.say(about(n));
    const before = of(await world.entries(), "segment")[0];
    expect(before).toMatchObject({ strength: 3 });
    expect(world.calls()).not.toContain("update_profile");
    await world.say(about(5));
    expect(world.calls()).toContain("update_profile");
    expect(of(await world.entries(), "segment")[0]).toMatchObject({ strength: 0, accessCount: 0 });
  });

  test("a segment that recall visits is read sooner; heat_threshold and the weights are switches", async () => {
    const world = await openQuick();
    for (let n = 0; n < 4; n++) await world.say(about(n));
    for (let n = 0; n < 3; n++) await world.ask("Which route did Mia climb?");
    world.calls();
    await world.say(about(4));
    expect(world.calls()).toContain("update_profile");
    // The evaluation's weights: 0.8 for a visit or a page, next to nothing for recency.
    const heat =
      "policy: memoryos_heat, form: segment, visit_weight: 0.8, interaction_weight: 0.8, recency_weight: 0.0001";
    const evaluation = await openQuick(await small(`, heat: { ${heat}, recency_seconds: null }`));
    for (let n = 0; n < 8; n++) await evaluation.say(about(n));
    expect(evaluation.calls()).not.toContain("update_profile");
    await evaluation.say(about(8));
    expect(evaluation.calls()).toContain("update_profile");
  });

  test("a model that is down while a segment is read: nothing is lost, and the rest is done later", async () => {
    const world = await openQuick();
    for (let n = 0; n < 5; n++) await world.say(about(n));
    world.setDown(true);
    await expect(world.say(about(5))).rejects.toMatchObject({ code: "model_unavailable" });
    world.setDown(false);
    await world.restart();
    await world.resume();
    const entries = await world.entries();
    checkFiled(entries);
    expect(of(entries, "memory")).toHaveLength(6);
    expect(of(entries, "profile")).toHaveLength(1);
    expect(of(entries, "segment")).toHaveLength(1);
  });

  test("short-term memory holds ten pages as the preset has it", async () => {
    const world = opened(await openPresetWorld("memory_os", { embedder: hashEmbedder() }));
    for (let n = 0; n < 11; n++) await world.say(about(n));
    const tiers = of(await world.entries(), "memory").map(({ tier }) => tier);
    expect(tiers.filter((tier) => tier === "stm")).toHaveLength(10);
    expect(tiers[0]).toBe("mtm");
    const { hits } = await world.ask("Which route did Mia climb first?");
    expect(hits.filter(({ kind }) => kind === "memory")).toHaveLength(11);
  });
});
