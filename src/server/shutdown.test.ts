/** How a server ends, as a process of its own: told to, killed, told twice, or kept by a model that never answers. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseScope } from "../base/scope.ts";
import { ownTurns } from "../runtime/pages.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import { startModelServer } from "../testing/model-server.ts";

const MAIN = resolve(import.meta.dirname, "../cli/main.ts");
const ENV = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_NO_WARNINGS: "1" };
/** Loading the engine from its sources takes a while where others work, too. */
const SLOW = 120_000;
const CLIENTS = 12;

let folder: string;
let file: string;
const children = new Set<ChildProcess>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-shutdown-"));
  file = join(folder, "memory.db");
});
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
  await rm(folder, { recursive: true, force: true });
});

interface Started {
  readonly url: string;
  readonly child: ChildProcess;
  readonly ended: Promise<number | string>;
  said(): string;
}

async function start(...words: string[]): Promise<Started> {
  const preset = words.includes("--preset") ? [] : ["--preset", "bm25"];
  const child = spawn(
    process.execPath,
    [MAIN, "serve", "--json", "--port", "0", "--db", file, ...preset, ...words],
    { env: ENV, cwd: folder },
  );
  children.add(child);
  let [out, said] = ["", ""];
  child.stderr.on("data", (data: Buffer) => {
    said += data.toString();
  });
  const ended = once(child, "exit").then(([code, signal]) => code ?? signal);
  for await (const data of child.stdout) {
    out += data.toString();
    if (out.includes("\n")) break;
  }
  if (out === "") throw new Error(`It did not start: ${said}`);
  const { url } = JSON.parse(out);
  return { url, child, ended, said: () => said };
}

/** Writes as fast as it is answered, until it is not. */
async function writeUntilGone(
  url: string,
  scope: string,
  client: number,
  acknowledged: string[],
): Promise<void> {
  for (let number = 0; ; number++) {
    const said = `Client ${client} says ${url} ${number}. 第${client}位客户说${number}。`;
    try {
      const reply = await fetch(`${url}/v1/memories`, {
        method: "POST",
        headers: { "content-type": "application/json", "neuromem-scope": encodeURIComponent(scope) },
        body: JSON.stringify({ said }),
      });
      if (reply.ok && JSON.parse(await reply.text()).turns.length === 1) acknowledged.push(said);
      else if (reply.status !== 503) throw new Error(`${reply.status}: ${await reply.text()}`);
      else return;
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

/** What was acknowledged before the server ended in the given way. */
async function underLoad({ url }: Started, scope: string, end: () => Promise<void>): Promise<string[]> {
  const acknowledged: string[] = [];
  const clients = Array.from({ length: CLIENTS }, (_, client) =>
    writeUntilGone(url, scope, client, acknowledged),
  );
  await expect.poll(() => acknowledged.length, { timeout: SLOW / 2 }).toBeGreaterThan(40);
  await end();
  await Promise.all(clients);
  return acknowledged;
}

/** What is on disk. Not by an export, which would wait until whoever was killed at work is given up. */
async function journal(scope: string): Promise<Set<string>> {
  const storage = await openSqlite(file);
  const turns = await Array.fromAsync(ownTurns(storage, parseScope(scope)));
  await storage.close();
  return new Set(turns.map(({ text }) => text));
}

test(
  "under load, kill -9 and then SIGTERM: nothing that was acknowledged is lost; SIGTERM ends well, and so do the streams",
  async () => {
    const killed = await start();
    const first = await underLoad(killed, "me", async () => {
      killed.child.kill("SIGKILL");
      expect(await killed.ended).toBe("SIGKILL");
    });
    const kept = await journal("me");
    expect(first.filter((said) => !kept.has(said))).toEqual([]);

    const told = await start("--grace", "20");
    const status = JSON.parse(await (await fetch(`${told.url}/v1/status`)).text());
    expect(status.counts.turns).toBe(kept.size);
    // Another scope: the work on the first is still the killed one's, for some seconds.
    const { body } = await fetch(`${told.url}/v1/events?scope=${encodeURIComponent("王芳")}`);
    const stream = (async () => {
      let text = "";
      for await (const piece of body ?? []) text += Buffer.from(piece).toString();
      return text;
    })();
    const second = await underLoad(told, "王芳", async () => {
      const started = performance.now();
      told.child.kill("SIGTERM");
      expect(await told.ended).toBe(0);
      expect(performance.now() - started).toBeLessThan(8000);
    });
    expect(told.said()).toContain("Ending");
    expect(await stream).toContain("event: change");
    // Nothing is lost, and whatever was done was answered, too.
    expect(await journal("王芳")).toEqual(new Set(second));
    expect(await journal("me")).toEqual(kept);
  },
  SLOW,
);

test(
  "a model that never answers keeps it no longer than --grace, and a second signal not even that",
  async () => {
    const model = await startModelServer({ chat: { fault: "hang" } });
    const design = join(folder, "facts.yaml");
    await writeFile(
      design,
      "name: facts\nsummary: Facts.\nextends: bm25\nservice: { collection_name: facts }\nstages:\n  pre_insert: { action: transform, transform_type: fact_extract }\n",
    );
    const words = ["--preset", design, "--model", "mine:tiny", "--base-url", model.url];
    const remember = async (url: string, scope: string, said: string): Promise<number> => {
      const headers = { "content-type": "application/json", "neuromem-scope": scope };
      const body = JSON.stringify({ said, wait: "journal" });
      return (await fetch(`${url}/v1/memories`, { method: "POST", headers, body })).status;
    };
    const patient = await start(...words, "--grace", "0.3");
    expect(await remember(patient.url, "me", "我搬到成都了。")).toBe(200);
    await expect.poll(() => model.requests.length, { timeout: SLOW / 3 }).toBeGreaterThan(0);
    const asked = { at: performance.now(), requests: model.requests.length };
    patient.child.kill("SIGTERM");
    expect(await patient.ended).toBe(7);
    expect(performance.now() - asked.at).toBeLessThan(6000);
    expect(patient.said()).toContain("on disk");
    const hasty = await start(...words, "--grace", "60");
    expect(await remember(hasty.url, "ben", "I moved to Rome.")).toBe(200);
    const status = JSON.parse(await (await fetch(`${hasty.url}/v1/status`)).text());
    expect(status).toMatchObject({ counts: { turns: 1 }, waiting: 1 });
    await expect.poll(() => model.requests.length, { timeout: SLOW / 3 }).toBeGreaterThan(asked.requests);
    const again = performance.now();
    hasty.child.kill("SIGINT");
    await expect.poll(hasty.said).toContain("Ending");
    hasty.child.kill("SIGINT");
    expect(await hasty.ended).toBe(130);
    expect(performance.now() - again).toBeLessThan(6000);
    await model.close();
  },
  SLOW,
);
