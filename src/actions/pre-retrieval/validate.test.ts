import { afterEach, describe, expect, test } from "vitest";
import { openRetrievalWorld } from "../../testing/retrieval-world.ts";
import { decompose } from "./decompose.ts";
import { validateQuery } from "./validate.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const plain = {
  preprocessing: { strip: false, normalise: false, lowercase: false },
  validation_rules: [] as object[],
  on_fail: "skip",
  default_query: null as string | null,
};

async function open(
  options: Partial<typeof plain>,
  before: { action: typeof decompose; options: object }[] = [],
) {
  const world = await openRetrievalWorld({
    pre: [
      ...before.map(({ action, options: given }) => ({ action, options: { ...given } })),
      { action: validateQuery, options: JSON.parse(JSON.stringify({ ...plain, ...options })) },
    ],
  });
  closers.push(world.close);
  await world.say(["Mia moved to Berlin.", "小美搬到了上海。"]);
  return world;
}

const query = ({ question }: { question: { queries: readonly { text: string }[] } }) =>
  question.queries[0]?.text;

describe("rules", () => {
  test("[S0-37] length counts characters, in English and Chinese", async () => {
    const world = await open({ validation_rules: [{ rule: "length", min_chars: 3, max_chars: 8 }] });
    expect((await world.ask("Mia?")).question.skip).toBeNull();
    expect((await world.ask("??")).question.skip).toContain("fewer than 3");
    expect((await world.ask("Who is Mia?")).question.skip).toContain("more than 8");
    expect((await world.ask("小美在哪里？")).question.skip).toBeNull();
    expect((await world.ask("𠮷𠮷")).question.skip).toContain("2 characters");
  });

  test("language is told by the script", async () => {
    const world = await open({ validation_rules: [{ rule: "language", allowed: ["zh"] }] });
    expect((await world.ask("小美在哪里？")).question.skip).toBeNull();
    expect((await world.ask("Where is Mia?")).question.skip).toContain("language en");
  });

  test("blacklist: whole words, whatever case, width and script, and they are not repeated", async () => {
    const world = await open({ validation_rules: [{ rule: "blacklist", words: ["bomb", "炸彈"] }] });
    expect((await world.ask("How is a BOMB made?")).question.skip).toBe(
      "validate: blacklist: it holds a forbidden word",
    );
    expect((await world.ask("Ｂｏｍｂ")).question.skip).not.toBeNull();
    expect((await world.ask("怎么做炸弹？")).question.skip).not.toBeNull();
    expect((await world.ask("Who is a bombardier?")).question.skip).toBeNull();
  });
});

describe("on_fail", () => {
  const validation_rules = [{ rule: "language", allowed: ["en"] }];

  test("[B.0.9-2] skip: nothing is looked for, and the question says why", async () => {
    const { hits, question, stages } = await (await open({ validation_rules })).ask("小美");
    expect(hits).toEqual([]);
    expect(question.skip).toMatch(/^validate: language/);
    expect(stages.at(-1)?.stage).toBe("pre_retrieval");
  });

  test("error: the call fails, and says why", async () => {
    const world = await open({ validation_rules, on_fail: "error" });
    await expect(world.ask("小美")).rejects.toMatchObject({
      code: "input_invalid",
      message: expect.stringContaining("not in en"),
    });
  });

  test("default: something else is searched for", async () => {
    const world = await open({ validation_rules, on_fail: "default", default_query: "Berlin" });
    expect((await world.ask("小美")).hits.map(({ text }) => text)).toEqual(["Mia moved to Berlin."]);
    await expect(open({ on_fail: "default" })).rejects.toThrow("default_query");
    await expect(open({ default_query: "x" })).rejects.toThrow("default_query");
  });

  test("of several queries only those that break a rule are left out", async () => {
    const cut = { decompose_strategy: "rule", max_sub_queries: 5, order: "parallel", keep_original: false };
    const rule = { rule: "blacklist", words: ["chess"] };
    const world = await open({ validation_rules: [rule] }, [{ action: decompose, options: cut }]);
    const { question, stages } = await world.ask("Who is Mia and who plays chess?");
    expect(question.queries.map(({ text }) => text)).toEqual(["Who is Mia?"]);
    expect(stages[1]?.notes.problems).toEqual(["blacklist: it holds a forbidden word"]);
  });
});

test("preprocessing tidies what is searched for; the question stays as asked", async () => {
  const tidied = async (flag: string, text: string) => {
    const world = await open({ preprocessing: { ...plain.preprocessing, [flag]: true } });
    const result = await world.ask(text);
    expect(result.question.text).toBe(text);
    return query(result);
  };
  expect(await tidied("strip", "  Mia  Ann ")).toBe("Mia  Ann");
  expect(await tidied("normalise", "Ｍｉａ  Ann")).toBe("Mia Ann");
  expect(await tidied("normalise", "小美，　你好")).toBe("小美, 你好");
  expect(await tidied("lowercase", "Mia ANN")).toBe("mia ann");
});
