import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import { openRetrievalWorld, type RetrievalSetup } from "../../testing/retrieval-world.ts";
import { embedding } from "./embedding.ts";
import { plan } from "./plan.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const at = Date.UTC(2026, 4, 1, 12);
const day = (month: number, date: number) => Date.UTC(2026, month - 1, date);
const plain = {
  max_queries: 4,
  semantic_top_k: 25,
  keyword_top_k: 5,
  structured_top_k: 5,
  time_margin_days: 0,
  plan_prompt: "plan_information",
  queries_prompt: "targeted_queries",
  analysis_prompt: "analyse_query",
};
const EMBED = { action: embedding, options: { embedding_model: "default", spaces: "all" } };
const UNION = { top_k: null, fusion: { strategy: "union" } };

/** What a turn is known to be about goes into the memory. */
const known = defineAction({
  stage: "pre_insert",
  name: "known",
  summary: "Keeps what the test says of a turn.",
  options: z.strictObject({}),
  run: ({ drafts }) =>
    drafts.map((draft) => ({ ...draft, metadata: { ...draft.metadata, ...draft.turns[0]?.metadata } })),
});

async function open(options: object, setup: Partial<RetrievalSetup> = {}) {
  const world = await openRetrievalWorld({
    search: UNION,
    pre_insert: [{ action: known, options: {} }],
    ...setup,
    pre: [{ action: plan, options: { ...options } }, EMBED],
  });
  closers.push(world.close);
  const about = (persons: string[], location: string) => ({ persons, location, entities: [] });
  await world.say([
    { text: "Mia moved to Berlin.", happenedAt: day(4, 22), metadata: about(["Mia"], "Berlin") },
    { text: "Ben plays chess.", happenedAt: day(4, 1), metadata: about(["Ben"], "Paris") },
    { text: "小美搬到了上海。", happenedAt: day(4, 23), metadata: about(["小美"], "上海浦东") },
  ]);
  return world;
}

describe("without a model", () => {
  test("[S2-24] [S2-25] [S2-27] what is wanted, a few queries by meaning, one search by words, one by facts", async () => {
    const world = await open(plain);
    const { question, lists } = await world.ask({ text: "When did Mia move to Berlin?", at });
    expect(question.queries[0]?.text).toBe("When did Mia move to Berlin?");
    expect(lists.map(({ hints }) => hints.strategy)).toEqual([
      ...question.queries.slice(0, -2).map(() => "semantic"),
      "lexical",
      "structured",
    ]);
    expect(question.wanted).toEqual(["Mia move to Berlin"]);
    expect(question.entities).toEqual(expect.arrayContaining(["Mia", "Berlin"]));
    expect(question.keywords.length).toBeGreaterThan(0);
    const chinese = await world.ask({ text: "小美什么时候搬到上海的？", at });
    expect(chinese.question.wanted).toEqual(["小美搬到上海"]);
    expect(chinese.lists.at(-1)?.hits.map(({ text }) => text)).toEqual(["小美搬到了上海。"]);
  });

  test("[S2-26] [S2-28] all searches are independent; hits come once, by meaning first", async () => {
    const { hits, question } = await (await open(plain)).ask({ text: "When did Mia move to Berlin?", at });
    expect(question.order).toBe("parallel");
    expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length);
    expect(hits[0]?.scoreParts).toHaveProperty("semantic.cosine");
  });

  test("limits: queries, hits by meaning, by words, by facts", async () => {
    const one = await open({
      ...plain,
      max_queries: 1,
      semantic_top_k: 2,
      keyword_top_k: 1,
      structured_top_k: 1,
    });
    const { lists } = await one.ask({ text: "Who saw Berlin, 上海 or chess?", at });
    expect(lists.map(({ hits }) => hits.length)).toEqual([2, 1, 1]);
    const off = await open({ ...plain, keyword_top_k: null, structured_top_k: null, time_margin_days: null });
    const found = await off.ask({ text: "When did Mia move to Berlin?", at });
    expect(new Set(found.lists.map(({ hints }) => hints.strategy))).toEqual(new Set(["semantic"]));
    await expect(open({ ...plain, structured_top_k: null })).rejects.toThrow("time_margin_days");
  });

  test("a question that names nothing has no search by facts", async () => {
    const { lists } = await (await open(plain)).ask({ text: "who plays?", at });
    expect(lists.map(({ hints }) => hints.strategy)).not.toContain("structured");
  });
});

describe("with a model", () => {
  const replies = (analysis: object) => (request: { body: { messages?: unknown } }) => {
    const text = JSON.stringify(request.body.messages);
    if (text.includes("PLAN")) {
      const info = (description: string, priority: string) => ({ info_type: "fact", description, priority });
      return JSON.stringify({
        question_type: "list",
        key_entities: ["Mia"],
        required_info: [info("her mood", "low"), info("her town", "high")],
        relationships: [],
        minimal_queries_needed: 2,
      });
    }
    if (text.includes("SEARCH")) return JSON.stringify({ queries: ["Mia's town", "Mia's mood"] });
    return JSON.stringify({
      keywords: ["town"],
      persons: [],
      time_expression: null,
      location: null,
      entities: [],
      ...analysis,
    });
  };
  const prompts = {
    ...plain,
    plan_prompt: "my_plan",
    queries_prompt: "my_queries",
    analysis_prompt: "my_analysis",
  };
  const promptFiles = {
    my_plan: "PLAN.\n---\n{{question}}",
    my_queries: "SEARCH {{limit}}.\n---\n{{question}} {{plan}}",
    my_analysis: "DISSECT.\n---\n{{question}} {{persons}}",
  };

  test("[S2-25] three prompts, as they are named; the question is always the first query, the most wanted comes first", async () => {
    const world = await open(prompts, { chat: replies({}), promptFiles });
    const { question, lists } = await world.ask({ text: "How is she?", at });
    expect(question.queries.map(({ text }) => text)).toEqual([
      "How is she?",
      "Mia's town",
      "Mia's mood",
      "How is she?",
    ]);
    expect(question.wanted).toEqual(["her town", "her mood"]);
    expect(lists.at(-1)?.hints).toEqual({ strategy: "lexical", keywords: ["town"] });
    expect(world.asked()).toMatch(/PLAN[\s\S]*(SEARCH 4|DISSECT)/);
  });

  test("[S2-22] facts: any of the persons, and the place as a part of the text, and the time with its margin", async () => {
    const found = async (analysis: object, options: object = {}) => {
      const world = await open({ ...prompts, ...options }, { chat: replies(analysis), promptFiles });
      const { lists } = await world.ask({ text: "?", at });
      const facts = lists.find(({ hints }) => hints.strategy === "structured");
      return facts?.hits.map(({ text }) => text).sort();
    };
    expect(await found({ persons: ["Mia", "小美"] })).toEqual(["Mia moved to Berlin.", "小美搬到了上海。"]);
    expect(await found({ location: "浦东" })).toEqual(["小美搬到了上海。"]);
    expect(await found({ persons: ["Mia", "Ben"], location: "Paris" })).toEqual(["Ben plays chess."]);
    expect(await found({ entities: ["violin"] })).toEqual([]);
    expect(await found({ time_expression: "last week" })).toEqual([
      "Mia moved to Berlin.",
      "小美搬到了上海。",
    ]);
    expect(await found({ time_expression: "last week" }, { time_margin_days: 30 })).toHaveLength(3);
    expect(await found({})).toBeUndefined();
  });
});

test("it claims its three prompts and the ways it lays out", () => {
  const claims = plan.claims?.(plan.options.parse(plain));
  expect(claims?.prompts?.map(({ prompt }) => prompt)).toEqual([
    "plan_information",
    "targeted_queries",
    "analyse_query",
  ]);
  expect(claims?.hints?.map(({ strategy }) => strategy)).toEqual(["semantic", "lexical", "structured"]);
});
