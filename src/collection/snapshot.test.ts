import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Clock, manualClock } from "../base/clock.ts";
import { MemoryError } from "../base/errors.ts";
import { parseScope } from "../base/scope.ts";
import type { TraceEvent } from "../base/trace.ts";
import { openInMemory } from "../storage/memory.ts";
import type { SnapshotStore } from "../storage/snapshot-store.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import type { Storage } from "../storage/storage.ts";
import type { Collection } from "./collection.ts";
import { CollectionManager } from "./collection-manager.ts";

const ALICE = parseScope("alice");
const WORDS = { name: "words", kind: "text_bm25", options: {} } as const;
const QUEUE = { name: "queue", kind: "fifo", options: { capacity: 5 } } as const;
const BOTH = ["notes/queue", "notes/words"];

/** A place for snapshots that several memories may share, as files of mixed-up folders would be. */
class SharedSnapshots implements SnapshotStore {
  readonly kept = new Map<string, Uint8Array>();
  full = false;

  async read(name: string): Promise<Uint8Array | undefined> {
    return this.kept.get(name);
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    if (this.full) throw new MemoryError("storage_io", "No space. Valid: more space.");
    this.kept.set(name, bytes);
  }

  async remove(name: string): Promise<void> {
    this.kept.delete(name);
  }

  get names(): string[] {
    return [...this.kept.keys()].sort();
  }
}

async function openWith(snapshots: SnapshotStore, clock?: Clock): Promise<Storage> {
  return { ...(await openInMemory({ clock })), snapshots };
}

function listen(storage: Storage): { manager: CollectionManager; types: () => TraceEvent["type"][] } {
  const heard: TraceEvent[] = [];
  const manager = new CollectionManager(storage, { trace: (event) => heard.push(event) });
  const told = new Set<TraceEvent["type"]>(["snapshot-load", "index-rebuild", "warning-raise"]);
  return { manager, types: () => heard.map(({ type }) => type).filter((type) => told.has(type)) };
}

async function newNotes(storage: Storage): Promise<{ manager: CollectionManager; notes: Collection }> {
  const manager = new CollectionManager(storage);
  return { manager, notes: await manager.create({ name: "notes", profile: "kv", indexes: [WORDS, QUEUE] }) };
}

const contents = async (notes: Collection, text: string): Promise<string[]> =>
  (await notes.retrieve(ALICE, { index: "words", text })).map((hit) => hit.content);

test("[S0-48] store, storeAll, unload and close save every index, also one that was never asked", async () => {
  for (const save of [
    (_: CollectionManager, notes: Collection) => notes.store(),
    (manager: CollectionManager) => manager.storeAll(),
    (manager: CollectionManager) => manager.unload("notes"),
    (manager: CollectionManager) => manager.close(),
  ]) {
    const snapshots = new SharedSnapshots();
    const { manager, notes } = await newNotes(await openWith(snapshots));
    await notes.insert(ALICE, { content: "coffee" });
    expect(await contents(notes, "coffee")).toEqual(["coffee"]);
    await save(manager, notes);
    expect(snapshots.names).toContain("notes/words");
  }
  const snapshots = new SharedSnapshots();
  const storage = await openWith(snapshots);
  const { notes } = await newNotes(storage);
  await notes.insert(ALICE, { content: "coffee" });
  await notes.store();
  expect(snapshots.names).toEqual(BOTH);
  const again = listen(storage);
  expect(await contents(await again.manager.get("notes"), "coffee")).toEqual(["coffee"]);
  expect(again.types()).toEqual(["snapshot-load"]);
  await again.manager.close();
});

test("a snapshot of another memory is passed over, though everything else about it fits", async () => {
  const snapshots = new SharedSnapshots();
  const clock = manualClock(0);
  const mine = await newNotes(await openWith(snapshots, clock));
  await mine.notes.insert(ALICE, { content: "coffee" });
  await mine.notes.store();
  const other = await openWith(snapshots, clock);
  await (await newNotes(other)).notes.insert(ALICE, { content: "tea" });
  const { manager, types } = listen(other);
  expect(await contents(await manager.get("notes"), "tea")).toEqual(["tea"]);
  expect(types()).toEqual(["warning-raise", "index-rebuild"]);
  await manager.close();
});

test("a snapshot of an index with another number or other options is passed over", async () => {
  const snapshots = new SharedSnapshots();
  const storage = await openWith(snapshots);
  const { notes } = await newNotes(storage);
  await notes.insert(ALICE, { content: "coffee" });
  await notes.store();
  const kept = new Map(snapshots.kept);
  await notes.deleteIndex("words");
  await notes.createIndex(WORDS);
  for (const [name, bytes] of kept) snapshots.kept.set(name, bytes);
  const renumbered = listen(storage);
  expect(await contents(await renumbered.manager.get("notes"), "coffee")).toEqual([]);
  expect(renumbered.types()).toEqual(["warning-raise", "index-rebuild"]);

  const records = await storage.collections();
  const collections = async () =>
    records.map((record) => ({
      ...record,
      indexes: record.indexes.map((index) =>
        index.name === QUEUE.name ? { ...index, options: { capacity: 6 } } : index,
      ),
    }));
  const reconfigured = listen({ ...storage, collections });
  await (await reconfigured.manager.get("notes")).retrieve(ALICE, { index: "queue" });
  expect(reconfigured.types()).toEqual(["warning-raise", "index-rebuild"]);
  await reconfigured.manager.close();
});

test("a text index made before it had all of today's options opens, its snapshot too, whoever leaves them unsaid", async () => {
  const snapshots = new SharedSnapshots();
  const storage = await openWith(snapshots);
  const earlier = { field: "content", k1: 1.2, b: 0.75 };
  await storage.putCollection("notes", "kv", [{ ...WORDS, options: earlier }]);
  const description = { name: "notes", profile: "kv" } as const;
  const notes = await new CollectionManager(storage).open({ ...description, indexes: [WORDS] });
  await notes.insert(ALICE, { content: "喝茶 coffee" });
  await notes.store();
  for (const options of [{}, earlier]) {
    const { manager, types } = listen(storage);
    const again = await manager.open({ ...description, indexes: [{ ...WORDS, options }] });
    expect(await contents(again, "喝茶")).toEqual(["喝茶 coffee"]);
    expect(types()).toEqual(["snapshot-load"]);
    expect((await again.listIndexes())[0]?.options).toEqual(earlier);
  }
});

test("a snapshot of a history that was undone by restoring an older copy is passed over", async () => {
  const folder = await mkdtemp(join(tmpdir(), "neuromem-"));
  const [file, copy] = [join(folder, "memory.db"), join(folder, "copy.db")];
  const clock = manualClock(1000);
  const reopened = async () => {
    const { manager, types } = listen(await openSqlite(file, { clock }));
    return { manager, types, notes: await manager.get("notes") };
  };
  const first = await newNotes(await openSqlite(file, { clock }));
  await first.notes.insert(ALICE, { content: "kept" });
  await first.manager.close();
  await copyFile(file, copy);
  const undo = async (content: string): Promise<void> => {
    const { manager, notes } = await reopened();
    await notes.insert(ALICE, { content });
    expect(await contents(notes, content)).toEqual([content]);
    await notes.store();
    await manager.close();
    await copyFile(copy, file);
  };

  // Fewer events than the snapshot has seen, the last of both of the same moment.
  await undo("coffee");
  const shorter = await reopened();
  expect(await contents(shorter.notes, "kept")).toEqual(["kept"]);
  expect(shorter.types()).toEqual(["index-rebuild"]);
  await shorter.manager.close();

  // As many events as the snapshot has seen, of another moment.
  await undo("tea");
  clock.advance(1000);
  const other = await reopened();
  await other.notes.insert(ALICE, { content: "milk" });
  expect(await contents(other.notes, "milk")).toEqual(["milk"]);
  expect(other.types()).toEqual(["index-rebuild"]);
  await other.manager.close();
  await rm(folder, { recursive: true });
});

test("a memory closes though no snapshot can be written, and says so", async () => {
  const snapshots = new SharedSnapshots();
  const { manager, types } = listen(await openWith(snapshots));
  const notes = await manager.create({ name: "notes", profile: "kv", indexes: [WORDS] });
  await notes.insert(ALICE, { content: "coffee" });
  await contents(notes, "coffee");
  snapshots.full = true;
  await expect(notes.store()).rejects.toMatchObject({ code: "storage_io" });
  await manager.close();
  expect(types()).toContain("warning-raise");
  await expect(notes.scan(ALICE)).rejects.toMatchObject({ code: "storage_closed" });
});
