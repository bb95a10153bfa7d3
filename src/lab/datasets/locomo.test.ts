/** LoCoMo's traps, on talk of our own. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Json } from "../../base/json.ts";
import { openDataset } from "./open-dataset.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-locomo-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, content: Json): string {
  writeFileSync(join(folder, name), JSON.stringify(content));
  return join(folder, name);
}

const said = (dia_id: string, speaker: string, text: string, more: { blip_caption?: string } = {}) => ({
  ...{ speaker, dia_id, text },
  ...more,
});

/** Sessions stand in the wrong order, and one has a date but no turns. */
const ENGLISH = {
  sample_id: "talk-1",
  conversation: {
    speaker_a: "Ada",
    speaker_b: "Ben",
    session_10_date_time: "9:05 am on 2 June, 2023",
    session_10: [said("D10:1", "Ben", "My sister moved to Oslo.")],
    session_2_date_time: "12:15 am on 9 May, 2023",
    session_2: [
      said("D2:1", "Ada", "I bought a kayak."),
      said("D2:2", "Ben", "Look at this!", { blip_caption: "a red tent by a lake" }),
      said("D2:3", "Ben", "", { blip_caption: "a wet dog" }),
      said("D2:4", "Ada", " "),
    ],
    session_11_date_time: "9:05 am on 3 June, 2023",
  },
  qa: [
    { question: "What did Ada buy?", answer: "a kayak", evidence: ["D2:1"], category: 4 },
    { question: "Who has what?", answer: "much", evidence: ["D2:1; D10:1", "D:2:02"], category: 1 },
    { question: "How many tents?", answer: 1, evidence: ["D", "D7:7", "D2:2"], category: 2 },
    { question: "Does Ben like rain?", answer: "Likely no", evidence: [], category: 3 },
    {
      question: "Where did Ada's sister move?",
      adversarial_answer: "Oslo",
      evidence: ["D10:1"],
      category: 5,
    },
    {
      question: "Is the dog Ada's?",
      adversarial_answer: "Yes",
      answer: "No",
      evidence: ["D2:3"],
      category: 5,
    },
  ],
};

const CHINESE = {
  sample_id: "对话-2",
  conversation: {
    session_1_date_time: "8:00 pm on 1 October, 2023",
    session_1: [
      said("D1:1", "小李", "我上周搬到了杭州。"),
      said("D1:2", "小王", "真好！", { blip_caption: "西湖边的一座桥" }),
    ],
  },
  qa: [
    { question: "小李搬到了哪里？", answer: "杭州", evidence: ["D1:1"], category: 4 },
    { question: "What did Ada buy?", answer: "nothing", evidence: [], category: 4 },
  ],
};

describe("talk", () => {
  test("turns come in the order of the sessions, with speaker, date and what a picture shows", async () => {
    const { cases } = await openDataset(`locomo=${file("talk.json", [ENGLISH, CHINESE])}`);
    const [english, chinese] = cases;
    expect(english?.turns.map(({ ref, session, text, captions }) => [ref, session, text, captions])).toEqual([
      ["2:1", "session_2", "I bought a kayak.", []],
      ["2:2", "session_2", "Look at this!", ["a red tent by a lake"]],
      ["2:3", "session_2", "[a wet dog]", []],
      ["2:4", "session_2", "[…]", []],
      ["10:1", "session_10", "My sister moved to Oslo.", []],
    ]);
    expect(english?.turns[0]).toMatchObject({ speaker: "Ada", happenedAt: Date.UTC(2023, 4, 9, 0, 15) });
    expect(chinese?.id).toBe("对话-2");
    expect(chinese?.turns[1]).toMatchObject({
      ...{ ref: "1:2", speaker: "小王", captions: ["西湖边的一座桥"] },
      happenedAt: Date.UTC(2023, 9, 1, 20),
    });
  });

  test("conversations and turns of the same name are told apart; labels mean the first", async () => {
    const twice = {
      sample_id: "same",
      conversation: { session_1: [said("D1:1", "Ada", "One."), said("D1:1", "Ben", "Two.")] },
      qa: [{ question: "What?", answer: "One", evidence: ["D1:1"], category: 4 }],
    };
    const { cases } = await openDataset(`locomo=${file("talk.json", [twice, twice])}`);
    expect(cases.map(({ id }) => id)).toEqual(["same", "same~2"]);
    expect(cases.flatMap(({ questions }) => questions.map(({ id }) => id))).toEqual([
      "same_qa0",
      "same_qa0~2",
    ]);
    expect(cases[0]?.turns.map(({ ref }) => ref)).toEqual(["1:1", "1:1~2"]);
    expect(cases[0]?.questions[0]?.evidence).toEqual(["1:1"]);
  });
});

describe("questions", () => {
  test("evidence is read in all the ways it is written, and what names no turn is counted", async () => {
    const { cases, leftOut } = await openDataset(`locomo=${file("talk.json", [ENGLISH])}`);
    const asked = cases[0]?.questions ?? [];
    expect(asked.map(({ evidence }) => evidence)).toEqual([
      ["2:1"],
      ["2:1", "10:1", "2:2"],
      ["2:2"],
      [],
      ["10:1"],
      ["2:3"],
    ]);
    expect(asked[1]?.sessions).toEqual(["session_2", "session_10"]);
    expect(leftOut).toEqual({
      "pieces of evidence that name no turn of their conversation": 2,
      "questions without evidence, which are in no recall": 1,
    });
  });

  test("categories are numbers as text; category 5 expects to abstain, and its answer is the trap", async () => {
    const { cases } = await openDataset(`locomo=${file("talk.json", [ENGLISH])}`);
    const asked = cases[0]?.questions ?? [];
    expect(asked.map(({ category, expects }) => `${category} ${expects}`)).toEqual([
      ...["4 answer", "1 answer", "2 answer", "3 answer", "5 abstain", "5 abstain"],
    ]);
    expect(asked[2]?.answers).toEqual(["1"]);
    expect(asked[2]?.trap).toBeUndefined();
    expect(asked[4]).toMatchObject({ trap: "Oslo", answers: [] });
    expect(asked[5]).toMatchObject({ trap: "Yes", answers: ["No"] });
  });
});

describe("audit", () => {
  const entry = (
    question_id: string,
    question: string,
    correct_evidence: string[],
    correct_answer: string,
  ) => ({
    ...{ question_id, question, correct_evidence, correct_answer, error_type: "WRONG_CITATION" },
  });

  test("corrects what differs, and only that", async () => {
    const talk = file("talk.json", [ENGLISH, CHINESE]);
    const audit = file("corrections.json", [
      entry("locomo_0_qa0", "What did Ada buy?", ["D10:1"], "a kayak"),
      entry("locomo_0_qa1", "Who has what?", ["D10:1", "D2:2", "D2:1"], "less"),
      entry("locomo_0_qa2", "How many tents?", ["D2:2"], "1"),
      entry("locomo_1_qa0", "小李搬到了哪里？", ["D1:1", "D1:2"], "杭州西湖边"),
      entry("locomo_0_qa3", "Was anything else asked?", ["D2:1"], "no"),
    ]);
    const { cases, leftOut } = await openDataset(`locomo=${talk},${audit}`);
    const corrected = cases.flatMap(({ questions }) => questions.map((one) => one.corrected));
    expect(corrected.slice(0, 3)).toEqual([
      { evidence: ["10:1"], sessions: ["session_10"] },
      { answers: ["less"] },
      undefined,
    ]);
    expect(corrected[6]).toEqual({
      evidence: ["1:1", "1:2"],
      sessions: ["session_1"],
      answers: ["杭州西湖边"],
    });
    expect(corrected.filter((one) => one !== undefined)).toHaveLength(3);
    expect(leftOut["corrections of the audit for questions that are not in the file"]).toBe(1);
  });

  test("a file with the second half of the conversations is matched by what is asked", async () => {
    const talk = file("talk.json", [ENGLISH, CHINESE]);
    const audit = file("audit.json", [
      // Asked twice in the file: the number of the question decides.
      entry("locomo_8_qa1", "What did Ada buy?", ["D1:2"], "nothing"),
      entry("locomo_7_qa4", "Where did Ada's sister move?", ["D2:1"], ""),
    ]);
    const { cases } = await openDataset(`locomo=${talk},${audit}`);
    expect(cases[1]?.questions[1]?.corrected).toMatchObject({ evidence: ["1:2"] });
    expect(cases[0]?.questions[0]?.corrected).toBeUndefined();
    expect(cases[0]?.questions[4]?.corrected).toMatchObject({ evidence: ["2:1"] });
  });

  test("is found beside the conversations, that of the same ending before others", async () => {
    const talk = file("locomo_dev.json", [ENGLISH]);
    file("audit_dev.json", [entry("locomo_0_qa0", "What did Ada buy?", ["D10:1"], "a kayak")]);
    file("audit_test.json", [entry("locomo_0_qa0", "What did Ada buy?", ["D2:2"], "a kayak")]);
    const { cases } = await openDataset(`locomo=${talk}`);
    expect(cases[0]?.questions[0]?.corrected?.evidence).toEqual(["10:1"]);
  });
});
