import { afterEach, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import { where } from "../base/filter.ts";
import { openInMemory } from "../storage/memory.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { Memory } from "./memory.ts";

let opened: Memory[] = [];
afterEach(async () => {
  for (const one of opened) await one.close();
  opened = [];
});

async function open(preset = "hybrid"): Promise<Memory> {
  const clock = manualClock(Date.UTC(2026, 4, 1, 12));
  const storage = await openInMemory({ clock });
  const memory = await Memory.open({ storage, preset, scope: "mia", embedder: hashEmbedder(), clock });
  opened.push(memory);
  return memory;
}

test("page by page, each memory once, of the scope's own, as a filter allows", async () => {
  const memory = await open();
  const said = Array.from({ length: 7 }, (_, at) => (at % 2 === 0 ? `note ${at}` : `笔记 ${at}`));
  await memory.remember(said);
  await memory.in("public").remember("for all");
  const seen: string[] = [];
  let pages = 0;
  for (let after: string | undefined; ; pages++) {
    const { entries, next } = await memory.list({ after, limit: 3 });
    seen.push(...entries.map(({ content }) => content));
    if (next === null) break;
    after = next;
  }
  expect([seen, pages]).toEqual([said, 2]);
  expect((await memory.list({ limit: 7 })).next).toBeNull();
  const chinese = await memory.list({ filter: where.contains("content", "笔记") });
  expect(chinese.entries).toHaveLength(3);
});

test("one by its id, the public ones that the scope sees among them, and nobody else's", async () => {
  const memory = await open();
  await memory.remember("我喜欢绿茶。");
  await memory.in("public").remember("for all");
  await memory.in("bob").remember("bob's own");
  const [own] = (await memory.list()).entries;
  const [shared] = (await memory.in("public").list()).entries;
  const [others] = (await memory.in("bob").list()).entries;
  expect((await memory.get(own?.id ?? "")).content).toBe("我喜欢绿茶。");
  expect((await memory.get(shared?.id ?? "")).content).toBe("for all");
  await expect(memory.get(others?.id ?? "")).rejects.toMatchObject({ code: "entry_not_found" });
  await expect(memory.get("nonsense")).rejects.toMatchObject({ code: "input_invalid" });
});

test("what was replaced is shown only if all is asked for; nodes of a graph are no memories", async () => {
  const memory = await open("mem0");
  await memory.remember([
    { speaker: "Mia", text: "I live in Rome." },
    { speaker: "Mia", text: "I work as a nurse." },
  ]);
  await memory.remember([
    { speaker: "Mia", text: "I live in Paris now." },
    { speaker: "Mia", text: "It is nice." },
  ]);
  await memory.flush();
  const all = (await memory.list({ all: true })).entries;
  const current = (await memory.list()).entries;
  expect(current.every(({ supersededBy }) => supersededBy === null)).toBe(true);
  expect(all.filter(({ supersededBy }) => supersededBy === null)).toHaveLength(current.length);
  const graph = await open("hipporag2");
  await graph.remember({ speaker: "Mia", text: "Mia works at the Vatican library in Rome." });
  await graph.flush();
  expect(new Set((await graph.list({ all: true })).entries.map(({ kind }) => kind))).toEqual(
    new Set(["triple"]),
  );
});

test("options that are not there are refused with those that are", async () => {
  const memory = await open();
  const list = (given: unknown) => memory.list(given as Parameters<typeof memory.list>[0]);
  for (const wrong of [{ lmit: 1 }, { limit: 0 }, { limit: 1001 }, { after: "x" }, { filter: { op: "?" } }]) {
    await expect(list(wrong)).rejects.toMatchObject({ code: "input_invalid" });
  }
});

test("what a sweep archived is shown only if all is asked for", async () => {
  const memory = await open("simple_memory");
  await memory.remember([
    { judgment: "spent", tags: ["tea"], strength: 0, pinned: false },
    { judgment: "留下的", tags: ["tea"] },
  ]);
  await memory.consolidate();
  expect((await memory.list()).entries.map(({ content }) => content)).toEqual(["留下的"]);
  expect((await memory.list({ all: true })).entries).toHaveLength(2);
});
