import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { openRecallWorld } from "../../testing/recall-world.ts";
import { countTokens } from "../../text/token-count.ts";
import { filter } from "./filter.ts";
import { rerank } from "./rerank.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** What is left of some texts, given best first. */
async function left(
  options: JsonObject,
  given: readonly string[],
  first: Parameters<typeof openRecallWorld>[0] = [],
) {
  const { add, ask, close } = await openRecallWorld([...first, chosen(filter, options)]);
  closing.push(close);
  for (const [place, text] of given.entries()) await add(text, place * 5);
  return ask("?");
}

const texts = ({ hits }: { readonly hits: readonly { readonly text: string }[] }): string[] =>
  hits.map(({ text }) => text);

describe("token_budget", () => {
  const LONG =
    "The old mill stands by the river. It has been grinding flour for two hundred years. Nobody knows who built it.";
  const GIVEN = ["Short and first.", LONG, "Short and last."];
  const room = countTokens(GIVEN[0] ?? "") + countTokens("The old mill stands by the river.");
  const budget = { filter_type: "token_budget", budget: room, reserve: 0 };

  test("[S1-20][S1-21][S1-22] drop ends at the first that is too long, skip_and_fill goes on, truncate cuts after a sentence", async () => {
    expect(texts(await left({ ...budget, overflow: "drop" }, GIVEN))).toEqual(["Short and first."]);
    expect(texts(await left({ ...budget, overflow: "skip_and_fill" }, GIVEN))).toEqual([
      "Short and first.",
      "Short and last.",
    ]);
    const cut = await left({ ...budget, overflow: "truncate" }, GIVEN);
    expect(texts(cut)).toEqual(["Short and first.", "The old mill stands by the river."]);
    expect(cut.hits[1]?.content).toBe(LONG);
    expect(cut.stages.at(-2)?.notes).toMatchObject({ truncated: cut.hits[1]?.id });
  });

  test("what is reserved is not spent, and Chinese is counted as it costs", async () => {
    const given = ["我昨天去了北京的故宫博物院。", "Short."];
    const cost = countTokens(given[0] ?? "");
    const all = { ...budget, overflow: "drop", budget: cost + 3 };
    expect(texts(await left(all, given))).toEqual(given);
    expect(texts(await left({ ...all, reserve: 3 }, given))).toEqual([given[0]]);
    expect(texts(await left({ ...all, budget: cost - 1 }, given))).toEqual([]);
  });

  test("[S1-22] never over budget, whatever the texts", async () => {
    const world = await openRecallWorld([
      chosen(filter, { filter_type: "token_budget", budget: 20, reserve: 5, overflow: "truncate" }),
    ]);
    closing.push(world.close);
    const text = fc.stringMatching(/^[a-z 猫狗河。.]{1,60}[a-z猫]$/);
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), async (given) => {
        for (const one of given) await world.add(one, 10);
        const { hits } = await world.ask("?");
        expect(hits.reduce((sum, hit) => sum + countTokens(hit.text), 0)).toBeLessThanOrEqual(15);
      }),
      { numRuns: 20 },
    );
  });
});

test("more than the budget cannot be reserved", () => {
  const options = { filter_type: "token_budget", budget: 10, overflow: "drop" };
  expect(filter.options.safeParse({ ...options, reserve: 10 }).success).toBe(true);
  expect(filter.options.safeParse({ ...options, reserve: 11 }).error?.issues[0]?.path).toEqual(["reserve"]);
});

describe("threshold", () => {
  test("by the score, what has exactly the least stays; by a part, what lacks it goes", async () => {
    const given = ["same", "near", "far"];
    const min_score = Math.cos((5 * Math.PI) / 180);
    const exact = await left(
      { filter_type: "threshold", min_score: 0, score_part: null, keep_unmeasured: false },
      given,
    );
    const second = exact.hits[1]?.score ?? 0;
    expect(second).toBeCloseTo(min_score, 5);
    expect(
      texts(
        await left(
          { filter_type: "threshold", min_score: second, score_part: null, keep_unmeasured: false },
          given,
        ),
      ),
    ).toEqual(["same", "near"]);
    expect(
      texts(
        await left(
          { filter_type: "threshold", min_score: 0, score_part: "nothing", keep_unmeasured: false },
          given,
        ),
      ),
    ).toEqual([]);
    const time = chosen(rerank, {
      rerank_type: "time_weighted",
      rate_per_hour: 0.5,
      time_field: "happened_at",
    });
    const part = { filter_type: "threshold", score_part: "time_weight", keep_unmeasured: false };
    expect(texts(await left({ ...part, min_score: 0.9 }, given, [time]))).toEqual(given);
    expect(texts(await left({ ...part, min_score: 1.1 }, given, [time]))).toEqual([]);
  });
});

test("threshold: a part is found by its name whatever list it is of, and what was never measured may stay", async () => {
  const routes = [{ strategy: "semantic" as const }, { strategy: "lexical" as const }];
  const run = async (keep_unmeasured: boolean) => {
    const options = { filter_type: "threshold", min_score: 0.3, score_part: "cosine", keep_unmeasured };
    const world = await openRecallWorld([chosen(filter, options)], { question: { routes } });
    closing.push(world.close);
    await world.add("near", 10);
    await world.add("远的", 85);
    await world.add("words alone 只有词", 0, { vectors: [] });
    return texts(await world.ask("alone 只有"));
  };
  expect(await run(true)).toEqual(["near", "words alone 只有词"]);
  expect(await run(false)).toEqual(["near"]);
});

test("[S0-40] top_k keeps the first k", async () => {
  expect(texts(await left({ filter_type: "top_k", k: 2 }, ["a", "乙", "c"]))).toEqual(["a", "乙"]);
  expect(texts(await left({ filter_type: "top_k", k: 9 }, ["a", "乙", "c"]))).toEqual(["a", "乙", "c"]);
});

test("top_k: a question that says how many it wants gets as many", async () => {
  const world = await openRecallWorld([chosen(filter, { filter_type: "top_k", k: 1 })]);
  closing.push(world.close);
  for (const [place, text] of ["a", "乙", "c"].entries()) await world.add(text, place * 10);
  expect(texts(await world.ask("?"))).toEqual(["a"]);
  expect(texts(await world.ask({ text: "?", topK: 2 }))).toEqual(["a", "乙"]);
});

describe("dedup", () => {
  const SAME = ["She moved to Rome.", "she moved  to ROME", "她搬到了羅馬。", "她搬到了罗马", "!!", "??"];
  test("equal is equal in any case, width, punctuation and Chinese script; the best stays", async () => {
    const { hits, stages } = await left({ filter_type: "dedup", near_threshold: null }, SAME);
    expect(texts({ hits })).toEqual(["She moved to Rome.", "她搬到了羅馬。", "!!", "??"]);
    expect(stages.at(-2)?.notes.dropped).toMatchObject([{ same_as: hits[0]?.id }, { same_as: hits[1]?.id }]);
  });

  test("near is by shared words", async () => {
    const near = [
      "Ada bought a red bicycle in Paris",
      "Ada bought a new red bicycle in Paris",
      "Bob sold a boat",
    ];
    const run = async (near_threshold: number | null) =>
      texts(await left({ filter_type: "dedup", near_threshold }, near));
    expect(await run(null)).toHaveLength(3);
    expect(await run(0.99)).toHaveLength(3);
    expect(await run(0.7)).toEqual([near[0], near[2]]);
  });

  test.each([
    ["I like sushi.", "I do not like sushi."],
    ["Alice owes Bob money.", "Bob owes Alice money."],
    ["She moved to Rome in spring.", "He moved to Rome in spring."],
    ["We met at 7 in the old town hall.", "We met at 8 in the old town hall."],
    ["The train to Paris leaves early on Monday.", "The train to Paris leaves late on Monday."],
    ["我喜欢吃寿司。", "我不喜欢吃寿司。"],
    ["小明欠小红很多钱。", "小红欠小明很多钱。"],
    ["他去年春天搬到了罗马。", "她去年春天搬到了罗马。"],
    ["我们三个人去了公园。", "我们四个人去了公园。"],
  ])("what contradicts is never the same, however alike: %s %s", async (one, other) => {
    const options = { filter_type: "dedup", near_threshold: 0.5 };
    expect(texts(await left(options, [one, other]))).toEqual([one, other]);
  });

  test("near in Chinese, too", async () => {
    const given = ["小明昨天在上海买了一把小提琴。", "小明昨天在上海买了一把新小提琴。"];
    expect(texts(await left({ filter_type: "dedup", near_threshold: 0.6 }, given))).toEqual([given[0]]);
  });
});

describe("mmr", () => {
  const GIVEN = [
    "Ada likes green tea",
    "Ada likes green tea a lot",
    "Ada likes tea, green tea",
    "Bob plays the violin",
  ];
  const run = async (lambda: number, k: number) => left({ filter_type: "mmr", lambda, k }, GIVEN);

  test("lambda trades goodness for variety, k bounds the list", async () => {
    expect(texts(await run(1, 3))).toEqual(GIVEN.slice(0, 3));
    expect(texts(await run(0.3, 2))).toEqual([GIVEN[0], GIVEN[3]]);
    expect(texts(await run(0.3, 1))).toEqual([GIVEN[0]]);
  });

  test("why is told: score as it was, with what it got here", async () => {
    const { hits } = await run(0.3, 2);
    expect(hits[1]?.scoreParts).toMatchObject({ redundancy: 0, mmr: 0 });
    expect(hits[1]?.score).toBeCloseTo(Math.cos((15 * Math.PI) / 180), 5);
  });
});
