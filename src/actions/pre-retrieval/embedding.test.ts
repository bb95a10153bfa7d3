import { afterEach, expect, test } from "vitest";
import { bilingual } from "../../models/local/bilingual.ts";
import type { Embedder } from "../../models/model.ts";
import { HASH_SPACE } from "../../testing/hash-embedder.ts";
import { openRetrievalWorld, type RetrievalSetup } from "../../testing/retrieval-world.ts";
import { decompose } from "./decompose.ts";
import { embedding } from "./embedding.ts";
import { noPreRetrieval } from "./none.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
async function open(setup: RetrievalSetup) {
  const world = await openRetrievalWorld(setup);
  closers.push(world.close);
  return world;
}

const embed = (options: object = {}) => ({
  action: embedding,
  options: { embedding_model: "default", spaces: "all", ...options },
});

function counting(id: string, seen: string[]): Embedder {
  return {
    id,
    provider: "test",
    dimension: 2,
    maxBatch: 9,
    embed: async (texts) => {
      seen.push(...texts);
      return texts.map((text) => Float32Array.of(text.length, 1));
    },
  };
}

test("[S0-37] none leaves the question as it was asked, and it is looked for by its words", async () => {
  const world = await open({ pre: [{ action: noPreRetrieval, options: {} }] });
  await world.say(["Mia moved to Berlin.", "小美搬到了上海。"]);
  const { question, hits } = await world.ask("上海");
  expect(question.queries).toEqual([{ text: "上海", vectors: [], weight: 1 }]);
  expect(hits.map(({ text }) => text)).toEqual(["小美搬到了上海。"]);
});

test("[S0-37] [S0-94] embedding gives every query its vector, by which the service finds", async () => {
  const rule = { decompose_strategy: "rule", max_sub_queries: 5, order: "parallel", keep_original: false };
  const world = await open({ pre: [{ action: decompose, options: rule }, embed()] });
  await world.say(["Mia moved to Berlin.", "Ann plays chess.", "小美搬到了上海。"]);
  const { question, hits } = await world.ask("Where did Mia move and who plays chess?");
  expect(question.queries.map(({ vectors }) => vectors.map(({ space }) => space))).toEqual([
    [HASH_SPACE],
    [HASH_SPACE],
  ]);
  expect(hits[0]?.scoreParts).toHaveProperty("default.cosine");
  const chinese = await world.ask("小美搬到了上海。");
  expect(chinese.hits[0]?.text).toBe("小美搬到了上海。");
});

test("embedding_model names the embedder that must have made the vectors", async () => {
  const right = await open({ pre: [embed({ embedding_model: HASH_SPACE })] });
  expect((await right.ask("Mia")).question.queries[0]?.vectors).toHaveLength(1);
  const wrong = await open({ pre: [embed({ embedding_model: "hash-65" })] });
  await expect(wrong.ask("Mia")).rejects.toMatchObject({
    code: "embedder_mismatch",
    message: expect.stringContaining('Did you mean "hash-64"?'),
  });
});

test("spaces: those of the question's own language, or all; all where none is its own", async () => {
  const ask = async (spaces: string, text: string) => {
    const seen = { e: [] as string[], z: [] as string[] };
    const embedder = bilingual({ en: counting("e", seen.e), zh: counting("z", seen.z) });
    const world = await open({ pre: [embed({ spaces })], embedder });
    const { question } = await world.ask(text);
    const made = question.queries[0]?.vectors.map(({ space }) => space);
    // What is not asked for is not made and thrown away.
    expect(Object.entries(seen).flatMap(([space, texts]) => texts.map(() => space))).toEqual(made);
    return made;
  };
  expect(await ask("native", "Where is Mia?")).toEqual(["e"]);
  expect(await ask("native", "小美在哪里？")).toEqual(["z"]);
  expect(await ask("all", "小美在哪里？")).toEqual(["e", "z"]);
  const english = await open({
    pre: [embed({ spaces: "native" })],
    embedder: bilingual({ en: counting("e", []) }),
  });
  expect((await english.ask("小美在哪里？")).question.queries[0]?.vectors).toHaveLength(1);
});

test("the same words are embedded once; words that nobody can embed are told", async () => {
  const seen: string[] = [];
  const embedder = bilingual({ en: counting("e", seen) });
  const twice = { decompose_strategy: "rule", max_sub_queries: 5, order: "parallel", keep_original: true };
  const world = await open({ pre: [{ action: decompose, options: twice }, embed(), embed()], embedder });
  const { question, stages } = await world.ask("Who sings? Who dances?");
  expect(seen).toHaveLength(2 * 3);
  expect(question.queries.map(({ vectors }) => vectors.length)).toEqual([1, 1, 1]);
  expect(stages.find(({ action }) => action === "embedding")?.notes).toMatchObject({ embedded: 3 });
});
