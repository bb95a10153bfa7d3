import { afterEach, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { openPreInsertWorld, type PreInsertSetup } from "../../testing/pre-insert-world.ts";
import { judgeMemories } from "./judge-memories.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(more: JsonObject = {}, setup: Partial<PreInsertSetup> = {}) {
  const options = { judge_prompt: "judge_memories", max_tags: 12, strength: 10, ...more };
  const world = await openPreInsertWorld({ pre: [chosen(judgeMemories, options)], ...setup });
  closing.push(world.close);
  return world;
}
const memories = (...all: JsonObject[]) => JSON.stringify({ memories: all });
const one = (more: JsonObject = {}): JsonObject => ({
  type: "event",
  judgment: "Ada won the race.",
  reasoning: "Ada said so.",
  tags: ["Ada", "race", "run"],
  sources: [0],
  ...more,
});

test("[S3-9][B.3] max_tags and strength count; types are known by their Chinese names, and what is none is knowledge", async () => {
  const chat = memories(
    one(),
    one({ type: "技能记忆", judgment: "Ada runs well." }),
    one({ type: "x", judgment: "Ada is fast." }),
  );
  const { entries } = await (await open({ max_tags: 2, strength: 7 }, { chat })).keep([
    { text: "I won!", speaker: "Ada" },
  ]);
  expect(entries.map(({ kind }) => kind)).toEqual(["event", "skill", "knowledge"]);
  expect(entries[0]).toMatchObject({ tags: ["Ada", "race"], strength: 7, rationale: "Ada said so." });
});

test("without a model: what was said is the reason, its names and words the tags; small talk makes nothing", async () => {
  const world = await open();
  const { entries } = await world.keep([
    { text: "I bought a red kite in Utrecht.", speaker: "Ada" },
    { text: "Thanks!", speaker: "Ben" },
    { text: "我的狗叫旺财。", speaker: "小明" },
  ]);
  expect(entries).toHaveLength(2);
  expect(entries[0]).toMatchObject({ kind: "event", rationale: 'Ada: "I bought a red kite in Utrecht."' });
  expect(entries[0]?.tags).toEqual(expect.arrayContaining(["Ada", "Utrecht", "kite"]));
  expect(entries[1]?.tags).toEqual(expect.arrayContaining(["小明", "旺财"]));
});

test("judge_prompt: another prompt asks the model, and is declared", () => {
  const options = judgeMemories.options.parse({ judge_prompt: "mine", max_tags: 1, strength: 0 });
  expect(judgeMemories.claims?.(options)).toMatchObject({ prompts: [{ prompt: "mine" }] });
});
