/**
 * What does joining synonyms cost? Twenty thousand phrases of English words, in groups of five that mean about the same,
 * embedded by the built-in table, get their synonym edges from the trigger link_evolution of a real graph_memory on a
 * file: reading nodes and vectors, finding who is alike, writing the edges. Beside it, in the same run, the plain way:
 * every phrase against every later one, a loop over one typed array. That loop is timed on a sample of its rows and scaled
 * to all of them, for it takes minutes. Vectors of texts point much the same way, which is what makes them hard to hash:
 * so they are texts here, and no random numbers.
 */
import { readFileSync } from "node:fs";
import { systemClock } from "../../src/base/clock.ts";
import { seededRandom } from "../../src/base/random.ts";
import { parseScope } from "../../src/base/scope.ts";
import { silent } from "../../src/base/trace.ts";
import { CollectionManager } from "../../src/collection/collection-manager.ts";
import { oneSpace } from "../../src/models/local/embedder-set.ts";
import { findModelPackage } from "../../src/models/local/model-package.ts";
import { staticEmbedder } from "../../src/models/local/static-embedder.ts";
import type { Embedder } from "../../src/models/model.ts";
import {
  asEntityVector,
  ENTITY,
  entityIndexOf,
  GRAPH_INDEX,
  NAMES_INDEX,
} from "../../src/services/graph/entity.ts";
import { openGraphMemory } from "../../src/services/graph-memory.ts";
import { CONTENT, textField } from "../../src/services/vector-fields.ts";
import { openSqlite } from "../../src/storage/sqlite/sqlite-storage.ts";
import { atLeast, type Row } from "../report.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";

const PHRASES = 20_000;
/** Ways to say the same of two words. */
const FORMS: readonly ((one: string, other: string) => string)[] = [
  (one, other) => `${one} ${other}`,
  (one, other) => `the ${one} ${other}`,
  (one, other) => `${one} of ${other}`,
  (one, other) => `some ${one} and ${other}`,
  (one, other) => `${one} ${other} today`,
];
/** HippoRAG's. */
const THRESHOLD = 0.8;
const SAMPLED_ROWS = 200;
const SCOPE = parseScope("bench");

export interface SynonymEdgesResult {
  readonly phrases: number;
  readonly edges: number;
  readonly indexMs: number;
  /** Scaled from a sample of rows. */
  readonly allPairsMs: number;
  readonly ratio: number;
}

export async function benchSynonymEdges(): Promise<Row[]> {
  const { phrases, edges, indexMs, allPairsMs, ratio } = await measureSynonymEdges();
  return [
    {
      what: `synonym edges for ${phrases / 1000} k phrases, against all pairs`,
      value: ratio,
      bar: atLeast(20, "×"),
      measured: `${(indexMs / 1000).toFixed(1)} s for ${edges} edges, written; all pairs ${(allPairsMs / 1000).toFixed(0)} s to compare alone (scaled from ${SAMPLED_ROWS} rows)`,
    },
  ];
}

export function measureSynonymEdges(): Promise<SynonymEdgesResult> {
  return inTemporaryFolder(async (folder) => {
    const embedder = tableEmbedder();
    const phrases = phrasesOf(wordsOf());
    const vectors = await embedder.embed(phrases, { as: "document" });
    const storage = await openSqlite(`${folder}/synonyms.db`);
    const manager = new CollectionManager(storage);
    const service = await openBench(manager, embedder);
    const collection = await manager.get(service.collection);
    for (let start = 0; start < PHRASES; start += 1000) {
      await collection.insertMany(
        SCOPE,
        vectors.slice(start, start + 1000).map((values, n) => ({
          kind: ENTITY,
          content: phrases[start + n] ?? "",
          tags: [phrases[start + n] ?? ""],
          metadata: { name: phrases[start + n] ?? "" },
          indexes: [NAMES_INDEX, GRAPH_INDEX, entityIndexOf(embedder.id)],
          vectors: [asEntityVector({ space: embedder.id, values })],
        })),
      );
    }
    const config = {
      link_policy: "synonym_edge",
      knn_k: 10,
      threshold: THRESHOLD,
      synonym_merge: "add",
      edge_weight: 1,
    };
    const start = performance.now();
    const { edges } = await service.optimize(SCOPE, { trigger: "link_evolution", config });
    const indexMs = performance.now() - start;
    const allPairsMs = timeAllPairs(vectors);
    await manager.close();
    return { phrases: PHRASES, edges, indexMs, allPairsMs, ratio: allPairsMs / indexMs };
  });
}

function openBench(manager: CollectionManager, model: Embedder) {
  const embedder = oneSpace(model);
  const options = {
    ...{ collection_name: "phrases", top_k: 10, vitality: null, graph_type: "knowledge_graph" as const },
    ...{ edge_policy: "bidirectional" as const, link_mode: "none" as const, max_links: 10 },
    ...{ synonymy_threshold: THRESHOLD, retrieve_method: "ppr" as const, normaliser: "unicode" as const },
    ...{ enhanced_rerank: false, passage_edge_weight: 1, doc_ensemble: null },
    ppr: { damping: 0.5, epsilon: 1e-6, depth: null },
    seeds: { linking_top_k: 5, passage_node_weight: 0.05, link_threshold: 0.8, node_specificity: true },
    walk: { depth: 2, decay: 0.5 },
  };
  return openGraphMemory(options, {
    ...{ manager, embedder, clock: systemClock, trace: silent },
    fields: [textField(CONTENT, embedder.spaces)],
    thinking: { onBadReply: "throw" },
  });
}

function tableEmbedder(): Embedder {
  const model = findModelPackage("en");
  if (model === undefined) throw new Error("The package with the English table is not there");
  return staticEmbedder(model);
}

/** Whole words of the model's vocabulary. */
function wordsOf(): string[] {
  const file = new URL("../../packages/embed-en/vocab.txt", import.meta.url);
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((word) => /^[a-z]{4,}$/.test(word));
}

/** In no order that helps: the members of a group are far from each other. */
function phrasesOf(words: readonly string[]): string[] {
  const random = seededRandom(20);
  const word = (): string => words[Math.floor(random.next() * words.length)] ?? "";
  const pairs = Array.from({ length: PHRASES / FORMS.length }, () => [word(), word()] as const);
  return FORMS.flatMap((say) => pairs.map(([one, other]) => say(one, other)));
}

/** Row n meets the n rows before it, so rows spread evenly over all stand for all. */
function timeAllPairs(vectors: readonly Float32Array[]): number {
  const dimension = vectors[0]?.length ?? 0;
  const rows = new Float32Array(vectors.length * dimension);
  for (const [row, vector] of vectors.entries()) rows.set(vector, row * dimension);
  const step = vectors.length / SAMPLED_ROWS;
  let pairs = 0;
  let alike = 0;
  const start = performance.now();
  for (let row = step / 2; row < vectors.length; row += step) {
    for (let other = 0; other < row; other++) {
      let product = 0;
      for (let i = 0; i < dimension; i++)
        product += (rows[row * dimension + i] as number) * (rows[other * dimension + i] as number);
      if (product >= THRESHOLD) alike++;
      pairs++;
    }
  }
  const ms = performance.now() - start;
  if (alike === 0) throw new Error("The sample holds no synonyms: the phrases are not what they should be");
  return (ms * (vectors.length * (vectors.length - 1))) / 2 / pairs;
}
