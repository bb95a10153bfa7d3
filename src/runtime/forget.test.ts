import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { where } from "../base/filter.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { Memory } from "./memory.ts";

let folder = "";
let opened: Memory[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-forget-"));
});
afterEach(async () => {
  for (const memory of opened) await memory.close();
  opened = [];
  await rm(folder, { recursive: true });
});

async function open(preset: string): Promise<Memory> {
  const storage = await openSqlite(join(folder, "memory.db"));
  const memory = await Memory.open({ storage, preset, scope: "mia", embedder: hashEmbedder() });
  opened.push(memory);
  return memory;
}

/** Every byte of every file of the memory, index files among them. */
async function bytes(): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), "utf8"));
  return (await Promise.all(texts)).join("\n").toLowerCase();
}

const SAID = [
  { speaker: "Mia", text: "I live with Zebulon in Quillota.", session: "1" },
  { speaker: "Assistant", text: "Quillota sounds lovely.", session: "1" },
  { speaker: "Mia", text: "I work as a nurse in Lisbon.", session: "2" },
  { speaker: "Mia", text: "我姐姐住在成都。", session: "2" },
];

describe.each(["neuromem", "hybrid", "hipporag2", "mem0", "a_mem", "memory_os"])("%s", (preset) => {
  test("a session is forgotten, down to the last byte, and the rest stays", async () => {
    const memory = await open(preset);
    await memory.remember(SAID);
    await memory.flush();
    // Index files are written, so that there is something in them to forget.
    await memory.close();
    expect(await bytes()).toContain("quillota");
    const again = await open(preset);
    const report = await again.forget({ session: "1" });
    expect(report.turns).toHaveLength(2);
    expect(report.entries.length).toBeGreaterThan(0);
    expect(JSON.stringify(await again.recall("Where does Zebulon live? Quillota?"))).not.toMatch(
      /"content":"[^"]*(Quillota|Zebulon)/,
    );
    const { hits, context } = await again.recall("What does Mia do in Lisbon?");
    expect([...hits.map(({ text }) => text), context].join()).toContain("Lisbon");
    await again.close();
    expect(await bytes()).not.toMatch(/quillota|zebulon/);
    expect(await bytes()).toContain("lisbon");
  });

  test("[C-11] the log keeps no word of it either, whatever had left the memory before", async () => {
    const memory = await open(preset);
    await memory.remember(SAID);
    await memory.flush();
    await memory.rebuild();
    const report = await memory.forget({ session: "1" });
    expect(report.traces).toBeGreaterThan(0);
    await memory.close();
    expect(await bytes()).not.toMatch(/quillota|zebulon/);
    expect(await bytes()).toContain("lisbon");
  });
});

test("a memory that was undone is forgotten, too, by its id and by its turn, and no undo brings it back", async () => {
  const memory = await open("hybrid");
  for (const text of ["Mia's code is Zebulon.", "米娅的暗号是青鸾。"]) {
    const { memories, turns } = await memory.remember({ judgment: text });
    const id = memories?.[0] ?? "";
    const [made] = await memory.history(id);
    const { events } = await memory.undo(made?.seq ?? 0);
    const what = text.includes("Zebulon") ? { id } : { turns };
    expect(await memory.forget(what)).toMatchObject({ turns, entries: [], traces: 1 });
    const last = (await memory.history(id)).at(-1);
    expect(events).toContain(last?.undoes);
    await expect(memory.undo(last?.seq ?? 0)).rejects.toMatchObject({ code: "entry_not_found" });
  }
  await memory.close();
  expect(await bytes()).not.toMatch(/zebulon|青鸾/);
});

test("a forgetting that was stopped half-way is completed by doing it again", async () => {
  const memory = await open("hybrid");
  await memory.remember(SAID);
  const { entries } = await memory.list();
  const id = entries[0]?.id ?? "";
  const { service } = memory.running().design;
  const real = service.delete.bind(service);
  vi.spyOn(service, "delete").mockImplementationOnce(async (...args) => {
    await real(...args);
    throw new Error("the process died");
  });
  await expect(memory.forget({ id })).rejects.toThrow("the process died");
  await memory.forget({ id });
  await memory.close();
  expect(await bytes()).not.toContain("zebulon");
});

test.each([
  ["emotional_rag", 4],
  ["memgpt", 4],
])(
  "%s: what was made of more than the memory that is named goes, and what else it was made of stays said",
  async (preset, said) => {
    const memory = await open(preset);
    await memory.remember(SAID);
    await memory.flush();
    const { entries } = await memory.list();
    const named = entries.find(({ content, sources }) => content.includes("Zebulon") && sources.length === 1);
    const report = await memory.forget({ id: named?.id ?? "" });
    expect(report.turns).toEqual(named?.sources);
    expect(report.entries.length).toBeGreaterThan(1);
    expect((await memory.status()).counts.turns).toBe(said - 1);
  },
);

test("a memory that is named goes with its turns, its older versions and what was made of them", async () => {
  const memory = await open("mem0");
  await memory.remember([
    { speaker: "Mia", text: "I live in Quillota." },
    { speaker: "Assistant", text: "Nice." },
  ]);
  await memory.remember([
    { speaker: "Mia", text: "I no longer live in Quillota, I moved to Lisbon." },
    { speaker: "Assistant", text: "Good luck." },
  ]);
  await memory.flush();
  const { hits } = await memory.recall("Where does Mia live?");
  const id = hits.find(({ content }) => content.includes("Lisbon"))?.id ?? "";
  const report = await memory.forget({ id });
  expect(report.turns.length).toBeGreaterThanOrEqual(1);
  expect(JSON.stringify((await memory.recall("Where does Mia live?")).hits)).not.toMatch(/Lisbon/);
  await expect(memory.forget({ id })).rejects.toMatchObject({ code: "entry_not_found" });
  await memory.rebuild();
  expect(JSON.stringify((await memory.recall("Lisbon")).hits)).not.toMatch(/Lisbon/);
});

test("other designs over the same journal forget, too, and are made anew; other scopes keep theirs", async () => {
  const dense = await open("dense");
  await dense.remember(SAID);
  await dense.in("bob").remember("Bob lives in Quillota as well.");
  await dense.close();
  const words = await open("bm25");
  await words.flush();
  const report = await words.forget({ speaker: "Mia" });
  expect(report.otherDesigns).toEqual([{ collection: "dense", entries: 4 }]);
  await words.close();
  const again = await open("dense");
  // By itself: nobody has to ask for it.
  await expect.poll(() => again.status().then(({ waiting }) => waiting)).toBe(0);
  expect((await again.recall("Quillota")).hits.map(({ content }) => content)).toEqual([
    "Assistant: Quillota sounds lovely.",
  ]);
  expect((await again.in("bob").recall("Quillota")).hits).toHaveLength(1);
});

test("by a filter, by time, everything", async () => {
  const memory = await open("hybrid");
  const at = (day: number) => Date.UTC(2026, 0, day);
  await memory.remember([
    { text: "on the first", happenedAt: at(1) },
    { text: "on the second", happenedAt: at(2) },
    { text: "on the third", happenedAt: at(3) },
    { text: "on the fourth", happenedAt: at(4) },
  ]);
  expect((await memory.forget({ from: at(1), to: at(1) })).turns).toHaveLength(1);
  expect((await memory.forget({ filter: where.eq("happenedAt", at(2)) })).entries).toHaveLength(1);
  expect((await memory.recall("on the")).hits).toHaveLength(2);
  expect((await memory.forget({ everything: true })).turns).toHaveLength(2);
  expect(await memory.status()).toMatchObject({ storage: { turns: 0, entries: 0 }, waiting: 0 });
});

describe("what somebody judged", () => {
  const judged = (session: string) => ({ judgment: "Mia lives in Quillota.", tags: ["Mia"], session });

  test("goes with its turn, and comes back by no rebuild", async () => {
    const memory = await open("simple_memory");
    const { memories, turns } = await memory.remember([judged("1"), judged("2")]);
    const report = await memory.forget({ id: memories?.[0] ?? "" });
    expect(report).toMatchObject({ turns, entries: [{ id: memories?.[0], kind: "knowledge" }] });
    await memory.rebuild();
    expect((await memory.list()).entries).toEqual([]);
    await memory.close();
    expect(await bytes()).not.toContain("quillota");
  });

  test("in another turn, too, stays as that one worded it", async () => {
    const memory = await open("hybrid");
    await memory.remember({ ...judged("1"), tags: ["secret"] });
    const { turns } = await memory.remember(judged("2"));
    await memory.forget({ session: "1" });
    expect((await memory.list()).entries).toMatchObject([{ tags: ["Mia"], sources: turns }]);
    await memory.close();
    expect(await bytes()).not.toContain("secret");
  });
});

test("what is not understood is refused, and nothing is forgotten", async () => {
  const memory = await open("hybrid");
  await memory.remember(SAID);
  const bad: object[] = [
    {},
    { sesion: "1" },
    { session: "1", speaker: "Mia" },
    { everything: false },
    { from: 2, to: 1 },
    { id: "nobody" },
    { filter: { op: "like", field: "kind", value: "m" } },
  ];
  for (const what of bad)
    await expect(memory.forget(what as { id: string })).rejects.toMatchObject({ code: "input_invalid" });
  expect(await memory.status()).toMatchObject({ counts: { turns: 4, memories: 4 } });
});

test("what waits for its window is taken up all the same when something else was forgotten", async () => {
  const memory = await open("simplemem");
  await memory.remember(SAID);
  await memory.forget({ session: "1" });
  expect(await memory.status()).toMatchObject({ waiting: 2 });
  await memory.flush();
  expect(await memory.status()).toMatchObject({ waiting: 0 });
});
