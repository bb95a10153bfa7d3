/** SimpleMemory: judgments of five types, found by the tags that stand in the question, without any vector. */
import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { PUBLIC, parseScope } from "../../src/base/scope.ts";
import type { NewTurn } from "../../src/base/turn.ts";
import { ALICE, openPresetWorld, type PresetWorldOptions } from "../../src/testing/preset-world.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(options: PresetWorldOptions = {}) {
  const world = await openPresetWorld("simple_memory", { embedder: undefined, ...options });
  closing.push(world.close);
  return world;
}
type World = Awaited<ReturnType<typeof open>>;

const DAY = 86_400_000;
const said = (speaker: string, text: string): NewTurn => ({ speaker, text });
const ENGLISH = [
  said("Mia", "My dog Rex is afraid of thunder."),
  said("Ben", "Poor Rex! I adopted a cat yesterday."),
  said("Mia", "I will bring the tent to the camping trip on Friday."),
  said("Ben", "I am so happy about the trip!"),
  said("Mia", "First boil the water, then add the noodles."),
  said("Ben", "Thanks!"),
];
const CHINESE = [
  said("小明", "我的狗叫旺财，它很怕打雷。"),
  said("小红", "昨天我去了北京的动物园。"),
  said("小明", "我打算周五带帐篷去露营。"),
  said("小红", "太好了！"),
];

const judged = (judgment: string, tags: readonly string[], more: JsonObject = {}): JsonObject => ({
  type: "knowledge",
  judgment,
  reasoning: "It was said.",
  tags: [...tags],
  sources: [0],
  ...more,
});
/** A memory as the agent itself would write it. */
async function put(world: World, content: string, tags: readonly string[], more: JsonObject = {}) {
  const id = await world.memory().service.insert(ALICE, { content, tags, ...more });
  return id;
}
const found = async (world: World, text: string, scope = ALICE) =>
  (await world.ask(text, scope)).hits.map(({ content }) => content);

describe("what is stored", () => {
  test("[S3-9][B.3] with a model: type, judgment, reason, tags and strength, and the turns they come from", async () => {
    const memories = [
      judged("Rex, Mia's dog, is afraid of thunder.", ["Rex", "thunder"], { reasoning: "Mia said so." }),
      judged("Mia brings the tent.", ["tent", "camping"], { type: "任务记忆", sources: [2] }),
      judged("Ben likes riddles.", ["riddle"], { type: "nonsense", sources: [3] }),
    ];
    const world = await open({ replies: { judge_memories: { memories } } });
    await world.say(ENGLISH);
    expect(world.calls()).toEqual(["judge_memories"]);
    const entries = await world.entries();
    expect(entries.map(({ kind }) => kind)).toEqual(["knowledge", "task", "knowledge"]);
    expect(entries[0]).toMatchObject({
      content: "Rex, Mia's dog, is afraid of thunder.",
      rationale: "Mia said so.",
      tags: ["Rex", "thunder"],
      strength: 10,
      pinned: false,
    });
    expect(entries[0]?.sources).toHaveLength(1);
  });

  test("[S3-1] without a model, English: five types by rules; the reason is what was said; nothing has a vector", async () => {
    const world = await open();
    await world.say(ENGLISH);
    const entries = await world.entries();
    const kindOf = (part: string) => entries.find(({ content }) => content.includes(part))?.kind;
    expect(kindOf("afraid")).toMatch(/emotional|knowledge/);
    expect(kindOf("adopted")).toBe("event");
    expect(kindOf("tent")).toBe("task");
    expect(kindOf("happy")).toBe("emotional");
    expect(kindOf("noodles")).toBe("skill");
    expect(entries.find(({ content }) => content.includes("tent"))?.rationale).toMatch(/^Mia: "I will bring/);
    expect((await world.memory().service.stats()).indexes.some(({ kind }) => kind.startsWith("vector"))).toBe(
      false,
    );
    const { hits, context } = await world.ask("What is rex afraid of?");
    expect(hits[0]?.content).toContain("thunder");
    expect(context).toMatch(/^1\. \[(?:emotional|knowledge)\] /);
  });

  test("[S3-1] without a model, Chinese", async () => {
    const world = await open();
    await world.say(CHINESE);
    const entries = await world.entries();
    expect(entries.find(({ content }) => content.includes("帐篷"))?.kind).toBe("task");
    expect(entries.find(({ content }) => content.includes("动物园"))?.kind).toBe("event");
    expect(entries.every(({ tags }) => tags.length > 0)).toBe(true);
    expect((await found(world, "旺财怕什么？"))[0]).toContain("打雷");
  });

  test("Chinese with a model: asked in Chinese", async () => {
    const replies = { judge_memories: { memories: [judged("旺财怕打雷。", ["旺财"], { type: "情感" })] } };
    const world = await open({ replies });
    await world.say(CHINESE);
    expect(JSON.stringify(world.requests[0]?.body.messages)).toContain("论断");
    expect((await world.entries())[0]).toMatchObject({ kind: "emotional", tags: ["旺财"] });
  });
});

describe("what is found", () => {
  test("[S3-20][S3-21] two tags beat one; no tag, nothing", async () => {
    const world = await open();
    await put(world, "小明喜欢吃辣。", ["小明"]);
    await put(world, "小明请大家吃火锅。", ["小明", "火锅"]);
    await put(world, "周报每周五交。", ["周报"]);
    expect(await found(world, "小明说晚上去吃火锅")).toEqual(["小明请大家吃火锅。", "小明喜欢吃辣。"]);
    expect(await found(world, "今天天气怎么样？")).toEqual([]);
  });

  test("[S3-20][B.3] then the newer day, then the greater strength, then the newer moment", async () => {
    const world = await open();
    await put(world, "old and strong", ["tea"], { strength: 90 });
    world.clock.advance(DAY);
    await put(world, "weak", ["tea"], { strength: 1 });
    world.clock.advance(1000);
    await put(world, "strong", ["tea"], { strength: 5 });
    world.clock.advance(1000);
    await put(world, "weak, later", ["tea"], { strength: 1 });
    await put(world, "two tags", ["tea", "milk"], { strength: 0 });
    expect(await found(world, "tea with milk")).toEqual([
      "two tags",
      "strong",
      "weak, later",
      "weak",
      "old and strong",
    ]);
    const { hits } = await world.ask("tea with milk");
    expect(hits[0]?.scoreParts).toMatchObject({ hits: 2, strength: 0 });
  });

  test("[S3-22][S3-23] public sees public alone, a scope itself and public", async () => {
    const world = await open();
    const service = world.memory().service;
    await service.insert(PUBLIC, { content: "public tea", tags: ["tea"] });
    await service.insert(ALICE, { content: "alice's tea", tags: ["tea"] });
    expect(await found(world, "tea", PUBLIC)).toEqual(["public tea"]);
    expect((await found(world, "tea")).toSorted()).toEqual(["alice's tea", "public tea"]);
    expect(await found(world, "tea", parseScope("bob"))).toEqual(["public tea"]);
  });

  test("[S3-16] what is deleted is found no more", async () => {
    const world = await open();
    const id = await put(world, "green tea", ["tea"]);
    expect(await found(world, "tea")).toEqual(["green tea"]);
    await world.memory().service.delete(ALICE, id);
    expect(await found(world, "tea")).toEqual([]);
  });
});

test("[S3-27][B.3] what was useful gains 3; the sweep retires what has no strength, but never what is pinned", async () => {
  const world = await open();
  const { service } = world.memory();
  await put(world, "useful", ["tea"], { strength: 10 });
  await put(world, "spent", ["tea"], { strength: 0 });
  await put(world, "deliberate", ["tea"], { strength: 0, pinned: true });
  const { hits } = await world.ask("tea");
  await service.feedback(
    ALICE,
    hits.filter(({ content }) => content === "useful"),
    1,
  );
  const strengths = new Map((await world.entries()).map(({ content, strength }) => [content, strength]));
  expect(strengths.get("useful")).toBe(13);
  const { options } = world.preset.stages.post_insert[0]!;
  const { every_turns: _every, ...config } = options;
  await service.optimize(ALICE, { trigger: "forgetting", config });
  expect((await found(world, "tea")).toSorted()).toEqual(["deliberate", "useful"]);
});
