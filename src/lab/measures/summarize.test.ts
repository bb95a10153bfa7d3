import fc from "fast-check";
import { expect, test } from "vitest";
import type { BuildLine, QuestionLine, ResultLine } from "../result.ts";
import { estimate } from "./bootstrap.ts";
import { type SummaryHead, summarize } from "./summarize.ts";

const HEAD: SummaryHead = {
  format: 1,
  run: "bm25__talk",
  preset: { name: "bm25", hash: "p" },
  dataset: { kind: "locomo", name: "talk", hash: "d", cases: 2, turns: 60, questions: 6, leftOut: {} },
  embedder: null,
  models: { chat: null, judges: [] },
  seed: 7,
  git: null,
  machine: { node: "24", platform: "linux", cpus: 2, cpu: "any", memoryGb: 4 },
  version: "0.1.0",
};
const NO_CALLS = { calls: 0, inputTokens: 0, outputTokens: 0, usd: null };

function asked(question: string, recall: number | null, more: Partial<QuestionLine> = {}): QuestionLine {
  return {
    type: "question",
    case: "a",
    question,
    text: "谁?",
    category: "1",
    expects: "answer",
    point: { number: 1, of: 1, turns: 20 },
    evidence: [],
    answers: [],
    hits: [],
    contextTokens: null,
    confidence: 0.5,
    measures: { "recall@10": recall, mrr: recall },
    times: { queryMs: 1, stagesMs: {} },
    ...more,
  };
}

function built(more: Partial<BuildLine> = {}): BuildLine {
  return {
    type: "build",
    case: "a",
    point: { number: 1, of: 1, turns: 20 },
    entries: 20,
    storage: { entries: 20, bytes: 4096 },
    model: NO_CALLS,
    times: { buildMs: 100, stagesMs: {} },
    ...more,
  };
}

const summaryOf = (...lines: readonly ResultLine[]) => summarize(HEAD, lines, { peakMemoryMb: 90 });

test("overall is of the questions that expect an answer; a measure counts where it could be measured", () => {
  const summary = summaryOf(
    asked("1", 1),
    asked("2", 0),
    asked("3", 0.5, { measures: { "recall@10": 0.5, mrr: null, "newest@10": null } }),
    asked("4", 1, { category: "5", expects: "abstain" }),
  );
  expect(summary.overall["recall@10"]).toEqual(estimate([1, 0, 0.5], 7));
  expect(summary.overall.mrr).toMatchObject({ mean: 0.5, count: 2 });
  expect(summary.overall).not.toHaveProperty("newest@10");
  expect(summary).toMatchObject(HEAD);
});

test("categories by their ids; what expects no answer is measured in its own", () => {
  const { byCategory } = summaryOf(
    asked("1", 1, { category: "4" }),
    asked("2", 0, { category: "2" }),
    asked("3", 1, { category: "5", expects: "abstain" }),
    asked("4", 0, { category: "multi-session" }),
    asked("5", 1, { category: "multi-session", expects: "abstain" }),
  );
  expect(Object.keys(byCategory)).toEqual(["2", "4", "5", "multi-session", "multi-session (abstain)"]);
  expect(byCategory["5"]?.["recall@10"]).toMatchObject({ mean: 1, count: 1 });
  expect(byCategory["multi-session"]?.["recall@10"]).toMatchObject({ mean: 0, count: 1 });
});

test("corrected labels: all questions, with the audit's measures where it has some", () => {
  expect(summaryOf(asked("1", 1)).corrected).toBeNull();
  const { corrected, overall } = summaryOf(
    asked("1", 1),
    asked("2", 0, { corrected: { "recall@10": 1, mrr: null } }),
    asked("3", 0, { expects: "abstain", corrected: { "recall@10": 1 } }),
  );
  expect(overall["recall@10"]).toMatchObject({ mean: 0.5, count: 2 });
  expect(corrected?.["recall@10"]).toMatchObject({ mean: 1, count: 2 });
  expect(corrected?.mrr).toMatchObject({ mean: 1, count: 1 });
});

test("abstention by confidence, null without questions of both kinds", () => {
  const known = asked("1", 1, { confidence: 0.9 });
  expect(summaryOf(known).abstention).toBeNull();
  const unknown = asked("2", null, { confidence: 0.2, expects: "abstain" });
  expect(summaryOf(known, unknown).abstention).toMatchObject({ mean: 1, count: 2 });
});

test("points of a stream: each by itself, and overall is the last time a question was asked", () => {
  const first = { number: 1, of: 2, turns: 10 };
  const second = { number: 2, of: 2, turns: 20 };
  const other = { case: "b", point: { number: 2, of: 2, turns: 40 } };
  const summary = summaryOf(
    built({ point: first, entries: 10, storage: { bytes: 1000 } }),
    asked("1", 0, { point: first, times: { queryMs: 3, stagesMs: {} } }),
    built({ point: second }),
    asked("1", 1, { point: second }),
    asked("2", 1, { point: second }),
    built({ ...other, entries: 5, storage: { bytes: 300, turns: 40 } }),
    // The same name in another case is another question.
    asked("1", 0, other),
  );
  expect(summary.byPoint).toMatchObject([
    { point: 1, turns: 10, entries: 10, bytes: 1000, queryMsP50: 3 },
    { point: 2, turns: 60, entries: 25, bytes: 4396, queryMsP50: 1 },
  ]);
  expect(summary.byPoint.map(({ overall }) => overall["recall@10"]?.mean)).toEqual([0, 2 / 3]);
  expect(summary.overall["recall@10"]).toMatchObject({ mean: 2 / 3, count: 3 });
  expect(summary.cost).toMatchObject({ entries: 25, bytesOnDisk: 4396, buildMs: 300, msPerTurn: 300 / 60 });
});

test("a case that has fewer points counts with its last ones as far as size goes", () => {
  const { byPoint } = summaryOf(
    built({ case: "小", point: { number: 1, of: 1, turns: 3 }, entries: 3 }),
    built({ point: { number: 1, of: 2, turns: 10 }, entries: 10 }),
    built({ point: { number: 2, of: 2, turns: 20 }, entries: 20 }),
  );
  expect(byPoint.map(({ turns, entries }) => [turns, entries])).toEqual([
    [13, 13],
    [23, 23],
  ]);
});

test("median and 95th of 100 of query times; stages per turn and per question", () => {
  const times = Array.from({ length: 21 }, (_, place) =>
    asked(String(place), 1, {
      times: { queryMs: place === 20 ? 1000 : place, stagesMs: { memory_retrieval: 2 * place } },
    }),
  );
  const { cost } = summaryOf(
    built({ times: { buildMs: 100, stagesMs: { pre_insert: 40, memory_insert: 20 } } }),
    built({ case: "b", times: { buildMs: 60, stagesMs: { memory_insert: 60 } } }),
    ...times,
  );
  expect(cost).toMatchObject({ queryMsP50: 10, queryMsP95: 19, peakMemoryMb: 90, msPerTurn: 4 });
  expect(cost.stagesMs).toEqual({ pre_insert: 1, memory_insert: 2, memory_retrieval: 20 });
});

test("model calls are summed; money only where every call has a price", () => {
  const use = { calls: 2, inputTokens: 100, outputTokens: 10, usd: 0.5 };
  const priced = summaryOf(built({ model: use }), built({ case: "b", model: use }), asked("1", 1));
  expect(priced.cost.build).toEqual({ calls: 4, inputTokens: 200, outputTokens: 20, usd: 1 });
  expect(priced.cost.query).toEqual({ calls: 0, inputTokens: 0, outputTokens: 0, usd: 0 });
  const unpriced = summaryOf(asked("1", 1, { model: use }), asked("2", 1, { model: { ...use, usd: null } }));
  expect(unpriced.cost.query).toMatchObject({ calls: 4, usd: null });
  // What was never called needs no price.
  expect(summaryOf(built({ model: use }), built({ case: "b" })).cost.build.usd).toBe(0.5);
});

test("nothing asked and nothing lived is no division by nothing", () => {
  const { overall, byPoint, cost } = summaryOf();
  expect([overall, byPoint]).toEqual([{}, []]);
  expect(Object.values(cost).filter((value) => Number.isNaN(value))).toEqual([]);
  expect(cost).toMatchObject({ msPerTurn: 0, queryMsP50: 0, queryMsP95: 0 });
});

test("law: the order of the lines does not matter, nor that a stretch was lived twice", () => {
  const lines = [
    built(),
    built({ case: "b", entries: 7 }),
    ...Array.from({ length: 9 }, (_, place) =>
      asked(`问${place}`, place / 8, { confidence: place, expects: place % 3 === 0 ? "abstain" : "answer" }),
    ),
  ];
  const expected = summaryOf(...lines);
  fc.assert(
    fc.property(
      fc.shuffledSubarray(lines, { minLength: lines.length }),
      fc.subarray(lines),
      (turned, again) => {
        expect(summaryOf(...turned, ...again)).toEqual(expected);
      },
    ),
    { numRuns: 20 },
  );
});
