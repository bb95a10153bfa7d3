import { afterEach, describe, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { parseScope } from "../../src/base/scope.ts";
import { parsePreset } from "../../src/preset/load.ts";
import type { SeenRequest } from "../../src/testing/model-server.ts";
import {
  ALICE,
  openPresetWorld,
  type PresetWorld,
  type PresetWorldOptions,
  taskOf,
} from "../../src/testing/preset-world.ts";

let world: PresetWorld | undefined;
afterEach(() => world?.close());
async function open(options: PresetWorldOptions = {}, variant = ""): Promise<PresetWorld> {
  const text = `name: variant\nextends: generative_agents\ndefaults: recommended\n${variant}`;
  world = await openPresetWorld(
    variant === "" ? "generative_agents" : await parsePreset(text, "variant.yaml"),
    options,
  );
  return world;
}

const DAY = 86_400_000;
const START = Date.UTC(2026, 3, 1, 9);
const told = (turns: readonly (readonly [speaker: string, text: string])[], days = 1) =>
  turns.map(([speaker, text], place) => ({ speaker, text, happenedAt: START + place * days * DAY }));

const EN = [
  ["Klaus", "I am writing a research paper about gentrification in cities."],
  ["Maria", "I just made some coffee."],
  ["Klaus", "I spent all day in the library reading about urban design."],
  ["Maria", "My father died last spring, and I still miss him."],
  ["Klaus", "I am so sorry. Do you want to go for a walk?"],
  ["Maria", "Thanks, a walk would be nice."],
  ["Klaus", "The library closes early today, so my research has to wait."],
  ["Maria", "I adopted a dog, his name is Biscuit."],
] as const;
const ZH = [
  ["小林", "我正在写一篇关于城市更新的论文。"],
  ["小美", "我刚煮了咖啡。"],
  ["小林", "我一整天都在图书馆读城市设计的书。"],
  ["小美", "我父亲去年春天去世了，我很想念他。"],
  ["小林", "太难过了，要不要出去散散步？"],
  ["小美", "好啊，散步挺好的。"],
  ["小林", "图书馆今天很早关门，论文只能等等。"],
  ["小美", "我收养了一只狗，名字叫饼干。"],
] as const;

/** What the model is shown, without what it is told to do with it. */
function shown({ body }: SeenRequest): string {
  return JSON.stringify(Array.isArray(body.messages) ? body.messages.at(-1) : "");
}
function importance(request: SeenRequest): Json {
  const text = shown(request);
  if (/died|去世/.test(text)) return { importance: 10 };
  return { importance: /coffee|咖啡/.test(text) ? 1 : 5 };
}

describe("golden dialogues", () => {
  test.each([
    ["en", EN, "Who did Maria lose?", "My father died"],
    ["zh", ZH, "小美失去了谁？", "我父亲去年春天去世了"],
  ] as const)(
    "[S0-80] with a model (%s): one judgement per turn, recall by three reasons",
    async (_language, talk, question, wanted) => {
      const { say, ask, calls, entries } = await open({ replies: { score_importance: importance } });
      const { done } = await say(told(talk));
      expect(calls()).toEqual(talk.map(() => "score_importance"));
      const stored = await entries();
      expect(stored.map(({ content }) => content)).toEqual(talk.map(([who, text]) => `${who}: ${text}`));
      expect(stored.map((entry) => entry.importance)).toEqual([0.5, 0.1, 0.5, 1, 0.5, 0.5, 0.5, 0.5]);
      for (const { sources, kind } of stored) expect([sources.length, kind]).toEqual([1, "memory"]);
      expect(done.at(-1)?.result.stages.find(({ action }) => action === "reflection")?.notes).toMatchObject({
        reason: expect.stringContaining("41.0 of 150"),
      });

      const { hits } = await ask({ text: question, at: START + 8 * DAY });
      expect(calls()).toEqual([]);
      expect(hits).toHaveLength(talk.length);
      for (const { score, scoreParts } of hits) {
        const { recency = -1, importance: weight = -1, relevance = -1 } = scoreParts;
        for (const part of [recency, weight, relevance]) expect(part).toBeGreaterThanOrEqual(0);
        for (const part of [recency, weight, relevance]) expect(part).toBeLessThanOrEqual(1);
        expect(score).toBeCloseTo(recency + weight + relevance, 9);
      }
      const lost = hits.find(({ content }) => content.includes(wanted));
      expect(lost?.scoreParts.importance).toBe(1);
      expect(hits.findIndex(({ id }) => id === lost?.id)).toBeLessThan(3);
      expect(hits.find(({ content }) => /coffee|咖啡/.test(content))?.scoreParts.importance).toBe(0);
      expect(hits.find(({ content }) => /Biscuit|饼干/.test(content))?.scoreParts.recency).toBe(1);
    },
  );

  test.each([
    ["en", EN, "Who did Maria lose?", /father died/],
    ["zh", ZH, "小美失去了谁？", /父亲.*去世/],
  ] as const)(
    "[S0-80] with no model (%s): rules judge, and the same is recalled",
    async (_language, talk, question, wanted) => {
      const { say, ask, entries } = await open();
      await say(told(talk));
      const stored = await entries();
      const grave = stored.find(({ content }) => wanted.test(content));
      expect(grave?.importance).toBe(Math.max(...stored.map((entry) => entry.importance ?? 0)));
      const small = stored.find(({ content }) => /coffee|咖啡/.test(content));
      expect(small?.importance ?? 1).toBeLessThan(0.5);
      const { hits } = await ask({ text: question, at: START + 8 * DAY });
      expect(hits.slice(0, 3).map(({ id }) => id)).toContain(grave?.id);
    },
  );
});

/** Fifteen turns that each change a life, and some more. */
const GRAVE_EN = Array.from(
  { length: 16 },
  (_, place) => ["Klaus", `Klaus finished chapter ${place + 1} of his research paper.`] as const,
);
const GRAVE_ZH = Array.from(
  { length: 16 },
  (_, place) => ["小林", `小林写完了论文的第${place + 1}章。`] as const,
);

describe("reflection", () => {
  test.each([
    ["en", GRAVE_EN, "Klaus is devoted to his research.", "What is Klaus devoted to?"],
    ["zh", GRAVE_ZH, "小林对研究很投入。", "小林对什么投入？"],
  ] as const)(
    "[P2-2][P2-3] the fifteenth turn of importance 10 makes one reflection, three questions, insights with evidence (%s)",
    async (_language, talk, insight, question) => {
      const many = ["one", "two", "three"].map((name) => `${question} (${name})`);
      let number = 0;
      const { say, calls, entries, ask, requests } = await open({
        replies: {
          score_importance: (request) => ({ importance: /devoted|投入/.test(shown(request)) ? 7 : 10 }),
          reflect_questions: { questions: many },
          reflect_insights: () => ({ insights: [{ insight: `${insight} ${++number}`, evidence: [0, 4] }] }),
        },
      });
      await say(told(talk.slice(0, 14)));
      expect(calls()).toEqual(Array(14).fill("score_importance"));
      await say(told(talk.slice(14, 15)));
      expect(calls()).toEqual([
        ...["score_importance", "reflect_questions"],
        ...["reflect_insights", "reflect_insights", "reflect_insights"],
        ...["score_importance", "score_importance", "score_importance"],
      ]);
      const insights = (await entries()).filter(({ kind }) => kind === "insight");
      expect(insights.map(({ content }) => content)).toEqual([1, 2, 3].map((one) => `${insight} ${one}`));
      const ids = (await entries()).map(({ id }) => id);
      for (const { importance: weight, metadata, sources } of insights) {
        expect(weight).toBe(0.7);
        expect(metadata).toMatchObject({ depth: 1 });
        expect(sources).toHaveLength(2);
        expect(ids).toEqual(expect.arrayContaining([...sources]));
      }
      // Five insights are asked for on each question.
      const asked = requests.filter((request) => taskOf(request) === "reflect_insights");
      for (const { body } of asked)
        expect(JSON.stringify(body.messages)).toMatch(/at most 5|最多 ?5|5 ?[条个]/);
      // The count starts anew.
      await say(told(talk.slice(15)));
      expect(calls()).toEqual(["score_importance"]);
      const { hits } = await ask(question);
      expect(hits.map(({ kind }) => kind)).toContain("insight");
    },
  );

  test.each([
    ["en", "I graduated, got married and moved to Rome, I love it!", "Mia"],
    ["zh", "我毕业了，结婚了，还搬到了上海，我很开心！", "小美"],
  ])("with no model insights are what several turns share, none twice (%s)", async (_language, text, who) => {
    const { say, entries } = await open();
    await say(told(Array.from({ length: 24 }, (_, place) => [who, `${text} ${place}`] as const)));
    const insights = (await entries()).filter(({ kind }) => kind === "insight");
    expect(insights.length).toBeGreaterThan(0);
    expect(insights.length).toBeLessThanOrEqual(15);
    expect(new Set(insights.map(({ content }) => content)).size).toBe(insights.length);
    for (const { content, sources, metadata } of insights) {
      // Rules quote what was said, and never a quotation.
      expect(metadata.depth).toBe(1);
      expect(content.trim()).not.toBe("");
      expect(sources.length).toBeGreaterThan(1);
    }
  });
});

describe("recall", () => {
  test("[P2-5] at most 30 are returned, and they alone were accessed", async () => {
    const { say, ask, entries, clock } = await open();
    await say(
      told(
        Array.from({ length: 35 }, (_, place) => ["Ada", `Ada saw bird number ${place}.`] as const),
        0.01,
      ),
    );
    clock.advance(DAY);
    const { hits } = await ask("Which birds did Ada see?");
    expect(hits).toHaveLength(30);
    const returned = new Set<string>(hits.map(({ id }) => id));
    for (const { id, lastAccessAt, accessCount } of await entries()) {
      expect(accessCount).toBe(returned.has(id) ? 1 : 0);
      expect(lastAccessAt === clock.now()).toBe(returned.has(id));
    }
    // However few are wanted, all are candidates.
    const few = await ask({ text: "Which birds did Ada see?", topK: 3 });
    expect(few.hits).toHaveLength(3);
    expect(few.stages.find(({ action }) => action === "candidates")?.result).toBe(35);
  });

  const released = (weights: string, recency: string): string => `
stages:
  post_retrieval:
    - { action: rerank, rerank_type: weighted, weights: ${weights}, recency: ${recency} }
    - { action: filter, filter_type: top_k, k: 30 }
`;
  const PAPER = "{ form: hours, factor_per_hour: 0.995, time_field: last_seen_at }";
  const RANK = "{ form: rank, factor: 0.99, time_field: last_seen_at }";
  const ONES = "{ recency: 1, importance: 1, relevance: 1, topic_overlap: 0 }";
  const RELEASED = "{ recency: 0.5, importance: 2, relevance: 3, topic_overlap: 0 }";

  test.each([
    ["paper", released(ONES, PAPER), ["new", "old"], 1 + 0.5 + 0.5],
    ["released", released(RELEASED, RANK), ["old", "new"], 0.5 + 1 + 1.5],
  ])("[P2-4] of two alike the %s formula puts one first", async (_form, variant, expected, best) => {
    const { say, ask } = await open({}, variant);
    const twice = ["old", "new"].map((session, place) => ({
      ...{ speaker: "Ada", text: "I planted a pear tree.", session },
      happenedAt: START + place * DAY,
    }));
    await say(twice);
    const { hits } = await ask({ text: "What did Ada plant?", at: START + 2 * DAY });
    expect(hits.map(({ metadata }) => metadata.session)).toEqual(expected);
    expect(hits[0]?.score).toBeCloseTo(best, 9);
  });

  test("[P2-1] three equal candidates: every part is a half, so 2.75 with the released weights", async () => {
    const { say, ask } = await open({}, released(RELEASED, RANK));
    await say([1, 2, 3].map(() => ({ speaker: "小美", text: "我种了一棵梨树。", happenedAt: START })));
    const { hits } = await ask("小美种了什么？");
    expect(hits.map(({ score }) => score)).toEqual([2.75, 2.75, 2.75]);
  });

  test("what was recalled counts as recent, by the clock of who asks", async () => {
    const { say, ask } = await open();
    await say(
      told(
        [
          ["Ada", "The key is under the blue pot."],
          ["Ada", "The shop sells bread."],
        ],
        30,
      ),
    );
    const first = await ask({ text: "Where is the key?", topK: 1, at: START + 60 * DAY });
    const again = await ask({ text: "Where is the key?", at: START + 60 * DAY });
    const key = again.hits.find(({ content }) => content.includes("key"));
    expect(first.hits[0]?.id).toBe(key?.id);
    expect(key?.scoreParts.recency).toBe(1);
  });
});

test("what is asked in one scope is not recalled or reflected on in another", async () => {
  const { say, ask } = await open();
  await say(told(EN));
  const { hits } = await ask("Who did Maria lose?", parseScope("bob"));
  expect(hits).toEqual([]);
  expect((await ask("Who did Maria lose?", ALICE)).hits.length).toBeGreaterThan(0);
});
