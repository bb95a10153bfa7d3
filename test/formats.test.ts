/** Memory files of older formats: opened, lifted and whole. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseScope } from "../src/base/scope.ts";
import { CollectionManager } from "../src/collection/collection-manager.ts";
import { openSqlite } from "../src/storage/sqlite/sqlite-storage.ts";
import type { Storage } from "../src/storage/storage.ts";

const ALICE = parseScope("alice");
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-formats-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function fileOf(format: number): Promise<string> {
  const path = join(folder, "memory.db");
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  database.exec(await readFile(join(import.meta.dirname, "fixtures", `format-${format}.sql`), "utf8"));
  database.close();
  return path;
}

test("a file of format 1 keeps its entries; what hung on entries that are gone is set right", async () => {
  const path = await fileOf(1);
  for (const _ of ["lifts the format", "finds it lifted"]) {
    const storage = await openSqlite(path);
    const manager = new CollectionManager(storage);
    const notes = await manager.get("notes");
    const contents = async (text: string) =>
      (await notes.retrieve(ALICE, { index: "words", text })).map(({ content }) => content);
    expect(await contents("Mia")).toEqual(["Mia plays the violin"]);
    expect(await contents("北京")).toEqual(["米娅住在北京"]);
    const newest = await notes.newest(ALICE, { limit: 9 });
    expect(newest.map(({ content, tags }) => [content, tags])).toEqual([
      ["Everybody drinks tea", []],
      ["米娅住在北京", []],
      ["Mia plays the violin", []],
      ["Mia lives in Berlin", ["home"]],
    ]);
    const [berlin] = newest.slice(-1);
    expect(berlin?.supersededBy).toBe(newest[1]?.id);
    await expectWork(storage, berlin?.id ?? "");
    await manager.close();
  }
});

async function expectWork(storage: Storage, about: string): Promise<void> {
  const jobs = await storage.jobs.list(ALICE, {});
  expect(jobs.map(({ kind, subject, state }) => [kind, subject, state])).toEqual([
    ["compress", null, "waiting"],
    ["work:notes", about, "waiting"],
  ]);
}
