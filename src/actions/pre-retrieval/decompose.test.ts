import { afterEach, expect, test } from "vitest";
import { openRetrievalWorld, type RetrievalSetup } from "../../testing/retrieval-world.ts";
import { decompose } from "./decompose.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
async function open(options: object, setup: Partial<RetrievalSetup> = {}) {
  const world = await openRetrievalWorld({ ...setup, pre: [{ action: decompose, options: { ...options } }] });
  closers.push(world.close);
  await world.say([
    "Mia lives in Berlin.",
    "Ann taught her the violin.",
    "小美住在上海。",
    "王芳教她小提琴。",
  ]);
  return world;
}

const rule = { decompose_strategy: "rule", max_sub_queries: 5, order: "parallel", keep_original: false };
const llm = { ...rule, decompose_strategy: "llm", prompt: "decompose_query", without_model: "rules" };
const EN = "Where does Mia live and who taught her the violin?";
const ZH = "小美住在哪里，以及谁教她小提琴？";
const queries = ({ question }: { question: { queries: readonly { text: string }[] } }) =>
  question.queries.map(({ text }) => text);

test("[S0-37] [B.0.9-3] every part is searched for, in English and Chinese", async () => {
  const world = await open(rule);
  const english = await world.ask(EN);
  expect(queries(english)).toEqual(["Where does Mia live?", "who taught her the violin?"]);
  expect(english.lists).toHaveLength(2);
  expect(english.hits.map(({ text }) => text)).toEqual(
    expect.arrayContaining(["Mia lives in Berlin.", "Ann taught her the violin."]),
  );
  const chinese = await world.ask(ZH);
  expect(queries(chinese)).toEqual(["小美住在哪里？", "谁教她小提琴？"]);
  expect(chinese.hits).toHaveLength(2);
});

test("max_sub_queries, keep_original and order do what they say", async () => {
  const three = "Who sings? Who dances? Who cooks?";
  expect(queries(await (await open({ ...rule, max_sub_queries: 2 })).ask(three))).toHaveLength(2);
  expect(queries(await (await open({ ...rule, keep_original: true })).ask(EN))[0]).toBe(EN);
  expect((await (await open(rule)).ask(EN)).question.order).toBe("parallel");
  const inTurn = await (await open({ ...rule, order: "sequential" })).ask(EN);
  expect(inTurn.question.order).toBe("sequential");
  expect(inTurn.lists[1]?.query.text).toBe("who taught her the violin? Mia Berlin");
});

test("a simple question stays one", async () => {
  const world = await open({ ...rule, keep_original: true });
  expect(queries(await world.ask("Where is Mia?"))).toEqual(["Where is Mia?"]);
});

test("llm asks the model by the prompt that is named; hybrid only where rules find nothing to cut", async () => {
  const setup = {
    chat: JSON.stringify({ sub_queries: ["Who is Mia's teacher?", "Where does that teacher live?"] }),
    promptFiles: { my_parts: "CUT into {{limit}}.\n---\n{{dialogue}}\n{{question}}" },
  };
  const model = await open({ ...llm, prompt: "my_parts" }, setup);
  expect(queries(await model.ask(EN))).toEqual(["Who is Mia's teacher?", "Where does that teacher live?"]);
  expect(model.asked()).toContain("CUT into 5");

  const hybrid = await open({ ...llm, decompose_strategy: "hybrid", prompt: "my_parts" }, setup);
  expect(queries(await hybrid.ask(EN))).toEqual(["Where does Mia live?", "who taught her the violin?"]);
  expect(hybrid.asked()).toBe("[]");
  expect(queries(await hybrid.ask("Where does the teacher of Mia live?"))[0]).toBe("Who is Mia's teacher?");
});

test("a bad reply is answered by rules or thrown, as the preset says", async () => {
  const lenient = await open(llm, { chat: "no JSON at all" });
  expect(queries(await lenient.ask(EN))).toHaveLength(2);
  const strict = await open(llm, { chat: "no JSON at all", onBadReply: "throw" });
  await expect(strict.ask(EN)).rejects.toMatchObject({ code: "reply_invalid" });
});

test("where the model does not answer, the question is left whole if the preset says so", async () => {
  for (const decompose_strategy of ["llm", "hybrid"]) {
    const whole = { ...llm, decompose_strategy, without_model: "whole" };
    // Rules are hybrid's first choice, whether there is a model or not.
    const expected = decompose_strategy === "llm" ? 1 : 2;
    for (const setup of [{}, { chat: "no JSON at all" }]) {
      const world = await open(whole, setup);
      expect(queries(await world.ask(EN))).toHaveLength(expected);
      expect(queries(await world.ask(ZH))).toHaveLength(expected);
      expect(queries(await world.ask("Where is Mia?"))).toEqual(["Where is Mia?"]);
    }
  }
});

test("the model is told when it is asked and what was said before, and may say one question more clearly", async () => {
  const clear = "What did Mia buy on 30 April 2026?";
  const chat = JSON.stringify({ sub_queries: [clear] });
  const asked = {
    text: "What did she buy yesterday?",
    at: Date.UTC(2026, 4, 1, 12),
    zone: "Asia/Shanghai",
    talk: [{ speaker: "Ben", text: "Mia was in town.", captions: [] }],
  };
  const both = await open({ ...llm, keep_original: true }, { chat });
  expect(queries(await both.ask(asked))).toEqual([asked.text, clear]);
  expect(both.asked()).toContain("[2026-05-01T20:00+08:00] What did she buy yesterday?");
  expect(both.asked()).toContain("[0] Ben: Mia was in town.");
  expect(queries(await (await open(llm, { chat })).ask(asked))).toEqual([clear]);
});

test("it claims its prompt, and that vectors must be made after it", () => {
  const claims = (options: object) => decompose.claims?.(decompose.options.parse(options));
  expect(claims(rule)).toEqual({ newQueries: true });
  expect(claims({ ...llm, prompt: "p" })?.prompts?.[0]?.prompt).toBe("p");
});
