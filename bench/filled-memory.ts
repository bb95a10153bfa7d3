/**
 * A memory file with many memories, made quickly: in batches, through the collection that the design uses, then opened as a
 * user would. The vectors of the questions are known beforehand, so what is measured holds no time of embedding.
 */
import { parseScope } from "../src/base/scope.ts";
import { CollectionManager } from "../src/collection/collection-manager.ts";
import { type EmbedderSet, oneSpace } from "../src/models/local/embedder-set.ts";
import { Memory } from "../src/runtime/memory.ts";
import { openSqlite } from "../src/storage/sqlite/sqlite-storage.ts";
import { type Corpus, DIMENSION, SPACE } from "./engine/corpus.ts";

export const SCOPE = "bench";
export const QUESTIONS = 50;
const BATCH = 1000;
/** Memories of one session: what stands around one counts, too. */
const SESSION = 20;

interface Vectors {
  readonly space: string;
  /** Of the memory that will be opened; undefined: the built-in one. */
  readonly embedder?: EmbedderSet;
}

export async function fillFile(
  file: string,
  corpus: Corpus,
  entries: number,
  { space, embedder }: Vectors = { space: SPACE, embedder: questionsOf(corpus) },
): Promise<void> {
  const empty = await Memory.open({ path: file, scope: SCOPE, embedder });
  const { collection } = await empty.status();
  await empty.close();
  const manager = new CollectionManager(await openSqlite(file));
  const memories = await manager.get(collection);
  for (let start = 0; start < entries; start += BATCH) {
    await memories.insertMany(
      parseScope(SCOPE),
      Array.from({ length: BATCH }, (_, n) => ({
        content: corpus.text(start + n),
        metadata: { session: `s${Math.floor((start + n) / SESSION)}` },
        vectors: [{ space, values: corpus.vector(start + n) }],
      })),
    );
  }
  await manager.close();
}

export function openFilled(file: string, corpus: Corpus): Promise<Memory> {
  return Memory.open({ path: file, scope: SCOPE, embedder: questionsOf(corpus) });
}

export function questionOf(corpus: Corpus, n: number): string {
  return `${corpus.commonWords(n, 4)} ${corpus.text(n).split(" ").slice(0, 4).join(" ")}`;
}

/** Knows the questions' vectors and no others. */
export function questionsOf(corpus: Corpus): EmbedderSet {
  const known = new Map(
    Array.from({ length: QUESTIONS }, (_, n) => [questionOf(corpus, n), corpus.question(n)] as const),
  );
  return oneSpace({
    id: SPACE,
    provider: "bench",
    dimension: DIMENSION,
    maxBatch: 1000,
    embed: async (texts) =>
      texts.map((text) => known.get(text) ?? new Float32Array(DIMENSION).fill(1 / Math.sqrt(DIMENSION))),
  });
}
