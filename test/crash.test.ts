import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { where } from "../src/base/filter.ts";
import type { EntryId } from "../src/base/ids.ts";
import { seededRandom } from "../src/base/random.ts";
import type { Retrieval } from "../src/collection/retrieve.ts";
import { itemOf, type Mode, openNotes, REVISED, SCOPE } from "./fixtures/worker.ts";

const WORKER = join(import.meta.dirname, "fixtures", "worker.ts");
const random = seededRandom(20261115);
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "neuromem-crash-"));
});
afterAll(() => rm(folder, { recursive: true }));

interface Said {
  readonly ids?: EntryId[];
  readonly opened?: boolean;
  readonly missed?: EntryId;
  readonly moved?: EntryId;
  readonly updated?: EntryId;
}

/** Runs a worker and kills it `afterMs` after the moment the mode is about: opening, or working. */
function runAndKill(file: string, mode: Mode, seed: number, afterMs: number): Promise<Said[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [WORKER, file, mode, String(seed)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let errors = "";
    let armed = false;
    child.stdout.on("data", (chunk) => {
      out += chunk;
      if (!armed && (mode === "migrate" ? out !== "" : out.includes("opened"))) {
        armed = true;
        setTimeout(() => child.kill("SIGKILL"), afterMs);
      }
    });
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code !== null && code !== 0) reject(new Error(`the worker failed by itself: ${errors}`));
      // The last line may be cut by the kill: what was not said whole was not acknowledged.
      else
        resolve(
          out
            .split("\n")
            .slice(0, -1)
            .map((line) => JSON.parse(line) as Said),
        );
    });
  });
}

/** Everything acknowledged is there, nothing is half there, and the indexes say the same as the data. */
async function expectWhole(file: string, said: readonly Said[]): Promise<void> {
  const { manager, notes } = await openNotes(file);
  const entries = await notes.scan(SCOPE, { limit: 1_000_000 });
  const stored = new Map(entries.map((entry) => [entry.id, entry]));
  const updated = said.flatMap((line) => line.updated ?? []);
  expect(said.flatMap((line) => line.ids ?? []).filter((id) => !stored.has(id))).toEqual([]);
  expect(updated.filter((id) => !stored.get(id)?.content.endsWith(REVISED))).toEqual([]);

  const ask = async (request: Omit<Retrieval, "topK">) =>
    (await notes.retrieve(SCOPE, { ...request, topK: 1_000_000 })).map((hit) => hit.id).sort();
  expect(await ask({ index: "words", text: "note" })).toEqual([...stored.keys()].sort());
  expect(await ask({ index: "words", text: REVISED })).toEqual(
    entries
      .filter(({ content }) => content.endsWith(REVISED))
      .map(({ id }) => id)
      .sort(),
  );
  expect(await ask({ index: "meaning", vector: itemOf(1).vectors[0] })).toEqual([...stored.keys()].sort());
  const queued = await ask({ index: "recent" });
  const moved = new Set(said.flatMap((line) => line.moved ?? []));
  expect(queued.filter((id) => moved.has(id))).toEqual([]);
  expect(updated.filter((id) => !queued.includes(id))).toEqual([]);

  const batches = Map.groupBy(entries, (entry) => entry.metadata.batch);
  for (const [batch, members] of batches) if (batch !== undefined) expect(members).toHaveLength(20);
  await manager.close();
  expectTablesAgree(file, queued);
}

/** The tables themselves: every entry has its vector, its event and the turn it came from, and nothing dangles. */
function expectTablesAgree(file: string, queued: readonly EntryId[]): void {
  const database = new DatabaseSync(file, { readOnly: true });
  const one = (sql: string): number => Number(Object.values(database.prepare(sql).get() ?? {})[0]);
  expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  expect(one("SELECT count(*) FROM memory_records WHERE id NOT IN (SELECT entry_id FROM vectors)")).toBe(0);
  expect(one("SELECT count(*) FROM memory_records WHERE id NOT IN (SELECT subject FROM events)")).toBe(0);
  expect(one("SELECT max(seq) <= (SELECT value FROM counters WHERE name = 'event') FROM events")).toBe(1);
  const members = database
    .prepare(
      `SELECT entry_id FROM memberships JOIN indexes ON number = index_number
        WHERE name = 'recent' ORDER BY entry_id`,
    )
    .all();
  expect(members.map((row) => row.entry_id)).toEqual(queued);
  const cited = "SELECT json_extract(sources, '$[0]') AS id FROM memory_records WHERE sources <> '[]'";
  expect(one(`SELECT count(*) FROM turns WHERE id NOT IN (${cited})`)).toBe(0);
  expect(one(`SELECT count(*) FROM (${cited}) WHERE id NOT IN (SELECT id FROM turns)`)).toBe(0);
  const numbered = "max(seq) = count(*) AND count(*) = (SELECT value FROM counters WHERE name = 'turn')";
  expect(one(`SELECT count(*) = 0 OR (${numbered}) FROM turns`)).toBe(1);
  database.close();
}

for (const [mode, kills, longestMs] of [
  ["single", 15, 120],
  ["batch", 15, 120],
  ["index", 15, 200],
] as const) {
  test(`killed ${kills} times during ${mode} writes: every acknowledged write is there`, {
    timeout: 240_000,
  }, async () => {
    const file = join(folder, `${mode}.db`);
    const all: Said[] = [];
    for (let kill = 1; kill <= kills; kill++) {
      const said = await runAndKill(file, mode, kill, random.next() * longestMs);
      all.push(...said);
      expect(said.flatMap((line) => line.missed ?? [])).toEqual([]);
      if (kill % 5 === 0) await expectWhole(file, all);
    }
    expect(all.flatMap((line) => line.ids ?? []).length).toBeGreaterThan(kills);
    if (mode === "index") {
      expect(all.filter((line) => line.moved).length).toBeGreaterThan(0);
      expect(all.filter((line) => line.updated).length).toBeGreaterThan(0);
    }
  });
}

test("killed 15 times while a new file is made: the next opening finishes the work", {
  timeout: 120_000,
}, async () => {
  for (let kill = 1; kill <= 15; kill++) {
    const file = join(folder, `migrate-${kill}.db`);
    await runAndKill(file, "migrate", kill, random.next() * 30);
    const { manager, notes } = await openNotes(file);
    const id = await notes.insert(SCOPE, itemOf(1));
    expect(await notes.scan(SCOPE, { filter: where.eq("id", id) })).toHaveLength(1);
    await manager.close();
  }
});
