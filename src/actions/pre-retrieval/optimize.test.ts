import { afterEach, describe, expect, test } from "vitest";
import { topicOverlap } from "../../policies/topic-overlap.ts";
import { openRetrievalWorld, type RetrievalSetup } from "../../testing/retrieval-world.ts";
import { decompose } from "./decompose.ts";
import { embedding } from "./embedding.ts";
import { optimize } from "./optimize.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
async function open(setup: RetrievalSetup) {
  const world = await openRetrievalWorld(setup);
  closers.push(world.close);
  await world.say([
    "Mia moved to Berlin.",
    "Ann bought a violin.",
    "小美搬到了上海。",
    "王芳买了一把小提琴。",
  ]);
  return world;
}

const by = (options: object) => ({ action: optimize, options: { ...options } });
const queries = ({ question }: { question: { queries: readonly { text: string }[] } }) =>
  question.queries.map(({ text }) => text);

test("[B.0.6] an instruction asks for somebody who embeds it", () => {
  const options = { optimize_type: "instruction", prefix: "for: ", suffix: "" };
  expect(optimize.claims?.(optimize.options.parse(options))).toMatchObject({ asksQueryVector: true });
});

describe("keyword_extract", () => {
  const plain = {
    optimize_type: "keyword_extract",
    method: "local",
    keyword_prompt: null,
    max_keywords: 8,
    with_entities: false,
    search_by: null,
    replace_original: false,
  };
  const EN = "When did Mia buy the old violin in Berlin?";

  test("[B.0.9-4] keywords are a list that topic overlap reads, in English and Chinese", async () => {
    const world = await open({ pre: [by(plain)] });
    const { question } = await world.ask(EN);
    expect(question.keywords).toContain("Berlin");
    expect(topicOverlap(question.keywords, ["berlin"], "jaccard")).toBeGreaterThan(0);
    expect(question.queries.map(({ text }) => text)).toEqual([EN]);
    const chinese = await world.ask("小美的小提琴在哪里？");
    expect(chinese.question.keywords).toEqual(expect.arrayContaining(["小美", "小提琴"]));
  });

  test("max_keywords limits them, with_entities puts names before them", async () => {
    const two = await open({ pre: [by({ ...plain, max_keywords: 2 })] });
    expect((await two.ask(EN)).question.keywords).toHaveLength(2);
    const named = await open({ pre: [by({ ...plain, max_keywords: 2, with_entities: true })] });
    const { question } = await named.ask(EN);
    expect([question.keywords, question.entities]).toEqual([
      ["Mia", "Berlin"],
      ["Mia", "Berlin"],
    ]);
  });

  test("[B.0.9-1] search_by adds a search for the keywords; replace_original leaves out the question", async () => {
    const beside = await open({ pre: [by({ ...plain, search_by: "lexical" })] });
    const found = await beside.ask("Was there a violin?");
    expect(found.lists.map(({ hints }) => hints)).toEqual([
      {},
      { strategy: "lexical", keywords: ["violin"] },
    ]);
    expect(found.hits[0]?.text).toBe("Ann bought a violin.");
    const instead = await open({ pre: [by({ ...plain, search_by: "lexical", replace_original: true })] });
    expect((await instead.ask("有小提琴吗？")).lists.map(({ hints }) => hints.strategy)).toEqual(["lexical"]);
    const words = await open({ pre: [by({ ...plain, replace_original: true })] });
    expect(queries(await words.ask("Was there a violin?"))).toEqual(["violin"]);
  });

  test("the method noun gives nouns, in the singular", async () => {
    const world = await open({ pre: [by({ ...plain, method: "noun" })] });
    const { question } = await world.ask("Who quickly bought the old violins?");
    expect(question.keywords).toEqual(["violin"]);
    expect((await world.ask("小美的小提琴在哪里？")).question.keywords).toContain("小提琴");
    await expect(open({ pre: [by({ ...plain, method: "noun", keyword_prompt: "x" })] })).rejects.toThrow(
      "keyword_prompt",
    );
  });

  test("every query has keywords of its own; none of them is thrown away", async () => {
    const cut = {
      action: decompose,
      options: {
        decompose_strategy: "rule",
        max_sub_queries: 5,
        order: "parallel",
        keep_original: false,
      },
    };
    const world = await open({ pre: [cut, by({ ...plain, replace_original: true })] });
    const english = await world.ask("Who bought a violin and who moved to Berlin?");
    expect(english.question.queries.map(({ text }) => text)).toEqual([
      expect.stringContaining("violin"),
      expect.stringContaining("Berlin"),
    ]);
    expect(english.question.keywords.join(" ")).toMatch(/violin.*Berlin/);
    const chinese = await world.ask("谁买了小提琴，以及谁搬到了上海？");
    expect(chinese.question.queries).toHaveLength(2);
    expect(chinese.question.keywords).toEqual(expect.arrayContaining(["小提琴", "上海"]));
  });

  test("a question without keywords stays as it is", async () => {
    const world = await open({ pre: [by({ ...plain, replace_original: true })] });
    expect(queries(await world.ask("Who is it?"))).toEqual(["Who is it?"]);
  });

  test("the method model asks by the prompt that is named", async () => {
    const model = { ...plain, method: "model", keyword_prompt: "my_keywords" };
    const world = await open({
      pre: [by(model)],
      chat: JSON.stringify({ keywords: ["fiddle", "purchase"] }),
      promptFiles: { my_keywords: "Give me {{limit}} TELLING words.\n---\n{{text}}" },
    });
    expect((await world.ask(EN)).question.keywords).toEqual(["fiddle", "purchase"]);
    expect(world.asked()).toContain("TELLING");
    await expect(open({ pre: [by({ ...model, keyword_prompt: null })] })).rejects.toThrow("keyword_prompt");
  });

  test("it claims the hint it sends, the prompt it asks by, and whether it makes queries", () => {
    expect(optimize.claims?.(optimize.options.parse({ ...plain, search_by: "key" }))).toEqual({
      newQueries: true,
      hints: [{ strategy: "key", names: ["keywords"] }],
      prompts: [],
    });
    expect(optimize.claims?.(optimize.options.parse(plain))).toMatchObject({ newQueries: false, hints: [] });
  });
});

describe("expand", () => {
  const plain = {
    optimize_type: "expand",
    count: 3,
    weight: 0.5,
    replace_original: false,
    prompt: "expand_query",
  };

  test("[S0-37] other wordings are searched for beside the question, for their weight", async () => {
    const world = await open({ pre: [by(plain)] });
    const { question, lists } = await world.ask("When did Mia move to Berlin?");
    expect(question.queries.map(({ weight }) => weight)).toEqual([1, 0.5, 0.5, 0.5]);
    expect(lists).toHaveLength(4);
    const chinese = queries(await world.ask("小美什么时候搬到上海的？"));
    expect(chinese).toContain("小美搬到上海");
  });

  test("count limits them, replace_original leaves the question out", async () => {
    const world = await open({ pre: [by({ ...plain, count: 1, replace_original: true })] });
    expect(queries(await world.ask("When did Mia move to Berlin?"))).toEqual(["Mia move to Berlin"]);
  });

  test("the prompt that is named is the one that is sent, and a wording twice is one", async () => {
    const world = await open({
      pre: [by({ ...plain, prompt: "my_words" })],
      chat: JSON.stringify({ queries: ["Mia relocates", "mia relocates", "Mia's new town"] }),
      promptFiles: { my_words: "SAY IT OTHERWISE, {{count}} times.\n---\n{{query}}" },
    });
    const asked = await world.ask("When did Mia move?");
    expect(queries(asked)).toEqual(["When did Mia move?", "Mia relocates", "Mia's new town"]);
    expect(world.asked()).toContain("SAY IT OTHERWISE");
  });
});

describe("rewrite", () => {
  const plain = { optimize_type: "rewrite", replace_original: true, prompt: "rewrite_query" };
  const at = Date.UTC(2026, 4, 1, 12);

  test("the talk before says whom is meant, the moment of asking says when", async () => {
    const world = await open({ pre: [by(plain)] });
    const talk = [{ speaker: "Ben", text: "Mia moved to Berlin.", captions: [] }];
    const [english = ""] = queries(await world.ask({ text: "What did she do yesterday?", talk, at }));
    expect(english).toContain("Mia");
    expect(english).toContain("30 April 2026");
    const [chinese = ""] = queries(await world.ask({ text: "小美昨天做了什么？", at }));
    expect(chinese).toContain("2026年4月30日");
  });

  test("the zone of the question decides which day yesterday was", async () => {
    const world = await open({ pre: [by(plain)] });
    const late = { text: "What did Mia do yesterday?", at: Date.UTC(2026, 4, 1, 20) };
    expect(queries(await world.ask({ ...late, zone: "Asia/Shanghai" }))[0]).toContain("1 May 2026");
    expect(queries(await world.ask(late))[0]).toContain("30 April 2026");
  });

  test("replace_original false keeps the question beside it", async () => {
    const world = await open({ pre: [by({ ...plain, replace_original: false })] });
    expect(queries(await world.ask({ text: "Who left yesterday?", at }))).toHaveLength(2);
    expect(queries(await world.ask({ text: "Who plays the violin?", at }))).toHaveLength(1);
  });

  test("the question stays as asked, and the prompt that is named is sent", async () => {
    const world = await open({
      pre: [by({ ...plain, prompt: "my_rewrite" })],
      chat: JSON.stringify({ query: "Where does Mia live?" }),
      promptFiles: { my_rewrite: "ALONE, please.\n---\n{{question}} {{dialogue}}" },
    });
    const result = await world.ask("Where does she live?");
    expect([result.question.text, ...queries(result)]).toEqual([
      "Where does she live?",
      "Where does Mia live?",
    ]);
    expect(world.asked()).toContain("ALONE");
  });

  test("what was cut before is rewritten part by part", async () => {
    const cut = { decompose_strategy: "rule", max_sub_queries: 5, order: "parallel", keep_original: false };
    const world = await open({ pre: [{ action: decompose, options: cut }, by(plain)] });
    const asked = await world.ask({ text: "Who left yesterday and who came today?", at });
    expect(queries(asked)).toHaveLength(2);
    expect(queries(asked)[1]).toContain("1 May 2026");
  });
});

describe("instruction", () => {
  const embed = { action: embedding, options: { embedding_model: "default", spaces: "all" } };

  test("prefix and suffix are embedded with the question and searched for by nobody", async () => {
    const vectorOf = async (prefix: string, suffix: string) => {
      const world = await open({ pre: [by({ optimize_type: "instruction", prefix, suffix }), embed] });
      const { question } = await world.ask("violin");
      expect(queries({ question })).toEqual(["violin"]);
      return [...(question.queries[0]?.vectors[0]?.values ?? [])];
    };
    const plain = await vectorOf("", "");
    expect(await vectorOf("query: ", "")).not.toEqual(plain);
    expect(await vectorOf("", "（检索）")).not.toEqual(plain);
  });
});

test("[C-24] each sub-type may be written as an action of its own", () => {
  expect(Object.keys(optimize.shorthands ?? {})).toEqual([
    "keyword_extract",
    "entity_extract",
    "expand",
    "rewrite",
    "instruction",
  ]);
});
