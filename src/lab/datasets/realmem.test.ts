/** RealMem's stream and its gold, on persons of our own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Json, JsonObject } from "../../base/json.ts";
import { openDataset } from "./open-dataset.ts";

let folder: string;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "neuromem-realmem-")), "persons");
  mkdirSync(folder);
});
afterEach(() => {
  rmSync(join(folder, ".."), { recursive: true, force: true });
});

function file(name: string, content: Json): string {
  writeFileSync(join(folder, name), JSON.stringify(content));
  return join(folder, name);
}

const user = (content: string, more: JsonObject = {}) => ({
  speaker: "User",
  content,
  is_query: false,
  ...more,
});
const query = (content: string, query_id: string) =>
  user(content, { is_query: true, query_id, category_name: "Dynamic Updating" });
const reply = (content: string, used?: Record<string, Json>[]) => ({
  ...{ speaker: "Assistant", content, query_id: null },
  ...(used === undefined
    ? {}
    : { memory_used: used, memory_session_uuids: [...new Set(used.map((one) => one.session_uuid ?? ""))] }),
});
const made = (content: Json, source_turn: number, snapshot: string, role = "User") => ({
  ...{ content, source_turn, source_content_snapshot: snapshot, source_role_snapshot: role },
});

const MIA = {
  _metadata: { person_name: "Mia" },
  dialogues: [
    {
      session_uuid: "s1",
      current_time: "2026-01-05 (Monday)",
      dialogue_turns: [
        user("I want to run ten km."),
        reply("Let us start with five."),
        user("Edited since."),
      ],
      extracted_memory: [
        // The number is wrong, the copy is right.
        made("goal: 10 km", 2, "I want to run ten km."),
        made({ plan: ["5 km"] }, 1, "Let us start with five.", "Assistant"),
        made("edited", 3, "As it was said."),
        made("other side", 3, "As it was said.", "Assistant"),
        made("nowhere", -1, "", "Assistant"),
      ],
    },
    {
      session_uuid: "s2",
      // Earlier than its place.
      current_time: "2026-01-02 (Friday)",
      dialogue_turns: [
        query("How far was it that I want to run?", "Q-1"),
        reply("Ten km.", [
          { session_uuid: "s1", content: "goal: 10 km" },
          { session_uuid: "s1", content: { plan: ["5 km"] } },
          { session_uuid: "s1", content: "edited" },
          { session_uuid: "s1", content: "other side" },
          { session_uuid: "s1", content: "nowhere" },
          { session_uuid: "s1", content: "never made" },
        ]),
        user(""),
        query("And what did I say last?", "Q-2"),
        reply("Hm.", [{ session_uuid: "s2", content: "later" }]),
        user("I said it afterwards."),
        query("Anything?", "Q-3"),
      ],
      extracted_memory: [made("later", 6, "I said it afterwards.")],
    },
  ],
};

const LIN = {
  _metadata: { person_name: "林" },
  dialogues: [
    {
      session_uuid: "甲",
      current_time: "2026-02-01 (星期日)",
      dialogue_turns: [user("我想去拉萨。"), reply("好的。")],
      extracted_memory: [made("目的地：拉萨", 1, "我想去拉萨。")],
    },
    {
      session_uuid: "乙",
      current_time: "2026-02-03 (星期二)",
      dialogue_turns: [
        query("我想去哪里？", "Q-1"),
        reply("拉萨。", [{ session_uuid: "甲", content: "目的地：拉萨" }]),
      ],
    },
  ],
};

test("a person's sessions are a stream in the order of the file, and queries are asked where they stand", async () => {
  const { cases } = await openDataset(`realmem=${file("mia.json", MIA)}`);
  expect(cases.map(({ id }) => id)).toEqual(["Mia"]);
  expect(cases[0]?.turns.map(({ ref, role }) => `${ref} ${role}`)).toEqual([
    ...["s1#1 user", "s1#2 assistant", "s1#3 user"],
    ...["s2#1 user", "s2#2 assistant", "s2#3 user", "s2#4 user", "s2#5 assistant", "s2#6 user", "s2#7 user"],
  ]);
  expect(cases[0]?.turns[5]?.text).toBe("[…]");
  expect(cases[0]?.questions.map(({ id, after, askedAt }) => [id, after, askedAt])).toEqual([
    ["Mia_Q-1", 3, Date.UTC(2026, 0, 2)],
    ["Mia_Q-2", 6, Date.UTC(2026, 0, 2)],
    ["Mia_Q-3", 9, Date.UTC(2026, 0, 2)],
  ]);
});

test("a used memory is followed to its turn: by the copy of it, else by its number if the same side speaks", async () => {
  const { cases, leftOut } = await openDataset(`realmem=${file("mia.json", MIA)}`);
  const [first, second, third] = cases[0]?.questions ?? [];
  expect(first).toMatchObject({ evidence: ["s1#1", "s1#2", "s1#3"], sessions: ["s1"], answers: [] });
  expect(first).toMatchObject({ category: "Dynamic Updating", expects: "answer" });
  // Its own session had begun, but what it would need is said later.
  expect(second).toMatchObject({ evidence: [], sessions: ["s2"] });
  expect(third).toMatchObject({ evidence: [], sessions: [] });
  expect(leftOut).toEqual({
    "questions without evidence, which are in no recall": 2,
    "used memories that are said after their query": 1,
    "used memories whose turn is not told": 3,
  });
});

test("a folder of persons is one data set, named for the folder, whatever else lies there", async () => {
  file("mia.json", MIA);
  file("lin.json", LIN);
  file("notes.json", { hello: "there" });
  const { name, cases } = await openDataset(`realmem=${folder}`);
  expect(name).toBe("persons");
  expect(cases.map(({ id }) => id)).toEqual(["林", "Mia"]);
  expect(cases[0]?.questions[0]).toMatchObject({
    id: "林_Q-1",
    evidence: ["甲#1"],
    sessions: ["甲"],
    after: 2,
  });
  const given = await openDataset(`realmem=${join(folder, "mia.json")},${join(folder, "lin.json")}`);
  expect(given).toMatchObject({ name: "mia", cases: [{ id: "Mia" }, { id: "林" }] });
});
