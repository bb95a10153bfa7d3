/** What is looked after by the clock: once for all processes, after restarts, and visibly. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import { parsePreset } from "../preset/load.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { Memory } from "./memory.ts";

const HOUR = 3_600_000;
let folder = "";
let clock = manualClock(0);
let opened: Memory[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-upkeep-"));
  clock = manualClock(Date.UTC(2026, 4, 1, 12));
});
afterEach(async () => {
  for (const one of opened) await one.close();
  opened = [];
  await rm(folder, { recursive: true });
});

async function open(preset = "biem"): Promise<Memory> {
  const storage = await openSqlite(join(folder, "memory.db"), { clock });
  const memory = await Memory.open({
    ...{ storage, preset, scope: "mia", embedder: hashEmbedder(), clock, background: false },
  });
  opened.push(memory);
  return memory;
}

const tierOf = async (memory: Memory) => (await memory.list()).entries.map(({ tier }) => tier);
const TEXT = "Anna Smith pays 45 euros for the concert in Utrecht.";

test("[S4-3][S4-19] the canvas is swept every 300 s though nothing comes, and the next run is asked for", async () => {
  const memory = await open();
  expect((await memory.status()).upkeep).toMatchObject([{ state: null }, { state: null }]);
  await memory.remember([TEXT, "我住在上海的老城区里面，每天喝两杯绿茶。"]);
  const { upkeep } = memory.running();
  expect((await memory.status()).upkeep).toEqual([
    {
      actions: ["migrate"],
      everySeconds: 300,
      state: "waiting",
      nextRun: clock.now() + 300_000,
      lastError: null,
    },
    {
      actions: ["consolidate"],
      everySeconds: 3600,
      state: "waiting",
      nextRun: clock.now() + HOUR,
      lastError: null,
    },
  ]);
  expect(await upkeep.runDue()).toBe(0);
  expect(await tierOf(memory)).toEqual(["L1", "L1"]);
  const anchors = async () => (await memory.list()).entries.map(({ energyAnchor }) => energyAnchor);
  const begun = await anchors();
  clock.advance(2 * HOUR);
  expect(await upkeep.runDue()).toBe(2);
  expect(await tierOf(memory)).toEqual(["L2", "L2"]);
  // A sweep moves, and writes no energy: nothing fades twice.
  expect(await anchors()).toEqual(begun);
  expect((await memory.status()).upkeep.map(({ nextRun }) => nextRun)).toEqual([
    clock.now() + 300_000,
    clock.now() + HOUR,
  ]);
});

test("it goes on after a restart, and of two processes one does it", async () => {
  await (await open()).remember(TEXT);
  await opened.pop()?.close();
  const [one, other] = [await open(), await open()];
  clock.advance(2 * HOUR);
  const runs = await Promise.all([one, other].map((memory) => memory.running().upkeep.runDue()));
  expect(runs.reduce((sum, count) => sum + count, 0)).toBe(2);
  expect(await tierOf(one)).toEqual(["L2"]);
});

test("in the background it goes on by itself", async () => {
  const preset = await parsePreset(
    "name: quick\nsummary: Quick.\nextends: biem\nupkeep: [{ every_seconds: 0.2, actions: [migrate] }]",
    "quick.yaml",
  );
  const storage = await openSqlite(join(folder, "memory.db"));
  const memory = await Memory.open({ storage, preset, scope: "mia", embedder: hashEmbedder() });
  opened.push(memory);
  await memory.remember("我住在上海的老城区里面。");
  const nextRun = async () => (await memory.status()).upkeep[0]?.nextRun ?? null;
  const first = await nextRun();
  await expect.poll(nextRun, { timeout: 10_000, interval: 50 }).toBeGreaterThan(first ?? Infinity);
});

test("it ends in a scope that was emptied, and begins again when something comes", async () => {
  const memory = await open();
  await memory.remember(TEXT);
  await memory.forget({ everything: true });
  clock.advance(2 * HOUR);
  const { upkeep } = memory.running();
  await upkeep.runDue();
  expect((await memory.status()).upkeep.map(({ nextRun }) => nextRun)).toEqual([null, null]);
  await memory.remember(TEXT);
  expect((await memory.status()).upkeep.map(({ state }) => state)).toEqual(["waiting", "waiting"]);
});

test("a design without upkeep has none", async () => {
  const memory = await open("hybrid");
  await memory.remember(TEXT);
  expect((await memory.status()).upkeep).toEqual([]);
  expect(await memory.running().upkeep.runDue()).toBe(0);
});

test("a rule that names no action of post_insert is refused, and two rules for the same", async () => {
  const odd = (rules: string) =>
    parsePreset(`name: odd\nsummary: Odd.\nextends: biem\nupkeep: [${rules}]`, "odd.yaml");
  await expect(odd("{ every_seconds: 5, actions: [migrat] }")).rejects.toThrow(/no action "migrat".*migrate/);
  const rule = "{ every_seconds: 5, actions: [migrate] }";
  await expect(odd(`${rule}, ${rule}`)).rejects.toThrow("have a rule already");
});
