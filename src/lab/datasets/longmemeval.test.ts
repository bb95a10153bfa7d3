/** LongMemEval's traps, on histories of our own. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createIds } from "../../base/ids.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import { parseScope } from "../../base/scope.ts";
import { makeTurn } from "../../base/turn.ts";
import { openDataset } from "./open-dataset.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-longmemeval-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function spec(...questions: Json[]): string {
  writeFileSync(join(folder, "asked.json"), JSON.stringify(questions));
  return `longmemeval=${join(folder, "asked.json")}`;
}

const ASKED = {
  question_id: "q1",
  question_type: "temporal-reasoning",
  question: "How many plants do I have?",
  answer: 7,
  question_date: "2023/06/01 (Thu) 08:00",
  haystack_dates: ["2023/05/20 (Sat) 02:21", "2023/03/02 (Thu) 10:00", "2023/05/20 (Sat) 02:21"],
  haystack_session_ids: ["late", "early", "later"],
  haystack_sessions: [
    [
      { role: "user", content: "I have seven plants now.", has_answer: true },
      { role: "assistant", content: "", has_answer: false },
    ],
    [{ role: "user", content: "Hello\u0007 there." }],
    [{ role: "user", content: "Good night." }],
  ],
  answer_session_ids: ["late", "gone"],
} satisfies JsonObject;

const CHINESE = {
  ...ASKED,
  question_id: "问题_abs",
  question_type: "multi-session",
  question: "我的猫叫什么名字？",
  answer: "没有提到猫。",
  haystack_sessions: [[{ role: "user", content: "我养了一只狗。" }], [], []],
  answer_session_ids: [],
} satisfies JsonObject;

test("every question is a case of its own, asked at its date, its sessions by theirs", async () => {
  const { cases, leftOut } = await openDataset(spec(ASKED));
  expect(cases).toHaveLength(1);
  expect(cases[0]?.turns.map(({ ref, session, role }) => [ref, session, role])).toEqual([
    ["early#1", "early", "user"],
    ["late#1", "late", "user"],
    ["late#2", "late", "assistant"],
    ["later#1", "later", "user"],
  ]);
  expect(cases[0]?.turns[1]?.happenedAt).toBe(Date.UTC(2023, 4, 20, 2, 21));
  expect(cases[0]?.questions).toEqual([
    {
      id: "q1",
      text: "How many plants do I have?",
      category: "temporal-reasoning",
      askedAt: Date.UTC(2023, 5, 1, 8),
      expects: "answer",
      evidence: ["late#1"],
      sessions: ["late"],
      answers: ["7"],
    },
  ]);
  expect(leftOut).toEqual({ "evidence sessions that are not in their history": 1 });
});

test("every turn can be stored: an empty one keeps its place, a control character goes", async () => {
  const { cases } = await openDataset(spec(ASKED));
  const turns = cases[0]?.turns ?? [];
  expect(turns.map(({ text }) => text)).toEqual([
    ...["Hello there.", "I have seven plants now.", "[…]", "Good night."],
  ]);
  const stamp = { id: createIds().turn(), scope: parseScope("x"), recordedAt: 0 };
  for (const { ref: _, ...turn } of turns) expect(makeTurn(turn, stamp).text).toBe(turn.text);
});

test("ids that end in _abs expect to abstain", async () => {
  const { cases } = await openDataset(spec(ASKED, CHINESE));
  expect(cases.map(({ questions }) => questions[0]?.expects)).toEqual(["answer", "abstain"]);
  expect(cases[1]?.questions[0]).toMatchObject({ id: "问题_abs", evidence: [], sessions: [] });
});

test("a session id that stands twice gives two sessions, and labels mean both", async () => {
  const twice = { ...ASKED, haystack_session_ids: ["late", "early", "late"] };
  const { cases } = await openDataset(spec(twice));
  expect(cases[0]?.turns.map(({ ref }) => ref)).toEqual(["early#1", "late#1", "late#2", "late~2#1"]);
  expect(cases[0]?.questions[0]?.sessions).toEqual(["late", "late~2"]);
});

test.each([
  [{ haystack_dates: ["soon", "2023/03/02", "2023/03/02"] }, '0.haystack_dates.0: "soon" is no date'],
  [{ haystack_session_ids: ["a"] }, "0: 3 sessions with 3 dates and 1 ids"],
  [{ haystack_sessions: [[{ role: "user" }], [], []] }, "0.haystack_sessions.0.0.content: "],
] satisfies [JsonObject, string][])("%o is refused where it is wrong", async (wrong, message) => {
  await expect(openDataset(spec({ ...ASKED, ...wrong }))).rejects.toMatchObject({
    code: "input_invalid",
    message: expect.stringContaining(message),
  });
});
