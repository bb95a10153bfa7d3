/** Every format people bring: what becomes of it, and what is said where it cannot be read. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Json } from "../base/json.ts";
import { COMMANDS } from "./commands/index.ts";
import { route } from "./router.ts";

const SLOW = 120_000;
let folder: string;
let db: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-formats-"));
  db = join(folder, "memory.db");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

async function run(...words: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const surroundings = {
    env: {},
    stdout: { write: (text: string) => out.push(text) },
    stderr: { write: (text: string) => err.push(text) },
  };
  const status = await route([...words, "--db", db], COMMANDS, surroundings, "1.2.3");
  return { status, stdout: out.join(""), stderr: err.join("") };
}

async function data(...words: string[]) {
  const { stdout, stderr } = await run(...words, "--json");
  return JSON.parse(stdout === "" ? stderr : stdout);
}

function file(name: string, content: Json | string): string {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const seconds = (year: number, month: number, day: number, hour = 0): number =>
  Date.UTC(year, month - 1, day, hour) / 1000;

/** A tree: the first answer was asked for again, and what was shown before the user's message is hidden or a tool's. */
function chatGptChat(): Json {
  const node = (id: string, parent: string | null, children: string[], message: Json): Json => ({
    ...{ id, parent, children, message },
  });
  const said = (
    id: string,
    role: string,
    parts: Json[],
    at: number,
    more: Record<string, Json> = {},
  ): Json => ({
    ...{ id, author: { role, name: null, metadata: {} }, create_time: at, weight: 1, recipient: "all" },
    content: { content_type: "text", parts },
    metadata: {},
    ...more,
  });
  const at = seconds(2023, 5, 8, 10);
  return {
    title: "Moving house",
    create_time: at - 60.25,
    update_time: at + 500,
    conversation_id: "c0ffee00-0000-4000-8000-000000000001",
    current_node: "a2",
    mapping: {
      root: node("root", null, ["sys"], null),
      sys: node("sys", "root", ["u1"], said("sys", "system", ["You are a helpful assistant."], at - 50)),
      u1: node(
        "u1",
        "sys",
        ["a1", "t1"],
        said("u1", "user", ["I moved to Rome yesterday. My cat is called Momo."], at + 0.123),
      ),
      a1: node("a1", "u1", [], said("a1", "assistant", ["A first answer that nobody kept."], at + 10)),
      t1: node(
        "t1",
        "u1",
        ["t2"],
        said("t1", "assistant", ["search('Rome')"], at + 11, {
          recipient: "browser",
          content: { content_type: "code", language: "python", text: "search('Rome')" },
        }),
      ),
      t2: node("t2", "t1", ["a2"], said("t2", "tool", ["Rome is the capital of Italy."], at + 12)),
      a2: node(
        "a2",
        "t2",
        [],
        said("a2", "assistant", ["Welcome to Rome!\uE200cite\uE202turn0search1\uE201"], at + 20),
      ),
    },
  };
}

const CHATGPT: Json = [
  {
    title: "火锅",
    create_time: seconds(2024, 1, 2),
    id: "c2",
    current_node: "m2",
    mapping: {
      m1: {
        ...{ id: "m1", parent: null, children: ["m2"] },
        message: {
          ...{ id: "m1", author: { role: "user" }, create_time: null },
          content: {
            content_type: "multimodal_text",
            parts: [
              { content_type: "image_asset_pointer", asset_pointer: "file://x" },
              "我昨天在重庆吃了火锅。\u0007",
            ],
          },
          metadata: { attachments: [{ name: "火锅.jpg" }] },
        },
      },
      m2: {
        ...{ id: "m2", parent: "m1", children: [] },
        message: {
          ...{ id: "m2", author: { role: "assistant" }, create_time: seconds(2024, 1, 2, 1) },
          content: { content_type: "text", parts: ["听起来很好吃！"] },
        },
      },
    },
  },
  chatGptChat(),
];

const CLAUDE: Json = [
  {
    uuid: "11111111-1111-4111-8111-111111111111",
    name: "Almonds",
    created_at: "2023-06-01T09:00:00.123456Z",
    updated_at: "2023-06-01T09:05:00.000000Z",
    account: { uuid: "22222222-2222-4222-8222-222222222222" },
    chat_messages: [
      {
        ...{ uuid: "u-1", sender: "human", created_at: "2023-06-01T09:00:01.500000Z" },
        text: "I am allergic to almonds.",
        content: [{ type: "text", text: "I am allergic to almonds." }],
        ...{ attachments: [{ file_name: "diet.pdf", file_size: 3, extracted_content: "…" }], files: [] },
      },
      {
        ...{ uuid: "u-2", sender: "assistant", created_at: "2023-06-01T09:00:05.000000Z", text: "" },
        content: [
          { type: "thinking", thinking: "hmm" },
          { type: "tool_use", name: "search", input: {} },
          { type: "text", text: "记住了：不吃杏仁。" },
        ],
        ...{ attachments: [], files: [] },
      },
    ],
  },
  {
    uuid: "33333333-3333-4333-8333-333333333333",
    name: "",
    created_at: "2023-06-02T00:00:00Z",
    chat_messages: [],
  },
];

const MEM0: Json = {
  results: [
    {
      ...{ id: "m-1", memory: "Lives in Rome", user_id: "mia", hash: "x", metadata: { app: "desk" } },
      ...{
        created_at: "2023-05-08T02:56:00.123456-07:00",
        updated_at: null,
        categories: ["home", "personal_details"],
      },
    },
    { id: "m-2", memory: "喜欢吃火锅", user_id: "mia", created_at: null, categories: null },
  ],
};

const SERVER_MEMORY = [
  { type: "entity", name: "Mia", entityType: "person", observations: ["lives in Rome", "喜欢火锅"] },
  { type: "entity", name: "Library", entityType: "organization", observations: [] },
  { type: "relation", from: "Mia", to: "Library", relationType: "works_at" },
];

describe("exports of chats", () => {
  test("ChatGPT: the branch that is shown, what two said to each other, with title and time", async () => {
    const chats = file("conversations.json", CHATGPT);
    expect(await data("import", chats, "--preset", "bm25", "--user", "Mia")).toMatchObject({
      ...{ format: "chatgpt", added: 4, known: 0, entries: 4 },
    });
    const { hits } = await data("recall", "Rome", "--preset", "bm25");
    expect(hits.map(({ text }: { text: string }) => text).sort()).toEqual([
      "ChatGPT: Welcome to Rome!",
      "Mia: I moved to Rome yesterday. My cat is called Momo.",
    ]);
    const [mine] = hits.filter(({ text }: { text: string }) => text.startsWith("Mia"));
    expect(mine.turns[0]).toMatchObject({
      ...{ session: "Moving house", role: "user", happenedAt: Date.UTC(2023, 4, 8, 10, 0, 0, 123) },
    });
    const chinese = await data("recall", "火锅", "--preset", "bm25", "--limit", "1");
    expect(chinese.hits[0].turns[0]).toMatchObject({
      ...{ session: "火锅", text: "我昨天在重庆吃了火锅。", captions: ["火锅.jpg"] },
      happenedAt: Date.UTC(2024, 0, 2),
    });
    expect(await data("import", chats, "--preset", "bm25")).toMatchObject({ added: 0, known: 4 });
  });

  test("ChatGPT: of a chat whose last message is named wrongly the newest branch", async () => {
    const chats = file("conversations.json", JSON.stringify([chatGptChat()]).replace('"a2"', '"gone"'));
    expect(await data("import", chats, "--preset", "bm25")).toMatchObject({ added: 2 });
    expect((await data("recall", "Welcome to Rome", "--preset", "bm25")).hits).toHaveLength(2);
  });

  test("one chat of several, by its title; a renamed chat is the same chat", async () => {
    const chats = file("conversations.json", CHATGPT);
    const words = ["--preset", "bm25", "--conversation", "火锅"];
    expect(await data("import", chats, ...words)).toMatchObject({ added: 2 });
    expect((await run("import", chats, ...words.slice(0, 3), "火")).stderr).toContain('Did you mean "火锅"?');
    file("conversations.json", JSON.stringify(CHATGPT).replace('"title":"火锅"', '"title":"重庆"'));
    expect(await data("import", chats, "--preset", "bm25")).toMatchObject({ added: 2, known: 2 });
  });

  test("the oldest chat comes first; two of one title are two sessions", async () => {
    const said = (uuid: string, text: string): Json => ({ uuid, sender: "human", text });
    const chat = (uuid: string, created_at: string, text: string): Json => ({
      ...{ uuid, name: "茶", created_at, chat_messages: [said(`${uuid}-1`, text)] },
    });
    const chats = file("claude.json", [
      chat("bbbbbbbb-2", "2024-01-02T00:00:00Z", "Later tea."),
      chat("aaaaaaaa-1", "2023-01-02T00:00:00Z", "Earlier tea."),
    ]);
    await run("import", chats, "--preset", "bm25");
    const { hits } = await data("recall", "tea", "--preset", "bm25");
    const turns = hits.flatMap(({ turns }: { turns: { seq: number }[] }) => turns);
    expect(turns.toSorted((a: { seq: number }, b: { seq: number }) => a.seq - b.seq)).toMatchObject([
      { text: "Earlier tea.", session: "茶" },
      { text: "Later tea.", session: "茶 (bbbbbbbb)" },
    ]);
  });

  test("Claude: text blocks alone, titles, times and the names of files", async () => {
    const chats = file("conversations.json", CLAUDE);
    expect(await data("import", chats, "--preset", "bm25")).toMatchObject({ format: "claude", added: 2 });
    const { hits } = await data("recall", "almonds", "--preset", "bm25", "--limit", "1");
    expect(hits[0].turns[0]).toMatchObject({
      ...{ session: "Almonds", speaker: "User", captions: ["diet.pdf"] },
      happenedAt: Date.UTC(2023, 5, 1, 9, 0, 1, 500),
    });
    expect((await data("recall", "杏仁", "--preset", "bm25", "--limit", "1")).hits[0].text).toBe(
      "Claude: 记住了：不吃杏仁。",
    );
    expect(await data("import", chats, "--preset", "bm25")).toMatchObject({ added: 0, known: 2 });
  });

  test("Claude: of an edited chat the branch of the last message", async () => {
    const message = (uuid: string, parent: string, sender: string, text: string): Json => ({
      ...{ uuid, parent_message_uuid: parent, sender, text, created_at: "2023-06-01T09:00:00Z" },
    });
    const chat_messages = [
      message("1", "00000000-0000-4000-8000-000000000000", "human", "Where is Rome?"),
      message("2", "1", "assistant", "A dropped answer."),
      message("3", "1", "assistant", "In Italy."),
    ];
    const chats = file("claude.json", [{ uuid: "c", name: "Rome", chat_messages }]);
    expect(await data("import", chats, "--preset", "bm25")).toMatchObject({ added: 2 });
    expect((await data("recall", "dropped answer", "--preset", "bm25")).hits).toEqual([]);
  });

  test("Claude: an edited first message leaves its answer behind; what is only a tool's says nothing", async () => {
    const beginning = "00000000-0000-4000-8000-000000000000";
    const message = (uuid: string, parent: string, sender: string, text: string, type = "text"): Json => ({
      ...{ uuid, parent_message_uuid: parent, sender, text, created_at: "2023-06-01T09:00:00Z" },
      content: [type === "text" ? { type, text } : { type, name: "web_search", input: {} }],
    });
    const chat_messages = [
      message("1", beginning, "human", "Where is Paris?"),
      message("2", "1", "assistant", "In France."),
      message("3", beginning, "human", "Where is Rome?"),
      message("4", "3", "assistant", "This block is not supported on your device.", "tool_use"),
      message("5", "4", "assistant", "In Italy."),
    ];
    const chats = file("claude.json", [{ uuid: "c", name: "Rome", chat_messages }]);
    expect(await data("import", chats, "--preset", "bm25")).toMatchObject({ added: 2 });
    expect((await data("recall", "Paris France supported", "--preset", "bm25")).hits).toEqual([]);
  });

  test.each(["mem0", "simplemem"])(
    'by %s, "yesterday" in a chat of 2023 is a day of 2023, and 昨天 of 2024 a day of 2024',
    { timeout: SLOW },
    async (preset) => {
      const chats = file("conversations.json", CHATGPT);
      const { status, stderr } = await run("import", chats, "--preset", preset, "--user", "Mia", "--finish");
      expect({ status, stderr }).toMatchObject({ status: 0 });
      const about = async (question: string): Promise<string> =>
        (await data("recall", question, "--preset", preset)).hits
          .map(({ text }: { text: string }) => text)
          .join("\n");
      expect(await about("When did Mia move to Rome?")).toMatch(/2023-05-07|May 7, 2023|7 May 2023/);
      expect(await about("谁在重庆吃了火锅？")).toMatch(/2024-01-01|2024年1月1日/);
    },
  );
});

describe("memories of other programs", () => {
  test(
    "mem0: each as it is worded, with its time and its categories as tags",
    async () => {
      const memories = file("mem0.json", MEM0);
      expect(await data("import", memories, "--preset", "mem0")).toMatchObject({
        format: "mem0",
        added: 2,
        entries: 2,
      });
      const { hits } = await data("recall", "Where does she live?", "--preset", "mem0", "--limit", "1");
      expect(hits[0]).toMatchObject({
        ...{ content: "Lives in Rome", kind: "knowledge", tags: ["home", "personal_details"] },
        happenedAt: Date.UTC(2023, 4, 8, 9, 56, 0, 123),
      });
      expect(await data("import", memories, "--preset", "mem0")).toMatchObject({
        added: 0,
        known: 2,
        entries: 2,
      });
      const bare = file("list.json", [{ memory: "Works at a library" }]);
      expect(await data("import", bare, "--preset", "mem0")).toMatchObject({
        format: "mem0",
        added: 1,
        entries: 3,
      });
    },
    SLOW,
  );

  test("mem0: a memory per line; none is pinned, so a sweep may take them and no prompt begins with all of them", async () => {
    const lines = [
      { id: "1", memory: "Likes tea", created_at: "2024-07-26T08:44:41.039788-07:00" },
      { id: "2", memory: "喜欢火锅" },
    ];
    const memories = file("mem0.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"));
    expect(await data("import", memories, "--preset", "bm25")).toMatchObject({ format: "mem0", added: 2 });
    const [hit] = (await data("recall", "火锅", "--preset", "bm25")).hits;
    expect(hit).toMatchObject({ content: "喜欢火锅", pinned: false });
    const broken = file("broken.jsonl", '{"memory": "Likes tea"}\n{"memory": 5}');
    expect((await run("import", broken, "--preset", "bm25")).stderr).toContain("broken.jsonl:2");
  });

  test("server-memory: a memory for each observation and each relation", async () => {
    const lines = file("memory.jsonl", SERVER_MEMORY.map((line) => JSON.stringify(line)).join("\n"));
    expect(await data("import", lines, "--preset", "bm25")).toMatchObject({
      ...{ format: "server-memory", added: 4, entries: 4 },
    });
    const { hits } = await data("recall", "Mia works at", "--preset", "bm25", "--limit", "1");
    expect(hits[0]).toMatchObject({ content: "Mia works at Library", tags: ["Library", "Mia"] });
    const [hot] = (await data("recall", "火锅", "--preset", "bm25")).hits;
    expect(hot).toMatchObject({ content: "Mia: 喜欢火锅", tags: ["Mia", "person"], pinned: false });
    expect(await data("import", lines, "--preset", "bm25")).toMatchObject({ added: 0, known: 4 });
    expect(await data("estimate", lines, "--preset", "bm25")).toMatchObject({ turns: 4 });
    const [entity, , relation] = SERVER_MEMORY;
    const graph = file("graph.json", JSON.stringify({ entities: [entity], relations: [relation] }));
    expect(await data("import", graph, "--preset", "bm25", "--scope", "other")).toMatchObject({ added: 3 });
  });
});

describe("bundles", () => {
  test("out to a file and in again: the same answers; again, nothing", async () => {
    const out = join(folder, "mia.jsonl");
    await run("import", file("talk.txt", "Mia: I moved to Rome.\n王芳：我爱吃火锅。\n"), "--preset", "bm25");
    const exported = await data("export", "--preset", "bm25", "--out", out);
    expect(exported).toMatchObject({ out, lines: 6, vectors: true });
    const before = (await data("recall", "火锅", "--preset", "bm25")).hits;
    expect((await run("export", "--preset", "bm25", "--no-vectors")).stdout.split("\n")).toHaveLength(7);
    db = join(folder, "other.db");
    expect(await data("import", out, "--preset", "bm25")).toMatchObject({
      ...{ format: "bundle", path: "restored", added: 2, restored: 2, entries: 2, waiting: 0 },
    });
    const [hit] = (await data("recall", "火锅", "--preset", "bm25")).hits;
    expect({ id: hit.id, score: hit.score }).toEqual({ id: before[0].id, score: before[0].score });
    expect(await data("import", out, "--preset", "bm25")).toMatchObject({
      added: 0,
      restored: 0,
      known: 4,
      entries: 2,
    });
    expect((await run("import", out, "--preset", "bm25", "--lang", "zh")).stdout).toContain(
      "原样恢复 0 条记忆",
    );
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("Ctrl-C ends it at once and says so; the same command goes on", { timeout: SLOW }, async () => {
    vi.stubEnv("TMPDIR", folder);
    const out = join(folder, "long.jsonl");
    const lines = Array.from({ length: 400 }, (_, at) => `Mia: line ${at} about Rome, 第${at}行`);
    await run("import", file("long.txt", lines.join("\n")), "--preset", "bm25");
    await run("export", "--preset", "bm25", "--out", out);
    db = join(folder, "other.db");
    const err: string[] = [];
    const stderr = {
      write(text: string) {
        err.push(text);
        if (/\d+ lines/.test(text)) process.emit("SIGINT");
      },
    };
    const words = ["import", out, "--preset", "bm25", "--db", db];
    const status = await route(words, COMMANDS, { env: {}, stdout: { write: () => true }, stderr }, "1.2.3");
    expect(status).toBe(130);
    expect(err.join("")).toContain("What came so far is kept; the same command goes on from here.");
    expect(await data("import", out, "--preset", "bm25")).toMatchObject({
      path: "restored",
      entries: 400,
      waiting: 0,
    });
    expect(readdirSync(folder).filter((name) => name.startsWith("neuromem-import-"))).toEqual([]);
  });

  test("with another design, the journal goes through it", async () => {
    const out = join(folder, "mia.jsonl");
    await run("import", file("talk.txt", "Mia: I moved to Rome.\n王芳：我爱吃火锅。\n"), "--preset", "bm25");
    await run("export", "--preset", "bm25", "--out", out);
    db = join(folder, "other.db");
    const { stdout, stderr } = await run("import", out, "--preset", "table/scm", "--finish");
    expect(stdout).toContain("memories made by table_scm");
    expect(stderr).toContain("2/2 turns");
    expect((await run("recall", "火锅", "--preset", "table/scm")).stdout).toContain("我爱吃火锅");
  });

  test("what cannot be, is said, and changes nothing", async () => {
    const talk = file("talk.txt", "Mia: I moved to Rome.\n");
    await run("import", talk, "--preset", "bm25");
    expect((await run("export", "--preset", "bm25", "--json")).stderr).toContain("--out FILE with --json");
    const nowhere = join(folder, "no", "where.jsonl");
    expect(await run("export", "--preset", "bm25", "--out", nowhere)).toMatchObject({ status: 7 });
    const out = join(folder, "mia.jsonl");
    await run("export", "--preset", "bm25", "--out", out);
    const text = readFileSync(out, "utf8");
    db = join(folder, "other.db");
    const cut = file("cut.jsonl", text.slice(0, -20));
    expect((await run("import", cut, "--preset", "bm25")).stderr).toMatch(
      /Line 4 of the bundle is no JSON: it was cut/,
    );
    const newer = file("newer.jsonl", text.replace('"version":1', '"version":9'));
    expect((await run("import", newer, "--preset", "bm25")).stderr).toContain("has version 9");
    expect((await run("import", talk, "--preset", "bm25", "--format", "bundle")).stderr).toContain(
      "Line 1 of the bundle is no JSON",
    );
    expect((await data("recall", "Rome", "--preset", "bm25")).hits).toEqual([]);
    expect((await run("estimate", out, "--preset", "bm25")).stderr).toContain(
      "is a bundle of a memory, not talk",
    );
  });
});

describe("talk with dates as people write them", () => {
  const MAY_8 = Date.UTC(2023, 4, 8);
  test.each([
    ["[2023-05-08 13:56] Mia: I moved to Rome.", Date.UTC(2023, 4, 8, 13, 56)],
    ["[2023年5月8日 9:30] 小明：我搬到罗马了。", Date.UTC(2023, 4, 8, 9, 30)],
    ["# 2023年5月8日，星期一\n小明：我搬到罗马了。", MAY_8],
    ["# Monday, 2023/5/8\nMia: I moved to Rome.", MAY_8],
  ])("%s", async (text, happenedAt) => {
    await run("import", file("talk.txt", text), "--preset", "bm25");
    const { hits } = await data("recall", "Rome 罗马", "--preset", "bm25");
    expect(hits[0].turns).toMatchObject([{ happenedAt }]);
  });

  test("a day that there is not is refused", async () => {
    const { stderr } = await run("import", file("talk.txt", "[2023-02-31] Mia: Hello."), "--preset", "bm25");
    expect(stderr).toContain("[2023-02-31] is no time");
  });
});

describe("what cannot be read", () => {
  test.each([
    ["zip", "PK\u0003\u0004...", "is a zip archive. Valid: the file in it; unzip -p"],
    [
      "list.json",
      '[{"foo": 1, "bar": 2}]',
      "a list of objects with foo, bar. Valid: text, jsonl, locomo, chatgpt",
    ],
    ["empty.json", "[]", "it is an empty list"],
    ["cut.json", '[{"mapping": {', "JSON that is cut or broken"],
    ["gpt.json", '[{"mapping": {"a": {"message": {"id": 3}}}}]', "ChatGPT export"],
    ["claude.json", '[{"uuid": "x", "chat_messages": [{"uuid": 1}]}]', "chat_messages.0.uuid"],
    ["mem0.json", '{"results": [{"memory": 5}]}', "mem0 export"],
    [
      "server.jsonl",
      '{"type":"entity","name":"a","entityType":"b","observations":[]}\n{"type":"entity"}',
      "server.jsonl:2",
    ],
    ["turns.jsonl", '{"text":"a","metadata":{"neuromem:judgment":{}}}', "reserved name"],
  ])("%s: %s", async (name, text, said) => {
    const { status, stderr } = await run("import", file(name, text), "--preset", "bm25");
    expect(stderr).toContain(said);
    expect(status).toBe(2);
    expect(existsSync(db)).toBe(false);
  });
});
