/** Both forms of multi-hop questions, on passages of our own. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Json } from "../../base/json.ts";
import { openDataset } from "./open-dataset.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-multihop-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, content: Json | string): string {
  writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  return join(folder, name);
}

const paragraph = (title: string, paragraph_text: string, is_supporting = false) => ({
  ...{ title, paragraph_text, is_supporting },
});

const CORPUS = [
  { title: "Brae", text: "Brae is a village in Norland." },
  { title: "Norland", text: "The capital of Norland is Tarn." },
  { title: "Brae", text: "Brae was a painter." },
  { title: "Norland", text: "The capital of Norland is Tarn." },
  { title: "长江", text: "长江流经武汉。" },
];

const MUSIQUE = [
  {
    id: "2hop__1_2",
    question: "What is the capital of the country where Brae lies?",
    paragraphs: [
      paragraph("Brae", "Brae is a village in Norland.", true),
      paragraph("Norland", "The capital of Norland is Tarn.", true),
      paragraph("Brae", "Brae was a painter."),
    ],
    answer: "Tarn",
    answer_aliases: ["Tarn City", "Tarn"],
    answerable: true,
  },
  {
    id: "3hop1__4_5_6",
    question: "流经武汉的河有多长？",
    paragraphs: [paragraph("长江", "长江流经武汉。", true), paragraph("黄河", "黄河流经兰州。", true)],
    answer: "不知道",
    answerable: false,
  },
];

describe("MuSiQue", () => {
  test("passages are turns of one case, and labels name them by their place", async () => {
    const questions = file("m.json", MUSIQUE);
    const { name, cases, leftOut } = await openDataset(`multihop=${questions},${file("c.json", CORPUS)}`);
    expect(name).toBe("m");
    expect(cases).toHaveLength(1);
    expect(cases[0]?.turns).toEqual([
      { ref: "0", session: "0", text: "Brae\nBrae is a village in Norland." },
      { ref: "1", session: "1", text: "Norland\nThe capital of Norland is Tarn." },
      { ref: "2", session: "2", text: "Brae\nBrae was a painter." },
      { ref: "4", session: "4", text: "长江\n长江流经武汉。" },
    ]);
    expect(cases[0]?.questions).toMatchObject([
      { category: "2hop", evidence: ["0", "1"], sessions: ["0", "1"], answers: ["Tarn", "Tarn City"] },
      { category: "3hop1", evidence: ["4"], answers: ["不知道"], expects: "abstain" },
    ]);
    expect(leftOut).toEqual({
      "passages that stand in the corpus before": 1,
      "supporting passages that are not in the corpus": 1,
    });
  });

  test("without a corpus the passages of the questions are one", async () => {
    const { cases, leftOut } = await openDataset(`multihop=${file("m.json", MUSIQUE)}`);
    expect(cases[0]?.turns.map(({ ref, text }) => `${ref} ${text.split("\n")[0]}`)).toEqual([
      ...["0 Brae", "1 Norland", "2 Brae", "3 长江", "4 黄河"],
    ]);
    expect(cases[0]?.questions.map(({ evidence }) => evidence)).toEqual([
      ["0", "1"],
      ["3", "4"],
    ]);
    expect(leftOut).toEqual({});
  });

  test("corpus and recorded triples are found beside it; a wrong triple is counted", async () => {
    const questions = file("m.json", MUSIQUE.map((one) => JSON.stringify(one)).join("\n"));
    file("m_corpus.json", CORPUS);
    const document = (passage: string, entities: Json[], triples: Json[]) => ({
      ...{ passage, extracted_entities: entities, extracted_triples: triples },
    });
    const docs = [
      document(
        "长江\n长江流经武汉。",
        ["长江", "武汉"],
        [
          ["长江", "流经", "武汉"],
          ["长江", "长"],
        ],
      ),
      document("Elsewhere\nNothing.", [], []),
    ];
    file("openie_m_results_x.json", `{"avg": NaN, "docs": ${JSON.stringify(docs)}}`);
    const { cases, recorded, leftOut } = await openDataset(`multihop=${questions}`);
    expect(cases[0]?.turns).toHaveLength(4);
    expect([...(recorded ?? [])]).toEqual([
      ["4", { entities: ["长江", "武汉"], triples: [["长江", "流经", "武汉"]] }],
    ]);
    expect(leftOut).toMatchObject({
      "recorded triples that have not three parts": 1,
      "recorded passages that are not in the corpus": 1,
    });
    // Who names the corpus gets just that.
    const plain = await openDataset(`multihop=${questions},${join(folder, "m_corpus.json")}`);
    expect(plain.recorded).toBeUndefined();
  });
});

describe("HotpotQA and 2WikiMultihopQA", () => {
  const HOTPOT = [
    {
      _id: "h1",
      type: "bridge",
      question: "Who painted the bridge of Tarn?",
      answer: "Brae",
      supporting_facts: [
        ["Tarn", 1],
        ["Tarn", 0],
        ["Brae", 0],
        ["Nowhere", 0],
      ],
      context: [
        ["Tarn", ["Tarn is a town.", " It has a bridge."]],
        ["Elm", ["Elm is a tree."]],
        ["Brae", ["Brae was a painter."]],
      ],
    },
  ];

  test("titles of supporting facts name passages, of which the own text decides between namesakes", async () => {
    const corpus = [
      { title: "Brae", text: "Brae is a village." },
      { title: "Tarn", text: "Tarn is a town, rewritten." },
      { title: "Brae", text: "Brae was a painter." },
    ];
    const spec = `multihop=${file("h.json", HOTPOT)},${file("c.json", corpus)}`;
    const { cases, leftOut } = await openDataset(spec);
    expect(cases[0]?.questions).toMatchObject([
      { id: "h1", category: "bridge", evidence: ["1", "2"], answers: ["Brae"], expects: "answer" },
    ]);
    expect(leftOut).toEqual({ "supporting passages that are not in the corpus": 1 });
  });

  test("between namesakes of which none has the text nobody chooses", async () => {
    const corpus = [
      { title: "Brae", text: "Brae is a village." },
      { title: "Brae", text: "Brae is a song." },
      { title: "Tarn", text: "Tarn is a town. It has a bridge." },
    ];
    const { cases } = await openDataset(`multihop=${file("h.json", HOTPOT)},${file("c.json", corpus)}`);
    expect(cases[0]?.questions[0]?.evidence).toEqual(["2"]);
  });

  test("a corpus may be an object of titles and sentences, with or without the spaces between them", async () => {
    const corpus = {
      Tarn: ["Tarn is a town.", " It has a bridge."],
      Brae: ["Brae was a painter.", "He was old."],
      桥: ["这是一座桥。", "它很长。"],
    };
    const { cases } = await openDataset(`multihop=${file("h.json", HOTPOT)},${file("c.json", corpus)}`);
    expect(cases[0]?.turns.map(({ text }) => text)).toEqual([
      "Tarn\nTarn is a town. It has a bridge.",
      "Brae\nBrae was a painter. He was old.",
      "桥\n这是一座桥。它很长。",
    ]);
    expect(cases[0]?.questions[0]?.evidence).toEqual(["0", "1"]);
  });
});
