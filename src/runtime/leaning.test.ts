import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import type { NewTurn } from "../base/turn.ts";
import type { EmbedderSet } from "../models/local/embedder-set.ts";
import { parsePreset } from "../preset/load.ts";
import type { Preset } from "../preset/preset.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { HASH_SPACE, hashEmbedder } from "../testing/hash-embedder.ts";
import { Memory } from "./memory.ts";

let folder = "";
let opened: Memory[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-leaning-"));
});
afterEach(async () => {
  for (const memory of opened) await memory.close();
  opened = [];
  await rm(folder, { recursive: true });
});

const clock = manualClock(Date.UTC(2026, 4, 1, 12));

interface Opened {
  readonly memory: Memory;
  readonly storage: Storage;
}

async function open(
  file: string,
  preset: string | Preset = "neuromem",
  embedder: EmbedderSet = hashEmbedder(),
): Promise<Opened> {
  clock.advance(1000);
  const storage = await openSqlite(join(folder, file), { clock });
  const memory = await Memory.open({ storage, preset, scope: "mia", embedder, clock });
  opened.push(memory);
  return { memory, storage };
}

/** By what the memories say. */
async function vectorsIn({ memory, storage }: Opened): Promise<Record<string, Float32Array | undefined>> {
  const { collection } = memory.running().design.service;
  const entries = await storage.scan(memory.scope, { collection, limit: 100, own: true });
  const vectors = await storage.vectors(
    memory.scope,
    HASH_SPACE,
    entries.map(({ id }) => id),
  );
  return Object.fromEntries(entries.map(({ content }, place) => [content, vectors[place]]));
}

/** As a memory has them that never heard anything else. */
async function fresh(said: readonly NewTurn[], preset?: string | Preset) {
  const one = await open(`fresh-${opened.length}.db`, preset);
  await one.memory.remember(said);
  return vectorsIn(one);
}

/** Whether a vector can be read out of any file of the memory, as it is or as the log writes it. */
async function isInFiles(vector: Float32Array | undefined, file: string): Promise<boolean> {
  const bytes = Buffer.from(new Uint8Array(vector?.buffer ?? new ArrayBuffer(0)));
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.startsWith(file));
  for (const name of names) {
    const read = await readFile(join(folder, name)).catch(() => Buffer.alloc(0));
    if (read.includes(bytes) || read.includes(bytes.toString("base64"))) return true;
  }
  return false;
}

const say = (speaker: string, text: string, session = "1"): NewTurn => ({ speaker, text, session });
const ROME = say("Mia", "I moved to Rome in May. I am a nurse there.");
const SECRET = say("Mia", "My doctor says that I have Quillota fever.");
const ANSWER = say("Bot", "That must be hard. How long does it last?");
const LATER = say("Mia", "Let us talk about the garden.");
const CHINESE = [
  say("小明", "我去年在上海开了一家咖啡馆。", "2"),
  say("小明", "我的银行密码是青鸾。", "2"),
  say("小美", "好的，我记住了。周末去爬山吗？", "2"),
];
const without = (said: readonly NewTurn[], ...gone: (NewTurn | undefined)[]) =>
  said.filter((turn) => !gone.includes(turn));

describe("a turn that is forgotten", () => {
  test("counts no more in the vector of the next: it is as if the turn had never been said", async () => {
    const said = [ROME, SECRET, ANSWER, LATER, ...CHINESE];
    const one = await open("memory.db");
    const { turns } = await one.memory.remember(said);
    const before = await vectorsIn(one);
    const gone = [SECRET, CHINESE[1]];
    const report = await one.memory.forget({ turns: [turns[1] ?? "", turns[5] ?? ""] });
    expect(report.vectors).toEqual({ anew: 2, waiting: 0 });
    const after = await vectorsIn(one);
    expect(after).toEqual(await fresh(without(said, ...gone)));
    const other = Object.keys(after).filter((content) => `${after[content]}` !== `${before[content]}`);
    expect(other).toEqual([`Bot: ${ANSWER.text}`, `小美: ${CHINESE[2]?.text}`]);
    // Found by it, too.
    const { hits } = await one.memory.recall("How long does it last?");
    expect(hits[0]?.content).toBe(`Bot: ${ANSWER.text}`);
    await one.memory.close();
    expect(await isInFiles(after[`Bot: ${ANSWER.text}`], "memory.db")).toBe(true);
    for (const content of other) expect(await isInFiles(before[content], "memory.db")).toBe(false);
  });

  test("in between two turns of another session lets them follow each other, and judged ones count nothing", async () => {
    const between = say("Ben", "I am only passing by.", "9");
    const judged = { judgment: "Mia is a nurse.", tags: ["Mia"] };
    const one = await open("memory.db");
    await one.memory.remember([ROME, between, LATER]);
    await one.memory.remember(judged);
    expect((await one.memory.forget({ speaker: "Ben" })).vectors).toEqual({ anew: 1, waiting: 0 });
    expect(await vectorsIn(one)).toMatchObject(await fresh([ROME, LATER]));
    const [judgment] = (await one.memory.list()).entries.filter(({ kind }) => kind === "knowledge");
    const report = await one.memory.forget({ id: judgment?.id ?? "" });
    expect(report).toMatchObject({ entries: [{ kind: "knowledge" }], vectors: { anew: 0, waiting: 0 } });
  });

  test("at the end: what comes next follows the one before it", async () => {
    const one = await open("memory.db");
    const { turns } = await one.memory.remember([ROME, LATER, SECRET]);
    expect((await one.memory.forget({ turns: turns.slice(2) })).vectors).toEqual({ anew: 0, waiting: 0 });
    await one.memory.remember([ANSWER]);
    expect(await vectorsIn(one)).toEqual(await fresh([ROME, LATER, ANSWER]));
  });

  test("counts in no vector that the log keeps of what had left the memory", async () => {
    const one = await open("memory.db");
    const { turns } = await one.memory.remember([ROME, SECRET, ANSWER]);
    const before = (await vectorsIn(one))[`Bot: ${ANSWER.text}`];
    await one.memory.rebuild();
    await one.memory.forget({ turns: turns.slice(1, 2) });
    expect(await vectorsIn(one)).toEqual(await fresh([ROME, ANSWER]));
    await one.memory.close();
    expect(await isInFiles(before, "memory.db")).toBe(false);
  });

  test("counts in no answer about the past, where what followed it is found all the same", async () => {
    const one = await open("memory.db");
    const { turns } = await one.memory.remember([ROME, SECRET, ANSWER]);
    const knownAt = clock.now();
    clock.advance(1000);
    await one.memory.forget({ turns: turns.slice(1, 2) });
    const now = await one.memory.recall("How long does it last?");
    const then = await one.memory.recall("How long does it last?", { knownAt });
    expect(then.hits[0]?.content).toBe(`Bot: ${ANSWER.text}`);
    expect(then.hits[0]?.scoreParts).toEqual(now.hits[0]?.scoreParts);
  });
});

test("an embedder that is down keeps nothing from being forgotten; reembed gives the vectors when it is back", async () => {
  let isDown = false;
  const plain = hashEmbedder();
  const embedder: EmbedderSet = {
    ...plain,
    async embedDocuments(texts, options) {
      if (isDown) throw new Error("the embedder is down");
      return plain.embedDocuments(texts, options);
    },
  };
  const one = await open("memory.db", "neuromem", embedder);
  const { turns } = await one.memory.remember([ROME, SECRET, ANSWER]);
  const before = (await vectorsIn(one))[`Bot: ${ANSWER.text}`];
  isDown = true;
  const report = await one.memory.forget({ turns: turns.slice(1, 2) });
  expect(report).toMatchObject({ turns: turns.slice(1, 2), vectors: { anew: 0, waiting: 1 } });
  expect((await vectorsIn(one))[`Bot: ${ANSWER.text}`]).toBeUndefined();
  // Still found, by its words.
  const { hits } = await one.memory.recall("How long does it last?");
  expect(hits.map(({ content }) => content)).toContain(`Bot: ${ANSWER.text}`);
  isDown = false;
  expect(await one.memory.reembed()).toMatchObject({ entries: 1, left: 0 });
  expect(await vectorsIn(one)).toEqual(await fresh([ROME, ANSWER]));
  await one.memory.close();
  expect(await isInFiles(before, "memory.db")).toBe(false);
});

test("what was reworded, and cannot be blended again, is embedded by its own text", async () => {
  const preset = await parsePreset(
    `name: chunks
summary: Chunks whose vectors are blends.
defaults: recommended
input: { window: { by: turns, size: 1, context: 1 } }
service: { name: neuromem_vdb, collection_name: chunks }
stages:
  pre_insert:
    - { action: transform, transform_type: chunking, chunk_size: 8, chunk_overlap: 0 }
    - { action: blend_embed }
  memory_insert: [default, chunk_insert]
  pre_retrieval: embedding`,
    "chunks.yaml",
  );
  const one = await open("memory.db", preset);
  const { turns } = await one.memory.remember([SECRET, ANSWER]);
  const before = await vectorsIn(one);
  const { vectors } = await one.memory.forget({ turns: turns.slice(0, 1) });
  const after = await vectorsIn(one);
  const chunks = Object.keys(after);
  expect(chunks.length).toBeGreaterThan(1);
  expect(vectors).toEqual({ anew: chunks.length, waiting: 0 });
  for (const chunk of chunks) {
    expect(after[chunk]).toEqual((await hashEmbedder().embedDocument(chunk))?.values);
    expect(after[chunk]).not.toEqual(before[chunk]);
  }
});

test("a turn that counts in its own vector and in the next one's is embedded once, whichever scopes talk in between", async () => {
  const embedded: string[] = [];
  const plain = hashEmbedder();
  const embedder: EmbedderSet = {
    ...plain,
    async embedDocuments(texts, options) {
      embedded.push(...texts);
      return plain.embedDocuments(texts, options);
    },
  };
  const one = await open("memory.db", "neuromem", embedder);
  const bob = one.memory.in("bob");
  for (const turn of [SECRET, ANSWER, LATER]) {
    await one.memory.remember([turn]);
    await bob.remember([{ ...turn, text: `${turn.text} 小明也这么说。` }]);
  }
  expect(embedded).toHaveLength(new Set(embedded).size);
  expect(await vectorsIn(one)).toEqual(await fresh([SECRET, ANSWER, LATER]));
  expect(await vectorsIn({ ...one, memory: bob })).not.toEqual(await vectorsIn(one));
});

test("an undo takes back no turn: what was said counts in the next vector as a rebuild would count it", async () => {
  const one = await open("memory.db");
  await one.memory.remember([ROME, SECRET, ANSWER]);
  const before = (await vectorsIn(one))[`Bot: ${ANSWER.text}`];
  const { entries } = await one.memory.list();
  const secret = entries.find(({ content }) => content.includes("Quillota"));
  const [made] = await one.memory.history(secret?.id ?? "");
  await one.memory.undo(made?.seq ?? 0);
  expect((await vectorsIn(one))[`Bot: ${ANSWER.text}`]).toEqual(before);
  await one.memory.rebuild();
  expect((await vectorsIn(one))[`Bot: ${ANSWER.text}`]).toEqual(before);
});
