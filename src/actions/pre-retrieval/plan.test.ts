import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import type { Hints } from "../../services/hints.ts";
import { hashEmbedder } from "../../testing/hash-embedder.ts";
import { openRetrievalWorld, type RetrievalSetup } from "../../testing/retrieval-world.ts";
import { decompose } from "./decompose.ts";
import { embedding } from "./embedding.ts";
import { multiEmbed } from "./multi-embed.ts";
import { plan } from "./plan.ts";
import { route } from "./route.ts";

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

describe("among other actions", () => {
  const routed = (pre: RetrievalSetup["pre"]) =>
    openRetrievalWorld({ search: UNION, pre }).then(async (world) => {
      closers.push(world.close);
      await world.say(["Mia moved to Berlin.", "Ben plays chess.", "小美搬到了上海。", "大伟会下象棋。"]);
      return world;
    });
  const PLAN = { action: plan, options: { ...plain, structured_top_k: null, time_margin_days: null } };
  const CUT = {
    action: decompose,
    options: { decompose_strategy: "rule", max_sub_queries: 5, order: "parallel", keep_original: false },
  };
  const FIELDS = {
    action: multiEmbed,
    options: { fields: [{ name: "content", kind: "text", weight: 2 }], spaces: "all", emotion_prompt: null },
  };
  const waysOf = ({ lists }: { lists: readonly { hints: Hints }[] }) => lists.map(({ hints }) => hints);

  test("every query that was there is planned for", async () => {
    const world = await routed([CUT, PLAN, EMBED]);
    const english = await world.ask("When did Mia move to Berlin and who plays chess?");
    const searched = english.question.queries.filter(({ route }) => route?.strategy === "lexical");
    expect(searched.map(({ text }) => text)).toEqual([
      expect.stringContaining("Berlin"),
      expect.stringContaining("chess"),
    ]);
    expect(english.question.wanted.length).toBeGreaterThan(1);
    const chinese = await world.ask("小美搬到了哪里，以及谁会下象棋？");
    expect(chinese.question.queries.filter(({ route }) => route?.strategy === "lexical")).toHaveLength(2);
  });

  test("fields and times that others lay out go with its searches, before it and after it", async () => {
    const hints = { strategy: "semantic", fields: ["content"], weights: { content: 2 } };
    for (const pre of [
      [PLAN, FIELDS],
      [FIELDS, PLAN, EMBED],
    ]) {
      const ways = waysOf(await (await routed(pre)).ask("Where is Mia?"));
      expect(ways.filter(({ strategy }) => strategy === "semantic")).toEqual(
        ways.slice(0, -1).map(() => hints),
      );
      expect(ways.at(-1)).toMatchObject({ strategy: "lexical" });
    }
  });

  test("a way that none of its searches goes is gone by the question itself", async () => {
    const way = { strategy: "structured", params: { time_range: { from: 0 } } };
    const options = {
      route_strategy: "keyword",
      rules: [{ keywords: ["mia", "小美"], ...way }],
      allow_multi_route: false,
      max_routes: null,
      default_route: { strategy: null, params: {} },
      keep_default: false,
    };
    const world = await routed([PLAN, EMBED, { action: route, options }]);
    for (const text of ["Where is Mia?", "小美在哪里？"]) {
      const found = await world.ask(text);
      expect(waysOf(found).at(-1)).toEqual({ strategy: "structured", time_range: { from: 0 } });
      expect(found.question.queries.at(-1)?.text).toBe(text);
    }
    expect(waysOf(await world.ask("Who plays chess?")).at(-1)).toMatchObject({ strategy: "lexical" });
  });
});

test("a question that nobody embeds is looked for by words and facts alone", async () => {
  const deaf = { ...hashEmbedder(), embedQuery: async () => [] };
  const world = await open(plain, { embedder: deaf });
  const { hits, lists } = await world.ask({ text: "When did Mia move to Berlin?", at });
  expect(lists[0]).toMatchObject({ hints: { strategy: "semantic" }, hits: [] });
  expect(hits[0]?.text).toBe("Mia moved to Berlin.");
  expect((await world.ask({ text: "小美什么时候搬到上海的？", at })).hits[0]?.text).toBe("小美搬到了上海。");
});
