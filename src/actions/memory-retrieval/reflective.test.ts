import { afterEach, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { loadPreset } from "../../preset/load.ts";
import { hashEmbedder } from "../../testing/hash-embedder.ts";
import { openPresetWorld, type Replies } from "../../testing/preset-world.ts";
import { reflective } from "./reflective.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const OPTIONS: JsonObject = {
  top_k: 1,
  fusion: { strategy: "union" },
  max_rounds: 2,
  max_queries: 3,
  reflect_top_k: 1,
  parallel_searches: 8,
  completeness_prompt: "check_completeness",
  missing_prompt: "missing_queries",
};
const check = (assessment: string): JsonObject => ({
  assessment,
  reasoning: "",
  missing_info_types: assessment === "complete" ? [] : ["more"],
  coverage_percentage: 50,
});
const TURNS = ["red apple", "green pear", "blue plum", "white rose"];

async function recall(options: JsonObject, replies: Replies, said: readonly string[] = TURNS) {
  const dense = await loadPreset("dense");
  const parsed = { ...OPTIONS, ...options };
  const claims = reflective.claims?.(reflective.options.parse(parsed)) ?? {};
  const memory_retrieval = [{ action: "reflective", options: parsed, claims, path: [] }];
  const preset = { ...dense, stages: { ...dense.stages, memory_retrieval } };
  const world = await openPresetWorld(preset, { replies, embedder: hashEmbedder() });
  closing.push(world.close);
  await world.say(said);
  const { hits } = await world.ask("red apple");
  return { texts: hits.map(({ content }) => content), calls: world.calls() };
}

const missing = (...targeted_queries: string[]) => ({ missing_analysis: "", targeted_queries });

test("[S2-30] what is missing is searched by meaning and put behind", async () => {
  const replies = {
    check_completeness: [check("incomplete"), check("complete")],
    missing_queries: missing("green pear", "white rose"),
  };
  expect(await recall({}, replies)).toEqual({
    texts: ["red apple", "green pear", "white rose"],
    calls: ["check_completeness", "missing_queries", "check_completeness"],
  });
});

test("max_rounds, max_queries and reflect_top_k bound it; top_k is of the first search", async () => {
  const replies = {
    check_completeness: check("incomplete"),
    missing_queries: [missing("green pear", "blue plum"), missing("white rose")],
  };
  expect((await recall({}, replies)).texts).toHaveLength(4);
  expect((await recall({ max_rounds: 1 }, replies)).texts).toHaveLength(3);
  expect((await recall({ max_rounds: 1, max_queries: 1 }, replies)).texts).toHaveLength(2);
  expect((await recall({ max_rounds: 1, max_queries: 1, reflect_top_k: 4 }, replies)).texts).toHaveLength(4);
  expect((await recall({ top_k: 4 }, { check_completeness: check("complete") })).texts).toHaveLength(4);
});

test("[papers B11] where nothing was found there is nothing to reflect on", async () => {
  expect(await recall({}, { check_completeness: check("incomplete") }, [])).toEqual({ texts: [], calls: [] });
});

test("what it needs of a preset", () => {
  const claims = reflective.claims?.(reflective.options.parse({ ...OPTIONS, missing_prompt: "mine" }));
  expect(claims).toMatchObject({
    asksQueryVector: true,
    hints: [{ strategy: "semantic" }],
    prompts: [{ prompt: "check_completeness" }, { prompt: "mine" }],
  });
});
