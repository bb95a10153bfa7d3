import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Json } from "../../base/json.ts";
import { findDatasets } from "./find-datasets.ts";
import { openDataset } from "./open-dataset.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-find-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, content: Json, isPacked = false): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  const text = JSON.stringify(content);
  writeFileSync(join(folder, name), isPacked ? gzipSync(text) : text);
}

const TALK = {
  sample_id: "one",
  conversation: { session_1: [{ speaker: "阿达", dia_id: "D1:1", text: "我买了一辆自行车。" }] },
  qa: [{ question: "阿达买了什么？", answer: "自行车", evidence: ["D1:1"], category: 4 }],
};
const HISTORY = {
  ...{ question_id: "q", question_type: "t", question: "What?", answer: "a", question_date: "2023/05/20" },
  ...{ haystack_dates: ["2023/05/19"], haystack_session_ids: ["s"], answer_session_ids: ["s"] },
  haystack_sessions: [[{ role: "user", content: "a", has_answer: true }]],
};
const PASSAGES = {
  ...{ id: "2hop__1", question: "Who?", answer: "Ada" },
  paragraphs: [{ title: "Ada", paragraph_text: "Ada is.", is_supporting: true }],
};
const FACTS = {
  ...{ context: "0. Ada is tall.", questions: ["Who is tall?"], answers: [["Ada"]] },
  metadata: { source: "factconsolidation_sh_6k" },
};
const PERSON = {
  _metadata: { person_name: "Ada" },
  dialogues: [
    {
      ...{ session_uuid: "s", current_time: "2026-01-01 (Thursday)" },
      dialogue_turns: [{ speaker: "User", content: "Hm?", is_query: true, query_id: "Q-1" }],
    },
  ],
};

test("kinds are told by what is in the files, and what belongs to a data set is none of its own", async () => {
  file("x/notes.json", { hello: "there" });
  file("x/talk.json", [TALK]);
  file("x/audit.json", [{ question_id: "locomo_0_qa0", question: "?", correct_evidence: [] }]);
  file("long/s.json.gz", [HISTORY], true);
  file("hop/m.json", [PASSAGES]);
  file("hop/m_corpus.json", [{ title: "Ada", text: "Ada is." }]);
  file("hop/h_corpus.json", { Ada: ["Ada is."] });
  file("hop/openie_m_x.json", { docs: [] });
  file("f.json", [FACTS]);
  file("g.json", [{ ...FACTS, metadata: { source: "eventqa_64k" } }]);
  file("real/a.json", PERSON);
  file("real/b.json", PERSON);
  file(".hidden/talk.json", [TALK]);
  file("node_modules/p/talk.json", [TALK]);
  writeFileSync(join(folder, "broken.json"), "{");
  writeFileSync(join(folder, "README.md"), JSON.stringify([TALK]));
  const specs = await findDatasets(folder);
  expect(specs).toEqual([
    `factconsolidation=${join(folder, "f.json")}`,
    `multihop=${join(folder, "hop/m.json")}`,
    `longmemeval=${join(folder, "long/s.json.gz")}`,
    `realmem=${join(folder, "real")}`,
    `locomo=${join(folder, "x/talk.json")}`,
  ]);
  const opened = await Promise.all(specs.map(openDataset));
  expect(opened.map(({ name }) => name)).toEqual(["f", "m", "s", "real", "talk"]);
  expect(opened[3]?.cases.map(({ id, questions }) => [id, questions[0]?.id])).toEqual([
    ["Ada", "Ada_Q-1"],
    ["Ada~2", "Ada_Q-1~2"],
  ]);
});

test("a folder without any says what could be there", async () => {
  file("notes.json", [1, 2]);
  await expect(findDatasets(folder)).rejects.toMatchObject({
    code: "input_invalid",
    message: expect.stringMatching(/no data set in .*locomo \(LoCoMo.*realmem \(RealMem/s),
  });
  await expect(findDatasets(join(folder, "gone"))).rejects.toThrow("could not be read");
});
