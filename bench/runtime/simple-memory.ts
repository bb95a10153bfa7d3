/**
 * What does a recall by tags take? A hundred thousand memories under twenty thousand tags, English and Chinese, in a file;
 * queries are pieces of chat of 50 to 500 characters. Tags are as unevenly common as names and topics are: one is on one
 * memory in seven, most are on a handful. Looks are counted as always: each recall ends with a durable write.
 */
import { type Random, seededRandom } from "../../src/base/random.ts";
import { parseScope } from "../../src/base/scope.ts";
import { CollectionManager } from "../../src/collection/collection-manager.ts";
import type { NewItem } from "../../src/collection/insert.ts";
import { openMemoryRuntime, type RuntimeRequest } from "../../src/runtime/index.ts";
import { openSqlite } from "../../src/storage/sqlite/sqlite-storage.ts";
import { leastDisturbed, median } from "../measure.ts";
import { inTemporaryFolder } from "../pipeline/temporary-folder.ts";
import { atMost, figure, type Row } from "../report.ts";
import { chatAbout, makeTags } from "./tagged-chat.ts";

const MEMORIES = 100_000;
const TAGS = 20_000;
const BATCH = 1000;
const QUERIES = 100;
const REPEATS = 3;
/** Whose memories they are: nine in ten of the one that asks, the rest public and another's, which must not be seen. */
const SCOPES = ["mia", "public", "ben"] as const;
const TYPES = ["knowledge", "event", "skill", "task", "emotional"];
/** Mandelbrot's offset: how flat the top of the list is. */
const OFFSET = 2.7;

export function simpleMemory(): Promise<Row[]> {
  return inTemporaryFolder(async (folder) => {
    const path = `${folder}/simple-memory.db`;
    const tags = makeTags(TAGS);
    await fill(path, tags);
    const requests: RuntimeRequest[] = [];
    const runtime = await openMemoryRuntime({
      enable_simple_memory: true,
      path,
      log: (line) => void (line.event === "request-done" && requests.push(line)),
    });
    const random = seededRandom(7);
    const queries = Array.from({ length: QUERIES }, (_, n) =>
      chatAbout(pickTags(random, tags, 4 + (n % 6)), n),
    );
    // The first question wakes the index.
    await runtime.recall("mia", queries[0] ?? "");
    requests.length = 0;
    const all: number[] = [];
    const value = await leastDisturbed(QUERIES, REPEATS, async (task) => {
      const start = performance.now();
      await runtime.recall("mia", queries[task] ?? "");
      all.push(performance.now() - start);
    });
    await runtime.close();
    const of = (pick: (line: RuntimeRequest) => number): string => figure(median(requests.map(pick)));
    const letters = figure(median(queries.map(({ length }) => length)));
    const slow = figure(all.toSorted((a, b) => a - b)[Math.floor(0.95 * all.length)] ?? Number.NaN);
    const plain = figure(median(all));
    return [
      {
        what: "SimpleMemory recall, 100 k memories, 20 k tags, p50",
        value,
        bar: atMost(10, "ms"),
        measured: `${QUERIES} chats of 50 to 500 characters (median ${letters}), median ${of(({ candidates }) => candidates)} candidates, ${of(({ returned }) => returned)} returned, search ${of(({ search_ms }) => search_ms)} ms; all tries p50 ${plain} ms, p95 ${slow} ms; looks written`,
      },
    ];
  });
}

/** In batches, through the collection that the design uses. */
async function fill(path: string, tags: readonly string[]): Promise<void> {
  const runtime = await openMemoryRuntime({ enable_simple_memory: true, path });
  await runtime.close();
  const manager = new CollectionManager(await openSqlite(path));
  const memories = await manager.get("simple_memory");
  const random = seededRandom(3);
  for (let start = 0; start < MEMORIES; start += BATCH) {
    const scope = SCOPES[start % (10 * BATCH) === 0 ? 1 + ((start / BATCH) % 20 === 0 ? 1 : 0) : 0];
    await memories.insertMany(
      parseScope(scope),
      Array.from({ length: BATCH }, (_, n) => memory(start + n, random, tags)),
    );
  }
  await manager.close();
}

function memory(n: number, random: Random, tags: readonly string[]): NewItem {
  const own = pickTags(random, tags, 3 + (n % 4));
  return {
    content: `Memory ${n}: ${own.join(", ")}.`,
    rationale: `It was said in talk ${n % 997}.`,
    kind: TYPES[n % TYPES.length] ?? "knowledge",
    strength: 1 + Math.floor(20 * random.next()),
    tags: own,
  };
}

/** Different ones, by Zipf's law: what many memories are about is also what is talked about. */
function pickTags(random: Random, tags: readonly string[], count: number): string[] {
  const picked = new Set<string>();
  while (picked.size < count) {
    const rank = Math.floor(OFFSET * ((tags.length + OFFSET) / OFFSET) ** random.next() - OFFSET);
    picked.add(tags[rank] ?? "");
  }
  return [...picked];
}
