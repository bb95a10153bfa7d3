import { afterEach, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { parseScope } from "../../base/scope.ts";
import { checkCompleteness } from "../../tasks/check-completeness.ts";
import { missingQueries } from "../../tasks/missing-queries.ts";
import type { SeenRequest } from "../../testing/model-server.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { promptVariants } from "../../testing/prompt-variant.ts";
import { openRecallWorld, type RecallSetup } from "../../testing/recall-world.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";
import { reflect } from "./reflect.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const BASE = {
  max_rounds: 2,
  max_queries: 3,
  top_k: 25,
  completeness_prompt: "check_completeness",
  missing_prompt: "missing_queries",
};
const SERVICE = { name: "neuromem_vdb", options: { collection_name: "memories", top_k: 1, vitality: null } };

async function recall(options: JsonObject, setup: RecallSetup = {}) {
  const world = await openRecallWorld([chosen(reflect, { ...BASE, ...options })], {
    service: SERVICE,
    ...setup,
  });
  closing.push(world.close);
  await world.add("Ada has a dog", 0);
  await world.add("Her dog is called Rex", 80);
  await world.add("Rex eats 面条 every Sunday", 85);
  await world.service.insert(parseScope("bob"), { content: "Bob's dog is called Max" });
  const found = await world.ask("What is Ada's dog called?");
  return { ...found, texts: found.hits.map(({ text }) => text), rounds: found.stages.at(-2)?.notes.rounds };
}

const isCheck = ({ body }: SeenRequest): boolean => JSON.stringify(body).includes("missing_info_types");

/** Complete from the given check on; asks for these words. */
async function model(completeAt: number, queries: readonly string[]) {
  let checks = 0;
  const scripted = await scriptedModel((request) => {
    if (!isCheck(request)) return JSON.stringify({ missing_analysis: "", targeted_queries: queries });
    checks += 1;
    const assessment = checks >= completeAt ? "complete" : "incomplete";
    return JSON.stringify({
      assessment,
      reasoning: "",
      missing_info_types: ["name"],
      coverage_percentage: 50,
    });
  });
  closing.push(scripted.close);
  return scripted;
}

test("[S2-30][S0-14][S0-39] what is missing is searched for by words, and joins behind in the order it was seen", async () => {
  const { model: thinks, server } = await model(2, ["dog called"]);
  const { texts, rounds } = await recall({}, { model: thinks });
  expect(texts).toEqual(["Ada has a dog", "Her dog is called Rex"]);
  expect(rounds).toEqual([
    { assessment: "incomplete", coverage: 50, queries: ["dog called"], added: 1 },
    { assessment: "complete", coverage: 50, queries: [], added: 0 },
  ]);
  expect(server.requests).toHaveLength(3);
});

test("papers.md §14: it stops on complete before round 2, and a complete list costs one call", async () => {
  const { model: thinks, server } = await model(1, ["dog"]);
  expect((await recall({}, { model: thinks })).texts).toEqual(["Ada has a dog"]);
  expect(server.requests).toHaveLength(1);
});

test("max_rounds, max_queries and top_k each bound it; where nothing new comes, it stops", async () => {
  const never = () => model(99, ["dog called", "Rex 面条"]);
  const all = await recall({ max_rounds: 5 }, { model: (await never()).model });
  expect(all.texts).toHaveLength(3);
  expect(all.rounds).toHaveLength(2);
  const one = await recall({ max_rounds: 1 }, { model: (await never()).model });
  expect(one.rounds).toHaveLength(1);
  const query = await recall(
    { max_rounds: 1, max_queries: 1 },
    { model: (await model(99, ["Sunday", "called"])).model },
  );
  expect(query.texts).toEqual(["Ada has a dog", "Rex eats 面条 every Sunday"]);
  const few = await recall({ max_rounds: 1, top_k: 1 }, { model: (await model(99, ["Rex"])).model });
  expect(few.texts).toHaveLength(2);
});

test("what a plan wanted is held against what was found", async () => {
  const { model: thinks, server } = await model(1, []);
  await recall({}, { model: thinks, question: { wanted: ["the name of the dog"], entities: ["Ada"] } });
  expect(JSON.stringify(server.requests[0]?.body)).toContain("the name of the dog");
});

test("without a model it works by words, in Chinese, too", async () => {
  expect((await recall({})).texts).toContain("Her dog is called Rex");
  const world = await openRecallWorld([chosen(reflect, BASE)], { service: SERVICE });
  closing.push(world.close);
  await world.add("小明有一只狗", 0);
  await world.add("小明的狗叫旺财", 80);
  expect((await world.ask("小明的狗叫什么名字？")).hits.map(({ text }) => text)).toContain("小明的狗叫旺财");
});

test("the question's filter holds for what is searched for again", async () => {
  const { model: thinks } = await model(99, ["dog called Rex"]);
  const filter = { op: "not", filter: { op: "contains", field: "content", value: "called" } } as const;
  expect((await recall({}, { model: thinks, question: { filter } })).texts).not.toContain(
    "Her dog is called Rex",
  );
});

test("a bad reply falls back or is thrown, as the preset says", async () => {
  for (const onBadReply of ["fallback", "throw"] as const) {
    const { model: thinks, close } = await scriptedModel("hm");
    closing.push(close);
    const run = recall({}, { model: thinks, onBadReply });
    if (onBadReply === "throw") await expect(run).rejects.toMatchObject({ code: "reply_invalid" });
    else expect((await run).texts[0]).toBe("Ada has a dog");
  }
});

test("the prompts are those that the preset names, and it claims them", async () => {
  const own = await promptVariants({ my_check: checkCompleteness, my_queries: missingQueries });
  closing.push(own.close);
  const scripted = await scriptedModel(({ body }) =>
    JSON.stringify(body).includes("This is my_check.")
      ? '{"assessment": "incomplete", "missing_info_types": [], "coverage_percentage": 1}'
      : '{"targeted_queries": ["nothing"]}',
  );
  closing.push(scripted.close);
  const options = { completeness_prompt: "my_check", missing_prompt: "my_queries" };
  await recall(options, { model: scripted.model, prompts: own.prompts });
  expect(JSON.stringify(scripted.server.requests[1]?.body)).toContain("This is my_queries.");
  expect(reflect.claims?.({ ...BASE, ...options })).toMatchObject({
    abilities: ["text"],
    hints: [{ strategy: "lexical", names: [] }],
    prompts: [{ prompt: "my_check" }, { prompt: "my_queries" }],
  });
});
