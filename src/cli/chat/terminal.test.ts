/** A chat at a real terminal, and what Ctrl-C does to it. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ModelServer, startModelServer } from "../../testing/model-server.ts";

const MAIN = resolve(import.meta.dirname, "../main.ts");
const SLOW = 120_000;
const CTRL_C = "\u0003";
/** The one of util-linux: it runs a command at a terminal of its own. */
const hasScript = /util-linux/.test(spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "");
let folder: string;
let server: ModelServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-terminal-"));
  const slow = { text: "One, two, three, four, five, six, seven, eight, nine, ten.".repeat(20), pauseMs: 10 };
  server = await startModelServer({
    chat: ({ body }) => (JSON.stringify(body.messages).endsWith('"Count to ten."}]') ? slow : "Hello."),
  });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What was typed and what was answered, as it goes on. */
function follow(child: ChildProcess) {
  let [stdout, stderr] = ["", ""];
  child.stdout?.on("data", (data: Buffer) => {
    stdout += data.toString();
  });
  child.stderr?.on("data", (data: Buffer) => {
    stderr += data.toString();
  });
  const ended = new Promise<number | null>((done) => child.on("close", done));
  return {
    ended,
    type: (text: string) => child.stdin?.write(text),
    stdout: () => stdout,
    sees: (what: RegExp) => expect.poll(() => stdout + stderr, { timeout: SLOW / 2 }).toMatch(what),
  };
}

const env = () => ({
  ...{ PATH: process.env.PATH, HOME: folder, NODE_NO_WARNINGS: "1", TERM: "xterm" },
  NEUROMEM_DB: join(folder, "memory.db"),
});
const words = () => [MAIN, "chat", "--preset", "bm25", "--model", "mine:tiny", "--base-url", server.url];

test(
  "through a pipe: Ctrl-C stops the answer, twice leaves with 130, and what was said is kept",
  async () => {
    const child = spawn(process.execPath, words(), { cwd: folder, env: env() });
    const talk = follow(child);
    talk.type("Count to ten.\n");
    await talk.sees(/One, two/);
    child.kill("SIGINT");
    await talk.sees(/\(stopped\)/);
    talk.type("你好\n");
    await talk.sees(/Hello\./);
    child.kill("SIGINT");
    await talk.sees(/Ctrl-C again leaves/);
    child.kill("SIGINT");
    expect(await talk.ended).toBe(130);
    const list = [MAIN, "list", "--preset", "bm25", "--json"];
    const { stdout } = spawnSync(process.execPath, list, { cwd: folder, env: env(), encoding: "utf8" });
    const kept = JSON.parse(stdout).entries.map(({ content }: { content: string }) => content);
    expect(kept).toMatchObject(["Count to ten.", expect.stringMatching(/^One, two/), "你好", "Hello."]);
  },
  SLOW,
);

test.skipIf(!hasScript)(
  "at a terminal: a prompt that shows incognito, an answer that Ctrl-C stops, colours, Ctrl-C twice to leave",
  async () => {
    const line = [process.execPath, ...words()].join(" ");
    const child = spawn("script", ["-qefc", line, "/dev/null"], { cwd: folder, env: env() });
    const talk = follow(child);
    await talk.sees(/you>/);
    expect(talk.stdout()).toContain("\u001b[36m");
    talk.type("/incognito\r");
    await talk.sees(/you \(incognito\)>/);
    talk.type("Count to ten.\r");
    await talk.sees(/One, two/);
    talk.type(CTRL_C);
    await talk.sees(/\(stopped\)/);
    talk.type(CTRL_C);
    await talk.sees(/Ctrl-C again leaves/);
    talk.type(CTRL_C);
    expect(await talk.ended).toBe(130);
  },
  SLOW,
);

test.skipIf(!hasScript)(
  "at a terminal: forget asks first",
  async () => {
    const forget = (answer: string) => {
      const line = [process.execPath, MAIN, "forget", "--everything", "--preset", "bm25"].join(" ");
      const child = spawn("script", ["-qefc", line, "/dev/null"], { cwd: folder, env: env() });
      const talk = follow(child);
      return { talk, answer: () => talk.type(answer) };
    };
    const remember = [MAIN, "remember", "I moved to Rome.", "--preset", "bm25"];
    spawnSync(process.execPath, remember, { cwd: folder, env: env() });
    const no = forget("n\r");
    await no.talk.sees(/for good\? \[y\/N\]/);
    no.answer();
    expect(await no.talk.ended).toBe(1);
    const yes = forget("y\r");
    await yes.talk.sees(/for good\? \[y\/N\]/);
    yes.answer();
    expect(await yes.talk.ended).toBe(0);
    expect(yes.talk.stdout()).toContain("Forgotten: 1 turns");
  },
  SLOW,
);
