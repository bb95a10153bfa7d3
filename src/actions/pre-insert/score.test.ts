import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { parseScope } from "../../base/scope.ts";
import { measureField, measureSpace, textField } from "../../services/vector-fields.ts";
import { hashEmbedder } from "../../testing/hash-embedder.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { openPreInsertWorld, type PreInsertSetup } from "../../testing/pre-insert-world.ts";
import { score } from "./score.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(options: JsonObject, more: Partial<PreInsertSetup> = {}) {
  const world = await openPreInsertWorld({ pre: [chosen(score, options)], ...more });
  closing.push(world.close);
  return world;
}

const tier = (name: string) => ({
  name,
  capacity: null,
  membership: "exclusive",
  indexes: ["queue", "vector", "text"],
});
const TIERED = {
  name: "hierarchical_memory",
  options: {
    collection_name: "notes",
    top_k: 5,
    tiers: [tier("stm"), tier("mtm"), tier("ltm")],
    migration_policy: "auto",
    eviction: null,
    graph: null,
    vitality: null,
  },
};

const importance = (more: JsonObject = {}): JsonObject => ({
  score_type: "importance",
  importance_prompt: "score_importance",
  scale: 10,
  high_threshold: 8,
  middle_threshold: 5,
  high_tier: "ltm",
  middle_tier: "mtm",
  ...more,
});
/** A model that gives every memory this number. */
const always = (number: number) => JSON.stringify({ importance: number });

describe("importance", () => {
  test.each([
    [9, "ltm"],
    [8, "ltm"],
    [7, "mtm"],
    [5, "mtm"],
    [4, "stm"],
  ])("[S0-29][B.0.9-19] a memory of importance %i goes to %s", async (number, tierName) => {
    const world = await open(importance(), { service: TIERED, chat: always(number) });
    const { entries, drafts } = await world.keep(["Ada and Ben got married."]);
    expect(entries[0]).toMatchObject({ importance: number / 10, tier: tierName });
    expect(drafts[0]).toMatchObject({
      insertMethod: "priority_insert",
      insertMode: tierName === "stm" ? "passive" : "active",
      insertParams: { priority: number / 10 },
    });
  });

  test("scale, thresholds and tiers each change where it goes", async () => {
    const tierOf = async (more: JsonObject) =>
      (await (await open(importance(more), { service: TIERED, chat: always(7) })).keep(["x y"])).entries[0]
        ?.tier;
    expect(await tierOf({ high_threshold: 7 })).toBe("ltm");
    expect(await tierOf({ middle_threshold: 7.5 })).toBe("stm");
    expect(await tierOf({ scale: 100 })).toBe("ltm");
    expect(await tierOf({ middle_tier: "ltm" })).toBe("ltm");
    expect(await tierOf({ high_threshold: 7, high_tier: "mtm" })).toBe("mtm");
    expect(await tierOf({ middle_tier: null })).toBe("stm");
  });

  test("[B.0.9-19] on a service without tiers the number is stored all the same, in both languages", async () => {
    const world = await open(importance({ high_tier: null, middle_tier: null }));
    const { entries } = await world.keep([
      "My mother died last week.",
      "I brushed my teeth.",
      "我妈妈上周去世了。",
      "我刷了牙。",
    ]);
    const numbers = entries.map((entry) => entry.importance ?? -1);
    expect(numbers[0]).toBeGreaterThan(numbers[1] ?? 1);
    expect(numbers[2]).toBeGreaterThan(numbers[3] ?? 1);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0.1);
  });

  test("it claims the tiers it names, and none where it names none", () => {
    const parse = (more: JsonObject) => score.claims?.(score.options.parse(importance(more)));
    expect(parse({})).toMatchObject({ abilities: ["tiers"], tiers: ["ltm", "mtm"] });
    expect(parse({ high_tier: null, middle_tier: null })?.tiers).toBeUndefined();
  });
});

describe("emotion", () => {
  const emotion = { score_type: "emotion", emotion_prompt: "score_emotion" };
  const fields = [textField("content", hashEmbedder().spaces), measureField("emotion", 8)];

  test("[S0-29][papers 9] eight numbers as a vector, the strongest as category and intensity", async () => {
    const scores = {
      joy: 1,
      acceptance: 2,
      fear: 10,
      surprise: 3,
      sadness: 1,
      disgust: 1,
      anger: 1,
      anticipation: 1,
    };
    const world = await open(emotion, { fields, chat: JSON.stringify(scores) });
    const { entries, drafts } = await world.keep(["The dog bit me."]);
    expect(entries[0]?.metadata.emotion).toEqual({ category: "fear", intensity: 1 });
    expect(drafts[0]).toMatchObject({ insertMethod: "emotion_insert" });
    expect(drafts[0]?.vectors.map(({ space }) => space)).toEqual([measureSpace("emotion"), "hash-64"]);
    expect([...(drafts[0]?.vectors[0]?.values ?? [])]).toEqual([1, 2, 10, 3, 1, 1, 1, 1]);
  });

  test("without a model: memories of one mood are near each other, in both languages", async () => {
    const world = await open(emotion, { fields });
    const { drafts, entries } = await world.keep([
      "I am so happy and glad!",
      "我非常害怕。",
      "A table has legs.",
    ]);
    expect(entries.map(({ metadata }) => metadata.emotion)).toMatchObject([
      { category: "joy" },
      { category: "fear" },
      { category: "neutral", intensity: 0 },
    ]);
    const query = {
      space: measureSpace("emotion"),
      values: drafts[1]?.vectors[0]?.values ?? new Float32Array(8),
    };
    const hits = await world.service.retrieve(parseScope("alice"), {
      vectors: [query],
      topK: 1,
      hints: { strategy: "semantic", fields: ["emotion"] },
    });
    expect(hits.map(({ content }) => content)).toEqual(["我非常害怕。"]);
  });
});

test("[B.0.2][papers 6] heat: interactions are counted into the strength that heat is computed from", async () => {
  const heat = async (turns_per_interaction: number) => {
    const world = await open(
      { score_type: "heat", turns_per_interaction },
      { input: { unit: "packet", with_speaker: true } },
    );
    return (await world.keep(["Hello", "Hi", "How are you?", "我很好。", "Fine"])).entries[0]?.strength;
  };
  expect(await heat(1)).toBe(5);
  expect(await heat(2)).toBe(3);
});

test("thresholds that nothing can lie between, or that nothing reaches, are refused", () => {
  const refused = (more: JsonObject) => score.options.safeParse(importance(more)).error?.message;
  expect(refused({ middle_threshold: 9 })).toContain("high_threshold");
  expect(refused({ high_threshold: 11 })).toContain("scale");
  expect(refused({})).toBeUndefined();
});

describe("energy", () => {
  const energy = (more: JsonObject = {}): JsonObject => ({
    score_type: "energy",
    importance_prompt: "score_importance",
    ask_above: 0.7,
    model_share: 0.6,
    roles: { assistant: 0.6 },
    sources: { explicit: 1 },
    front_from: 0.5,
    front_tier: null,
    rest_tier: null,
    ...more,
  });
  const PLAIN = "the leaves on the trees turn yellow and fall down in autumn";
  const RICH = "Important: Anna Smith and Tom Jones of Dublin pay 45 euros, remember it.";
  const energyOf = async (text: string, more: JsonObject = {}, chat?: string) => {
    const world = await open(energy(more), chat === undefined ? {} : { chat });
    return (await world.keep([text])).entries[0]?.energyAnchor?.value;
  };

  test("[S4-15][B.4] length, names, figures and signal words tell, in both languages", async () => {
    expect(await energyOf(PLAIN)).toBeCloseTo(0.6);
    expect(await energyOf("ok")).toBeCloseTo(0.3);
    expect(await energyOf("好的")).toBeCloseTo(0.3);
    expect(await energyOf("秋天的时候，树上的叶子慢慢变黄，然后一片一片地落到地上。")).toBeCloseTo(0.6);
    expect(await energyOf(RICH)).toBeGreaterThan(0.85);
    expect(await energyOf("重要：音乐会的票要45元，千万别忘了明天带到学校来给老师。")).toBeGreaterThanOrEqual(
      0.85,
    );
  });

  test("[B.4] ask_above and model_share: what is high is mixed with the model's number", async () => {
    const alone = (await energyOf(RICH)) ?? 0;
    expect(await energyOf(RICH, {}, always(2))).toBeCloseTo(0.4 * alone + 0.6 * 0.2, 3);
    expect(await energyOf(RICH, { model_share: 1 }, always(2))).toBeCloseTo(0.2);
    expect(await energyOf(RICH, { ask_above: null }, always(2))).toBeCloseTo(alone);
    expect(await energyOf(PLAIN, { ask_above: 0.5 }, always(10))).toBeCloseTo(0.84);
  });

  test("[B.4] roles: what the assistant says has an energy of its own", async () => {
    const world = await open(energy());
    const { entries } = await world.keep([{ text: "ok", role: "assistant" }]);
    expect(entries[0]?.energyAnchor?.value).toBe(0.6);
  });

  test("[S4-16] front_from, front_tier and rest_tier: much energy goes to the front", async () => {
    const placed = energy({ front_tier: "mtm", rest_tier: "ltm" });
    const world = await open(placed, { service: TIERED });
    const { entries } = await world.keep([PLAIN, "ok"]);
    expect(entries.map(({ tier: name }) => name)).toEqual(["mtm", "ltm"]);
    const high = await open({ ...placed, front_from: 0.9 }, { service: TIERED });
    expect((await high.keep([PLAIN])).entries[0]?.tier).toBe("ltm");
    expect(score.claims?.(score.options.parse(placed))).toMatchObject({ tiers: ["mtm", "ltm"] });
  });
});
