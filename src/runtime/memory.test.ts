import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { manualClock } from "../base/clock.ts";
import { parsePreset } from "../preset/load.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { type ScriptedModel, scriptedModel } from "../testing/scripted-model.ts";
import { Memory } from "./memory.ts";
import type { MemoryOptions } from "./memory-options.ts";

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

test("closing waits for the calls under way: what was said is safe, and nobody is told that it is not", async () => {
  const memory = await open({ preset: "hybrid" });
  const said = [memory.remember("I moved to Rome."), memory.remember({ judgment: "米娅喜欢绿茶。" })];
  await memory.close();
  expect((await Promise.all(said)).map(({ turns }) => turns.length)).toEqual([1, 1]);
  await expect(memory.recall("Rome")).rejects.toMatchObject({ code: "storage_closed" });
  clock.advance(1000);
  const again = await open({ preset: "hybrid" });
  await again.flush();
  expect(await again.status()).toMatchObject({ counts: { turns: 2, memories: 2 }, waiting: 0 });
});

test("a rebuild that dies while the old memories go is taken back", async () => {
  const memory = await open({ preset: "hybrid" });
  await memory.remember(["I moved to Rome.", "我喜欢绿茶。", "Ben lives in Oslo."]);
  const before = await memory.list();
  const { service } = memory.running().design;
  const remove = service.delete.bind(service);
  const dying = vi.spyOn(service, "delete").mockImplementation(async (...given) => {
    if (dying.mock.calls.length > 1) throw new Error("the process died");
    return remove(...given);
  });
  await expect(memory.rebuild()).rejects.toThrow("the process died");
  dying.mockRestore();
  expect((await memory.list()).entries).toHaveLength(2);
  await memory.close();
  const again = await open({ preset: "hybrid" });
  await again.flush();
  expect(await again.list()).toEqual(before);
  expect((await again.recall("Where does Ben live?")).hits[0]?.content).toBe("Ben lives in Oslo.");
});

test("rebuilds at once come one after another; what they leave, and what is said meanwhile, is taken up", async () => {
  const memory = await open({ preset: "hybrid" });
  await memory.remember(["I moved to Rome.", "我喜欢绿茶。"]);
  let windows = 0;
  const both = [
    memory.rebuild({ preset: "dense" }),
    memory.rebuild({ preset: "bm25", goOn: () => ++windows < 2 }),
  ];
  await memory.remember("Ben lives in Oslo.");
  await Promise.all(both);
  expect(memory.preset).toBe("bm25");
  await until(async () => (await memory.status()).waiting === 0);
  expect((await memory.recall("Oslo")).hits).toHaveLength(1);
});

test("work beside the journal leaves what waits asked for", async () => {
  const { model: chat } = await model('{"facts":[]}');
  const memory = await open({ model: chat, background: false });
  await memory.remember("I moved to Rome.");
  const { memories } = await memory.remember({ judgment: "米娅喜欢绿茶。" });
  await Array.fromAsync(memory.export());
  await memory.reembed();
  await memory.forget({ id: memories?.[0] ?? "" });
  expect(await memory.status()).toMatchObject({ waiting: 1, work: { state: "waiting", lastError: null } });
});

test("bad input is refused with what is valid", async () => {
  const memory = await open({ preset: "hybrid" });
  await expect(memory.remember(null as unknown as string)).rejects.toMatchObject({ code: "input_invalid" });
  await expect(memory.remember("")).rejects.toMatchObject({ code: "text_invalid" });
  await expect(open({ scope: "" })).rejects.toMatchObject({ code: "scope_invalid" });
});

test("a design that asks nobody at writes is taken up at once, model or not", async () => {
  const { model: asked } = await model('{"facts":[]}');
  const memory = await open({ preset: "hybrid", model: asked });
  expect(await memory.remember("王芳住在成都。")).toMatchObject({ derived: { turns: 1 } });
  const thinking = await open({ model: asked });
  expect(await thinking.in("ben").remember("Ben lives in Oslo.")).toMatchObject({ derived: null });
});

test("an option that is not known, or a memory that lives nowhere, is refused", async () => {
  const misspelt = { path: join(folder, "never.db"), scope: "mia", presset: "mem0" };
  await expect(Memory.open(misspelt)).rejects.toMatchObject({ code: "input_invalid" });
  await expect(Memory.open({ scope: "mia" })).rejects.toThrow(/Where does the memory live/);
  const both = { path: join(folder, "never.db"), url: "postgres://localhost/x", scope: "mia" };
  await expect(Memory.open(both)).rejects.toThrow(/one place/);
});

test("a wrong key costs no memory its design: nothing is derived by rules, status says why", async () => {
  const { model: refusing } = await model({ status: 401, body: { error: { message: "bad key" } } });
  const memory = await open({ model: refusing });
  const { delayed } = await memory.remember("Mia lives in Rome.", { wait: "memory" });
  expect(delayed).toContain("401");
  expect(await memory.status()).toMatchObject({ waiting: 1, counts: { memories: 0 } });
  await memory.close();
  const { model: right } = await model('{"facts":[{"text":"Mia lives in Rome.","sources":[0]}]}');
  const again = await open({ model: right });
  await again.flush();
  expect((await again.recall("Rome")).hits.map(({ content }) => content)).toEqual(["Mia lives in Rome."]);
});
