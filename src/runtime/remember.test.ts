import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import { MemoryError } from "../base/errors.ts";
import { parseScope } from "../base/scope.ts";
import { parsePreset } from "../preset/load.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { type ScriptedModel, scriptedModel } from "../testing/scripted-model.ts";
import { Memory } from "./memory.ts";
import type { MemoryOptions } from "./memory-options.ts";

const clock = manualClock(Date.UTC(2026, 4, 1));
let folder = "";
let opened: { close(): Promise<void> }[] = [];
let storage: Storage;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-remember-"));
});
afterEach(async () => {
  for (const one of opened) await one.close();
  opened = [];
  await rm(folder, { recursive: true });
});

async function open(options: Partial<MemoryOptions> = {}): Promise<Memory> {
  clock.advance(1000);
  storage = await openSqlite(join(folder, "memory.db"), { clock });
  const memory = await Memory.open({
    storage,
    preset: "hybrid",
    scope: "mia",
    embedder: hashEmbedder(),
    clock,
    ...options,
  });
  opened.push(memory);
  return memory;
}

async function model(chat: Parameters<typeof scriptedModel>[0]): Promise<ScriptedModel["model"]> {
  const server = await scriptedModel(chat);
  opened.push(server);
  return server.model;
}

/** All of the scope's own entries. */
async function entries(memory: Memory, scope = "mia") {
  const { collection } = await memory.status();
  return storage.scan(parseScope(scope), { collection, limit: 1000, own: true });
}

const TEA = { judgment: "Mia drinks green tea in the morning.", tags: ["Mia", "tea"] } as const;
const NOODLES = { judgment: "米娅最喜欢兰州拉面。", type: "emotional", tags: ["米娅", "拉面"] } as const;

const WINDOWS = await parsePreset(
  `name: windows
summary: Facts out of windows of forty turns.
defaults: recommended
input: { unit: packet, window: { by: turns, size: 40, overlap: 2 } }
service: { name: neuromem_vdb, collection_name: windows }
stages: { pre_insert: { action: transform, transform_type: fact_extract }, memory_insert: fact_insert }`,
  "windows.yaml",
);

const ENTITIES = await parsePreset(
  `name: entities
summary: What was said, with its names.
defaults: recommended
service: { name: neuromem_vdb, collection_name: entities }
stages: { pre_insert: { action: extract, extract_type: entity } }`,
  "entities.yaml",
);

describe("a judged memory", () => {
  test("stands in the journal first, and is found as it was worded while a window of forty waits", async () => {
    const memory = await open({ preset: WINDOWS });
    await memory.remember(["I moved to Rome.", "我搬到了罗马。"]);
    const { turns, memories, derived } = await memory.remember({
      ...NOODLES,
      reasoning: "她说了三次。",
      strength: 20,
      pinned: false,
      importance: 0.7,
      happenedAt: 1000,
      session: "s",
      speaker: "Mia",
    });
    expect(derived).toEqual({ windows: 0, turns: 1, waiting: 2 });
    expect(await memory.status()).toMatchObject({ waiting: 2, counts: { memories: 1, turns: 3 } });
    const [entry] = await entries(memory);
    expect(entry).toMatchObject({
      id: memories?.[0],
      content: NOODLES.judgment,
      rationale: "她说了三次。",
      kind: "emotional",
      tags: ["拉面", "米娅"],
      strength: 20,
      pinned: false,
      importance: 0.7,
      happenedAt: 1000,
      sources: turns,
      metadata: { session: "s", speaker: "Mia", persons: ["Mia"] },
    });
    expect(await memory.flush()).toMatchObject({ windows: 1, turns: 2, waiting: 0 });
    expect(await memory.status()).toMatchObject({ waiting: 0 });
    expect((await entries(memory)).filter(({ kind }) => kind === "emotional")).toHaveLength(1);
  });

  test("is embedded with its tags", async () => {
    const embedded: string[] = [];
    const plain = hashEmbedder();
    const embedder = {
      ...plain,
      embedDocuments: (...given: Parameters<typeof plain.embedDocuments>) => {
        embedded.push(...given[0]);
        return plain.embedDocuments(...given);
      },
    };
    const memory = await open({ embedder });
    await memory.remember(TEA);
    expect(embedded).toEqual(["Mia drinks green tea in the morning. Mia tea"]);
  });

  test("that is judged again, fifty times at once, is one, and cites all turns; in two scopes there are two", async () => {
    const memory = await open();
    const all = await Promise.all(Array.from({ length: 50 }, () => memory.remember(TEA)));
    const [entry, ...others] = await entries(memory);
    expect(others).toEqual([]);
    expect(new Set(all.flatMap(({ memories }) => memories ?? []))).toEqual(new Set([entry?.id]));
    expect(new Set(entry?.sources)).toEqual(new Set(all.flatMap(({ turns }) => turns)));
    await memory.in("bob").remember(TEA);
    expect(await entries(memory, "bob")).toHaveLength(1);
    expect(await entries(memory)).toHaveLength(1);
    // Another type says another thing.
    await memory.remember({ ...TEA, type: "event" });
    expect(await entries(memory)).toHaveLength(2);
  });

  test("that two processes judge at once is one", async () => {
    const one = await open();
    const two = await open();
    const given = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? one : two));
    await Promise.all(given.map((memory) => memory.remember(NOODLES)));
    const [entry, ...others] = await entries(one);
    expect(others).toEqual([]);
    expect(entry?.sources).toHaveLength(20);
  });

  test("learns tags, a reason and to stay from being judged again", async () => {
    const memory = await open();
    await memory.remember({ ...TEA, pinned: false });
    await memory.remember({ ...TEA, tags: ["morning"], reasoning: "She told me." });
    expect(await entries(memory)).toMatchObject([
      { tags: ["Mia", "morning", "tea"], pinned: true, rationale: "She told me." },
    ]);
  });

  test("comes back by a rebuild, once, also in another design", async () => {
    const memory = await open();
    await memory.remember(["one", TEA, "two", NOODLES, TEA]);
    for (const preset of ["hybrid", "bm25", "simple_memory"]) {
      await memory.rebuild({ preset });
      const judged = (await entries(memory)).filter(({ kind }) => kind !== "memory");
      expect(judged.map(({ content }) => content)).toContain(NOODLES.judgment);
      expect(judged.filter(({ content }) => content === TEA.judgment)).toHaveLength(1);
      expect((await memory.recall("米娅喜欢拉面吗？")).hits[0]?.content).toBe(NOODLES.judgment);
    }
  });

  test("comes in the order it was said among windows that are full", async () => {
    const memory = await open();
    await memory.remember(["one", TEA, "two"], { wait: "journal" });
    await memory.flush();
    expect((await entries(memory)).map(({ content }) => content)).toEqual(["one", TEA.judgment, "two"]);
  });

  test("of which a model is asked waits for it in the journal; why is told, and it is taken up later", async () => {
    let isDown = true;
    const chat = await model(() => (isDown ? { status: 503, body: {} } : '{"entities":["Mia"]}'));
    const memory = await open({ preset: ENTITIES, model: chat });
    const { turns, memories, delayed } = await memory.remember(TEA);
    expect([turns.length, memories]).toEqual([1, []]);
    expect(delayed).toMatch(/503/);
    expect(await memory.status()).toMatchObject({
      waiting: 1,
      counts: { jobs: { waiting: 1 } },
      work: { state: "waiting", lastError: delayed },
    });
    isDown = false;
    await memory.flush();
    expect(await entries(memory)).toMatchObject([{ content: TEA.judgment, sources: turns }]);
    expect(await memory.status()).toMatchObject({ waiting: 0, work: { state: "done", lastError: null } });
  });

  test("does not wait for the model that a window waits for, and leaves its next try where it was", async () => {
    const chat = await model({ status: 503, body: {} });
    const memory = await open({ preset: WINDOWS, model: chat });
    await memory.remember(Array.from({ length: 40 }, (_, at) => `line ${at}`));
    await expect(memory.flush()).rejects.toMatchObject({ code: "model_unavailable" });
    const before = await memory.status();
    const { memories, delayed } = await memory.remember(TEA);
    expect([memories?.length, delayed]).toEqual([1, null]);
    const { work, waiting } = await memory.status();
    expect(waiting).toBe(40);
    expect(work).toMatchObject({
      state: "waiting",
      nextTry: before.work?.nextTry,
      attempts: before.work?.attempts,
      lastError: before.work?.lastError,
    });
    expect(await entries(memory)).toHaveLength(1);
  });

  test("that was stored and not finished is taken back before it is taken up again", async () => {
    const preset = await parsePreset(
      `name: short
summary: Everything in short after every turn.
defaults: recommended
service: { name: neuromem_vdb, collection_name: short }
stages: { post_insert: { action: summarize, strategy: single, min_count: 1 } }`,
      "short.yaml",
    );
    let isDown = true;
    const chat = await model(() => (isDown ? { status: 503, body: {} } : '{"summary":"in short"}'));
    const memory = await open({ preset, model: chat });
    // What is stored of it will be taken back, so it is not told.
    expect(await memory.remember(NOODLES)).toMatchObject({
      memories: [],
      delayed: expect.stringContaining("503"),
    });
    isDown = false;
    const { memories, delayed } = await memory.remember(NOODLES);
    expect(delayed).toBeNull();
    const kept = await entries(memory);
    expect(kept.map(({ content }) => content)).toEqual([NOODLES.judgment, "in short"]);
    expect(kept[0]?.sources).toHaveLength(2);
    expect(memories?.[0]).toBe(kept[0]?.id);
  });

  test("goes before what the background works on", async () => {
    let isFree = false;
    const facts = await model('{"facts":[{"text":"Mia lives in Rome.","sources":[0]}]}');
    const slow = {
      ...facts,
      generate: async (...given: Parameters<typeof facts.generate>) => {
        while (!isFree) await new Promise((resolve) => setTimeout(resolve, 5));
        return facts.generate(...given);
      },
    };
    const memory = await open({ preset: WINDOWS, model: slow });
    await memory.remember(Array.from({ length: 400 }, (_, at) => `line ${at}`));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const judged = memory.remember(TEA);
    isFree = true;
    const { memories } = await judged;
    expect(memories).toHaveLength(1);
    expect((await memory.status()).waiting).toBeGreaterThan(100);
    await memory.flush();
    expect((await memory.status()).waiting).toBe(0);
  });
});

test("mem0 makes one fact of what is said fifty times", async () => {
  const reply = '{"facts":[{"text":"Mia lives in Rome.","sources":[0]}]}';
  const chat = await model(({ body }) =>
    JSON.stringify(body).includes("decisions")
      ? '{"decisions":[{"fact":0,"event":"NOOP","id":0,"text":"Mia lives in Rome."}]}'
      : reply,
  );
  for (const given of [{ model: chat }, {}]) {
    const memory = await open({ preset: "mem0", ...given });
    await Promise.all(
      Array.from({ length: 50 }, () => memory.remember({ speaker: "Mia", text: "I live in Rome." })),
    );
    await memory.flush();
    const current = (await entries(memory)).filter(
      ({ supersededBy, kind }) => supersededBy === null && kind !== "summary",
    );
    expect(current).toHaveLength(1);
    await memory.forget({ everything: true });
    await memory.close();
  }
});

test("a turn's memories are told: what was made of it, or stood for it already", async () => {
  const memory = await open();
  const { turns, memories } = await memory.remember(["I moved to Rome.", "我喜欢绿茶。"]);
  const made = await entries(memory);
  expect(memories).toEqual(made.map(({ id }) => id));
  expect(made.flatMap(({ sources }) => sources)).toEqual(turns);
  expect((await memory.remember("later", { wait: "journal" })).memories).toBeNull();
});

test("an embedder that fails delays what was said; nothing is thrown and nothing lost", async () => {
  let isDown = true;
  const plain = hashEmbedder();
  const embedder = {
    ...plain,
    async embedDocuments(...given: Parameters<typeof plain.embedDocuments>) {
      if (isDown) throw new MemoryError("model_unavailable", "the embedder is down");
      return plain.embedDocuments(...given);
    },
  };
  const memory = await open({ embedder });
  expect(await memory.remember("I moved to Rome.")).toMatchObject({
    memories: [],
    derived: null,
    delayed: "the embedder is down",
  });
  expect((await memory.remember(TEA)).delayed).toBe("the embedder is down");
  isDown = false;
  await memory.flush();
  expect(await entries(memory)).toHaveLength(2);
});

describe("bad input is refused before anything is written", () => {
  const bad: readonly [string, unknown, string][] = [
    ["a blank judgment", { judgment: " " }, "text_invalid"],
    ["no text", { judgment: 3 }, "input_invalid"],
    ["an unknown field", { ...TEA, weight: 3 }, "input_invalid"],
    ["an unknown type", { ...TEA, type: "dream" }, "input_invalid"],
    ["a tag that is none", { ...TEA, tags: [""] }, "input_invalid"],
    ["importance beyond one", { ...TEA, importance: 2 }, "input_invalid"],
    ["a list in a list", [[TEA]], "input_invalid"],
    ["one good, one bad", ["hello", { judgment: "" }], "text_invalid"],
    ["nothing", undefined, "input_invalid"],
    ["a number", 3, "input_invalid"],
    ["an unknown field of a turn", { text: "a", mood: "b" }, "input_invalid"],
    [
      "the reserved name",
      { text: "a", metadata: { "neuromem:judgment": { type: "knowledge" } } },
      "input_invalid",
    ],
  ];
  for (const [what, given, code] of bad) {
    test(what, async () => {
      const memory = await open();
      await expect(memory.remember(given as string)).rejects.toMatchObject({ code });
      expect((await storage.stats()).turns).toBe(0);
    });
  }

  test("unknown options", async () => {
    const memory = await open();
    const options = { waiting: "memory" } as object;
    await expect(memory.remember(TEA, options)).rejects.toMatchObject({ code: "input_invalid" });
    await expect(memory.remember(TEA, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "aborted",
    });
    expect((await storage.stats()).turns).toBe(0);
  });
});
