/**
 * Many clients at once, and a server that is stopped in the middle: what it acknowledged is there. A short form of what
 * `npm run bench:server -- --only load` does for a minute.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Load, loadServer, turnsOf } from "./fixtures/load.ts";
import { type ServedProcess, startServing } from "./fixtures/served-process.ts";

const MANY_CLIENTS = 200;
const CLIENTS = 64;
const LOAD_MS = 5000;
/** Clients that find nobody there any more. */
const GONE = ["ECONNREFUSED", "ECONNRESET", "EPIPE"];

let folder = "";
let file = "";
let served: ServedProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-load-"));
  file = join(folder, "memory.db");
});
afterEach(async () => {
  await served?.end("SIGKILL");
  await rm(folder, { recursive: true });
});

interface Plan {
  readonly clients: number;
  readonly seed: number;
  /** How many are to be acknowledged before `stop` begins. */
  readonly turns: number;
  stop(server: ServedProcess): Promise<unknown>;
}

/** Loads a new server until `stop` is through with it. */
async function loadUntil({ clients, seed, turns, stop }: Plan): Promise<Load> {
  const server = await startServing({ file });
  served = server;
  const over = new AbortController();
  const { promise: isUnderWay, resolve } = Promise.withResolvers<void>();
  const onWritten = (written: number): void => {
    if (written >= turns) resolve();
  };
  const load = loadServer({ url: server.url, clients, until: over.signal, seed, onWritten });
  await isUnderWay;
  await stop(server);
  over.abort();
  return load;
}

/** What was acknowledged and is not there, after another start. */
async function lost(written: readonly string[]): Promise<readonly string[]> {
  served = await startServing({ file });
  const stored = await turnsOf(served.url);
  await served.end("SIGKILL");
  return written.filter((id) => !stored.has(id));
}

test(`${MANY_CLIENTS} clients read and write: no error, no write lost or doubled`, {
  timeout: 120_000,
}, async () => {
  const { written, refused, broken, times } = await loadUntil({
    clients: MANY_CLIENTS,
    seed: 1,
    turns: 1,
    stop: () => sleep(LOAD_MS),
  });
  expect(Object.fromEntries(refused)).toEqual({});
  expect(Object.fromEntries(broken)).toEqual({});
  expect(times.length).toBeGreaterThanOrEqual(MANY_CLIENTS);
  const stored = await turnsOf(served?.url ?? "");
  expect(written.filter((id) => !stored.has(id))).toEqual([]);
  expect(stored.size).toBe(new Set(written).size);
});

test("killed under load and started again, three times: every acknowledged write is there", {
  timeout: 120_000,
}, async () => {
  const written: string[] = [];
  for (const seed of [2, 3, 4]) {
    const load = await loadUntil({
      clients: CLIENTS,
      seed,
      turns: 20 * seed,
      stop: (server) => server.end("SIGKILL"),
    });
    expect(Object.fromEntries(load.refused)).toEqual({});
    written.push(...load.written);
  }
  expect(await lost(written)).toEqual([]);
});

test("told to end under load: it answers what it took, ends in order, and nothing acknowledged is lost", {
  timeout: 120_000,
}, async () => {
  let code: number | null = null;
  const load = await loadUntil({
    clients: CLIENTS,
    seed: 5,
    turns: 60,
    async stop(server) {
      code = await server.end("SIGTERM");
    },
  });
  expect(code).toBe(0);
  expect([...load.refused.keys()].filter((reason) => reason !== "503 server_closing")).toEqual([]);
  expect([...load.broken.keys()].filter((reason) => !GONE.includes(reason))).toEqual([]);
  expect(await lost(load.written)).toEqual([]);
});
