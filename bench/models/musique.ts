/** MuSiQue as retrieval: which passages support the answer to a question that needs two to four of them? */
import { join } from "node:path";
import { openDataset } from "../../src/lab/datasets/open-dataset.ts";
import { dot } from "../../src/math/cosine.ts";
import type { LocalEmbedder } from "../../src/models/local/local-embedder.ts";
import { cachedVectors } from "./cached-vectors.ts";
import { rank, recallAt } from "./recall.ts";

/** Recall at k in per cent. */
export async function scoreMusique(embedder: LocalEmbedder, folder: string): Promise<(k: number) => number> {
  const { cases } = await openDataset(`multihop=${join(folder, "multihop", "musique_train.json")}`);
  const turns = cases.flatMap((one) => one.turns);
  const questions = cases.flatMap((one) => one.questions);
  const places = new Map(turns.map(({ ref }, place) => [ref, place]));
  const documents = await cachedVectors(
    embedder,
    turns.map(({ text }) => text),
  );
  const queries = await cachedVectors(
    embedder,
    questions.map(({ text }) => text),
    { as: "query" },
  );
  const judged = questions.map(({ evidence }, i) => {
    const query = queries[i] ?? new Float32Array();
    const ranking = rank(documents.map((document) => dot(query, document)));
    return { relevant: new Set(evidence.flatMap((ref) => places.get(ref) ?? [])), ranking };
  });
  return (k) => recallAt(k, judged);
}
