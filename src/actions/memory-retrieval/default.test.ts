import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { where } from "../../base/filter.ts";
import type { Hit } from "../../base/hit.ts";
import { bindAction, defineAction } from "../../pipeline/action.ts";
import { makeQuestion, type Question, type SubQuery } from "../../pipeline/question.ts";
import { startRun } from "../../pipeline/stage-context.ts";
import type { ServiceQuery } from "../../services/service.ts";
import type { Chosen } from "../../testing/pipeline-world.ts";
import { openRetrievalWorld, type RetrievalSetup } from "../../testing/retrieval-world.ts";
import { embedding } from "../pre-retrieval/embedding.ts";
import { defaultRetrieval } from "./default.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const rrf = { strategy: "rrf", rrf_k: 60, weights: null };
const EMBED = { action: embedding, options: { embedding_model: "default", spaces: "all" } };

/** A stage before that lays out what the test says. */
function lay(change: (question: Question) => Partial<Question>): Chosen<"pre_retrieval"> {
  const action = defineAction({
    stage: "pre_retrieval",
    name: "lay",
    summary: "Lays out what the test says.",
    options: z.strictObject({}),
    run: (question) => ({ ...question, ...change(question) }),
  });
  return { action, options: {} };
}

const query = (text: string, more: Partial<SubQuery> = {}): SubQuery => ({
  text,
  vectors: [],
  weight: 1,
  ...more,
});

async function open(setup: RetrievalSetup) {
  const world = await openRetrievalWorld(setup);
  closers.push(world.close);
  await world.say([
    { text: "Mia moved to Berlin.", speaker: "Ben", happenedAt: Date.UTC(2026, 0, 5) },
    { text: "Berlin has a famous zoo.", speaker: "Ann", happenedAt: Date.UTC(2026, 1, 5) },
    { text: "Mia plays the violin.", speaker: "Ann", happenedAt: Date.UTC(2026, 2, 5) },
    { text: "小美搬到了上海。", speaker: "小美", happenedAt: Date.UTC(2026, 3, 5) },
    { text: "上海的动物园很有名。", speaker: "王芳", happenedAt: Date.UTC(2026, 3, 6) },
  ]);
  return world;
}

const texts = (hits: readonly { readonly text: string }[]) => hits.map(({ text }) => text);

describe("one search", () => {
  test("[S0-13] the service's own list is taken as it is, scores and all", async () => {
    const world = await open({ pre: [EMBED] });
    const { hits, lists } = await world.ask("Mia violin");
    expect(hits).toEqual(lists[0]?.hits);
    expect(lists).toHaveLength(1);
    expect(texts(hits)[0]).toBe("Mia plays the violin.");
    const chinese = await world.ask("小美搬到了上海。");
    expect(texts(chinese.hits)[0]).toBe("小美搬到了上海。");
  });

  test("top_k is how many are asked for and kept; a question's own number counts more; null leaves it to the service", async () => {
    const two = await open({ pre: [], search: { top_k: 1, fusion: rrf } });
    expect((await two.ask("Berlin")).hits).toHaveLength(1);
    expect((await two.ask({ text: "Berlin", topK: 2 })).hits).toHaveLength(2);
    const any = await open({ pre: [], search: { top_k: null, fusion: rrf } });
    expect((await any.ask("Berlin Mia")).hits).toHaveLength(3);
  });

  test("[B.0.2] what was said is shown rather than what was read out of it", async () => {
    const world = await open({ pre: [] });
    const [turn] = (await world.say(["placeholder"])).inserted;
    await world.service.insert(turn!.draft.turns[0]!.scope, {
      content: "(Tom, lives in, Rome)",
      metadata: { original_text: "I live in Rome, said Tom." },
    });
    const { hits } = await world.ask("Tom Rome");
    expect(hits[0]).toMatchObject({ content: "(Tom, lives in, Rome)", text: "I live in Rome, said Tom." });
  });
});

describe("several searches", () => {
  const both = lay(() => ({ queries: [query("violin"), query("zoo"), query("动物园")] }));

  test("[B.0.9-3] every query is asked, and each hit comes once with what every list gave it", async () => {
    const world = await open({ pre: [lay(() => ({ queries: [query("Mia violin"), query("Mia Berlin")] }))] });
    const { hits, lists } = await world.ask("What about Mia?");
    expect(lists.map((list) => list.query.text)).toEqual(["Mia violin", "Mia Berlin"]);
    expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length);
    const violin = hits.find(({ text }) => text.includes("violin"));
    expect(Object.keys(violin?.scoreParts ?? {}).sort()).toEqual([
      "default#2.term:mia",
      "default.term:mia",
      "default.term:violin",
      "rrf.default",
      "rrf.default#2",
    ]);
    expect(violin?.score).toBeCloseTo(
      (violin?.scoreParts["rrf.default"] ?? 0) + (violin?.scoreParts["rrf.default#2"] ?? 0),
    );
  });

  test("[B.0.9-3] in English and Chinese at once", async () => {
    const world = await open({ pre: [both] });
    expect(texts((await world.ask("?")).hits)).toEqual(
      expect.arrayContaining(["Mia plays the violin.", "Berlin has a famous zoo.", "上海的动物园很有名。"]),
    );
  });

  test("a query's weight is what its list counts", async () => {
    const weighed = (one: number, other: number) =>
      open({
        pre: [lay(() => ({ queries: [query("violin", { weight: one }), query("zoo", { weight: other })] }))],
      });
    expect(texts((await (await weighed(1, 2)).ask("?")).hits)[0]).toContain("zoo");
    expect(texts((await (await weighed(2, 1)).ask("?")).hits)[0]).toContain("violin");
  });

  test("the fusion's weights are those of ways of looking, whatever their number", async () => {
    const routes = lay(() => ({ routes: [{ strategy: "lexical" }, { strategy: "structured" }] }));
    const weighed = (weights: Record<string, number>) =>
      open({ pre: [routes], search: { top_k: 10, fusion: { ...rrf, weights } } });
    const words = await weighed({ lexical: 9 });
    expect(texts((await words.ask("violin")).hits)[0]).toContain("violin");
    const facts = await weighed({ lexical: 0.01, structured: 9 });
    expect(texts((await facts.ask("violin")).hits)[0]).toContain("动物园");
    await expect(weighed({ lexcal: 1 })).rejects.toMatchObject({ code: "option_invalid" });
  });

  test("[C-33] the fusion's strategy decides: ranks, scores, or first seen first", async () => {
    const queries = lay(() => ({
      queries: [query("zoo Berlin violin"), query("Mia", { route: { strategy: "structured" }, topK: 1 })],
    }));
    const by = async (fusion: Record<string, unknown>) => {
      const world = await open({ pre: [queries], search: { top_k: 10, fusion: fusion as typeof rrf } });
      return (await world.ask("?")).hits;
    };
    const union = await by({ strategy: "union" });
    expect(union.map(({ score }) => score)).toEqual(union.map((_, place) => 1 / (place + 1)));
    expect(texts(union).at(-1)).toContain("动物园");
    const raw = await by({ strategy: "raw_weighted", weights: null });
    expect(Object.keys(raw[0]?.scoreParts ?? {}).some((name) => name.startsWith("raw_weighted."))).toBe(true);
    const [first, second] = await by({ ...rrf, rrf_k: 0 });
    expect([first?.score, second?.score]).toEqual([1, 1]);
  });

  test("top_k null keeps all that the searches find; a query's own number is for its search alone", async () => {
    const queries = lay(() => ({ queries: [query("Berlin", { topK: 1 }), query("上海")] }));
    const world = await open({ pre: [queries], search: { top_k: null, fusion: rrf } });
    const { hits, lists } = await world.ask("?");
    expect(lists.map((list) => list.hits.length)).toEqual([1, 2]);
    expect(hits).toHaveLength(3);
    expect((await world.ask({ text: "?", topK: 2 })).hits).toHaveLength(2);
  });
});

describe("ways of looking", () => {
  test("[B.0.9-1] [S0-36] hints reach the service: each route is taken, and what the service cannot do is refused", async () => {
    const world = await open({
      pre: [
        lay(() => ({ routes: [{ strategy: "lexical", keywords: ["zoo"] }, { strategy: "structured" }] })),
      ],
    });
    const { lists } = await world.ask("Mia?");
    expect(lists.map(({ hits }) => hits.length)).toEqual([1, 5]);
    const wrong = await open({ pre: [lay(() => ({ routes: [{ strategy: "lexical", depth: 2 }] }))] });
    await expect(wrong.ask("Mia?")).rejects.toMatchObject({ code: "capability_missing" });
  });

  test("a query's own way is taken instead of the question's", async () => {
    const own = query("x", { route: { strategy: "lexical", keywords: ["动物园"] } });
    const world = await open({
      pre: [lay(({ queries }) => ({ queries: [...queries, own], routes: [{ strategy: "structured" }] }))],
    });
    const { lists } = await world.ask("Mia");
    expect(lists.map(({ hints }) => hints.strategy)).toEqual(["structured", "lexical"]);
    expect(texts(lists[1]?.hits ?? [])).toEqual(["上海的动物园很有名。"]);
  });

  test("the question's filter and the query's both narrow", async () => {
    const facts = query("x", {
      route: { strategy: "structured" },
      filter: where.contains("metadata.persons", "Ann"),
    });
    const world = await open({ pre: [lay(() => ({ queries: [facts] }))] });
    expect((await world.ask("?")).hits).toHaveLength(2);
    const filter = where.range("happenedAt", { lt: Date.UTC(2026, 2, 1) });
    expect(texts((await world.ask({ text: "?", filter })).hits)).toEqual(["Berlin has a famous zoo."]);
  });

  test("[B.0.9-2] nothing is looked for where a stage before said so", async () => {
    const world = await open({ pre: [lay(() => ({ skip: "no need" }))] });
    const { hits, lists, stages } = await world.ask("Mia");
    expect([hits, lists]).toEqual([[], []]);
    expect(stages.map(({ action }) => action)).not.toContain("default");
  });
});

describe("one after another, or all at once", () => {
  /** The action against a real service, with a store that says how many searches are under way. */
  async function watched(order: Question["order"], asked: readonly SubQuery[]) {
    const world = await open({ pre: [] });
    const scope = (await world.say(["x"])).inserted[0]!.draft.turns[0]!.scope;
    const seen: ServiceQuery[] = [];
    let under = 0;
    let most = 0;
    const store = {
      async retrieve(given: ServiceQuery): Promise<Hit[]> {
        seen.push(given);
        most = Math.max(most, ++under);
        await new Promise((resolve) => setImmediate(resolve));
        const hits = await world.service.retrieve(scope, { ...given, touch: false });
        under--;
        return hits;
      },
    };
    const embedded: string[] = [];
    const question = { ...makeQuestion({ text: "?" }, 0), order, queries: asked };
    await bindAction(defaultRetrieval, { top_k: 2, fusion: { strategy: "union" } }).run(question, {
      ...startRun({ thinking: { onBadReply: "throw" } }, { scope, now: 0 }).context,
      store,
      async embed(text) {
        embedded.push(text);
        return [{ space: "s", values: Float32Array.of(1, 2), native: true }];
      },
    });
    return { seen, most, embedded };
  }

  test("independent searches run at once, and are asked as they were written", async () => {
    const { seen, most, embedded } = await watched("parallel", [
      query("violin"),
      query("zoo"),
      query("动物园"),
    ]);
    expect(most).toBe(3);
    expect(seen.map(({ text }) => text)).toEqual(["violin", "zoo", "动物园"]);
    expect(embedded).toEqual([]);
  });

  test("sequential searches wait, and see the names that were found before", async () => {
    const { seen, most } = await watched("sequential", [
      query("Who plays the violin?"),
      query("Where does she live?"),
    ]);
    expect(most).toBe(1);
    expect(seen[1]?.text).toBe("Where does she live? Mia");
    const chinese = await watched("sequential", [query("谁搬到了上海？"), query("动物园怎么样？")]);
    expect(chinese.seen[1]?.text).toContain("小美");
  });

  test("a query that grew is embedded anew in its own spaces; a measure stays", async () => {
    const measure = { space: "#emotion", values: Float32Array.of(3) };
    const lexical = { route: { strategy: "lexical" } } as const;
    const { seen, embedded } = await watched("sequential", [
      query("Who plays the violin?"),
      query("Where is she?", {
        ...lexical,
        embedText: "query: Where is she?",
        vectors: [{ space: "s", values: Float32Array.of(0, 0) }, measure],
      }),
    ]);
    expect(embedded).toEqual(["query: Where is she? Mia"]);
    expect(seen[1]?.vectors?.map(({ values }) => [...values])).toEqual([[1, 2], [3]]);
  });
});

test("a search by meaning for what nobody embeds finds nothing and says so; the other searches are asked", async () => {
  const queries = [
    query("Mia", { route: { strategy: "semantic" } }),
    query("上海", { route: { strategy: "lexical" } }),
  ];
  const world = await open({ pre: [lay(() => ({ queries }))] });
  const { lists, hits, stages } = await world.ask("Mia, 上海");
  expect(lists.map((list) => list.hits.length)).toEqual([0, 2]);
  expect(texts(hits)).toContain("小美搬到了上海。");
  const looked = stages.find(({ stage }) => stage === "memory_retrieval");
  expect(looked?.notes.not_asked_for_want_of_a_vector).toEqual(["Mia"]);
});

test("a search by several vector fields is asked by those for which the query has a vector", async () => {
  const routes = [{ strategy: "semantic" as const, fields: ["content", "mood"] }];
  const world = await open({ pre: [lay(() => ({ routes })), EMBED] });
  expect(texts((await world.ask("Mia plays the violin.")).hits)[0]).toBe("Mia plays the violin.");
});
