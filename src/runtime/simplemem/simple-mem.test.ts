import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { manualClock } from "../../base/clock.ts";
import type { JsonObject } from "../../base/json.ts";
import { openPostgres } from "../../storage/postgres/postgres-storage.ts";
import { openSqlite } from "../../storage/sqlite/sqlite-storage.ts";
import type { Storage } from "../../storage/storage.ts";
import { hashEmbedder } from "../../testing/hash-embedder.ts";
import type { SeenRequest, ServerReply } from "../../testing/model-server.ts";
import { sharedEmbedder, taskOf } from "../../testing/preset-world.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";
import { countTokens } from "../../text/token-count.ts";
import { printDialogue } from "./dialogue.ts";
import { SimpleMem, type SimpleMemOptions } from "./simple-mem.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

let clock = manualClock(Date.UTC(2026, 4, 1, 12));
async function file(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "neuromem-simplemem-"));
  closing.push(() => rm(folder, { recursive: true }));
  return join(folder, "memory.db");
}

async function open(options: Partial<SimpleMemOptions> = {}): Promise<SimpleMem> {
  clock = manualClock(Date.UTC(2026, 4, 1, 12));
  const storage = options.storage ?? (await openSqlite(await file(), { clock }));
  const embedder = hashEmbedder();
  const mem = await SimpleMem.open({
    storage,
    scope: "alice",
    embedder,
    clock,
    background: false,
    ...options,
  });
  closing.push(() => mem.close());
  return mem;
}

type Answers = Readonly<Record<string, JsonObject | ((request: SeenRequest) => JsonObject | ServerReply)>>;

/** A model that answers each task by its script, after `delay` ms; `asked` names the tasks in order. */
async function model(answers: Answers) {
  const asked: string[] = [];
  const atOnce = { now: 0, most: 0 };
  const scripted = await scriptedModel((request) => {
    const task = taskOf(request);
    asked.push(task);
    const answer = answers[task];
    if (answer === undefined) return { status: 400, body: { error: { message: `no reply for ${task}` } } };
    const given = typeof answer === "function" ? answer(request) : answer;
    return typeof given === "string" || "status" in given ? (given as ServerReply) : JSON.stringify(given);
  });
  closing.push(() => scripted.close());
  const generate: typeof scripted.model.generate = async (...given) => {
    atOnce.now++;
    atOnce.most = Math.max(atOnce.most, atOnce.now);
    return scripted.model.generate(...given).finally(() => atOnce.now--);
  };
  return { model: { ...scripted.model, generate }, asked, atOnce, server: scripted.server };
}

const memory = (text: string, sources: readonly number[], more: JsonObject = {}): JsonObject => ({
  lossless_restatement: text,
  keywords: [],
  timestamp: null,
  location: null,
  persons: [],
  entities: [],
  topic: null,
  sources: [...sources],
  ...more,
});
const PLANNING: Answers = {
  plan_information: {
    question_type: "fact",
    key_entities: ["Alice"],
    required_info: [{ info_type: "place", description: "where", priority: "high" }],
    relationships: [],
    minimal_queries_needed: 1,
  },
  targeted_queries: { reasoning: "", queries: ["Alice's meeting", "the place of the meeting"] },
  analyse_query: {
    keywords: ["Starbucks"],
    persons: ["Alice"],
    time_expression: null,
    location: null,
    entities: [],
  },
  check_completeness: {
    assessment: "incomplete",
    reasoning: "",
    missing_info_types: ["x"],
    coverage_percentage: 10,
  },
  missing_queries: { missing_analysis: "", targeted_queries: ["what Bob brings"] },
};
const MEETING: Answers = {
  ...PLANNING,
  compress_dialogue: {
    entries: [
      memory(
        "Alice suggested on 15 November 2025 to meet Bob at Starbucks on 16 November 2025 at 14:00.",
        [0],
        {
          keywords: ["Alice", "Bob", "Starbucks", "meeting"],
          timestamp: "2025-11-16T14:00:00",
          location: "Starbucks, Main Street",
          persons: ["Alice", "Bob"],
          entities: ["report"],
          topic: "meeting arrangement",
        },
      ),
      memory("Bob's sister Carol adopted the grey cat Misty in October 2025.", [1], {
        keywords: ["cat"],
        timestamp: "2025-10",
        persons: ["Bob", "Carol"],
        entities: ["Misty"],
        topic: "a pet",
      }),
      memory("小红住在杭州西湖区。", [2], {
        keywords: ["杭州"],
        timestamp: "2025-11-15T14:32:00",
        location: "杭州西湖区",
        persons: ["小红"],
        topic: "住处",
      }),
    ],
  },
};
const SAID = [
  { speaker: "Alice", content: "Let's meet at Starbucks tomorrow at 2pm", timestamp: "2025-11-15T14:30:00" },
  {
    speaker: "Bob",
    content: "My sister Carol adopted a grey cat last month.",
    timestamp: "2025-11-15T14:31:00",
  },
  { speaker: "小红", content: "我住在杭州。", timestamp: Date.UTC(2025, 10, 15, 14, 32) },
];
const starts = (entries: readonly { readonly lossless_restatement: string }[]) =>
  entries.map(({ lossless_restatement: text }) => text.slice(0, 3));

let postgres: PGlite | undefined;
afterAll(() => postgres?.close());
let schemas = 0;
const stores: readonly [string, () => Promise<Storage>][] = [
  ["sqlite", async () => openSqlite(await file(), { clock })],
  [
    "postgres (embedded)",
    async () => {
      postgres ??= await PGlite.create();
      const server = postgres;
      const name = `s${++schemas}`;
      await server.exec(`CREATE SCHEMA ${name}; SET search_path TO ${name}`);
      return openPostgres({ query: server.query.bind(server), close: async () => undefined }, { clock });
    },
  ],
];

describe.each(stores)("[S2-33] the same in every store: %s", (_, create) => {
  test("[S2-2][S2-13][S2-15][S2-19] a line is journalled at once; finalize makes entries with all fields", async () => {
    const { model: chat, asked } = await model(MEETING);
    const mem = await open({ storage: await create(), model: chat });
    const dialogues = await mem.addDialogues(SAID);
    expect(dialogues.map(printDialogue)).toEqual([
      "[2025-11-15T14:30Z] Alice: Let's meet at Starbucks tomorrow at 2pm",
      "[2025-11-15T14:31Z] Bob: My sister Carol adopted a grey cat last month.",
      "[2025-11-15T14:32Z] 小红: 我住在杭州。",
    ]);
    expect(await mem.status()).toMatchObject({ waiting: 3, storage: { turns: 3, entries: 0 } });
    expect(asked).toEqual([]);
    expect(await mem.finalize()).toMatchObject({ turns: 3, waiting: 0 });
    expect(asked).toEqual(["compress_dialogue"]);
    const [found] = await mem.keywordSearch(["Starbucks"]);
    expect(found).toEqual({
      entry_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      lossless_restatement:
        "Alice suggested on 15 November 2025 to meet Bob at Starbucks on 16 November 2025 at 14:00.",
      keywords: ["Alice", "Bob", "Starbucks", "meeting"],
      timestamp: "2025-11-16T14:00:00",
      location: "Starbucks, Main Street",
      persons: ["Alice", "Bob"],
      entities: ["report"],
      topic: "meeting arrangement",
    });
  });

  test("[S2-21][S2-22] words: any of them; facts: any person, any thing, part of a place, a span, all together", async () => {
    const { model: chat } = await model(MEETING);
    const mem = await open({ storage: await create(), model: chat });
    await mem.addDialogues(SAID);
    await mem.finalize();
    expect(starts(await mem.keywordSearch(["Starbucks", "cat"])).toSorted()).toEqual(["Ali", "Bob"]);
    expect(starts(await mem.keywordSearch(["杭州"]))).toEqual(["小红住"]);
    expect(await mem.keywordSearch(["Starbucks", "cat"], 1)).toHaveLength(1);
    expect(await mem.keywordSearch([])).toEqual([]);

    const by = async (conditions: Parameters<SimpleMem["structuredSearch"]>[0], topK?: number) =>
      starts(await mem.structuredSearch(conditions, topK));
    expect(await by({})).toEqual([]);
    expect(await by({ persons: [] })).toEqual([]);
    expect(await by({ persons: ["Alice", "Carol"] })).toEqual(["Ali", "Bob"]);
    expect(await by({ persons: ["Bob"] }, 1)).toEqual(["Ali"]);
    expect(await by({ persons: ["Bob"], entities: ["Misty", "nothing"] })).toEqual(["Bob"]);
    expect(await by({ location: "Main" })).toEqual(["Ali"]);
    expect(await by({ location: "西湖", persons: ["小红"] })).toEqual(["小红住"]);
    expect(await by({ location: "Main", persons: ["Carol"] })).toEqual([]);
    expect(await by({ timestampRange: ["2025-11-16T14:00:00", "2025-11-16T14:00:00"] })).toEqual(["Ali"]);
    expect(await by({ timestampRange: ["2025-11-15", "2025-11-16"] })).toEqual(["Ali", "小红住"]);
    expect(await by({ timestampRange: ["2025-10", "2025-10"] })).toEqual(["Bob"]);
    expect(await by({ timestampRange: [Date.UTC(2025, 0), Date.UTC(2025, 9, 31)] })).toEqual(["Bob"]);
  });

  test("[S2-28][S2-31][S2-32] retrieve finds each once; clear erases all, the dialogue among it", async () => {
    const { model: chat } = await model(MEETING);
    const storage = await create();
    const mem = await open({ storage, model: chat });
    await mem.addDialogues(SAID);
    await mem.finalize();
    const found = await mem.retrieve("Where does Alice meet Bob?");
    expect(new Set(found.map(({ entry_id }) => entry_id)).size).toBe(found.length);
    expect(starts(found)).toContain("Ali");
    expect(await mem.clear()).toMatchObject({ turns: { length: 3 }, entries: { length: 3 } });
    expect(await mem.retrieve("Where does Alice meet Bob?")).toEqual([]);
    expect(await mem.status()).toMatchObject({ storage: { turns: 0, entries: 0 } });
  });
});

test("[S2-5][S2-20] each layer finds what the others miss: meaning, words, facts", async () => {
  const { model: chat } = await model(MEETING);
  const mem = await open({ model: chat, embedder: await sharedEmbedder() });
  await mem.addDialogues(SAID);
  await mem.finalize();
  // Said in other words: no word of the question is in the memory.
  expect(starts(await mem.semanticSearch("which pet does the family own", 1))).toEqual(["Bob"]);
  expect(starts(await mem.semanticSearch("她的家在哪座城市", 1))).toEqual(["小红住"]);
  expect(await mem.keywordSearch(["pet"])).toEqual([]);
  expect(starts(await mem.keywordSearch(["Misty"]))).toEqual(["Bob"]);
  expect(starts(await mem.structuredSearch({ timestampRange: ["2025-11-16", "2025-11-16"] }))).toEqual([
    "Ali",
  ]);
  expect(mem.settings).toMatchObject({
    semantic_top_k: 25,
    keyword_top_k: 5,
    structured_top_k: 5,
    window_size: 40,
  });
  expect(await mem.semanticSearch("  ")).toEqual([]);
});

test("[S2-31] ask answers from what retrieve finds, in English and in Chinese; getAllMemories pages", async () => {
  const { model: chat, asked } = await model({
    ...MEETING,
    check_completeness: {
      assessment: "complete",
      reasoning: "",
      missing_info_types: [],
      coverage_percentage: 100,
    },
    answer: ({ body }) =>
      JSON.stringify(body.messages).includes("见面") && JSON.stringify(body.messages).includes("碰头")
        ? { reasoning: "", answer: "星巴克", evidence: [0] }
        : { reasoning: "", answer: "16 November 2025, Starbucks", evidence: [0] },
  });
  const mem = await open({ model: chat });
  await mem.addDialogues(SAID);
  await mem.finalize();
  asked.length = 0;
  const told = await mem.ask("When and where do Alice and Bob meet?", { at: "2025-11-15T15:00" });
  expect(told).toMatchObject({ answer: "16 November 2025, Starbucks", path: "model", isUnknown: false });
  expect(asked.at(-1)).toBe("answer");
  expect(asked.length).toBeLessThanOrEqual(8);

  const first = await mem.getAllMemories({ limit: 2 });
  const rest = await mem.getAllMemories({ limit: 2, after: first.next ?? "" });
  expect(starts([...first.entries, ...rest.entries])).toEqual(["Ali", "Bob", "小红住"]);
  expect(rest.next).toBeNull();
});

test("[S2-8][S2-9][S2-31] the seed's meeting in Chinese, with a model: stored as it is said there, found and answered", async () => {
  const restatement = "小明提议于2025-01-16T14:00:00在星巴克与小红见面，小红同意并会携带报告";
  const { model: chat } = await model({
    ...PLANNING,
    compress_dialogue: {
      entries: [
        memory(restatement, [0, 1, 2], {
          keywords: ["小明", "小红", "星巴克", "报告", "见面"],
          timestamp: "2025-01-16T14:00:00",
          location: "星巴克",
          persons: ["小明", "小红"],
          entities: ["报告"],
          topic: "会议安排",
        }),
      ],
    },
    analyse_query: {
      keywords: ["碰头"],
      persons: ["小明", "小红"],
      time_expression: null,
      location: null,
      entities: [],
    },
    answer: { reasoning: "", answer: "星巴克", evidence: [0] },
  });
  const mem = await open({ model: chat, zone: "Asia/Shanghai" });
  await mem.addDialogue("小明", "明天下午去星巴克聊聊？", "2025-01-15T10:00:00");
  await mem.addDialogue("小红", "好啊，我带上那份报告", "2025-01-15T10:01:00");
  await mem.addDialogue("小明", "行，2点见", "2025-01-15T10:02:00");
  await mem.finalize();
  const [entry] = await mem.structuredSearch({
    persons: ["小红"],
    location: "星巴",
    timestampRange: ["2025-01-16", "2025-01-16"],
  });
  expect(entry).toMatchObject({ lossless_restatement: restatement, topic: "会议安排", entities: ["报告"] });
  expect(await mem.ask("小明和小红在哪碰头？")).toMatchObject({
    answer: "星巴克",
    evidence: [{ content: restatement }],
  });
});

describe("windows", () => {
  const LINES = Array.from({ length: 382 }, (_, n) => ({
    speaker: n % 2 ? "Ben" : "Ada",
    content: `Line ${n} here`,
    timestamp: Date.UTC(2025, 0, 1) + n * 1000,
  }));
  const firstLine = ({ body }: SeenRequest): number =>
    Number(/Line (\d+) here/.exec(JSON.stringify(body.messages))?.[1]);
  const readLines: Answers = {
    compress_dialogue: (request) => ({ entries: [memory(`Window from ${firstLine(request)}.`, [5])] }),
  };

  test("[S2-14][S2-18] ten windows of a backlog, three at once or one by one; results in order", async () => {
    const most = async (options: Partial<SimpleMemOptions>): Promise<number> => {
      const { model: chat, asked, atOnce } = await model(readLines);
      const mem = await open({ model: chat, ...options });
      await mem.addDialogues(LINES);
      await mem.finalize();
      expect(asked).toHaveLength(10);
      const { storage, design } = mem.memory.running();
      const entries = await storage.scan(mem.memory.scope, {
        collection: design.service.collection,
        limit: 99,
        own: true,
      });
      expect(entries.map(({ content }) => content)).toEqual(
        Array.from({ length: 10 }, (_, n) => `Window from ${n * 38}.`),
      );
      return atOnce.most;
    };
    expect(await most({})).toBe(3);
    expect(await most({ enable_parallel_processing: false })).toBe(1);
  });

  test("[B.2] a window that fails is retried, never lost: status says why, nothing comes twice", async () => {
    let isDown = true;
    const { model: chat, asked } = await model({
      compress_dialogue: (request) =>
        firstLine(request) === 38 && isDown
          ? { status: 503, body: { error: { message: "overloaded" } } }
          : { entries: [memory(`Window from ${firstLine(request)}.`, [5])] },
    });
    const mem = await open({ model: chat });
    await mem.addDialogues(LINES.slice(0, 100));
    await expect(mem.finalize()).rejects.toMatchObject({ code: "model_unavailable" });
    const failed = await mem.status();
    expect(failed).toMatchObject({
      waiting: 100,
      work: { state: "waiting" },
      storage: { turns: 100, entries: 0 },
    });
    expect(failed.work?.lastError).toMatch(/overloaded|503/);
    isDown = false;
    await mem.finalize();
    expect(await mem.status()).toMatchObject({ waiting: 0, storage: { turns: 100, entries: 3 } });
    expect(asked.length).toBeGreaterThanOrEqual(5);
  });

  test("window_size and overlap_size cut as they say", async () => {
    const { model: chat, server } = await model(readLines);
    const mem = await open({ model: chat, window_size: 10, overlap_size: 4, max_parallel_workers: 2 });
    await mem.addDialogues(LINES.slice(0, 22));
    await mem.finalize();
    expect(server.requests.map(firstLine).toSorted((a, b) => a - b)).toEqual([0, 6, 12]);
  });
});

describe("[S2-32] every switch has an effect", () => {
  const QUESTION = "Where does Alice meet Bob?";
  async function asked(options: Partial<SimpleMemOptions>, each: Parameters<SimpleMem["retrieve"]>[1] = {}) {
    const many = Array.from({ length: 30 }, (_, n) =>
      memory(`Alice walked past house ${n}.`, [0], { persons: ["Alice"] }),
    );
    const answers: Answers = {
      ...PLANNING,
      compress_dialogue: {
        entries: [...many, ...(MEETING.compress_dialogue as { entries: JsonObject[] }).entries],
      },
      analyse_query: {
        keywords: ["house"],
        persons: ["Alice"],
        time_expression: null,
        location: null,
        entities: [],
      },
    };
    const { model: chat, asked: calls } = await model(answers);
    const mem = await open({ model: chat, ...options });
    await mem.addDialogues(SAID);
    await mem.finalize();
    calls.length = 0;
    const entries = await mem.retrieve(QUESTION, each);
    return { entries, calls };
  }
  const checks = ({ calls }: { readonly calls: readonly string[] }) =>
    calls.filter((call) => call === "check_completeness").length;

  test("[S2-23] enable_planning: off, a question is one search by meaning and asks no model", async () => {
    expect((await asked({})).calls).toEqual(expect.arrayContaining(["plan_information", "targeted_queries"]));
    const plain = await asked({ enable_planning: false });
    expect(plain.calls).toEqual([]);
    expect(plain.entries).toHaveLength(25);
    expect((await asked({ enable_planning: false, semantic_top_k: 3 })).entries).toHaveLength(3);
  });

  test("[S2-29][S2-30] enable_reflection, also for one question; max_reflection_rounds", async () => {
    expect(checks(await asked({}))).toBeGreaterThan(0);
    expect(checks(await asked({ enable_reflection: false }))).toBe(0);
    expect(checks(await asked({}, { enable_reflection: false }))).toBe(0);
    expect(checks(await asked({ enable_reflection: false }, { enable_reflection: true }))).toBeGreaterThan(0);
    expect(checks(await asked({ max_reflection_rounds: 1 }))).toBe(1);
  });

  test("semantic_top_k, keyword_top_k, structured_top_k, max_context_tokens", async () => {
    const few = { enable_reflection: false, semantic_top_k: 1, keyword_top_k: 1, structured_top_k: 1 };
    const counted = (await asked(few)).entries.length;
    expect(counted).toBeLessThanOrEqual(5);
    expect((await asked({ ...few, keyword_top_k: 20 })).entries.length).toBeGreaterThan(counted);
    expect((await asked({ ...few, structured_top_k: 20 })).entries.length).toBeGreaterThan(counted);
    expect((await asked({ ...few, semantic_top_k: 20 })).entries.length).toBeGreaterThan(counted);
    const whole = (await asked({})).entries.length;
    expect((await asked({ max_context_tokens: 150 })).entries.length).toBeLessThan(whole);
  });

  test("[S2-26] enable_parallel_retrieval: queries are searched for at once, or one after another", async () => {
    const most = async (options: Partial<SimpleMemOptions>): Promise<number> => {
      const { model: chat } = await model(MEETING);
      const mem = await open({ model: chat, enable_reflection: false, ...options });
      await mem.addDialogues(SAID);
      await mem.finalize();
      const { service } = mem.memory.running().design;
      let [now, highest] = [0, 0];
      const retrieve = service.retrieve.bind(service);
      service.retrieve = async (...given) => {
        highest = Math.max(highest, ++now);
        await new Promise((resolve) => setTimeout(resolve, 5));
        return retrieve(...given).finally(() => now--);
      };
      await mem.retrieve(QUESTION);
      return highest;
    };
    expect(await most({})).toBeGreaterThan(3);
    expect(await most({ enable_parallel_retrieval: false })).toBe(1);
    expect(await most({ max_retrieval_workers: 2 })).toBe(2);
  });

  test("clear_db begins with an empty memory", async () => {
    const path = await file();
    for (const clear_db of [false, true]) {
      const mem = await SimpleMem.open({ path, scope: "alice", embedder: hashEmbedder(), clear_db });
      expect((await mem.status()).storage.turns).toBe(0);
      await mem.addDialogue("Alice", "I moved to Rome.");
      expect((await mem.status()).storage.turns).toBe(1);
      await mem.close();
    }
  });

  test("[S2-33] url: a server in place of a file; one that cannot be reached fails the start", async () => {
    const opening = SimpleMem.open({ url: "postgres://mia:secret@127.0.0.1:1/memory", scope: "alice" });
    await expect(opening).rejects.toMatchObject({ code: "storage_io" });
  });

  test("what is no switch, no moment or no zone is refused with what is valid", async () => {
    const wrong = (options: object) => open(options as Partial<SimpleMemOptions>);
    await expect(wrong({ windowsize: 3 })).rejects.toMatchObject({ code: "input_invalid" });
    await expect(wrong({ window_size: 0 })).rejects.toMatchObject({ code: "input_invalid" });
    await expect(wrong({ zone: "Moon/Base" })).rejects.toThrow(/IANA/);
    const mem = await open();
    for (const odd of ["yesterday", "2025-13-45", "2025-02-30"])
      await expect(mem.addDialogue("Alice", "Hi", odd)).rejects.toThrow(/ISO 8601/);
    await expect(mem.retrieve("?", { reflect: 1 } as object)).rejects.toMatchObject({
      code: "input_invalid",
    });
    await expect(mem.structuredSearch({ person: "x" } as object)).rejects.toMatchObject({
      code: "input_invalid",
    });
    await expect(mem.keywordSearch(["x"], 0)).rejects.toMatchObject({ code: "input_invalid" });
    expect((await mem.status()).storage.turns).toBe(0);
  });
});

test("[S2-1] a long talk costs few tokens when a question is asked, and the answer is among them", async () => {
  const mem = await open({ embedder: await sharedEmbedder() });
  const dishes = ["soup", "pasta", "curry", "salad", "stew", "pizza", "rice", "noodles"];
  const talk = Array.from({ length: 600 }, (_, n) => ({
    speaker: n % 2 ? "Ben" : "Ada",
    content:
      n === 301
        ? "My passport expires in March 2027, and I keep it in the blue box."
        : `On day ${n} I cooked ${dishes[n % 8]} for ${(n % 7) + 2} guests and walked ${n} steps through the park afterwards.`,
    timestamp: Date.UTC(2025, 0, 1) + n * 3_600_000,
  }));
  await mem.addDialogues(talk);
  await mem.finalize();
  const whole = countTokens(talk.map(({ content }) => content).join("\n"));
  const found = await mem.retrieve("Where does Ben keep the passport?");
  const spent = countTokens(found.map(({ lossless_restatement: text }) => text).join("\n"));
  expect(found.some(({ lossless_restatement: text }) => /Ben's passport.*blue box/.test(text))).toBe(true);
  expect(spent).toBeLessThanOrEqual(2000);
  expect(whole / spent).toBeGreaterThan(8);
});

describe("the seed's meeting, without a model", () => {
  test("[S2-4][S2-6][S2-7][S2-10] English: names and the date of tomorrow, from when it was said", async () => {
    const mem = await open({ embedder: await sharedEmbedder() });
    const said = await mem.addDialogue(
      "Alice",
      "Bob, let's meet at Starbucks tomorrow at 2pm.",
      "2025-11-15T14:30:00",
    );
    expect(printDialogue(said)).toBe(
      "[2025-11-15T14:30Z] Alice: Bob, let's meet at Starbucks tomorrow at 2pm.",
    );
    await mem.addDialogue("Bob", "Sure, I'll bring the report.", "2025-11-15T14:31:00");
    await mem.finalize();
    const [meeting] = await mem.structuredSearch({ timestampRange: ["2025-11-16", "2025-11-16"] });
    expect(meeting).toMatchObject({ location: "Starbucks", persons: expect.arrayContaining(["Alice"]) });
    expect(meeting?.timestamp).toMatch(/^2025-11-16T14:00/);
    expect(meeting?.lossless_restatement).toMatch(/16 November 2025/);
    const [report] = await mem.keywordSearch(["report"]);
    expect(report?.lossless_restatement).toBe("Bob will bring the report.");
    const [found] = await mem.retrieve("When do Alice and Bob meet at Starbucks?", {
      at: "2025-11-15T15:00",
    });
    expect(found?.lossless_restatement).toMatch(/Starbucks/);
  });

  test("[S2-7][S2-10] Chinese: 明天下午 is a date, 我 a name", async () => {
    const mem = await open({ embedder: await sharedEmbedder(), zone: "Asia/Shanghai" });
    await mem.addDialogue("小明", "明天下午2点我们在星巴克见面吧。", "2025-01-15T10:00:00");
    await mem.addDialogue("小红", "好的，我会带上那份市场报告。", "2025-01-15T10:01:00");
    await mem.finalize();
    const [meeting] = await mem.structuredSearch({ timestampRange: ["2025-01-16", "2025-01-16"] });
    expect(meeting?.lossless_restatement).toMatch(/2025年1月16日/);
    expect(meeting?.timestamp).toMatch(/^2025-01-16T14:00/);
    const [report] = await mem.keywordSearch(["报告"]);
    expect(meeting?.location).toBe("星巴克");
    expect(meeting?.lossless_restatement).toMatch(/小明和小红在星巴克见面/);
    expect(report?.lossless_restatement).toMatch(/小红会带上/);
    expect(report?.persons).toContain("小红");
  });

  test("[S2-7][C8] a chat of 2023 stays in 2023: yesterday, next Wednesday, 昨天, 下周三", async () => {
    const mem = await open();
    // A Tuesday.
    const at = "2023-06-13T20:00:00";
    await mem.addDialogue(
      "Mia",
      "I visited the museum yesterday and I will see the dentist next Wednesday.",
      at,
    );
    await mem.addDialogue("小美", "我昨天去了动物园。", at);
    await mem.addDialogue("小美", "下周三我要去北京出差。", at);
    await mem.finalize();
    const all = (await mem.structuredSearch({ timestampRange: ["2023", "2023"] }, 10)).map(
      ({ lossless_restatement: text }) => text,
    );
    const text = all.join(" ");
    expect(text).toMatch(/12 June 2023/);
    expect(text).toMatch(/21 June 2023/);
    expect(text).toMatch(/小美2023年6月12日去了动物园/);
    expect(text).toMatch(/2023年6月21日/);
    expect(text).not.toMatch(/yesterday|next|昨天|下周|2026/);
  });

  test.each(["T", " "])("a timestamp that names its offset was said on that clock: %j", async (between) => {
    const mem = await open({ zone: "America/Lima" });
    const said = await mem.addDialogue(
      "Mia",
      "I visited the museum yesterday.",
      `2023-06-13${between}00:30:00+08:00`,
    );
    expect(said.timestamp).toBe("2023-06-13T00:30+08:00");
    const local = await mem.addDialogue("Mia", "我昨天去了动物园。", `2023-06-13${between}00:30`);
    expect(local.timestamp).toBe("2023-06-13T00:30-05:00");
    await mem.finalize();
    expect((await mem.keywordSearch(["museum"]))[0]?.lossless_restatement).toMatch(/12 June 2023/);
  });

  test("[S2-9] an entry names who spoke in its lines, not everybody who spoke in the window", async () => {
    const mem = await open();
    await mem.addDialogue("", "I moved to Rome last week.", "2025-11-15T10:00");
    await mem.addDialogue("小明", "我昨天去了动物园。", "2025-11-15T10:01");
    await mem.finalize();
    const { entries } = await mem.getAllMemories();
    expect(entries.map(({ persons }) => persons)).toEqual([[], ["小明"]]);
  });
});
