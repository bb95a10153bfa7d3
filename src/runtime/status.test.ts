import { afterEach, expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import { oneSpace } from "../models/local/embedder-set.ts";
import { openInMemory } from "../storage/memory.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { Memory } from "./memory.ts";
import type { MemoryOptions } from "./memory-options.ts";

const clock = manualClock(Date.UTC(2026, 4, 1));
const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function open(options: Partial<MemoryOptions> = {}): Promise<Memory> {
  const storage = options.storage ?? (await openInMemory({ clock }));
  const given = { preset: "hybrid", scope: "mia", embedder: hashEmbedder(), clock, background: false };
  const memory = await Memory.open({ ...given, ...options, storage });
  opened.push(memory);
  return memory;
}

test("tells what the scope holds, and what of it waits", async () => {
  const memory = await open({ preset: "simplemem" });
  await memory.remember(["I moved to Rome.", "我喜欢绿茶。", { judgment: "Mia lives in Rome." }]);
  await memory.in("bob").remember([{ judgment: "鲍勃住在奥斯陆。" }, "I am Bob."]);
  expect(await memory.status()).toMatchObject({
    preset: "simplemem",
    counts: { memories: 1, turns: 3 },
    waiting: 2,
    model: null,
    embedder: { spaces: ["hash-64"], isLacking: false },
    storage: { turns: 5, entries: 2 },
  });
  expect(await memory.in("nobody").status()).toMatchObject({
    counts: { memories: 0, turns: 0, jobs: { waiting: 0, running: 0, done: 0, failed: 0 } },
    waiting: 0,
    work: null,
    embedder: { isLacking: false },
  });
});

test("what was replaced or forgotten by a sweep is no longer counted", async () => {
  const memory = await open({ preset: "simple_memory" });
  const { memories } = await memory.remember([
    { judgment: "one", tags: ["a"] },
    { judgment: "两", tags: ["b"] },
    { judgment: "spent", tags: ["c"], strength: 0, pinned: false },
  ]);
  await memory.feedback({ merge: [[memories?.[0] ?? "", memories?.[1] ?? ""]] });
  await memory.consolidate();
  expect(await memory.status()).toMatchObject({ counts: { memories: 1 }, embedder: null });
});

test("tells who thinks, and whether memories lack the vectors of who embeds", async () => {
  const { model, close } = await scriptedModel("{}");
  opened.push({ close });
  const storage = await openInMemory({ clock });
  const first = await open({ storage, model });
  await first.remember(["one", "二"], { wait: "memory" });
  expect(await first.status()).toMatchObject({ model: model.id, embedder: { isLacking: false } });
  const other = oneSpace({
    id: "other-2",
    provider: "test",
    dimension: 2,
    maxBatch: 100,
    embed: async (texts: readonly string[]) => texts.map(() => Float32Array.of(1, 0)),
  });
  const second = await open({ storage, embedder: other });
  // They share the storage, which one of them closes.
  opened.splice(opened.indexOf(first), 1);
  expect(await second.status()).toMatchObject({ embedder: { spaces: ["other-2"], isLacking: true } });
  await second.reembed();
  expect(await second.status()).toMatchObject({ embedder: { isLacking: false } });
});
