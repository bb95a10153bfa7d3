import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "../src/base/random.ts";
import type { Memory } from "../src/runtime/memory.ts";
import { type ModelServer, type SeenRequest, startModelServer } from "../src/testing/model-server.ts";
import { openIngest } from "./fixtures/ingest.ts";

const INGEST = join(import.meta.dirname, "fixtures", "ingest.ts");
const KILLS = 6;
const random = seededRandom(20261116);
let folder = "";
let server: ModelServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-ingest-"));
  server = await startModelServer({ chat: factsOf });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** A fact for each line, and one for both: always the same of the same lines. */
function factsOf({ body }: SeenRequest): string {
  const shown = JSON.stringify(body.messages);
  const lines = [...new Set(Array.from(shown.matchAll(/line (\d+)/g), ([, number]) => Number(number)))];
  const facts = lines.map((line, place) => ({ text: `Fact ${line}.`, sources: [place] }));
  return JSON.stringify({ facts: [...facts, { text: `Facts ${lines.join(" and ")}.`, sources: [0, 1] }] });
}

interface Said {
  readonly lines?: readonly number[];
  readonly turns?: readonly string[];
  readonly judged?: string;
  readonly window?: number;
  readonly ended?: boolean;
}

/** Kills it so long after its first window was taken up. */
function runAndKill(file: string, run: number, afterMs: number): Promise<Said[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [INGEST, file, server.url, String(run * 20_000), String(run * 20)],
      {
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let [out, errors, isArmed] = ["", "", false];
    child.stdout.on("data", (chunk) => {
      out += chunk;
      if (isArmed || !out.includes("window")) return;
      isArmed = true;
      setTimeout(() => child.kill("SIGKILL"), afterMs);
    });
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code !== null && code !== 0) reject(new Error(`the process failed by itself: ${errors}`));
      // The last line may be cut by the kill: what was not said whole was not acknowledged.
      const whole = out.split("\n").slice(0, -1);
      resolve(whole.map((line): Said => JSON.parse(line)));
    });
  });
}

async function contentsOf(memory: Memory): Promise<string[]> {
  const { entries } = await memory.list({ limit: 1000 });
  return entries.map(({ content }) => content).sort();
}

test(`killed ${KILLS} times in the middle of an ingest with a slow model: every turn is there, and no memory twice`, {
  timeout: 180_000,
}, async () => {
  const file = join(folder, "memory.db");
  const said: Said[] = [];
  for (let run = 0; run < KILLS; run++) said.push(...(await runAndKill(file, run, random.next() * 150)));

  expect(said.filter(({ ended }) => ended === true).length).toBeLessThan(KILLS);

  const memory = await openIngest(file, server.url, KILLS * 20_000);
  await memory.flush();
  const status = await memory.status();
  expect(status).toMatchObject({ waiting: 0, work: { state: "done" } });
  const safe = said.flatMap(({ turns = [] }) => turns);
  expect(safe.length).toBeGreaterThan(KILLS);
  expect(status.counts.turns).toBeGreaterThanOrEqual(safe.length);

  const contents = await contentsOf(memory);
  expect(contents.filter((content, place) => contents[place + 1] === content)).toEqual([]);
  for (const line of said.flatMap(({ lines = [] }) => lines)) expect(contents).toContain(`Fact ${line}.`);
  for (const { judged } of said) if (judged !== undefined) expect(contents).toContain(judged);

  // As if nobody had ever been killed.
  await memory.rebuild();
  expect(await contentsOf(memory)).toEqual(contents);
  await memory.close();
});
