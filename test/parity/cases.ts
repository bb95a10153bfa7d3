/**
 * Which cases go through every door? For each row of the table some that are good and some that are refused, in English and
 * Chinese. They run in this order, each door on its own copy of one memory, so what a case writes the next ones find there.
 */
import type { ErrorCode } from "../../src/base/errors.ts";

/** What the copies hold before the first case. */
export interface Seed {
  /** Of memories, by a word that only one of them has. */
  readonly id: (word: string) => string;
  /** Of the turn of that memory. */
  readonly turn: (word: string) => string;
  /** `seq` of the event that last changed that memory. */
  readonly event: (word: string) => number;
  /** What another memory exported. */
  readonly bundle: readonly string[];
}

export interface Case {
  readonly row: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly lines?: readonly string[];
  /** undefined: it goes well. */
  readonly refused?: ErrorCode;
}

type Fields = Readonly<Record<string, unknown>>;

const NOBODY = "00000000-0000-7000-8000-000000000000";
const DAY = Date.UTC(2023, 4, 8);

const good = (row: string, ...inputs: readonly Fields[]): Case[] => inputs.map((input) => ({ row, input }));
const bad = (row: string, refused: ErrorCode, ...inputs: readonly Fields[]): Case[] =>
  inputs.map((input) => ({ row, input, refused }));

export function casesOf(seed: Seed): readonly Case[] {
  return [
    ...questions(),
    ...looks(seed),
    ...changes(seed),
    ...works(seed),
    ...erasures(seed),
    ...good("status", {}),
  ];
}

function questions(): Case[] {
  return [
    ...good(
      "recall",
      { question: "Where does Mia live?" },
      { question: "王芳对什么过敏？", limit: 2, explain: true, zone: "Asia/Shanghai" },
      { question: "Rome", from: "2023-05-01", to: "2023-05-08", budget: 200 },
      { question: "Rome", from: DAY, asked: "2023-05-09T08:00:00Z" },
      {
        question: "她住哪？",
        talk: [{ speaker: "Mia", text: "王芳是我的朋友。", happenedAt: "2023-05-08" }],
      },
      { question: "tea", filter: { op: "contains", field: "tags", value: "茶" } },
      { question: "Where does Mia live?", at: "2023-05-08", limit: 1 },
      { question: "" },
      { question: "“quoted” \\ <b>%00</b> 😀 'or 1=1'" },
    ),
    ...bad(
      "recall",
      "input_invalid",
      {},
      { question: 7 },
      { question: "x", limit: 0 },
      { question: "x", limit: 1.5 },
      { question: "x", to: "soon" },
      { question: "x", from: "2023-02-31" },
      { question: "x", nonsense: true },
      { question: "x", filter: { op: "eq", field: "constructor", value: 1 } },
      { question: "x", filter: { op: "like", field: "kind", value: "a" } },
    ),
  ];
}

function looks({ id }: Seed): Case[] {
  return [
    ...good("comprehensiveRecall", { question: "Rome" }, { question: "花生", limit: 1, from: DAY }),
    ...bad("comprehensiveRecall", "input_invalid", { question: "x", zone: "UTC" }, { question: null }),
    ...good(
      "chainedRecall",
      { question: "Where does Mia live?", entities: ["Mia"] },
      { question: "王芳", perType: 1 },
    ),
    ...bad(
      "chainedRecall",
      "input_invalid",
      { question: "x", entities: "Mia" },
      { question: "x", perEntity: 0 },
    ),
    ...good("ask", { question: "Where does Mia live?" }, { question: "王芳对什么过敏？", limit: 3 }),
    ...bad("ask", "input_invalid", { question: "x", explain: true }, {}),
    ...good(
      "context",
      { question: "Where does Mia live?", session: "s1" },
      { question: "花生", stableBudget: 0, budget: 50 },
    ),
    ...bad("context", "input_invalid", { question: "x", stableBudget: -1 }, { question: [] }),
    ...good("get", { id: id("Rome") }, { id: id("花生") }),
    ...bad("get", "entry_not_found", { id: NOBODY }),
    ...bad("get", "input_invalid", { id: "no/such id?#%" }, { id: "花生" }),
    ...good(
      "list",
      {},
      { limit: 2 },
      { limit: 2, after: id("Rome"), all: true },
      { filter: { op: "contains", field: "tags", value: "茶" } },
      { filter: { op: "and", filters: [{ op: "eq", field: "kind", value: "a&b=c d+e" }] } },
    ),
    ...bad(
      "list",
      "input_invalid",
      { limit: 0 },
      { limit: "many" },
      { all: "perhaps" },
      { fitler: 1 },
      { filter: { op: "eq" } },
    ),
    ...good("history", { id: id("Rome") }, { id: id("花生"), looks: true, limit: 1, after: 0 }),
    ...bad("history", "input_invalid", { id: id("Rome"), limit: 0 }, { id: "nope" }),
    ...good("changes", {}, { after: 1, limit: 2 }),
    ...bad("changes", "input_invalid", { after: -1 }, { limit: 1001 }),
    ...good("status", {}),
    ...bad("status", "input_invalid", { scope2: "ben" }),
    ...good(
      "estimate",
      { turns: ["I moved to Rome.", { speaker: "王芳", text: "我搬到了成都。" }] },
      { turns: [], price: { input: 1, output: 2.5 }, sample: 1 },
    ),
    ...bad("estimate", "input_invalid", { turns: "one" }, { turns: [], price: { input: 1 } }),
    ...good("export", { vectors: false }, {}),
    ...bad("export", "input_invalid", { vectors: "no" }, { format: "xml" }),
  ];
}

function changes({ id, event }: Seed): Case[] {
  return [
    ...good(
      "remember",
      { said: "Ben works in Oslo." },
      { said: { speaker: "李雷", text: "我养了一只猫。", happenedAt: "2023-05-10", session: "s2" } },
      {
        said: [{ judgment: "Ben is left-handed.", type: "knowledge", tags: ["手"] }, "再见"],
        wait: "memory",
      },
      { said: "写下来就好", wait: "journal" },
      { said: [] },
    ),
    ...bad("remember", "text_invalid", { said: "lone \ud800 surrogate" }),
    ...bad(
      "remember",
      "input_invalid",
      { said: { text: "x", happenedAt: "yesterday" } },
      { said: { judgment: "x", strength: 1.5 } },
      { said: 7 },
      { said: "x", wait: "never" },
    ),
    ...good(
      "record",
      { user: "我住在哪里？", assistant: "You live in Rome.", recalled: [id("Rome")], session: "s3" },
      {
        user: { speaker: "Mia", text: "My dog is called Rex." },
        recalled: [{ content: "x", text: "y", extra: 1 }],
      },
    ),
    ...bad("record", "input_invalid", {}, { user: { text: "x", role: "system" } }),
    ...good("flush", {}, { finish: true, judgedOnly: true }),
    ...bad("flush", "input_invalid", { finish: 1 }, { now: true }),
    ...good("feedback", { useful: [id("Rome")] }, { new: [{ judgment: "王芳喜欢辣椒。", tags: ["食物"] }] }),
    ...good("feedback", { merge: [[id("Rome"), id("tea")]] }, {}),
    ...bad("feedback", "entry_not_found", { useful: [NOBODY] }),
    ...bad("feedback", "input_invalid", { useful: "x" }, { merge: [[id("花生")]] }),
    ...good("undo", { event: event("dog") }),
    ...bad("undo", "entry_not_found", { event: 999_999_999 }),
    ...bad("undo", "input_invalid", { event: 0 }, { event: "1" }),
  ];
}

function works({ bundle }: Seed): Case[] {
  return [
    ...good("consolidate", {}),
    ...bad("consolidate", "input_invalid", { now: true }),
    ...good("reembed", {}),
    ...bad("reembed", "input_invalid", { all: true }),
    { row: "import", input: { wait: "memory" }, lines: bundle },
    { row: "import", input: {}, lines: bundle },
    { row: "import", input: {}, lines: ["{"], refused: "input_invalid" },
    { row: "import", input: {}, lines: bundle.slice(0, 2), refused: "input_invalid" },
    { row: "import", input: { wait: "never" }, lines: bundle, refused: "input_invalid" },
    ...good("rebuild", {}),
    ...bad("rebuild", "input_invalid", { preset: "bm25" }),
  ];
}

function erasures({ turn }: Seed): Case[] {
  return [
    ...good(
      "forget",
      { turns: [turn("花生")] },
      { session: "s2" },
      { speaker: "nobody" },
      { from: "2023-05-08", to: "2023-05-08" },
      { filter: { op: "contains", field: "tags", value: "食物" } },
      { everything: true },
    ),
    ...bad("forget", "entry_not_found", { id: NOBODY }),
    ...bad(
      "forget",
      "input_invalid",
      {},
      { id: NOBODY, everything: true },
      { from: DAY },
      { everything: false },
    ),
  ];
}
