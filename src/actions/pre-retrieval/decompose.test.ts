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
    promptFiles: { my_parts: "CUT into {{limit}}.\n---\n{{question}}" },
  };
  const llm = await open({ ...rule, decompose_strategy: "llm", prompt: "my_parts" }, setup);
  expect(queries(await llm.ask(EN))).toEqual(["Who is Mia's teacher?", "Where does that teacher live?"]);
  expect(llm.asked()).toContain("CUT into 5");

  const hybrid = await open({ ...rule, decompose_strategy: "hybrid", prompt: "my_parts" }, setup);
  expect(queries(await hybrid.ask(EN))).toEqual(["Where does Mia live?", "who taught her the violin?"]);
  expect(hybrid.asked()).toBe("[]");
  expect(queries(await hybrid.ask("Where does the teacher of Mia live?"))[0]).toBe("Who is Mia's teacher?");
});

test("a bad reply is answered by rules or thrown, as the preset says", async () => {
  const llm = { ...rule, decompose_strategy: "llm", prompt: "decompose_query" };
  const lenient = await open(llm, { chat: "no JSON at all" });
  expect(queries(await lenient.ask(EN))).toHaveLength(2);
  const strict = await open(llm, { chat: "no JSON at all", onBadReply: "throw" });
  await expect(strict.ask(EN)).rejects.toMatchObject({ code: "reply_invalid" });
});

test("it claims its prompt, and that vectors must be made after it", () => {
  const claims = (options: object) => decompose.claims?.(decompose.options.parse(options));
  expect(claims(rule)).toEqual({ newQueries: true });
  expect(claims({ ...rule, decompose_strategy: "llm", prompt: "p" })?.prompts?.[0]?.prompt).toBe("p");
});
