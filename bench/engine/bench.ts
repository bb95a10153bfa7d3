/**
 * What do the sections of this benchmark share? A temporary folder that is gone afterwards, whatever happens, and one
 * memory of `size` entries in it, built by the first section that asks and used by all.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PUBLIC } from "../../src/base/scope.ts";
import type { Trace } from "../../src/base/trace.ts";
import type { Collection } from "../../src/collection/collection.ts";
import { CollectionManager } from "../../src/collection/collection-manager.ts";
import type { NewItem } from "../../src/collection/insert.ts";
import type { Retrieval } from "../../src/collection/retrieve.ts";
import { openSqlite } from "../../src/storage/sqlite/sqlite-storage.ts";
import { type Corpus, createCorpus, DIMENSION, SPACE } from "./corpus.ts";

export interface Bench {
  /** Entries, or nodes, of the main measurements. */
  readonly size: number;
  readonly corpus: Corpus;
  readonly folder: string;
  /** The file of a memory of `size` entries, closed, with its snapshots beside it. */
  memoryFile(): Promise<string>;
  /** Tells whoever watches what is going on. */
  note(line: string): void;
}

export interface OpenMemory {
  readonly manager: CollectionManager;
  readonly collection: Collection;
  /** What the index itself took of a retrieval: all but the reading of the entries it found. */
  indexMs(retrieval: Retrieval): Promise<number>;
}

const BATCH = 1000;

export function createBench(size: number): Bench & { cleanUp(): void } {
  const folder = mkdtempSync(join(tmpdir(), "neuromem-bench-"));
  const corpus = createCorpus();
  const note = (line: string): void => {
    process.stderr.write(`${line}\n`);
  };
  let built: Promise<string> | undefined;
  return {
    size,
    corpus,
    folder,
    note,
    memoryFile() {
      built ??= buildMemory(join(folder, "memory.db"), size, corpus, note);
      return built;
    },
    cleanUp: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export async function openMemory(file: string): Promise<OpenMemory> {
  let ms = Number.NaN;
  const trace: Trace = (event) => {
    if (event.type === "index-query") ms = event.ms;
  };
  const manager = new CollectionManager(await openSqlite(file), { trace });
  const collection = await manager.get("bench");
  const indexMs = async (retrieval: Retrieval): Promise<number> => {
    await collection.retrieve(PUBLIC, retrieval);
    return ms;
  };
  return { manager, collection, indexMs };
}

/** What is remembered as the n-th: a turn of the journal, and an entry made of it with a vector. */
export function itemOf(corpus: Corpus, n: number): NewItem {
  const content = corpus.text(n);
  return {
    content,
    metadata: { n },
    vectors: [{ space: SPACE, values: corpus.vector(n) }],
    turn: { session: "bench", speaker: "user", role: "user", text: content },
  };
}

async function buildMemory(
  file: string,
  size: number,
  corpus: Corpus,
  note: (line: string) => void,
): Promise<string> {
  const start = performance.now();
  const manager = new CollectionManager(await openSqlite(file));
  const collection = await manager.create({
    name: "bench",
    profile: "hybrid",
    indexes: [
      { name: "text", kind: "text_bm25", options: {} },
      { name: "vector", kind: "vector_flat", options: { space: SPACE, dimension: DIMENSION } },
    ],
  });
  // Wakes the indexes, so that they grow with the inserts instead of being read back at the end.
  await collection.stats();
  for (let first = 0; first < size; first += BATCH) {
    const count = Math.min(BATCH, size - first);
    await collection.insertMany(
      PUBLIC,
      Array.from({ length: count }, (_, i) => itemOf(corpus, first + i)),
    );
  }
  await manager.close();
  note(`built a memory of ${size} entries in ${Math.round(performance.now() - start)} ms`);
  return file;
}
