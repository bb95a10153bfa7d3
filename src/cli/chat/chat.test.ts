/** A chat through pipes: what is typed in, what comes out, what is kept. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ModelServer, type Script, startModelServer } from "../../testing/model-server.ts";
import { COMMANDS } from "../commands/index.ts";
import { route } from "../router.ts";

let folder: string;
let server: ModelServer | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-chat-"));
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function run(
  words: readonly string[],
  lines: readonly string[] = [],
  env: Record<string, string> = {},
) {
  const [out, err]: [string[], string[]] = [[], []];
  const status = await route(
    words,
    COMMANDS,
    {
      env: { NEUROMEM_DB: join(folder, "memory.db"), ...env },
      stdin: Readable.from([lines.map((line) => `${line}\n`).join("")]),
      stdout: { write: (text: string) => out.push(text) },
      stderr: { write: (text: string) => err.push(text) },
    },
    "1.2.3",
  );
  return { status, stdout: out.join(""), stderr: err.join("") };
}

/** With a design that asks no model itself. */
async function chat(lines: readonly string[], ...words: string[]) {
  return run(["chat", "--preset", "bm25", "--session", "monday", ...words], lines);
}

async function modelWords(script: Script): Promise<string[]> {
  server = await startModelServer({ chat: script });
  return ["--model", "mine:tiny", "--base-url", server.url];
}

async function contents(): Promise<string[]> {
  const { stdout } = await run(["list", "--preset", "bm25", "--json"]);
  return JSON.parse(stdout).entries.map(({ content }: { content: string }) => content);
}

test("[S4-20] with a model: the answer is streamed, /why says what it rests on, both sides are kept", async () => {
  const model = await modelWords(["Nice city.", "你住在罗马。"]);
  const { status, stdout, stderr } = await chat(
    ["I moved to Rome.", "/why", "我住在 Rome 吗？", "/why", "/context", "/status"],
    ...model,
  );
  expect(status).toBe(0);
  expect(stderr).toContain("tiny · bm25 · me");
  expect(stdout).toContain("Nice city.\nNothing was recalled for it.\n你住在罗马。\n");
  expect(stdout).toMatch(/\d\.\d+ {2}I moved to Rome\. {2}\(\d{4}-\d\d-\d\d\)\n +term:rome/);
  expect(stdout).toContain("user: I moved to Rome.");
  expect(stdout).toContain("design: bm25");
  expect(await contents()).toEqual(["I moved to Rome.", "Nice city.", "我住在 Rome 吗？", "你住在罗马。"]);
});

test("without a model memory is quoted, it is said so, and quotes are not kept", async () => {
  const { stdout, stderr } = await chat([
    "/remember Mia moved to Rome",
    "/remember 王芳住在成都",
    "Where did Mia move?",
    "王芳住在哪里？",
  ]);
  expect(stderr).toContain("no model: memory is quoted");
  expect(stdout).toContain("(quoted from memory: there is no model to put it in words)");
  expect(stdout).toContain("Rome\n");
  expect(stdout).toContain("成都\n");
  expect(await contents()).toEqual([
    "Mia moved to Rome",
    "王芳住在成都",
    "Where did Mia move?",
    "王芳住在哪里？",
  ]);
});

test("without a model what is told is noted, unless nothing is recorded; /quit leaves, too", async () => {
  const { stdout } = await chat([
    ...["I like tea.", "Who is Eve?", "/incognito", "我喜欢咖啡。", "/quit", "Never said."],
  ]);
  expect(stdout).toContain("(noted; there is no model to talk with");
  expect(stdout).toContain("No information available.\n(nothing in memory answers that;");
  expect(stdout).toContain("(there is no model to talk with");
  expect(stdout.match(/No information/g)).toHaveLength(1);
  expect(await contents()).toEqual(["I like tea.", "Who is Eve?"]);
});

test("[S4-22] --no-memory and DISABLE_MEMORY: a plain conversation, and no file is made", async () => {
  const model = await modelWords("Hello.");
  const off = await chat(["Hi", "/why"], "--no-memory", ...model);
  expect(off.stdout).toBe("Hello.\n");
  expect(off.stderr).toContain("without a memory");
  expect(off.stderr).toContain("This chat is without a memory.");
  const disabled = await run(["chat", "--json", ...model], ["Hi"], { DISABLE_MEMORY: "true" });
  expect(JSON.parse(disabled.stdout)).toMatchObject({ memory: false, exchanges: [{ answer: "Hello." }] });
  expect((await run(["list"])).stderr).toContain("There is no memory");
});

test("incognito, forget last, forget session, another design", async () => {
  const model = await modelWords("Noted.");
  const { stdout } = await chat(
    ["/incognito", "My secret is 42.", "/incognito", "I like tea.", "我喜欢咖啡。", "/forget last"],
    ...model,
  );
  expect(stdout).toContain("From here on nothing is recorded.");
  expect(stdout).toContain("Forgotten: 2 turns, 2 memories");
  expect(await contents()).toEqual(["I like tea.", "Noted."]);
  const next = await chat(["/preset simple_memory", "/status", "/preset bm25", "/forget session"]);
  expect(next.stdout).toContain("simple_memory is at work: 2 turns");
  expect(next.stdout).toContain("design: simple_memory");
  expect(next.stdout).toContain("Forgotten: 2 turns");
  expect(await contents()).toEqual([]);
});

test("what nobody answered is what was said last", async () => {
  const script = ["Noted.", { status: 400, body: { error: { message: "bad" } } }, "好的。"] as const;
  const model = await modelWords([...script]);
  const { stdout, stderr } = await chat(
    ["I like tea.", "我的密码是四十二。", "/forget last", "/forget last", "Hi"],
    ...model,
  );
  expect(stdout).toContain("Forgotten: 1 turns, 1 memories");
  expect(stderr).toContain("Nothing was recorded last.");
  expect(await contents()).toEqual(["I like tea.", "Noted.", "Hi", "好的。"]);
});

test("what goes wrong is told, and the chat goes on", async () => {
  const model = await modelWords([{ status: 400, body: { error: { message: "bad" } } }, "Better."]);
  const { status, stdout, stderr } = await chat(
    ["/wy", "/remember", "/forget 17", "/forget last", "One", "Two", "/exit", "Three"],
    ...model,
  );
  expect(status).toBe(0);
  expect(stderr).toContain('There is no "/wy".');
  expect(stderr).toContain('Did you mean "/why"?');
  expect(stderr).toContain("Valid: /remember TEXT.");
  expect(stderr).toContain("bad");
  expect(stdout).toBe("Better.\n");
  const help = await chat(["/help"], "--lang", "zh");
  expect(help.stdout).toMatch(/\/why +上一个回答回忆了什么/);
});
