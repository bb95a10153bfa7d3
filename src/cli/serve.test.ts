/** neuromem serve and neuromem key …: what they print, what they refuse, and that what they say can be tried works. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { COMMANDS } from "./commands/index.ts";
import { route } from "./router.ts";

const MAIN = resolve(import.meta.dirname, "main.ts");
const ENV = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_NO_WARNINGS: "1" };
/** Loading the engine from its sources takes a while where others work, too. */
const SLOW = 120_000;
let folder: string;
let db: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-serve-"));
  db = join(folder, "memory.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

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

async function json(...words: string[]) {
  const { stdout, stderr } = await run(...words, "--json");
  return JSON.parse(stdout === "" ? stderr : stdout);
}

describe("keys", () => {
  test("one is made, shown without its secret, and revoked", async () => {
    const made = await run("key", "create", "--name", "laptop", "--scopes", "mia,王芳", "--expires", "30d");
    expect(made).toMatchObject({ status: 0, stderr: "" });
    const [secret = ""] = made.stdout.split("\n");
    expect(secret).toMatch(/^nm_[\w-]{43}$/);
    expect(made.stdout).toContain("mia, 王芳");
    expect(made.stdout).toContain("not shown again");
    const shown = await run("key", "list", "--lang", "zh");
    expect(shown.stdout).toMatch(/^[0-9a-f]{8} {2}laptop {2}读写: mia, 王芳 .*有效至/);
    expect(shown.stdout).not.toContain(secret.slice(3));
    const { keys } = await json("key", "list");
    expect(keys).toMatchObject([{ name: "laptop", scopes: ["mia", "王芳"], may: "write", isExpired: false }]);
    expect(JSON.stringify(keys)).not.toMatch(/nm_|sha256/);
    const [{ id }] = keys;
    expect((await run("key", "revoke", id)).stdout).toContain(`"laptop" (${id}) is revoked`);
    expect((await run("key", "list")).stdout).toContain("neuromem key create");
    expect((await json("key", "revoke", id)).error.code).toBe("unknown_name");
  });

  test("the memory's own scope is meant where none is said; all is all", async () => {
    expect(await json("key", "create", "--name", "a")).toMatchObject({
      scopes: ["me"],
      may: "write",
      expiresAt: null,
    });
    expect(await json("key", "create", "--name", "b", "--scopes", "all", "--read-only")).toMatchObject({
      scopes: "all",
      may: "read",
    });
  });

  test.each([
    [["--scopes", "all"], "--name"],
    [["--name", "a", "--expires", "soon"], "30d"],
    [["--name", "a", "--expires", "0d"], "30d"],
    [["--name", "a", "--scopes", ","], "--scopes"],
    [["--name", "a", "--scopes", "a b"], "not a scope"],
  ])("key create %j says what would be valid", async (words, expected) => {
    const { status, stderr } = await run("key", "create", ...words);
    expect(status).toBe(2);
    expect(stderr).toContain(expected);
    expect((await json("key", "list")).keys).toEqual([]);
  });
});

describe("serve refuses", () => {
  const serve = (...words: string[]) => run("serve", "--preset", "bm25", ...words);

  test("to be reached by others without a key, and says how to make one", async () => {
    for (const host of ["0.0.0.0", "::", "192.168.1.1", "example.com"]) {
      const { status, stderr } = await serve("--host", host);
      expect(status).toBe(2);
      expect(stderr).toContain("neuromem key create");
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  test("keys that open nothing", async () => {
    expect((await serve("--keys", join(folder, "none.json"))).stderr).toContain("no valid key");
  });

  test("a port that is taken, and names another", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { status, stderr } = await serve("--port", String(port));
    taken.close();
    expect(status).toBe(2);
    expect(stderr).toContain(`The port ${port} of 127.0.0.1 is taken`);
    expect(stderr).toContain(String(port + 1));
  });

  test.each([
    [["--port", "99999"], "0 to 65535"],
    [["--port", "x"], "--port"],
    [["--rate", "-1"], "--rate"],
    [["--max-body", "0"], "megabytes"],
    [["--grace", "long"], "--grace"],
    [["--grace", "3000000"], "86400"],
    [["--open-origin", "localhost:3000", "--port", "0"], "not an origin"],
  ])("%j", async (words, expected) => {
    const { status, stderr } = await serve(...words);
    expect(status).toBe(2);
    expect(stderr).toContain(expected);
  });
});

test(
  "it prints three things to try, which work with a key; --verbose tells of requests and of nothing in them",
  async () => {
    const { secret } = await json("key", "create", "--name", "laptop", "--scopes", "王芳");
    const words = ["serve", "--db", db, "--port", "0", "--preset", "bm25", "--verbose", "--lang", "zh"];
    const child = spawn(process.execPath, [MAIN, ...words], { env: ENV, cwd: folder });
    try {
      let [out, err] = ["", ""];
      child.stdout.on("data", (data: Buffer) => {
        out += data.toString();
      });
      child.stderr.on("data", (data: Buffer) => {
        err += data.toString();
      });
      await expect.poll(() => out, { timeout: SLOW / 2 }).toContain("/docs");
      expect(out).toContain("需要密钥");
      expect(out).toContain('{"mcpServers":{"neuromem":');
      const commands = out.split("\n").filter((line) => line.includes("curl"));
      expect(commands).toHaveLength(2);
      const replies: string[] = [];
      for (const command of commands) {
        const curl = spawn("sh", ["-c", command], { env: { ...ENV, NEUROMEM_KEY: secret } });
        let reply = "";
        curl.stdout.on("data", (data: Buffer) => {
          reply += data.toString();
        });
        await once(curl, "close");
        replies.push(reply);
      }
      expect(JSON.parse(replies[0] ?? "")).toMatchObject({ turns: [expect.any(String)] });
      expect(JSON.parse(replies[1] ?? "")).toMatchObject({ isDoubtful: expect.any(Boolean) });
      const [url = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(out) ?? [];
      await fetch(`${url}/v1/memories/a-hidden-path?after=a-hidden-query&key=${secret}`);
      await expect.poll(() => err).toMatch(/GET \/v1\/memories\/\{id\} 4\d\d/);
      expect(err).toMatch(/POST \/v1\/recall 200 [\d.]+ ms/);
      expect(err).not.toMatch(/hidden|成都|nm_/);
      child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([0, null]);
      expect(err).toContain("正在结束");
    } finally {
      child.kill("SIGKILL");
    }
  },
  SLOW,
);
