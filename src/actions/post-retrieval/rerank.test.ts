import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { resolveEndpoint } from "../../models/endpoints.ts";
import { httpReranker } from "../../models/http-reranker.ts";
import { measureField, measureSpace } from "../../services/vector-fields.ts";
import { startModelServer } from "../../testing/model-server.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { DAY, direction, HOUR, openRecallWorld, type RecallSetup } from "../../testing/recall-world.ts";
import { optimize } from "../pre-retrieval/optimize.ts";
import { rerank } from "./rerank.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(options: JsonObject, setup: RecallSetup = {}) {
  const world = await openRecallWorld([chosen(rerank, options)], setup);
  closing.push(world.close);
  return world;
}

const texts = ({ hits }: { readonly hits: readonly { readonly text: string }[] }): string[] =>
  hits.map(({ text }) => text);

describe("semantic", () => {
  test("[S0-39][S0-40] hits that words brought are ordered by the stored vectors; what has none is near to nothing", async () => {
    const routes = [{ strategy: "lexical" as const }];
    const { add, ask } = await open(
      { rerank_type: "semantic", fields: null, combine: "sum" },
      { question: { routes } },
    );
    await add("tea tea tea", 80);
    await add("tea and a long walk by the river", 10);
    await add("绿茶 tea 在杭州", 40);
    await add("tea without a place", 0, { vectors: [] });
    const { hits } = await ask("tea");
    expect(texts({ hits })).toEqual([
      "tea and a long walk by the river",
      "绿茶 tea 在杭州",
      "tea tea tea",
      "tea without a place",
    ]);
    expect(hits[0]?.score).toBeCloseTo(Math.cos(Math.PI / 18), 5);
    expect(hits[0]?.scoreParts.similarity).toBe(hits[0]?.score);
    expect(hits[3]?.score).toBe(0);
  });

  test("fields chooses the vectors that count", async () => {
    const asked = (fields: readonly string[]) =>
      rerank.claims?.({ rerank_type: "semantic", fields: [...fields], combine: "sum" });
    expect(asked(["emotion"])).toMatchObject({
      abilities: ["vector"],
      asksVectorFields: ["emotion"],
      hints: [{ strategy: "semantic", names: ["fields"] }],
    });
    // Emotional RAG, sequential: by context first, of these by emotion.
    const feeling = (degrees: number) => ({ ...direction(degrees), space: measureSpace("emotion") });
    const queries = [{ text: "how was it?", vectors: [direction(0), feeling(0)], weight: 1 }];
    const run = async (fields: readonly string[]) => {
      const setup = { fields: [measureField("emotion", 2)], question: { queries } };
      const { add, ask } = await open(
        { rerank_type: "semantic", fields: [...fields], combine: "sum" },
        setup,
      );
      await add("near in context", 0, { vectors: [direction(0), feeling(80)] });
      await add("情绪相近", 0, { vectors: [direction(60), feeling(10)] });
      return ask("how was it?");
    };
    expect(texts(await run(["emotion"]))).toEqual(["情绪相近", "near in context"]);
    expect(texts(await run(["content"]))).toEqual(["near in context", "情绪相近"]);
    expect((await run(["feelings"])).stages.at(-2)?.notes).toEqual({
      unchanged: "the question has no vector",
    });
  });

  test("papers.md §9: fields count by the sum of cosines (C-A) or the product of distances (C-M)", async () => {
    const feeling = (degrees: number) => ({ ...direction(degrees), space: measureSpace("emotion") });
    const queries = [{ text: "how was it?", vectors: [direction(0), feeling(0)], weight: 1 }];
    const run = async (combine: string, fields: string[] | null = ["content", "emotion"]) => {
      const setup = { fields: [measureField("emotion", 2)], question: { queries } };
      const { add, ask } = await open({ rerank_type: "semantic", fields, combine }, setup);
      await add("the same feeling", 0, { vectors: [direction(85), feeling(0)] });
      await add("两者都近", 0, { vectors: [direction(40), feeling(40)] });
      await add("no feeling", 0, { vectors: [direction(60)] });
      return ask("how was it?");
    };
    const cos = (degrees: number) => Math.cos((degrees * Math.PI) / 180);
    const sum = await run("sum");
    expect(texts(sum)).toEqual(["两者都近", "the same feeling", "no feeling"]);
    expect(sum.hits[0]?.score).toBeCloseTo(2 * cos(40), 5);
    const product = await run("product", null);
    expect(texts(product)).toEqual(["the same feeling", "两者都近", "no feeling"]);
    expect(product.hits.map(({ score }) => Number(score.toFixed(4)))).toEqual([
      1,
      Number((1 - (1 - cos(40)) ** 2).toFixed(4)),
      0.5,
    ]);
    expect((await run("product", ["content"])).hits[0]?.score).toBeCloseTo(cos(40), 5);
  });

  test("a query without a vector in some of the fields is compared by the others", async () => {
    const queries = [{ text: "so?", vectors: [direction(0)], weight: 1 }];
    const setup = { fields: [measureField("emotion", 2)], question: { queries } };
    const options = { rerank_type: "semantic", fields: ["content", "emotion"], combine: "sum" };
    const { add, ask } = await open(options, setup);
    await add("near", 10);
    await add("远", 70);
    expect(texts(await ask("so?"))).toEqual(["near", "远"]);
  });

  test("a question with several queries counts the nearest; without any vector the order stays", async () => {
    const routes = [{ strategy: "lexical" as const }];
    const queries = [
      { text: "tea", vectors: [direction(0)], weight: 0.5 },
      { text: "tea", vectors: [direction(90)], weight: 1 },
    ];
    const { add, ask } = await open(
      { rerank_type: "semantic", fields: null, combine: "sum" },
      { question: { routes, queries } },
    );
    await add("tea", 0);
    await add("tea with milk", 90);
    const { hits } = await ask("tea");
    expect(hits.map(({ score }) => Number(score.toFixed(3)))).toEqual([1, 0.5]);
    expect(texts({ hits })).toEqual(["tea with milk", "tea"]);

    const words = await open({ rerank_type: "semantic", fields: null, combine: "sum" }, { vectors: false });
    await words.add("tea tea", 80);
    await words.add("tea of the long kind", 0);
    const found = await words.ask("tea");
    expect(texts(found)[0]).toBe("tea tea");
    expect(found.stages.at(-2)?.notes).toEqual({ unchanged: "the question has no vector" });
  });
});

describe("time_weighted", () => {
  test("[B.0.2] score · (1 − rate)^hours, from the last look or from the happening", async () => {
    const run = async (time_field: string, rate_per_hour: number) => {
      const { add, ask, now } = await open({ rerank_type: "time_weighted", rate_per_hour, time_field });
      await add("old news", 0, { happenedAt: now - 10 * HOUR, lastAccessAt: now - HOUR });
      await add("新消息", 30, { happenedAt: now - HOUR, lastAccessAt: now - 20 * HOUR });
      return ask("news?");
    };
    const byHappening = await run("happened_at", 0.1);
    expect(texts(byHappening)).toEqual(["新消息", "old news"]);
    expect(byHappening.hits[1]?.score).toBeCloseTo(0.9 ** 10, 5);
    expect(texts(await run("last_access_at", 0.1))).toEqual(["old news", "新消息"]);
    expect(texts(await run("happened_at", 0.001))).toEqual(["old news", "新消息"]);
  });

  test("age counts back from when the question is asked", async () => {
    const { add, ask, now } = await open({
      rerank_type: "time_weighted",
      rate_per_hour: 0.5,
      time_field: "happened_at",
    });
    await add("a", 0, { happenedAt: now - 2 * HOUR });
    expect((await ask({ text: "?", at: now - HOUR })).hits[0]?.score).toBeCloseTo(0.5, 5);
    expect((await ask("?")).hits[0]?.score).toBeCloseTo(0.25, 5);
  });

  test("a score below zero gains nothing by age", async () => {
    const { add, ask, now } = await open({
      rerank_type: "time_weighted",
      rate_per_hour: 0.5,
      time_field: "happened_at",
    });
    await add("old and opposite", 120, { happenedAt: now - 50 * DAY });
    await add("new and less opposite", 100, { happenedAt: now });
    expect(texts(await ask("?"))).toEqual(["new and less opposite", "old and opposite"]);
  });
});

describe("weighted", () => {
  const REASONS = { recency: 1, importance: 1, relevance: 1, topic_overlap: 0 };
  const BASE = {
    rerank_type: "weighted",
    weights: REASONS,
    combine: "sum",
    scaling: "min_max",
    recency: { form: "hours", factor_per_hour: 0.995, time_field: "last_access_at" },
    unjudged_importance: 0.5,
    overlap: "jaccard",
    topic_fields: ["keywords"],
    max_keywords: 8,
  };

  test("[P2-1] papers.md §2: three equal candidates score 0.5·(0.5 + 3 + 2) = 2.75", async () => {
    const weights = { recency: 0.5, importance: 2, relevance: 3, topic_overlap: 0 };
    const { add, ask } = await open({ ...BASE, weights });
    for (const name of ["a", "b", "c"]) await add(name, 20, { importance: 0.4 });
    const { hits } = await ask("?");
    expect(hits.map(({ score }) => score)).toEqual([2.75, 2.75, 2.75]);
  });

  test("[P2-4] papers.md §2: of two that differ by their last look, the paper puts the newer first and the released rank the older", async () => {
    const run = async (recency: JsonObject) => {
      const weights = { recency: 1, importance: 0, relevance: 0, topic_overlap: 0 };
      const { add, ask, now } = await open({ ...BASE, weights, recency });
      await add("older", 0, { lastAccessAt: now - 50 * HOUR, happenedAt: now });
      await add("newer", 0, { lastAccessAt: now - HOUR, happenedAt: now - 90 * HOUR });
      return texts(await ask("?"));
    };
    expect(await run({ form: "hours", factor_per_hour: 0.995, time_field: "last_access_at" })).toEqual([
      "newer",
      "older",
    ]);
    expect(await run({ form: "hours", factor_per_hour: 0.995, time_field: "happened_at" })).toEqual([
      "older",
      "newer",
    ]);
    expect(await run({ form: "rank", factor: 0.99, time_field: "last_access_at" })).toEqual([
      "older",
      "newer",
    ]);
  });

  test("last_seen_at: the last look, and before any look when it happened, whenever it was stored", async () => {
    const recency = { form: "hours", factor_per_hour: 0.995, time_field: "last_seen_at" };
    const weights = { recency: 1, importance: 0, relevance: 0, topic_overlap: 0 };
    const { add, ask, now } = await open({ ...BASE, weights, recency });
    await add("said long ago", 0, { happenedAt: now - 90 * DAY });
    await add("刚说的", 0, { happenedAt: now - DAY });
    await add("said longer ago, recalled just now", 0, {
      ...{ happenedAt: now - 99 * DAY, lastAccessAt: now, accessCount: 1 },
    });
    expect(texts(await ask("?"))).toEqual(["said longer ago, recalled just now", "刚说的", "said long ago"]);
  });

  test("every weight moves its own reason, and every part is kept", async () => {
    const run = async (weights: JsonObject) => {
      const { add, ask, now } = await open({ ...BASE, weights });
      await add("关于茶的闲聊 green tea", 60, { importance: 0, lastAccessAt: now - 99 * HOUR });
      await add("relevant", 0, { importance: 0.1, lastAccessAt: now - 50 * HOUR });
      await add("recent", 50, { importance: 0.2, lastAccessAt: now });
      await add("important", 55, { importance: 1, lastAccessAt: now - 60 * HOUR });
      const { hits } = await ask("green tea");
      return hits[0];
    };
    const only = (reason: string): JsonObject => ({
      recency: 0,
      importance: 0,
      relevance: 0,
      topic_overlap: 0,
      [reason]: 2,
    });
    expect((await run(only("relevance")))?.text).toBe("relevant");
    expect((await run(only("recency")))?.text).toBe("recent");
    expect((await run(only("importance")))?.text).toBe("important");
    const topic = await run(only("topic_overlap"));
    expect(topic?.text).toBe("关于茶的闲聊 green tea");
    expect(topic?.scoreParts).toMatchObject({ recency: 0, importance: 0, relevance: 0, topic_overlap: 2 });
    expect(topic?.score).toBe(2);
  });

  test("a memory that nobody judged has the importance that the preset says", async () => {
    const run = async (unjudged_importance: number) => {
      const weights = { recency: 0, importance: 1, relevance: 0, topic_overlap: 0 };
      const { add, ask } = await open({ ...BASE, weights, unjudged_importance });
      await add("judged", 0, { importance: 0.5 });
      await add("not judged", 0);
      return texts(await ask("?"))[0];
    };
    expect(await run(0.4)).toBe("judged");
    expect(await run(0.6)).toBe("not judged");
  });

  test("[B.0.9-4] keywords of the question are compared with those of the memory, and are not nothing", async () => {
    const weights = { recency: 0, importance: 0, relevance: 0, topic_overlap: 1 };
    const setup = { question: { keywords: ["Oil Painting", "绘画"] } };
    const { add, ask } = await open({ ...BASE, weights, scaling: "none" }, setup);
    await add("no keywords: dogs bark at night", 0);
    await add("她喜歡繪畫", 10, { metadata: { keywords: ["繪畫"] } });
    await add("a hobby", 20, { metadata: { keywords: ["oil paintings", "weekend"] } });
    const { hits } = await ask("What does she like?");
    expect(texts({ hits })).toEqual(["a hobby", "她喜歡繪畫", "no keywords: dogs bark at night"]);
    expect(hits[0]?.score).toBeGreaterThan(0.3);
    expect(hits[1]?.score).toBeGreaterThan(0);
    expect(hits[2]?.score).toBe(0);
  });

  test("[B.0.9-4] what optimize reads out of the question arrives here", async () => {
    const weights = { recency: 0, importance: 0, relevance: 0, topic_overlap: 1 };
    const keywords = {
      optimize_type: "keyword_extract",
      method: "local",
      keyword_prompt: null,
      max_keywords: 5,
      with_entities: false,
      search_by: null,
      replace_original: false,
    };
    const before = [chosen(optimize, keywords)];
    const next = await open({ ...BASE, weights, scaling: "none" }, { before });
    await next.add("rain all week", 0);
    await next.add("She bought a mountain bike", 50);
    const { hits } = await next.ask("Which mountain bike did she buy?");
    expect(hits[0]?.text).toBe("She bought a mountain bike");
    expect(hits[0]?.score).toBeGreaterThan(0);
  });

  test("[S0-76] papers.md §10: nouns of question and memory are compared, where topic_fields names them", async () => {
    const weights = { recency: 0, importance: 0, relevance: 0, topic_overlap: 1 };
    const nouns = {
      optimize_type: "keyword_extract",
      method: "noun",
      keyword_prompt: null,
      max_keywords: 15,
      with_entities: false,
      search_by: null,
      replace_original: false,
    };
    const run = async (topic_fields: string[]) => {
      const setup = { before: [chosen(optimize, nouns)] };
      const { add, ask } = await open({ ...BASE, weights, scaling: "none", topic_fields }, setup);
      await add("session one", 0, { metadata: { nouns: ["violin", "lesson"], keywords: ["weather"] } });
      await add("第二次聊天", 10, { metadata: { nouns: ["小提琴"], keywords: ["weather"] } });
      const english = (await ask("Did she buy two violins for her lessons?")).hits[0];
      const chinese = (await ask("小提琴在哪里？")).hits[0];
      return [english?.text, english?.score, chinese?.text, chinese?.score];
    };
    const [english, score, chinese] = await run(["nouns"]);
    expect([english, score, chinese]).toEqual(["session one", 1, "第二次聊天"]);
    expect((await run(["keywords", "nouns"]))[1]).toBeCloseTo(2 / 3, 5);
    expect((await run(["keywords"]))[1]).toBe(0);
  });

  test("papers.md §10: LD-Agent's overlap is 0.375 where Jaccard's is 0.2, and recency is a factor", async () => {
    const weights = { recency: 1, importance: 0, relevance: 0, topic_overlap: 1 };
    const recency = { form: "hours", factor_per_hour: Math.exp(-3600e-7), time_field: "happened_at" };
    const run = async (more: JsonObject, ageSeconds: number) => {
      const setup = { question: { keywords: ["dog", "cat"] } };
      const { add, ask, now } = await open({ ...BASE, weights, recency, scaling: "none", ...more }, setup);
      const metadata = { keywords: ["cat", "tree", "house", "river"] };
      await add("session summary", 0, { metadata, happenedAt: now - ageSeconds * 1000 });
      return (await ask("?")).hits[0]?.score;
    };
    expect(await run({ overlap: "mean_share", combine: "decayed_sum" }, 0)).toBeCloseTo(0.375, 9);
    expect(await run({ overlap: "jaccard", combine: "decayed_sum" }, 0)).toBeCloseTo(0.2, 9);
    expect(await run({ overlap: "mean_share", combine: "decayed_sum" }, 1e7)).toBeCloseTo(0.375 / Math.E, 6);
    expect(await run({ overlap: "mean_share", combine: "sum" }, 1e7)).toBeCloseTo(0.375 + 1 / Math.E, 6);
  });

  test("max_keywords bounds what is read out of texts without keywords", async () => {
    const weights = { recency: 0, importance: 0, relevance: 0, topic_overlap: 1 };
    const run = async (max_keywords: number) => {
      const { add, ask } = await open({ ...BASE, weights, scaling: "none", max_keywords });
      await add("Jazz concerts in Berlin, and then chocolate cake with strawberries", 0);
      return (await ask("Strawberries?")).hits[0]?.score;
    };
    expect(await run(1)).toBe(0);
    expect(await run(8)).toBeGreaterThan(0);
  });
});

describe("cross_encoder", () => {
  test("[S0-40] the configured reranker decides, and a preset that chooses it claims one", async () => {
    const server = await startModelServer();
    closing.push(server.close);
    const reranker = httpReranker(resolveEndpoint("test", { baseUrl: server.url, model: "r" }));
    const { add, ask } = await open({ rerank_type: "cross_encoder" }, { reranker });
    await add("something else entirely", 0);
    await add("the river Elbe 易北河", 80);
    const { hits } = await ask("the river Elbe 易北河");
    const [request] = server.requests;
    expect(request?.body).toMatchObject({
      query: "the river Elbe 易北河",
      documents: ["something else entirely", "the river Elbe 易北河"],
    });
    expect(hits.map(({ score }) => score)).toEqual([...hits.map(({ score }) => score)].sort((a, b) => b - a));
    expect(hits[0]?.scoreParts.cross_encoder).toBe(hits[0]?.score);
    expect(rerank.claims?.({ rerank_type: "cross_encoder" })).toEqual({ reranker: true });
  });

  test("without a reranker it says so", async () => {
    const { add, ask } = await open({ rerank_type: "cross_encoder" });
    await add("a", 0);
    await expect(ask("a")).rejects.toMatchObject({ code: "missing_dependency" });
  });
});

test("chronological: by when it happened, either way; scores stay", async () => {
  const found = async (order: string) => {
    const { add, ask } = await open({ rerank_type: "chronological", order });
    await add("later", 0, { happenedAt: Date.UTC(2026, 0, 3) });
    await add("最早", 40, { happenedAt: Date.UTC(2026, 0, 1) });
    await add("between", 20, { happenedAt: Date.UTC(2026, 0, 2) });
    return ask("?");
  };
  expect(texts(await found("oldest_first"))).toEqual(["最早", "between", "later"]);
  const newest = await found("newest_first");
  expect(texts(newest)).toEqual(["later", "between", "最早"]);
  expect(newest.hits[0]?.score).toBeCloseTo(1);
});
