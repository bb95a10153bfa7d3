/** Facts that override facts, in lists of our own. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Json } from "../../base/json.ts";
import { openDataset } from "./open-dataset.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-facts-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function spec(...lists: Json[]): string {
  writeFileSync(join(folder, "facts.json"), JSON.stringify(lists));
  return `factconsolidation=${join(folder, "facts.json")}`;
}

const FACTS = [
  "The capital of Norland is Tarn.",
  "Ada Brae plays the position of keeper.",
  "The capital of Norland is Elm.",
  "The capital of Sudland is Tarn.",
  "The capital of Norland is Tarn City.",
  "Elm is a citizen of Norland.",
  "Ada Brae was born in the city of Elm.",
  "The author of Elm is Ada Brae.",
  "The author of Elm is Tom Gray.",
];
const list = (source: string, facts: readonly string[], asked: Record<string, string>) => ({
  context: `Here is a list of facts:\n${facts.map((fact, place) => `${place}. ${fact}`).join("\n")}\n`,
  questions: Object.keys(asked),
  answers: Object.values(asked).map((answer) => [answer]),
  metadata: { source, qa_pair_ids: Object.keys(asked).map((_, place) => `${source}_no${place}`) },
});

test("facts are turns in their order, without their number; lists of the same facts share a case", async () => {
  const single = list("factconsolidation_sh_6k", FACTS, { "What is the capital of Norland?": "Tarn City" });
  const several = list("factconsolidation_mh_6k", FACTS, { "Which city was the player born in?": "Elm" });
  const { cases } = await openDataset(spec(single, several));
  expect(cases.map(({ id }) => id)).toEqual(["factconsolidation_sh_6k+factconsolidation_mh_6k"]);
  const turns = cases[0]?.turns ?? [];
  expect(turns.map(({ text }) => text)).toEqual(FACTS);
  expect(turns.map(({ ref }) => ref)).toEqual(FACTS.map((_, place) => String(place)));
  const times = turns.map(({ happenedAt }) => happenedAt ?? 0);
  expect(times.every((time, place) => place === 0 || time > (times[place - 1] ?? 0))).toBe(true);
  expect(cases[0]?.questions).toMatchObject([
    { id: "factconsolidation_sh_6k_no0", category: "sh_6k", answers: ["Tarn City"], evidence: ["4"] },
    {
      id: "factconsolidation_mh_6k_no0",
      category: "mh_6k",
      answers: ["Elm"],
      evidence: [],
      values: undefined,
    },
  ]);
});

test("what held before is what the same sentence said before, oldest first", async () => {
  const asked = {
    "What is the capital of Norland?": "Tarn City",
    "What position does Ada Brae play?": "keeper",
    "Who is the author of Elm?": "Ada Brae",
    "What is the religion of Tom Gray?": "Sun",
  };
  const { cases, leftOut } = await openDataset(spec(list("factconsolidation_sh_6k", FACTS, asked)));
  const [capital, position, author, religion] = cases[0]?.questions ?? [];
  expect(capital?.values).toEqual({
    newest: "The capital of Norland is Tarn City",
    older: ["The capital of Norland is Tarn", "The capital of Norland is Elm"],
  });
  // Never changed: there is nothing that it could be confused with.
  expect(position).toMatchObject({ evidence: ["1"], values: undefined });
  // A later fact says otherwise: the answer is not the newest.
  expect(author).toMatchObject({ evidence: [], values: undefined, answers: ["Ada Brae"] });
  expect(religion).toMatchObject({ evidence: [], values: undefined });
  expect(leftOut).toEqual({
    "questions without evidence, which are in no recall": 2,
    "single-hop answers that a later fact overrides": 1,
    "single-hop answers that no fact tells": 1,
  });
});

test("an answer is found as whole words, in Chinese as it stands", async () => {
  const english = [
    "Ann lives in Leeds.",
    "Ann lives in York.",
    "Bob lives in York.",
    "Ann likes the Yorkshire life.",
  ];
  const chinese = ["北国的首都是青城。", "南国的首都是青城。", "北国的首都是白城。"];
  const { cases } = await openDataset(
    spec(
      list("factconsolidation_sh_1k", english, { "Where in life does Ann live?": "york" }),
      list("factconsolidation_sh_2k", chinese, { "北国的首都是哪里？": "白城" }),
    ),
  );
  expect(cases.map(({ questions }) => questions[0]?.evidence)).toEqual([["1"], ["2"]]);
  expect(cases[0]?.questions[0]?.values?.older).toEqual(["Ann lives in Leeds"]);
  expect(cases[1]?.questions[0]?.values).toEqual({
    newest: "北国的首都是白城",
    older: ["北国的首都是青城"],
  });
});

test("a fact that is told again has not changed", async () => {
  const again = ["Ann lives in York.", "Bob lives in Leeds.", "Ann lives in York."];
  const asked = { "Where does Ann live?": "York" };
  const { cases } = await openDataset(spec(list("factconsolidation_sh_6k", again, asked)));
  expect(cases[0]?.questions[0]).toMatchObject({ evidence: ["2"], values: undefined });
});

test("lists of other tasks are passed over; as many answers as questions are needed", async () => {
  const facts = list("factconsolidation_sh_6k", FACTS, { "What is the capital of Norland?": "Tarn City" });
  const { cases, leftOut } = await openDataset(
    spec(facts, { ...facts, metadata: { source: "eventqa_64k" } }),
  );
  expect(cases).toHaveLength(1);
  expect(leftOut["lists of other tasks of MemoryAgentBench"]).toBe(1);
  await expect(openDataset(spec({ ...facts, answers: [] }))).rejects.toThrow("0: 1 questions with 0 answers");
});
