/** The tasks on the way from a question to its answer. */
import { describe, expect, test } from "vitest";
import { testTask } from "../testing/task-suite.ts";
import { analyseQuery } from "./analyse-query.ts";
import { answer, NO_INFORMATION } from "./answer.ts";
import { canAnswer } from "./can-answer.ts";
import { checkCompleteness } from "./check-completeness.ts";
import { decomposeQuery } from "./decompose-query.ts";
import { expandQuery } from "./expand-query.ts";
import { filterFacts } from "./filter-facts.ts";
import { gateMemory } from "./gate-memory.ts";
import { missingQueries } from "./missing-queries.ts";
import { planInformation } from "./plan-information.ts";
import { rewriteQuery } from "./rewrite-query.ts";
import { runTask } from "./run-task.ts";
import { targetedQueries } from "./targeted-queries.ts";

const local = { onBadReply: "throw" } as const;
const EN = "When did Mia move to Berlin?";
const ZH = "小美什么时候搬到上海的？";
const at = Date.UTC(2023, 4, 8, 12);
const EN_MEMORIES = [
  { text: "Ben likes tea.", happenedAt: at },
  { text: "Mia moved to Berlin yesterday.", happenedAt: at },
  { text: "Mia works at Google with Anna.", happenedAt: at },
];
const ZH_MEMORIES = [
  { text: "大伟喜欢喝茶。", happenedAt: at },
  { text: "小美昨天搬到了上海。", happenedAt: at },
  { text: "小美和王芳在腾讯工作。", happenedAt: at },
];
const asMemories = (texts: readonly string[]) => texts.map((text) => ({ text, happenedAt: at }));
const first = ([text = ""]: readonly string[]) => (text.trim() === "" ? "x" : text);

testTask(planInformation, {
  en: {
    input: { question: EN },
    reply: {
      question_type: "time",
      key_entities: ["Mia", "Berlin"],
      required_info: [{ info_type: "time", description: "date of Mia's move to Berlin", priority: "high" }],
      relationships: [],
      minimal_queries_needed: 1,
    },
  },
  zh: {
    input: { question: ZH },
    reply: {
      question_type: "时间",
      key_entities: ["小美", "上海"],
      required_info: [{ info_type: "时间", description: "小美搬到上海的日期", priority: "high" }],
      relationships: [],
      minimal_queries_needed: 1,
    },
  },
  from: (texts) => ({ question: first([texts.join("\n")]) }),
});

testTask(targetedQueries, {
  en: {
    input: { question: EN, limit: 4 },
    reply: { reasoning: "One date is asked for.", queries: ["Mia moved to Berlin", EN] },
  },
  zh: {
    input: { question: ZH, limit: 4 },
    reply: { reasoning: "只问一个日期。", queries: ["小美搬到上海"] },
  },
  from: (texts) => ({ question: first([texts.join("\n")]), limit: 4 }),
});

testTask(analyseQuery, {
  en: {
    input: { question: EN },
    reply: {
      keywords: ["move", "Berlin"],
      persons: ["Mia"],
      time_expression: null,
      location: "Berlin",
      entities: [],
    },
  },
  zh: {
    input: { question: "小美去年夏天去了上海吗？" },
    reply: {
      keywords: ["上海"],
      persons: ["小美"],
      time_expression: "去年夏天",
      location: "上海",
      entities: [],
    },
  },
  from: (texts) => ({ question: first([texts.join("\n")]) }),
});

testTask(rewriteQuery, {
  en: {
    input: {
      question: "Where does she live now?",
      lines: [{ speaker: "Ben", text: "Anna moved last week." }],
    },
    reply: { query: "Where does Anna live now?" },
  },
  zh: {
    input: { question: "她现在住在哪里？", lines: [{ speaker: "大伟", text: "王芳上周搬家了。" }] },
    reply: { query: "王芳现在住在哪里？" },
  },
  from: ([question = "", ...rest]) => ({
    question: `x${question}`,
    speaker: "Mia",
    lines: rest.map((text) => ({ speaker: "Ben", text })),
    happenedAt: at,
  }),
});

testTask(expandQuery, {
  en: {
    input: { query: EN, count: 3 },
    reply: { queries: ["Mia's move to Berlin", "the date Mia relocated"] },
  },
  zh: { input: { query: ZH, count: 3 }, reply: { queries: ["小美搬家的日期"] } },
  from: (texts) => ({ query: first([texts.join("\n")]), count: 3 }),
});

testTask(decomposeQuery, {
  en: {
    input: { question: "Where does Mia work and when did Mia move?", limit: 5 },
    reply: { sub_queries: ["Where does Mia work?", "When did Mia move?"] },
  },
  zh: {
    input: { question: "小美在哪里工作，以及她什么时候搬家的？", limit: 5 },
    reply: { sub_queries: ["小美在哪里工作？", "小美什么时候搬家的？"] },
  },
  from: (texts) => ({ question: first([texts.join("\n")]), limit: 3 }),
});

testTask(gateMemory, {
  en: { input: { question: EN }, reply: { needs_memory: true, reason: "about a person" } },
  zh: { input: { question: "你好！" }, reply: { needs_memory: false, reason: "问候" } },
  from: (texts) => ({ question: first([texts.join("\n")]) }),
});

testTask(canAnswer, {
  en: { input: { question: EN, text: "Mia moved to Berlin in May 2023." }, reply: { can_answer: true } },
  zh: { input: { question: ZH, text: "大伟喜欢喝茶。" }, reply: { can_answer: false } },
  from: (texts) => ({ question: first(texts), text: `x ${texts.slice(1).join("\n")}`, happenedAt: at }),
});

testTask(checkCompleteness, {
  en: {
    input: { question: EN, memories: EN_MEMORIES },
    reply: {
      assessment: "complete",
      reasoning: "The second memory names the day of the move.",
      missing_info_types: [],
      coverage_percentage: 100,
    },
  },
  zh: {
    input: { question: ZH, memories: [ZH_MEMORIES[0] ?? { text: "" }] },
    reply: {
      assessment: "incomplete",
      reasoning: "没有提到搬家。",
      missing_info_types: ["搬家日期"],
      coverage_percentage: 0,
    },
  },
  from: (texts) => ({ question: first(texts), memories: asMemories(["x", ...texts.slice(1)]) }),
});

testTask(missingQueries, {
  en: {
    input: { question: EN, memories: EN_MEMORIES.slice(0, 1), missing: ["date"], limit: 3 },
    reply: { missing_analysis: "The date is missing.", targeted_queries: ["date of Mia's move to Berlin"] },
  },
  zh: {
    input: { question: ZH, memories: ZH_MEMORIES.slice(0, 1), limit: 3 },
    reply: { missing_analysis: "缺少日期。", targeted_queries: ["小美搬家的日期"] },
  },
  from: (texts) => ({ question: first(texts), memories: asMemories(texts.slice(1)), limit: 3 }),
});

testTask(answer, {
  en: {
    input: { question: EN, memories: EN_MEMORIES, happenedAt: at },
    reply: { reasoning: "The second memory says it.", answer: "7 May 2023", evidence: [1] },
  },
  zh: {
    input: { question: ZH, memories: ZH_MEMORIES, happenedAt: at, zone: "Asia/Shanghai" },
    reply: { reasoning: "第二条记忆提到。", answer: "2023年5月7日", evidence: [1] },
  },
  from: (texts) => ({ question: first(texts), memories: asMemories(["x", ...texts.slice(1)]) }),
});

testTask(filterFacts, {
  en: {
    input: {
      question: EN,
      facts: [
        { subject: "Mia", relation: "moved to", object: "Berlin" },
        { subject: "Ben", relation: "likes", object: "tea" },
      ],
    },
    reply: { keep: [0] },
  },
  zh: {
    input: { question: ZH, facts: [{ subject: "大伟", relation: "喜欢", object: "茶" }] },
    reply: { keep: [] },
  },
  from: (texts) => ({
    question: first(texts),
    facts: [...texts, "coffee"].map((text) => ({ subject: text, relation: "is", object: "咖啡" })),
  }),
});

describe("local answers", () => {
  test.each([
    [EN, EN_MEMORIES, "7 May 2023", [1]],
    ["Who works with Mia at Google?", EN_MEMORIES, "Anna", [2]],
    ["Where did Mia move?", EN_MEMORIES, "Berlin", [1]],
    ["Does Ben like tea?", EN_MEMORIES, "Yes", [0]],
    ["What is the capital of Peru?", EN_MEMORIES, NO_INFORMATION.en, []],
    [ZH, ZH_MEMORIES, "2023年5月7日", [1]],
    ["小美和谁一起在腾讯工作？", ZH_MEMORIES, "王芳", [2]],
    ["大伟喜欢喝茶吗？", ZH_MEMORIES, "是", [0]],
    ["秘鲁的首都是哪里？", ZH_MEMORIES, NO_INFORMATION.zh, []],
  ])("[S2-31] %s", async (question, memories, expected, evidence) => {
    const { reply } = await runTask(answer, { question, memories }, local);
    expect(reply).toMatchObject({ answer: expected, evidence });
  });

  test("what tells comes before what asks, where both cover as much", async () => {
    const said = (text: string, day: number) => ({ text, happenedAt: Date.UTC(2024, 2, day) });
    for (const [question, told, asks] of [
      ["What about the orchids?", "Nora: I look after the orchids.", "Felix: Do you miss the orchids?"],
      ["兰花怎么样？", "林悦: 我照顾兰花。", "周宁: 你想念兰花？"],
    ] as const) {
      const memories = [said(told, 1), said(asks, 2)];
      const { reply } = await runTask(answer, { question, memories }, local);
      expect(reply).toMatchObject({ answer: told, evidence: [0] });
    }
  });

  test("[S2-31] no memories: nobody is asked", async () => {
    const model = {
      id: "m",
      provider: "x",
      json: "schema",
      generate: () => Promise.reject(new Error("asked")),
    } as const;
    const { reply, path } = await runTask(answer, { question: ZH, memories: [] }, { ...local, model });
    expect({ answer: reply.answer, path }).toEqual({ answer: NO_INFORMATION.zh, path: "local" });
  });

  test("[S2-25] at most so many queries, the question always first", async () => {
    const { queries } = (await runTask(targetedQueries, { question: EN, limit: 4 }, local)).reply;
    expect(queries[0]).toBe(EN);
    expect(queries.length).toBeGreaterThan(1);
    expect(queries.length).toBeLessThanOrEqual(4);
    const said = { reasoning: "", queries: ["a", "b", "c", "d", EN] };
    expect(targetedQueries.settle?.(said, { question: EN, limit: 4 }).queries).toEqual([EN, "a", "b", "c"]);
  });

  test("[S2-24] a plan tells kind, entities and what must be known", async () => {
    const english = (await runTask(planInformation, { question: EN }, local)).reply;
    expect(english).toMatchObject({
      question_type: "time",
      key_entities: ["Mia", "Berlin"],
      minimal_queries_needed: 1,
    });
    const chinese = (await runTask(planInformation, { question: ZH }, local)).reply;
    expect(chinese.question_type).toBe("time");
  });

  test("[S2-27] a question's words, persons, time and place", async () => {
    const question = "What did Mia buy in Paris last summer?";
    expect((await runTask(analyseQuery, { question }, local)).reply).toMatchObject({
      persons: ["Mia"],
      time_expression: "last summer",
      location: "Paris",
    });
    const chinese = (await runTask(analyseQuery, { question: "王芳去年夏天在上海买了什么？" }, local)).reply;
    expect(chinese).toMatchObject({ persons: ["王芳"], time_expression: "去年夏天", location: "上海" });
  });

  test("[S2-30] [C-14] completeness and what is missing", async () => {
    const judge = async (question: string, memories: typeof EN_MEMORIES) =>
      (await runTask(checkCompleteness, { question, memories }, local)).reply;
    expect(await judge(EN, EN_MEMORIES)).toMatchObject({ assessment: "complete", missing_info_types: [] });
    expect(await judge(EN, EN_MEMORIES.slice(0, 1))).toMatchObject({ assessment: "incomplete" });
    expect(await judge(ZH, ZH_MEMORIES)).toMatchObject({ assessment: "complete" });
    expect(await judge(ZH, ZH_MEMORIES.slice(0, 1))).toMatchObject({ assessment: "incomplete" });
    expect(await judge(EN, [])).toMatchObject({ assessment: "incomplete", coverage_percentage: 0 });
    const { reply } = await runTask(missingQueries, { question: EN, memories: [], limit: 3 }, local);
    expect(reply.targeted_queries.length).toBeGreaterThan(0);
  });

  test("[S2-30] a plan and what was found missing are heeded", async () => {
    const info = {
      info_type: "reason",
      description: "reason for selling the violin",
      priority: "high",
    } as const;
    const plan = {
      question_type: "time",
      key_entities: [],
      required_info: [info],
      relationships: [],
      minimal_queries_needed: 1,
    };
    const checked = await runTask(checkCompleteness, { question: EN, memories: EN_MEMORIES, plan }, local);
    expect(checked.reply).toMatchObject({ assessment: "incomplete", missing_info_types: ["reason"] });
    const asked = { question: EN, memories: EN_MEMORIES, missing: ["reason"], limit: 3 };
    expect((await runTask(missingQueries, asked, local)).reply.targeted_queries).toContain(
      "Mia Berlin reason",
    );
  });

  test("relative times of a question count from when it is asked", async () => {
    const memories = [
      { text: "Mia visited Rome on 3 May 2023 with friends.", happenedAt: at },
      { text: "Mia visited Oslo on 7 May 2023 with friends.", happenedAt: at },
    ];
    const ask = { question: "Where was Mia with friends yesterday?", memories, happenedAt: at };
    expect((await runTask(answer, ask, local)).reply).toMatchObject({ answer: "Oslo", evidence: [1] });
  });

  test.each([
    [EN, true],
    ["What is my sister's name?", true],
    ["What did we talk about last time?", true],
    ["Hi there!", false],
    ["12 * 7 = ?", false],
    ["Translate 'house' into French.", false],
    ["我上次说的书叫什么？", true],
    ["王芳住在哪里？", true],
    ["你好！", false],
    ["12乘以7等于多少？", false],
  ])("gate_memory: %s → %s", async (question, expected) => {
    expect((await runTask(gateMemory, { question }, local)).reply.needs_memory).toBe(expected);
  });

  test.each([
    [EN, "Mia moved to Berlin in May 2023.", true],
    [EN, "Mia likes Berlin.", false],
    [EN, "Ben likes tea.", false],
    [ZH, "小美2023年5月搬到了上海。", true],
    [ZH, "大伟喜欢喝茶。", false],
    ["Does Ben like green tea?", "Ben likes tea.", false],
    ["Does Ben like tea?", "Ben does not like tea.", true],
    ["小红买车了吗？", "小红想买房", false],
    ["大伟喜欢喝茶吗？", "大伟喜欢喝茶。", true],
  ])("can_answer: %s from %s → %s", async (question, text, expected) => {
    expect((await runTask(canAnswer, { question, text }, local)).reply.can_answer).toBe(expected);
  });

  test("questions are taken apart where both parts can stand alone", async () => {
    const parts = async (question: string) =>
      (await runTask(decomposeQuery, { question, limit: 5 }, local)).reply.sub_queries;
    expect(await parts("Where does Mia work and when did Mia move?")).toEqual([
      "Where does Mia work?",
      "when did Mia move?",
    ]);
    expect(await parts("How old are Mia and Ben?")).toEqual(["How old are Mia?", "How old are Ben?"]);
    expect(await parts("Where did Mia and Ben meet?")).toEqual(["Where did Mia and Ben meet?"]);
    expect(await parts(EN)).toEqual([EN]);
    expect(await parts("小美在哪里工作，以及大伟什么时候搬家的？")).toEqual([
      "小美在哪里工作？",
      "大伟什么时候搬家的？",
    ]);
    expect(await parts(ZH)).toEqual([ZH]);
  });

  test("a question is made to stand alone from the talk before it", async () => {
    const ask = async (question: string, text: string) =>
      (
        await runTask(
          rewriteQuery,
          { question, speaker: "Mia", lines: [{ speaker: "Ben", text }], happenedAt: at },
          local,
        )
      ).reply.query;
    expect(await ask("Where does she live now?", "Anna moved last week.")).toBe("Where does Anna live now?");
    expect(await ask("她现在住在哪里？", "王芳昨天搬家了。")).toContain("王芳");
    expect(await ask("What did I do yesterday?", "Good question.")).toBe("What did Mia do on 7 May 2023?");
  });

  test("facts that share nothing with the question are filtered out", async () => {
    const facts = [
      { subject: "Ben", relation: "likes", object: "tea" },
      { subject: "Mia", relation: "moved to", object: "Berlin" },
    ];
    expect((await runTask(filterFacts, { question: EN, facts }, local)).reply).toEqual({ keep: [1] });
  });
});
