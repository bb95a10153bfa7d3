/** Two runs, paired by question: counted by hand. */
import { describe, expect, test } from "vitest";
import { labQuestion, labSummary } from "../../testing/lab-runs.ts";
import type { QuestionLine } from "../result.ts";
import { compareRuns } from "./compare-runs.ts";
import type { Run } from "./run.ts";

function run(preset: string, questions: readonly QuestionLine[]): Run {
  return { summary: labSummary(preset), questions };
}

function asked(question: string, value: number | null, more: Partial<QuestionLine> = {}): QuestionLine {
  return labQuestion(question, { measures: { "recall@10": value, "recall@5": 0 }, ...more });
}

const TRAP = { category: "5", expects: "abstain" } as const;

describe("the difference of two runs", () => {
  test("is B less A over the questions that both have; what cannot be answered stands apart", () => {
    const a = run("a", [
      ...[asked("q1", 0.5), asked("q2", 0), asked("q3", 1, { category: "2" }), asked("q4", null)],
      ...[asked("only a", 1), asked("q5", 0, TRAP), asked("q6", 0.25)],
    ]);
    const b = run("b", [
      ...[asked("q6", 0.25), asked("q5", 1, TRAP), asked("q4", 1), asked("q3", 0, { category: "2" })],
      ...[asked("q2", 1), asked("q1", 0.75)],
    ]);
    const found = compareRuns(a, b);
    expect(found).toMatchObject({ measure: "recall@10", leftOut: 2 });
    expect(found.overall).toMatchObject({ gains: 2, losses: 1, same: 1, isTold: false });
    expect(found.overall.a.mean).toBeCloseTo(0.4375, 12);
    expect(found.overall.b.mean).toBeCloseTo(0.5, 12);
    expect(found.overall.difference).toMatchObject({ mean: 0.0625, count: 4 });
    expect(Object.keys(found.byCategory)).toEqual(["1", "2"]);
    expect(found.byCategory["2"]).toMatchObject({ losses: 1, gains: 0, difference: { mean: -1, count: 1 } });
    expect(found.abstain).toMatchObject({ gains: 1, difference: { mean: 1, count: 1 } });
    expect(found.changed.map(({ question, a: x, b: y }) => [question, x, y])).toEqual([
      ["q2", 0, 1],
      ["q3", 1, 0],
      ["q5", 0, 1],
      ["q1", 0.5, 0.75],
    ]);
  });

  test("is paired: a small gain on every question is told, however much the questions differ", () => {
    const hard = Array.from({ length: 40 }, (_, place) => (place % 2 === 0 ? 0 : 0.9));
    const a = run(
      "a",
      hard.map((value, place) => asked(`q${place}`, value)),
    );
    const b = run(
      "b",
      hard.map((value, place) => asked(`q${place}`, value + 0.05)),
    );
    const { overall } = compareRuns(a, b);
    expect(overall.a.high).toBeGreaterThan(overall.b.low);
    expect(overall).toMatchObject({ isTold: true, gains: 40, losses: 0 });
    expect(overall.difference.low).toBeCloseTo(0.05, 9);
    expect(compareRuns(b, a).overall.difference.mean).toBeCloseTo(-0.05, 9);
    expect(compareRuns(a, a).overall).toMatchObject({ isTold: false, same: 40 });
  });

  test("is of the measure that was asked for", () => {
    const a = run("a", [labQuestion("q1", { measures: { "recall@10": 1, mrr: 0.5 } })]);
    const b = run("b", [labQuestion("q1", { measures: { "recall@10": 1, mrr: 1 } })]);
    expect(compareRuns(a, b, "mrr").overall.difference.mean).toBe(0.5);
    expect(() => compareRuns(a, b, "mmr")).toThrow(/"mmr" was not taken in both runs.*Did you mean "mrr"\?/);
  });

  test("is refused for other data, and where nothing is in common", () => {
    const a = run("a", [asked("q1", 1)]);
    const { dataset } = labSummary("b");
    const other = { ...a, summary: labSummary("b", { dataset: { ...dataset, name: "对话", hash: "ffff" } }) };
    expect(() => compareRuns(a, other)).toThrow(
      /different data sets.*a__talks is of talks \(locomo, 0123456789\), b__talks is of 对话 \(locomo, ffff\)/,
    );
    expect(() => compareRuns(a, run("b", [asked("q2", 1)]))).toThrow(/no question in common/);
  });
});
