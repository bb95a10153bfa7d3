/** neuromem proxy: what it refuses, what it prints, and a real process between a plain client and a model's server. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Memory } from "../runtime/memory.ts";
import { startModelServer } from "../testing/model-server.ts";
import { COMMANDS } from "./commands/index.ts";
import { route } from "./router.ts";

const MAIN = resolve(import.meta.dirname, "main.ts");
let folder: string;
let db: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-proxy-cli-"));
  db = join(folder, "memory.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function refused(...words: string[]): Promise<string> {
  const err: string[] = [];
  const stdout = { write: () => true };
  const surroundings = { env: {}, stdout, stderr: { write: (text: string) => err.push(text) } };
  const status = await route(["proxy", "--db", db, ...words], COMMANDS, surroundings, "1.2.3");
  expect(status).toBe(2);
  // No memory was made for nothing.
  expect(readdirSync(folder)).toEqual([]);
  return err.join("");
}

test("what cannot be is refused before anything is made", async () => {
  const upstream = ["--upstream", "http://127.0.0.1:9/v1"];
  expect(await refused()).toContain("--upstream");
  expect(await refused("--upstream", "api.openai.com")).toContain("https://api.openai.com/v1");
  expect(await refused(...upstream, "--host", "0.0.0.0")).toContain("neuromem key create");
  expect(await refused(...upstream, "--upstream-key-env", "NOT_SET")).toContain("NOT_SET");
  expect(await refused(...upstream, "--session-header", "a b")).toContain("--session-header");
  expect(await refused(...upstream, "--port", "70000")).toContain("65535");
});

test("a process between a client and a model; told to end, it has written everything down", {
  timeout: 60_000,
}, async () => {
  const model = await startModelServer({ chat: "你好！Nice to meet you." });
  const words = ["proxy", "--upstream", model.url, "--port", "0", "--db", db, "--preset", "bm25", "--json"];
  const child = spawn(process.execPath, [MAIN, ...words, "--session-header", "X-Chat-Id"], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_NO_WARNINGS: "1",
      OPENAI_API_KEY: "sk-from-env",
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const [line] = await once(createInterface({ input: child.stdout }), "line");
    const { url, scope, hasKeys } = JSON.parse(line);
    expect({ scope, hasKeys }).toEqual({ scope: "me", hasKeys: false });
    const reply = await fetch(`${url}/chat/completions`, {
      method: "POST",
      headers: { "x-chat-id": "c-1" },
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "我叫李雷。" }] }),
    });
    expect(reply.headers.get("neuromem-memory")).toBe("recalled; hits=0");
    expect(await reply.json()).toMatchObject({
      choices: [{ message: { content: "你好！Nice to meet you." } }],
    });
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  } finally {
    child.kill("SIGKILL");
    await model.close();
  }
  const [request] = model.requests;
  expect(request?.headers.authorization).toBe("Bearer sk-from-env");
  expect(request?.headers["x-chat-id"]).toBeUndefined();
  const memory = await Memory.open({ path: db, scope: "me", preset: "bm25" });
  const turns = await memory.running().storage.turns(memory.scope, { limit: 9 });
  expect(turns.map(({ role, text, session }) => [role, text, session])).toEqual([
    ["user", "我叫李雷。", "c-1"],
    ["assistant", "你好！Nice to meet you.", "c-1"],
  ]);
  await memory.close();
});
