import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Ask } from "./fixtures/peer.ts";
import { openNotes, SCOPE } from "./fixtures/worker.ts";

const PEER = join(import.meta.dirname, "fixtures", "peer.ts");
let folder = "";
let file = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-two-"));
  file = join(folder, "memory.db");
});
afterEach(() => rm(folder, { recursive: true }));

async function start(): Promise<ChildProcess> {
  const child = fork(PEER, [file], { execArgv: [] });
  await once(child, "message");
  return child;
}

async function ask(child: ChildProcess, request: Ask): Promise<number> {
  child.send(request);
  const [reply] = (await once(child, "message")) as [{ answer?: number; error?: string }];
  if (reply.answer === undefined) throw new Error(reply.error);
  return reply.answer;
}

test("two processes write and search one file: no write is lost, each finds the other's", {
  timeout: 60_000,
}, async () => {
  const { manager } = await openNotes(file);
  await manager.close();
  const [a, b] = await Promise.all([start(), start()]);
  await Promise.all([
    ask(a, { do: "insert", name: "anna", count: 150 }),
    ask(b, { do: "insert", name: "ben", count: 150 }),
  ]);
  expect(await ask(a, { do: "search", text: "ben" })).toBe(150);
  expect(await ask(b, { do: "search", text: "anna" })).toBe(150);
  expect(await ask(a, { do: "search", text: "shared" })).toBe(300);
  await Promise.all([ask(a, { do: "close" }), ask(b, { do: "close" })]);
  const { manager: third, notes } = await openNotes(file);
  expect(await notes.scan(SCOPE, { limit: 1000 })).toHaveLength(300);
  await third.close();
});

test("an index made by one process is joined by the other's next insert", { timeout: 60_000 }, async () => {
  const { manager, notes } = await openNotes(file);
  await notes.insert(SCOPE, { content: "shared before" });
  const peer = await start();
  await ask(peer, { do: "create-index", name: "log" });
  await notes.insert(SCOPE, { content: "shared after" });
  expect(await notes.retrieve(SCOPE, { index: "log" })).toHaveLength(2);
  await ask(peer, { do: "close" });
  await manager.close();
});

test("a torn, foreign or missing snapshot only costs a rebuild", async () => {
  const count = async (): Promise<number> => {
    const { manager, notes } = await openNotes(file);
    const found = (await notes.retrieve(SCOPE, { index: "words", text: "shared", topK: 1000 })).length;
    await notes.store();
    await manager.close();
    return found;
  };
  const { manager, notes } = await openNotes(file);
  await notes.insertMany(
    SCOPE,
    Array.from({ length: 100 }, (_, n) => ({ content: `shared ${n}` })),
  );
  await manager.close();
  expect(await count()).toBe(100);
  const snapshots = join(`${file}-indexes`, "notes");
  expect(await readdir(snapshots)).toContain("words.snapshot");
  await truncate(join(snapshots, "words.snapshot"), 100);
  expect(await count()).toBe(100);
  await writeFile(join(snapshots, "words.snapshot"), "something else");
  expect(await count()).toBe(100);
  await rm(snapshots, { recursive: true });
  expect(await count()).toBe(100);
});
