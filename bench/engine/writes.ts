/**
 * What does durability cost? One remembered thing (journal, entry, vector, text and event in one transaction, indexes
 * live) against the barest thing SQLite can do with the same bytes: one row in one table, with the same promises on the
 * same disk. Then what batches save, and how many small changes a second the energy of memories may take.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { EntryId } from "../../src/base/ids.ts";
import { type Random, seededRandom } from "../../src/base/random.ts";
import { PUBLIC } from "../../src/base/scope.ts";
import type { Collection } from "../../src/collection/collection.ts";
import type { NewItem } from "../../src/collection/insert.ts";
import { mean, takeTurns } from "../measure.ts";
import { atLeast, figure, type Row } from "../report.ts";
import { type Bench, itemOf, openMemory } from "./bench.ts";

const SINGLES = 300;
const BATCH = 1000;
const BATCHES = 6;
const SINGLES_PER_BATCH = 10;
const TOUCH_COMMITS = 20;
const WARM_UP = 1;

export async function benchWrites(bench: Bench): Promise<Row[]> {
  const { manager, collection } = await openMemory(await bench.memoryFile());
  // Indexes that sleep would not have to be kept in step.
  await collection.stats();
  const rows = [...(await benchInserts(bench, collection)), await benchTouches(collection)];
  await manager.close();
  return rows;
}

async function benchInserts(bench: Bench, collection: Collection): Promise<Row[]> {
  const { corpus, size } = bench;
  const singles = Array.from({ length: SINGLES }, (_, i) => itemOf(corpus, size + i));
  const many = Array.from({ length: BATCHES + WARM_UP }, (_, batch) =>
    Array.from({ length: BATCH }, (_, i) => itemOf(corpus, 2 * size + batch * BATCH + i)),
  );
  const ours = {
    run: (task: number) => collection.insert(PUBLIC, singles[task % singles.length] ?? itemOf(corpus, task)),
  };
  const bare = await createBareTable(join(bench.folder, "bare.db"), itemOf(corpus, 0), collection);
  const alone = await takeTurns(SINGLES, 10, { bare: { run: bare.insert }, ours });
  const beside = await takeTurns(BATCHES, WARM_UP, {
    single: { ...ours, times: SINGLES_PER_BATCH },
    batch: { run: (task) => collection.insertMany(PUBLIC, many[task] ?? []) },
  });
  bare.close();
  return [
    {
      what: "single durable insert (journal, entry, vector, text, event), rate as a share of a bare one-row SQLite insert of the same bytes",
      value: alone("bare", mean) / alone("ours", mean),
      bar: atLeast(0.5, "×"),
      measured: `${figure(1000 / alone("ours", mean))} a second (${figure(alone("ours", mean))} ms), bare ${figure(1000 / alone("bare", mean))} a second (${figure(alone("bare", mean))} ms) for ${figure(bare.bytes)} bytes`,
    },
    {
      what: `insert in batches of ${figure(BATCH)}, entries per second against the single rate`,
      value: (BATCH * beside("single", mean)) / beside("batch", mean),
      bar: atLeast(6, "×"),
      measured: `${figure((1000 * BATCH) / beside("batch", mean))} a second, single ${figure(1000 / beside("single", mean))} a second`,
    },
  ];
}

/**
 * A sweep touches entries in the order of their ids; looks fall anywhere, and each then rewrites a page of its own. The
 * bar is for the sweep; the table tells both.
 */
async function benchTouches(collection: Collection): Promise<Row> {
  const random = seededRandom(3);
  const ids = await allIds(collection);
  const looks = (chosen: readonly EntryId[], task: number) =>
    chosen.map((id) => {
      const at = Date.now() + task;
      return { id, addAccess: 1, lastAccessAt: at, energyAnchor: { value: random.next(), at } };
    });
  const size = Math.min(BATCH, ids.length);
  const tasks = TOUCH_COMMITS + WARM_UP;
  const inOrder = Array.from({ length: tasks }, (_, task) => {
    const first = (task * size) % (ids.length - size + 1);
    return looks(ids.slice(first, first + size), task);
  });
  const scattered = Array.from({ length: tasks }, (_, task) => looks(pickDifferent(ids, size, random), task));
  // One after the other, not in turns: the pages that scattered looks leave behind would be written by the sweep.
  const touch = (commits: typeof inOrder) => ({
    touch: { run: (task: number) => collection.touch(PUBLIC, commits[task] ?? []) },
  });
  const sweepMs = (await takeTurns(TOUCH_COMMITS, WARM_UP, touch(inOrder)))("touch", mean);
  const lookMs = (await takeTurns(TOUCH_COMMITS, WARM_UP, touch(scattered)))("touch", mean);
  return {
    what: `small updates (access count, energy anchor) of neighbours, ${figure(BATCH)} per commit`,
    value: (1000 * size) / sweepMs,
    bar: atLeast(50_000, "per second"),
    measured: `${figure(sweepMs)} ms a commit with an event for each; scattered over ${figure(ids.length)} entries ${figure((1000 * size) / lookMs)} per second`,
  };
}

interface BareTable {
  readonly bytes: number;
  insert(): void;
  close(): void;
}

/** One table, one row, one transaction; WAL and synchronous FULL, as the memory itself has it. */
async function createBareTable(file: string, item: NewItem, collection: Collection): Promise<BareTable> {
  const id = await collection.insert(PUBLIC, item);
  const entry = JSON.stringify(await collection.get(PUBLIC, id));
  const turn = JSON.stringify(item.turn);
  const vector = new Uint8Array(item.vectors?.[0]?.values.buffer ?? new ArrayBuffer(0));
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY");
  database.exec("CREATE TABLE bare (id INTEGER PRIMARY KEY, turn TEXT, entry TEXT, vector BLOB)");
  const insert = database.prepare("INSERT INTO bare (turn, entry, vector) VALUES (?, ?, ?)");
  return {
    bytes: Buffer.byteLength(turn) + Buffer.byteLength(entry) + vector.length,
    insert: () => {
      insert.run(turn, entry, vector);
    },
    close: () => database.close(),
  };
}

async function allIds(collection: Collection): Promise<EntryId[]> {
  const ids: EntryId[] = [];
  for (;;) {
    const page = await collection.scan(PUBLIC, { after: ids.at(-1), limit: 4096 });
    for (const { id } of page) ids.push(id);
    if (page.length < 4096) return ids;
  }
}

function pickDifferent(ids: readonly EntryId[], count: number, random: Random): EntryId[] {
  const places = new Set<number>();
  while (places.size < count) places.add(Math.floor(random.next() * ids.length));
  return [...places].flatMap((place) => ids[place] ?? []);
}
