import { afterEach, beforeEach, expect, test } from "vitest";
import { Memory } from "../runtime/memory.ts";
import { openInMemory } from "../storage/memory.ts";
import { hashEmbedder } from "../testing/hash-embedder.ts";
import { createHeadWatcher, type HeadWatcher } from "./head-watcher.ts";

let memory: Memory;
let watcher: HeadWatcher;
beforeEach(async () => {
  memory = await Memory.open({ storage: await openInMemory(), scope: "mia", embedder: hashEmbedder() });
  watcher = createHeadWatcher(memory);
});
afterEach(() => memory.close());

const never = new AbortController().signal;
const LONG_MS = 20_000;

test("all who wait are told of one change", async () => {
  const seen = await watcher.head();
  const waiting = [1, 2, 3].map(() => watcher.moved(seen, LONG_MS, never));
  expect(watcher.waiting).toBe(3);
  await memory.remember("张伟住在上海。 Mia moved to Rome.");
  expect(await Promise.all(waiting)).toEqual([true, true, true]);
  expect(watcher.waiting).toBe(0);
});

test("a change that came before the waiting began is not missed", async () => {
  const seen = await watcher.head();
  await memory.remember("Mia moved to Rome.");
  expect(await watcher.moved(seen, LONG_MS, never)).toBe(true);
});

test("who waits long enough for nothing is told so: that is when a stream shows that it lives", async () => {
  const started = performance.now();
  expect(await watcher.moved(await watcher.head(), 300, never)).toBe(false);
  expect(performance.now() - started).toBeGreaterThan(290);
  expect(watcher.waiting).toBe(0);
});

test("who goes away does not wait on", async () => {
  const gone = new AbortController();
  const waiting = watcher.moved(await watcher.head(), LONG_MS, gone.signal);
  gone.abort();
  expect(await waiting).toBe(false);
  expect(watcher.waiting).toBe(0);
});

test("where the storage cannot be asked, all who wait learn why, and later ones are served again", async () => {
  const seen = await watcher.head();
  const waiting = [1, 2].map(() => watcher.moved(seen, LONG_MS, never));
  const ends = Promise.allSettled(waiting);
  await memory.close();
  expect(await ends).toMatchObject([
    { status: "rejected", reason: { code: "storage_closed" } },
    { status: "rejected", reason: { code: "storage_closed" } },
  ]);
  await expect(watcher.moved(seen, LONG_MS, never)).rejects.toMatchObject({ code: "storage_closed" });
});
