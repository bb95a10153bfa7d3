/** MCP over standard input and output, as a client starts it: real processes, several of them on one file. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Generation, mcpClient } from "../../../test/fixtures/mcp-clients.ts";
import { Memory } from "../../runtime/memory.ts";

const MAIN = resolve(import.meta.dirname, "../../cli/main.ts");
/** Loading the engine from its sources takes a while where others work, too. */
const SLOW = 60_000;
let folder: string;
let db: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-mcp-"));
  db = join(folder, "memory.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const HANDSHAKE = request("initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "pipe", version: "1" },
});

function request(method: string, params: object, id: number | string = method): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
}

function call(name: string, given: object, id: number): string {
  return request("tools/call", { name, arguments: given }, id);
}

function start(...words: string[]) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_NO_WARNINGS: "1" };
  const child = spawn(process.execPath, [MAIN, "mcp", "--preset", "bm25", "--db", db, ...words], { env });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (data: Buffer) => {
    stdout += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => {
    stderr += data.toString();
  });
  const ended = new Promise<{ code: number | null; lines: ReturnType<typeof JSON.parse>[]; stderr: string }>(
    (done) =>
      child.on("close", (code) =>
        done({
          code,
          stderr,
          lines: stdout
            .split("\n")
            .filter(Boolean)
            .map((line) => JSON.parse(line)),
        }),
      ),
  );
  return {
    child,
    ended,
    until: (part: string) => expect.poll(() => stdout, { timeout: SLOW }).toContain(part),
  };
}

test.each<Generation>(["current", "first"])(
  "the %s client remembers and recalls through a process of its own",
  async (generation) => {
    const args = ["--preset", "bm25", "--db", db, "--scope", "米娅"];
    const client = await mcpClient(generation, { args });
    await client.call("remember", { said: "I keep the spare key under the blue pot.", wait: "memory" });
    await client.call("remember", { said: "备用钥匙在蓝色花盆下面。", wait: "memory" });
    const { content } = await client.call("recall", { question: "备用钥匙在哪里？" });
    expect(JSON.stringify(content)).toContain("蓝色花盆");
    const { structuredContent } = await client.call("status");
    expect(structuredContent).toMatchObject({ scope: "米娅", counts: { memories: 2 } });
    await client.close();
    const memory = await Memory.open({ path: db, preset: "bm25", scope: "米娅" });
    expect((await memory.recall("spare key")).hits[0]?.text).toContain("blue pot");
    await memory.close();
  },
  SLOW,
);

test(
  "whoever pipes calls in and ends gets all answers, and nothing but answers",
  async () => {
    const { child, ended } = start();
    const calls = Array.from({ length: 20 }, (_, n) => call("remember", { said: `Fact 第 ${n} 条。` }, n));
    child.stdin.end([HANDSHAKE, ...calls].join(""));
    const { code, lines, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(lines.map(({ id }) => id).sort()).toEqual(["initialize", ...calls.keys()].sort());
    for (const { result } of lines) expect(result.isError).toBeUndefined();
    const memory = await Memory.open({ path: db, preset: "bm25", scope: "me" });
    expect((await memory.status()).counts).toMatchObject({ memories: 20, turns: 20 });
    await memory.close();
  },
  SLOW,
);

test.skipIf(process.platform === "win32")(
  "told to end, it answers what was asked, ends with 0 and has kept what it said it has",
  async () => {
    const { child, ended, until } = start();
    child.stdin.write(HANDSHAKE);
    await until("serverInfo");
    for (let n = 0; n < 200; n++) child.stdin.write(call("remember", { said: `Fact ${n}.` }, n));
    await until('"id":3}');
    child.kill("SIGTERM");
    const { code, lines } = await ended;
    expect(code).toBe(0);
    const kept = lines.flatMap(({ result }) => result.structuredContent?.turns ?? []);
    expect(kept.length).toBeGreaterThan(3);
    const memory = await Memory.open({ path: db, preset: "bm25", scope: "me" });
    const { storage } = memory.running();
    expect(await storage.turns(memory.scope, { ids: kept, limit: 1000 })).toHaveLength(kept.length);
    await memory.close();
  },
  SLOW,
);

test(
  "three processes write into one file and read from it at the same time; nothing is lost, nothing comes twice",
  async () => {
    const each = 15;
    const generations: readonly Generation[] = ["current", "first", "current by handshake"];
    const clients = await Promise.all(
      generations.map((generation) => mcpClient(generation, { args: ["--preset", "bm25", "--db", db] })),
    );
    await Promise.all(
      clients.map(async (client, who) => {
        for (let n = 0; n < each; n++) {
          const said = n % 2 === 0 ? `Process ${who} notes parcel ${n}.` : `进程 ${who} 记下包裹 ${n}。`;
          const kept = await client.call("remember", { said, wait: "memory" });
          expect(kept.structuredContent).toMatchObject({ delayed: null, memories: [expect.any(String)] });
          const found = await client.call("recall", { question: said, limit: 3 });
          expect(JSON.stringify(found.content)).toContain(said);
        }
      }),
    );
    // What one wrote, the others find.
    for (const [who, client] of clients.entries()) {
      const other = (who + 1) % clients.length;
      const found = await client.call("recall", { question: `Process ${other} notes parcel 0.`, limit: 3 });
      expect(JSON.stringify(found.content)).toContain(`Process ${other} notes parcel 0.`);
      expect((await client.call("status")).structuredContent).toMatchObject({ waiting: 0 });
    }
    await Promise.all(clients.map((client) => client.close()));
    const memory = await Memory.open({ path: db, preset: "bm25", scope: "me" });
    const { entries } = await memory.list({ limit: 1000 });
    expect(new Set(entries.map(({ content }) => content)).size).toBe(3 * each);
    expect(entries).toHaveLength(3 * each);
    await memory.close();
  },
  SLOW,
);

test(
  "for reading only: what is there is found, and no tool offers to change it",
  async () => {
    const memory = await Memory.open({ path: db, preset: "bm25", scope: "me" });
    await memory.remember("Mia lives in Rome.");
    await memory.close();
    const client = await mcpClient("current", { args: ["--preset", "bm25", "--db", db, "--read-only"] });
    expect((await client.tools()).map(({ name }) => name)).toEqual([
      "recall",
      "ask",
      "get",
      "list",
      "status",
    ]);
    expect(JSON.stringify(await client.call("recall", { question: "Where does Mia live?" }))).toContain(
      "Rome",
    );
    await expect(client.call("remember", { said: "x" })).rejects.toThrow(/no tool "remember"/);
    await client.close();
    const { child, ended } = start("--read-only", "--import", "graph.jsonl");
    child.stdin.end();
    expect(await ended).toMatchObject({
      code: 2,
      lines: [],
      stderr: expect.stringContaining("--knowledge-graph"),
    });
  },
  SLOW,
);
