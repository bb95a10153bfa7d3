import { afterEach, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { filterFacts } from "../../tasks/filter-facts.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { promptVariants } from "../../testing/prompt-variant.ts";
import { openRecallWorld, type RecallSetup } from "../../testing/recall-world.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";
import { factFilter } from "./fact-filter.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const BASE = { max_facts: 5, passage_weight: 0.05, filter_prompt: "filter_facts" };
const facts = (...triples: readonly (readonly [string, string, string])[]) => ({
  metadata: { triples: triples.map(([subject, relation, object]) => ({ subject, relation, object })) },
});

async function recall(
  options: JsonObject,
  setup: RecallSetup = {},
  question = "Where was the violin bought?",
) {
  const world = await openRecallWorld([chosen(factFilter, { ...BASE, ...options })], setup);
  closing.push(world.close);
  await world.add("passage without facts", 0);
  await world.add("tea", 10, facts(["Ada", "drinks", "tea"]));
  await world.add("violin", 30, facts(["小明", "买了", "小提琴"], ["小明", "bought a violin in", "上海"]));
  await world.add("violin again", 60, facts([" 小明 ", "Bought a violin in", "上海"]));
  const found = await world.ask(question);
  return { ...found, texts: found.hits.map(({ text }) => text), notes: found.stages.at(-2)?.notes };
}

async function keeping(...keep: readonly number[]) {
  const scripted = await scriptedModel(JSON.stringify({ keep }));
  closing.push(scripted.close);
  return scripted;
}

test("papers.md §1: hits whose facts survive come first, the share of facts they hold plus 0.05 of their nearness", async () => {
  const { model, server } = await keeping(0);
  const { texts, hits, notes } = await recall({}, { model });
  expect(texts).toEqual(["violin", "violin again", "passage without facts", "tea"]);
  expect(notes).toEqual({ facts: { shown: 3, kept: 1 } });
  expect(hits[0]?.scoreParts.facts).toBe(1);
  expect(hits[1]?.score).toBe(1);
  expect(hits[2]?.scoreParts).toMatchObject({ facts: 0, passage: 0.05 });
  expect(JSON.stringify(server.requests[0]?.body)).toContain("[0] 小明 bought a violin in 上海");
});

test("papers.md §1: it falls back to the order as it was if and only if nothing survives", async () => {
  const none = await recall({}, { model: (await keeping()).model });
  expect(none.texts).toEqual(["passage without facts", "tea", "violin", "violin again"]);
  expect(none.hits[0]?.score).toBeCloseTo(1, 5);
  expect((await recall({}, { model: (await keeping(1)).model })).texts[0]).toBe("tea");
});

test("max_facts bounds what is shown, passage_weight says what nearness counts", async () => {
  const { notes } = await recall({ max_facts: 1 }, { model: (await keeping(0)).model });
  expect(notes).toEqual({ facts: { shown: 1, kept: 1 } });
  const near = await recall({ passage_weight: 5 }, { model: (await keeping(0)).model });
  expect(near.texts[0]).toBe("passage without facts");
});

test("papers.md §18 B1: the facts that are shown are those nearest to the question, not those of the first hits", async () => {
  const { server, model } = await keeping(0);
  expect((await recall({ max_facts: 1 }, { model })).texts[0]).toBe("violin");
  expect(JSON.stringify(server.requests[0]?.body)).not.toContain("drinks");
  const chinese = await keeping(0);
  await recall({ max_facts: 1 }, { model: chinese.model }, "小提琴是谁买了？");
  expect(JSON.stringify(chinese.server.requests[0]?.body)).toContain("[0] 小明 买了 小提琴");
});

test("without a model shared words decide, in Chinese, too", async () => {
  expect((await recall({})).texts[0]).toBe("violin");
  expect((await recall({}, {}, "小提琴是谁买的？")).texts[0]).toBe("violin");
  expect((await recall({}, {}, "Who ran a marathon?")).texts[0]).toBe("passage without facts");
});

test("a bad reply falls back or is thrown, as the preset says", async () => {
  for (const onBadReply of ["fallback", "throw"] as const) {
    // There is no fact with this number.
    const { model } = await keeping(9);
    const run = recall({}, { model, onBadReply });
    if (onBadReply === "throw") await expect(run).rejects.toMatchObject({ code: "reply_invalid" });
    else expect((await run).texts[0]).toBe("violin");
  }
});

test("the prompt is the one that the preset names", async () => {
  const own = await promptVariants({ recognise: filterFacts });
  const { model, server } = await keeping(0);
  closing.push(own.close);
  await recall({ filter_prompt: "recognise" }, { model, prompts: own.prompts });
  expect(JSON.stringify(server.requests[0]?.body)).toContain("This is recognise.");
  expect(factFilter.claims?.({ ...BASE, filter_prompt: "recognise" })?.prompts).toMatchObject([
    { prompt: "recognise" },
  ]);
});
