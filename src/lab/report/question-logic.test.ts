/** Which questions the page lists for two runs, and what it counts: the page's own script, run without a page. */
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { estimated, labQuestion, labSummary } from "../../testing/lab-runs.ts";
import type { QuestionLine } from "../result.ts";
import { embedQuestions } from "./embedded-questions.ts";
import { groupRuns } from "./group-runs.ts";
import { QUESTION_LOGIC } from "./question-logic.ts";

function line(question: string, value: number | null, more: Partial<QuestionLine> = {}): QuestionLine {
  return labQuestion(question, { measures: { "recall@10": value }, ...more });
}

const TRAP = { expects: "abstain", category: "5" } as const;
const FOUND = { hits: [{ refs: ["2:2"], score: 1, tokens: 1, text: "王芳：周末我们去了重庆" }] };

const A = [
  ...[line("q1", 1), line("q2", 0.5, { category: "2" }), line("q3", 0), line("q4", null)],
  line("q5", 1, TRAP),
];
const B = [
  ...[line("q1", 0), line("q2", 1, { category: "2" }), line("q3", 0, FOUND), line("q4", 1)],
  line("q5", 0, TRAP),
];

function evaluate(call: string, wanted: object = {}) {
  const overall = { "recall@10": estimated(60, 50, 70) };
  const runs = [
    { summary: labSummary("a", { overall }), questions: A },
    { summary: labSummary("b", { overall }), questions: B },
  ];
  const [group] = embedQuestions(groupRuns(runs), 1e6).groups;
  const plan = { measure: 0, category: "", differing: false, search: "", ...wanted };
  return JSON.parse(runInNewContext(`${QUESTION_LOGIC}; JSON.stringify(${call})`, { group, plan }));
}

function compared(wanted: object) {
  const found = evaluate("compareQuestions(group, 0, 1, plan)", wanted);
  return { ...found, ids: found.rows.map((row: { question: { id: string } }) => row.question.id) };
}

describe("two runs, question by question", () => {
  test("all are listed; counted are those that expect an answer and are measured in both", () => {
    const { ids, compared: count, gains, losses, means } = compared({});
    expect(ids).toEqual(["q1", "q2", "q3", "q4", "q5"]);
    expect({ count, gains, losses }).toEqual({ count: 3, gains: 1, losses: 1 });
    expect(means).toEqual([0.5, expect.closeTo(1 / 3)]);
  });

  test.each([
    [{ differing: true }, ["q1", "q2", "q4", "q5"], 3],
    [{ category: "2" }, ["q2"], 1],
    [{ search: "重庆" }, ["q3"], 3],
    [{ search: "ABOUT Q2" }, ["q2"], 3],
    [{ search: "nowhere" }, [], 3],
  ])("%j lists %j, and what is counted does not depend on what is searched", (wanted, ids, count) => {
    expect(compared(wanted)).toMatchObject({ ids, compared: count });
  });

  test("the text of a turn is known from any run that found it alone", () => {
    expect(evaluate("[...textsOfRefs(group)]")).toEqual([
      ["talk-1\n1:1", "Mia: I moved to Rome."],
      ["talk-1\n2:2", "王芳：周末我们去了重庆"],
    ]);
  });
});
