import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { where } from "../src/base/filter.ts";
import type { EntryId } from "../src/base/ids.ts";
import { seededRandom } from "../src/base/random.ts";
import { itemOf, type Mode, openNotes, SCOPE, SPACE } from "./fixtures/worker.ts";

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
async function expectWhole(file: string, acknowledged: readonly EntryId[]): Promise<void> {
  const { manager, notes } = await openNotes(file);
  const entries = await notes.scan(SCOPE, { limit: 1_000_000 });
  const stored = new Set(entries.map((entry) => entry.id));
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);

  const found = await notes.retrieve(SCOPE, { index: "words", text: "note", topK: 1_000_000 });
  expect(found.map((hit) => hit.id).sort()).toEqual([...stored].sort());
  const near = await notes.retrieve(SCOPE, {
    index: "meaning",
    vector: { space: SPACE, values: itemOf(1).vectors[0]!.values },
    topK: 1_000_000,
  });
  expect(near.map((hit) => hit.id).sort()).toEqual([...stored].sort());

  const batches = Map.groupBy(entries, (entry) => entry.metadata.batch);
  for (const [batch, members] of batches) if (batch !== undefined) expect(members).toHaveLength(20);
  await manager.close();

  const database = new DatabaseSync(file, { readOnly: true });
  const one = (sql: string): number => Number(Object.values(database.prepare(sql).get() ?? {})[0]);
  expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  expect(one("SELECT count(*) FROM memory_records WHERE id NOT IN (SELECT entry_id FROM vectors)")).toBe(0);
  expect(one("SELECT count(*) FROM memory_records WHERE id NOT IN (SELECT subject FROM events)")).toBe(0);
  expect(one("SELECT max(seq) <= (SELECT value FROM counters WHERE name = 'event') FROM events")).toBe(1);
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
    const acknowledged: EntryId[] = [];
    for (let kill = 1; kill <= kills; kill++) {
      const said = await runAndKill(file, mode, kill, random.next() * longestMs);
      acknowledged.push(...said.flatMap((line) => line.ids ?? []));
      expect(said.flatMap((line) => line.missed ?? [])).toEqual([]);
      if (kill % 5 === 0) await expectWhole(file, acknowledged);
    }
    expect(acknowledged.length).toBeGreaterThan(kills);
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
