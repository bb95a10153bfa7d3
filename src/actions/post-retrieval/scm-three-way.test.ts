import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { canAnswer } from "../../tasks/can-answer.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { promptVariants } from "../../testing/prompt-variant.ts";
import { HOUR, openRecallWorld, type RecallSetup } from "../../testing/recall-world.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";
import { countTokens } from "../../text/token-count.ts";
import { scmThreeWay } from "./scm-three-way.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const BASE = {
  ...{ budget: 2500, top_k: null, judge_prompt: "can_answer" },
  ...{ previous_turn: "talk" as const, previous_turn_tokens: 500 },
};

async function open(options: JsonObject, setup: RecallSetup = {}) {
  const world = await openRecallWorld([chosen(scmThreeWay, { ...BASE, ...options })], setup);
  closing.push(world.close);
  return world;
}

const words = (word: string, count: number): string => Array.from({ length: count }, () => word).join(" ");
/** Three turns: the best is the newest, the worst the oldest; the middle one is Chinese. */
const TURNS = [
  { text: words("alpha", 40), summary: "alpha in short", degrees: 60, age: 3 },
  { text: words("第二件事", 40), summary: "第二件事概要", degrees: 30, age: 2 },
  { text: words("gamma", 40), summary: "gamma in short", degrees: 0, age: 1 },
];

async function recall(options: JsonObject, setup: RecallSetup = {}) {
  const { add, ask, now } = await open(options, setup);
  for (const { text, summary, degrees, age } of TURNS)
    await add(text, degrees, { happenedAt: now - age * HOUR, metadata: { summary } });
  const found = await ask("what was it?");
  return { ...found, texts: found.hits.map(({ text }) => text), notes: found.stages.at(-2)?.notes ?? {} };
}

/** Answers by what the prompt shows of a turn. */
async function judge(answer: (text: string) => boolean) {
  const scripted = await scriptedModel(({ body }) => {
    const shown = JSON.stringify(body);
    return JSON.stringify({ can_answer: answer(shown) });
  });
  closing.push(scripted.close);
  return scripted;
}

test("[P7-1][P7-4][S0-40] papers.md §7: within the budget nobody is asked; the order is that of time", async () => {
  const { model, server } = await judge(() => false);
  const { texts } = await recall({}, { model });
  expect(texts).toEqual(TURNS.map(({ text }) => text));
  expect(server.requests).toHaveLength(0);
});

test("[P7-2][S0-40][B.0.2] over the budget: dropped if it cannot answer, summary if that does, else raw; the best is not asked", async () => {
  const { model, server } = await judge((shown) => !shown.includes("alpha"));
  const { texts, notes, hits } = await recall({ budget: 100 }, { model });
  expect(texts).toEqual(["第二件事概要", TURNS[2]?.text]);
  expect(server.requests).toHaveLength(3);
  expect(JSON.stringify(server.requests)).not.toContain("gamma");
  expect(Object.values(notes.choices ?? {}).sort()).toEqual(["drop", "raw", "summary"]);
  expect(hits[0]?.content).toBe(TURNS[1]?.text);
});

test("a raw turn whose summary cannot answer stays raw, unless there is no room", async () => {
  const answers = (shown: string) => shown.includes("第二件事 第二件事");
  const first = await judge(answers);
  const enough = countTokens(TURNS[1]?.text ?? "") + countTokens(TURNS[2]?.text ?? "");
  expect((await recall({ budget: enough }, { model: first.model })).texts).toEqual([
    TURNS[1]?.text,
    TURNS[2]?.text,
  ]);
  expect((await recall({ budget: enough - 1 }, { model: first.model })).texts).toEqual([
    "第二件事概要",
    TURNS[2]?.text,
  ]);
});

test("papers.md §18 B8: it ends where even all summaries are too long, by dropping the worst and cutting the best", async () => {
  const { model } = await judge(() => true);
  const { texts, notes } = await recall({ budget: 1 }, { model });
  expect(texts).toEqual(["gamma"]);
  expect(notes.tokens).toBe(1);
  expect(Object.values(notes.choices ?? {})).toContain("cut");
});

test("a single memory without a summary is cut to the budget, in English and Chinese", async () => {
  for (const text of [words("delta", 400), "我们昨天在公园里散步".repeat(60)]) {
    const { add, ask } = await open({ budget: 50 });
    await add(text, 0);
    const [hit] = (await ask("?")).hits;
    expect(countTokens(hit?.text ?? "")).toBeLessThanOrEqual(50);
    expect(countTokens(hit?.text ?? "")).toBeGreaterThan(40);
    expect(text).toContain(hit?.text);
  }
});

test("a summary that is no shorter is not taken", async () => {
  const { model } = await judge(() => true);
  const { add, ask, now } = await open({ budget: 15 }, { model });
  await add("短的一句话", 30, { metadata: { summary: words("longer", 30) }, happenedAt: now - HOUR });
  await add(words("best", 10), 0, { metadata: { summary: words("worse", 20) } });
  const { hits } = await ask("?");
  expect(hits.map(({ text }) => text)).toEqual(["短的一句话", words("best", 10)]);
});

test("what was said just before has its room, up to a bound", async () => {
  const { model } = await judge(() => false);
  const all = TURNS.reduce((sum, { text }) => sum + countTokens(text), 0);
  const talk = [{ speaker: "Ada", text: words("before", 30), captions: [] }];
  const run = async (previous_turn_tokens: number) =>
    (await recall({ budget: all, previous_turn_tokens }, { model, question: { talk } })).texts.length;
  expect(await run(0)).toBe(3);
  expect(await run(500)).toBe(1);
});

const STREAM: RecallSetup = {
  service: {
    name: "short_term_memory",
    options: { collection_name: "stream", top_k: 10, vitality: null, maxlen: 1000 },
  },
};

test("[P7-3] stream: the last turn is not looked for and shown last, in full or, where it is long, as its summary", async () => {
  const run = async (more: JsonObject) => {
    const { texts, hits } = await recall({ previous_turn: "stream", ...more }, STREAM);
    expect(hits.map(({ scoreParts }) => scoreParts.previous)).toEqual([undefined, undefined, 1]);
    return texts;
  };
  expect(await run({})).toEqual(TURNS.map(({ text }) => text));
  expect(await run({ previous_turn_tokens: 10 })).toEqual([
    ...TURNS.slice(0, 2).map(({ text }) => text),
    "gamma in short",
  ]);
});

test("stream: the last turn takes its room first, and is all there is where there is no more", async () => {
  const { model, server } = await judge(() => true);
  const [first, second, last] = TURNS.map(({ text }) => countTokens(text));
  const fits = (first ?? 0) + (second ?? 0) + (last ?? 0);
  await recall({ previous_turn: "stream", budget: fits }, { ...STREAM, model });
  expect(server.requests).toHaveLength(0);
  const { texts } = await recall({ previous_turn: "stream", budget: fits - 1 }, { ...STREAM, model });
  expect(texts).toEqual(["alpha in short", TURNS[1]?.text, TURNS[2]?.text]);
  const little = await recall({ previous_turn: "stream", budget: 5 }, { ...STREAM, model });
  expect(little.texts).toHaveLength(1);
  expect(countTokens(little.texts[0] ?? "")).toBeLessThanOrEqual(5);
});

test("stream: a first question finds nothing, a second only the last turn", async () => {
  const { add, ask } = await open({ previous_turn: "stream" }, STREAM);
  expect((await ask("?")).hits).toEqual([]);
  await add("第一句话", 0);
  expect((await ask("?")).hits.map(({ text }) => text)).toEqual(["第一句话"]);
});

test("top_k: the best so many are considered, unless the question says", async () => {
  const { add, ask } = await open({ top_k: 2 });
  for (const [place, text] of ["a", "乙", "c"].entries()) await add(text, place * 10);
  expect((await ask("?")).hits.map(({ text }) => text)).toEqual(["a", "乙"]);
  expect((await ask({ text: "?", topK: 1 })).hits.map(({ text }) => text)).toEqual(["a"]);
});

test("without a model words decide; a turn without a summary stands for itself", async () => {
  const { add, ask } = await open({ budget: 30 });
  const fact = "Ada moved to Rome in May 2019 because of a new job at the university there.";
  await add(fact, 10);
  await add("我昨天吃了很多很多的饺子，后来又去公园散步，看见了许多花。", 20);
  await add("The best hit of all is about something else entirely, and it is rather long.", 0);
  const { hits, stages } = await ask("When did Ada move to Rome?");
  expect(hits.map(({ text }) => text)).not.toContain(
    "我昨天吃了很多很多的饺子，后来又去公园散步，看见了许多花。",
  );
  expect(stages.at(-2)?.tasks.every(({ path }) => path === "local")).toBe(true);
});

test("a bad reply falls back or is thrown, as the preset says", async () => {
  for (const onBadReply of ["fallback", "throw"] as const) {
    const { model, close } = await scriptedModel("certainly!");
    closing.push(close);
    const run = recall({ budget: 100 }, { model, onBadReply });
    if (onBadReply === "throw") await expect(run).rejects.toMatchObject({ code: "reply_invalid" });
    else expect((await run).texts).toContain(TURNS[2]?.text);
  }
});

test("the prompt is the one that the preset names", async () => {
  const own = await promptVariants({ strict_judge: canAnswer });
  const { model, server } = await judge(() => false);
  closing.push(own.close);
  await recall({ budget: 100, judge_prompt: "strict_judge" }, { model, prompts: own.prompts });
  expect(JSON.stringify(server.requests[0]?.body)).toContain("This is strict_judge.");
  expect(scmThreeWay.claims?.({ ...BASE, judge_prompt: "strict_judge" })?.prompts).toMatchObject([
    { prompt: "strict_judge" },
  ]);
});

test("it always ends, keeps the best, and is within the budget", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ length: fc.integer({ min: 1, max: 40 }), short: fc.integer({ min: 1, max: 40 }) }),
        { minLength: 1, maxLength: 5 },
      ),
      fc.integer({ min: 1, max: 80 }),
      async (turns, budget) => {
        const { add, ask, close } = await openRecallWorld([chosen(scmThreeWay, { ...BASE, budget })]);
        try {
          for (const [place, { length, short }] of turns.entries())
            await add(words(`turn${place}`, length), place * 10, {
              metadata: { summary: words("s", short) },
            });
          const { hits, lists } = await ask("turn?");
          const best = lists[0]?.hits[0];
          expect(hits.map(({ id }) => id)).toContain(best?.id);
          const tokens = hits.reduce((sum, { text }) => sum + countTokens(text), 0);
          expect(tokens).toBeLessThanOrEqual(budget);
        } finally {
          await close();
        }
      },
    ),
    { numRuns: 25 },
  );
});
