import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import { parseScope } from "../base/scope.ts";
import { loadPreset } from "../preset/load.ts";
import { type OpenPreset, openPreset } from "../preset/open.ts";
import type { Event } from "../storage/event.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { type ScriptedModel, scriptedModel } from "../testing/scripted-model.ts";
import { Memory } from "./memory.ts";
import type { MemoryOptions } from "./memory-options.ts";

const MIA = parseScope("mia");
const clock = manualClock(Date.UTC(2026, 4, 1));
let folder = "";
let storage: Storage;
let closing: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-undo-"));
});
afterEach(async () => {
  for (const one of closing.reverse()) await one.close();
  closing = [];
  await rm(folder, { recursive: true });
});

async function open(preset: string, options: Partial<MemoryOptions> = {}): Promise<Memory> {
  storage = await openSqlite(join(folder, "memory.db"), { clock });
  const memory = await Memory.open({
    storage,
    preset,
    scope: MIA,
    embedder: hashEmbedder(),
    clock,
    ...options,
  });
  closing.push(memory);
  return memory;
}

/** The same design opened beside it: for looks that are not counted, and changes that no verb makes. */
async function beside(preset: string): Promise<OpenPreset> {
  return openPreset(await loadPreset(preset), { storage, embedder: hashEmbedder(), clock });
}

const QUESTIONS = ["Where does Mia live?", "谁喜欢绿茶？", "Clara and the violin"];

/** All answers, by a design whose looks leave no trace. */
async function answers(preset: string): Promise<unknown> {
  const quiet: Storage = { ...storage, commit: async () => ({ previous: 0, seq: 0, turns: [] }) };
  const design = await openPreset(await loadPreset(preset), {
    storage: quiet,
    embedder: hashEmbedder(),
    clock,
  });
  const found = [];
  for (const text of QUESTIONS) {
    const { hits, context } = await design.retrieve(MIA, { text });
    found.push([hits.map(({ id, score, content, tags, tier }) => [id, score, content, tags, tier]), context]);
  }
  return found;
}

async function changesSince(after: number): Promise<Event[]> {
  const events = (await storage.events(MIA, { after, limit: 10_000 })).filter(({ scope }) => scope === MIA);
  return events.filter(({ seq, change }) => seq === change || !events.some((one) => one.seq === change));
}

const FIRST = ["I live in Lisbon, in the old town.", "My sister Clara is a vet.", "我喜欢在周末喝绿茶。"];
const LATER = ["I moved, I live in Porto now.", "我现在不喝绿茶了，我喜欢咖啡。", "Clara plays the violin."];

describe.each(["neuromem", "hybrid", "mem0", "biem", "hipporag", "memory_os", "memgpt"])("%s", (preset) => {
  test("undoing all that came later, change by change, restores the exact answers; undoing that brings it again", async () => {
    const memory = await open(preset);
    await memory.remember(FIRST.map((text) => ({ speaker: "Mia", text })));
    await memory.flush();
    const before = await answers(preset);
    const { seq } = await storage.feed.head();
    clock.advance(1000);
    await memory.remember(LATER.map((text) => ({ speaker: "Mia", text })));
    await memory.flush();
    const after = await answers(preset);
    expect(after).not.toEqual(before);
    const done = await changesSince(seq);
    const { seq: changed } = await storage.feed.head();
    clock.advance(-1000);
    for (const { seq: event } of done.reverse()) await memory.undo(event);
    expect(await answers(preset)).toEqual(before);
    clock.advance(1000);
    for (const { seq: event } of (await changesSince(changed)).reverse()) await memory.undo(event);
    expect(await answers(preset)).toEqual(after);
  });
});

test("feedback is undone change by change: what was joined stands by itself again, a judgement is taken back", async () => {
  const memory = await open("simple_memory");
  const { memories } = await memory.remember([
    { judgment: "Mia likes green tea.", tags: ["Mia", "tea"] },
    { judgment: "米娅每天喝茶。", tags: ["Mia", "tea"] },
  ]);
  const [first, second] = memories ?? [];
  if (first === undefined || second === undefined) throw new Error("nothing was remembered");
  const stands = async () => {
    const { hits } = await memory.recall("Mia, tea");
    return hits.map(({ id, strength }) => [id, strength]).sort();
  };
  const before = await stands();
  expect(before).toHaveLength(2);
  const { merged } = await memory.feedback({ merge: [[first, second]] });
  expect(await stands()).toHaveLength(1);
  const [made] = await memory.history(merged[0]?.id ?? "");
  await memory.undo(made?.seq ?? 0);
  expect(await stands()).toEqual(before);
  await memory.feedback({ useful: [first] });
  expect(await stands()).not.toEqual(before);
  const judged = (await memory.history(first)).at(-1);
  expect(judged).toMatchObject({ operation: "entry-touch" });
  await memory.undo(judged?.seq ?? 0);
  expect(await stands()).toEqual(before);
});

test("history shows every step, also of what is gone; looks only when asked for", async () => {
  const memory = await open("hybrid");
  await memory.remember("Mia lives in Rome.");
  const [hit] = (await memory.recall("Rome")).hits;
  const id = hit?.id ?? "";
  const steps = async (options = {}) => (await memory.history(id, options)).map(({ operation }) => operation);
  expect(await steps()).toEqual(["entry-insert"]);
  expect(await steps({ looks: true })).toEqual(["entry-insert", "entry-touch"]);
  expect(await steps({ looks: true, limit: 1 })).toEqual(["entry-insert"]);
  const [first] = await memory.history(id);
  expect(await steps({ looks: true, after: first?.seq })).toEqual(["entry-touch"]);
  await memory.undo(first?.seq ?? 0);
  expect(await steps()).toEqual(["entry-insert", "entry-remove"]);
  const last = (await memory.history(id)).at(-1);
  expect(last).toMatchObject({ actor: "runtime", cause: "undo", undoes: first?.seq });
  expect(last?.before).toMatchObject({ entry: { content: "Mia lives in Rome." } });
  await expect(memory.in("bob").history(id)).rejects.toMatchObject({ code: "entry_not_found" });
  await expect(memory.history("x")).rejects.toMatchObject({ code: "input_invalid" });
  await expect(memory.history(id, { limit: 0 })).rejects.toMatchObject({ code: "input_invalid" });
});

test("what is not the scope's own is as good as not there; what is no event is refused", async () => {
  const memory = await open("hybrid");
  await memory.remember("我喜欢绿茶。");
  const [event] = await changesSince(0);
  const seq = event?.seq ?? 0;
  const foreign = await memory
    .in("bob")
    .undo(seq)
    .catch((error: Error) => error);
  const none = await memory
    .in("bob")
    .undo(seq + 1000)
    .catch((error: Error) => error);
  expect(foreign).toMatchObject({ code: "entry_not_found" });
  expect(String(foreign).replace(String(seq), "N")).toBe(String(none).replace(String(seq + 1000), "N"));
  for (const bad of [0, 1.5, "1", null])
    await expect(memory.undo(bad as number)).rejects.toMatchObject({ code: "input_invalid" });
});

test("newer changes stand in the way until they are undone; what was forgotten stays forgotten", async () => {
  const memory = await open("hybrid");
  await memory.remember(["Mia lives in Rome.", "Mia lives in Oslo."]);
  const { hits } = await memory.recall("Where does Mia live?");
  const [rome, oslo] = ["Rome", "Oslo"].map((name) => hits.find(({ content }) => content.includes(name)));
  if (rome === undefined || oslo === undefined) throw new Error("not found");
  const design = await beside("hybrid");
  await design.service.supersede(MIA, [rome.id], oslo.id);
  const [inserted, replaced] = await memory.history(rome.id);
  const [made] = await memory.history(oslo.id);
  for (const event of [inserted, made])
    await expect(memory.undo(event?.seq ?? 0)).rejects.toMatchObject({
      code: "version_conflict",
      details: { events: [replaced?.seq] },
    });
  const undone = await memory.undo(replaced?.seq ?? 0);
  expect(undone).toEqual({ events: [replaced?.seq], entries: [rome.id] });
  expect((await memory.recall("Where does Mia live?")).hits).toHaveLength(2);
  await expect(memory.undo(replaced?.seq ?? 0)).rejects.toMatchObject({ code: "version_conflict" });
  await memory.undo(inserted?.seq ?? 0);
  expect((await memory.recall("Where does Mia live?")).hits.map(({ id }) => id)).toEqual([oslo.id]);
  await memory.forget({ id: oslo.id });
  await expect(memory.undo(made?.seq ?? 0)).rejects.toMatchObject({ code: "entry_not_found" });
});

test("a refusal is no failure of the work that waits, and what waits is still taken up", async () => {
  let isDown = true;
  const scripted: ScriptedModel = await scriptedModel(() =>
    isDown ? { status: 503, body: {} } : '{"facts":[{"text":"Mia lives in Rome.","sources":[0]}]}',
  );
  const memory = await open("mem0", { model: scripted.model });
  closing.unshift(scripted);
  await memory.remember("I moved to Rome.");
  await expect(memory.undo(1000)).rejects.toMatchObject({ code: "entry_not_found" });
  expect(await memory.status()).toMatchObject({ waiting: 1 });
  expect((await memory.status()).work?.state).not.toBe("failed");
  isDown = false;
  await memory.flush();
  expect(await memory.status()).toMatchObject({ waiting: 0 });
});
