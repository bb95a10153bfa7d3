import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import { parsePreset } from "../preset/load.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { type ScriptedModel, scriptedModel } from "../testing/scripted-model.ts";
import { Memory, type MemoryOptions } from "./memory.ts";

let folder = "";
let opened: Memory[] = [];
let servers: ScriptedModel[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-memory-"));
});
afterEach(async () => {
  for (const one of [...opened, ...servers]) await one.close();
  [opened, servers] = [[], []];
  await rm(folder, { recursive: true });
});

/** A design that asks the model once for every turn. */
const FACTS = await parsePreset(
  `name: facts
summary: Facts out of single turns.
defaults: recommended
service: { name: neuromem_vdb, collection_name: facts }
stages: { pre_insert: { action: transform, transform_type: fact_extract } }`,
  "facts.yaml",
);

const clock = manualClock(Date.UTC(2026, 4, 1));

async function open(options: Partial<MemoryOptions> = {}): Promise<Memory> {
  const storage = await openSqlite(join(folder, "memory.db"), { clock });
  const memory = await Memory.open({
    storage,
    preset: FACTS,
    scope: "mia",
    embedder: hashEmbedder(),
    clock,
    ...options,
  });
  opened.push(memory);
  return memory;
}

async function model(chat: Parameters<typeof scriptedModel>[0]): Promise<ScriptedModel> {
  const server = await scriptedModel(chat);
  servers.push(server);
  return server;
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("it did not come true");
}

test("what was remembered is recalled, in its scope, also by whoever opens the file next", async () => {
  const memory = await open({ preset: "hybrid" });
  await memory.remember({ speaker: "Mia", text: "I moved to Rome in May." });
  await memory.in("bob").remember("鲍勃喜欢喝绿茶。");
  const { hits } = await memory.recall("Where did Mia move?");
  expect(hits[0]?.content).toBe("Mia: I moved to Rome in May.");
  expect((await memory.in("bob").recall("谁喜欢绿茶？")).hits.map(({ content }) => content)).toEqual([
    "鲍勃喜欢喝绿茶。",
  ]);
  await memory.close();
  await expect(memory.recall("?")).rejects.toMatchObject({ code: "storage_closed" });
  const again = await open({ preset: "hybrid" });
  expect((await again.recall("Where did Mia move?")).hits).toHaveLength(1);
});

test("with a model, remembering returns when it is safe; the model is asked in the background", async () => {
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
  const { model: slow, server } = await model('{"facts":[{"text":"Mia lives in Rome.","sources":[0]}]}');
  const waiting = {
    ...slow,
    generate: (...given: Parameters<typeof slow.generate>) => gate.then(() => slow.generate(...given)),
  };
  const memory = await open({ model: waiting });
  expect(await memory.remember({ speaker: "Mia", text: "I moved to Rome." })).toMatchObject({
    derived: null,
  });
  expect(await memory.status()).toMatchObject({ waiting: 1 });
  expect(server.requests).toEqual([]);
  letGo();
  await memory.flush();
  expect((await memory.recall("Where does Mia live?")).hits[0]?.content).toBe("Mia lives in Rome.");
  expect(await memory.status()).toMatchObject({ waiting: 0, work: { state: "done" } });
});

test("a model that is down: the work backs off, status says why, and all is taken up when it is back", async () => {
  let isDown = true;
  const { model: flaky } = await model(() =>
    isDown ? { status: 503, body: {} } : '{"facts":[{"text":"Mia lives in Rome.","sources":[0]}]}',
  );
  const memory = await open({ model: flaky });
  await memory.remember("I moved to Rome.");
  await until(async () => (await memory.status()).work?.lastError !== null);
  const first = await memory.status();
  expect(first).toMatchObject({ waiting: 1, work: { state: "waiting", attempts: 1 } });
  expect(first.work?.nextTry).toBe(clock.now() + 1000);
  clock.advance(1000);
  await until(async () => (await memory.status()).work?.attempts === 2);
  await until(async () => (await memory.status()).work?.state === "waiting");
  expect((await memory.status()).work?.nextTry).toBe(clock.now() + 2000);
  isDown = false;
  clock.advance(3_600_000);
  await until(async () => (await memory.status()).waiting === 0);
  expect((await memory.recall("Rome")).hits).toHaveLength(1);
});

test("closing ends after the window at work; the next to open goes on, and nothing is there twice", async () => {
  let asked = 0;
  const { model: chat } = await model(
    () => `{"facts":[{"text":"Fact ${asked++} about Rome.","sources":[0]}]}`,
  );
  const memory = await open({ model: chat });
  await memory.remember(Array.from({ length: 12 }, (_, at) => ({ text: `line ${at}`, speaker: "Mia" })));
  await until(async () => asked > 2);
  await memory.close();
  expect(asked).toBeLessThan(12);
  clock.advance(1000);
  const again = await open({ model: chat });
  await again.flush();
  expect(await again.status()).toMatchObject({ waiting: 0 });
  const { hits } = await again.recall("Rome", { limit: 100 });
  expect(hits.map(({ content }) => content).sort()).toEqual(
    Array.from({ length: 12 }, (_, at) => `Fact ${at} about Rome.`).sort(),
  );
});

test("fifty at once in one scope are all there, once each", async () => {
  const memory = await open({ preset: "hybrid" });
  await Promise.all(Array.from({ length: 50 }, (_, at) => memory.remember(`note number ${at}`)));
  expect(await memory.status()).toMatchObject({ waiting: 0, storage: { turns: 50, entries: 50 } });
});

test("another design over the same journal finds all that was said", async () => {
  const memory = await open();
  await memory.remember(["I moved to Rome.", "我喜欢绿茶。"]);
  await memory.close();
  const other = await open({ preset: "bm25" });
  expect(await other.rebuild()).toMatchObject({ turns: 2, waiting: 0 });
  expect((await other.recall("绿茶")).hits[0]?.content).toBe("我喜欢绿茶。");
  expect(await other.rebuild()).toMatchObject({ turns: 2 });
  expect((await other.recall("绿茶")).hits).toHaveLength(1);
});

test("bad input is refused with what is valid", async () => {
  const memory = await open({ preset: "hybrid" });
  await expect(memory.remember(null as unknown as string)).rejects.toMatchObject({ code: "input_invalid" });
  await expect(memory.remember("")).rejects.toMatchObject({ code: "text_invalid" });
  await expect(open({ scope: "" })).rejects.toMatchObject({ code: "scope_invalid" });
});
