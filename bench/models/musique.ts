/** MuSiQue as retrieval: which passages support the answer to a question that needs two to four of them? */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { dot } from "../../src/math/cosine.ts";
import type { LocalEmbedder } from "../../src/models/local/local-embedder.ts";
import { cachedVectors } from "./cached-vectors.ts";
import { rank, recallAt } from "./recall.ts";

const questionsSchema = z.array(
  z.object({
    question: z.string(),
    paragraphs: z.array(
      z.object({ title: z.string(), paragraph_text: z.string(), is_supporting: z.boolean() }),
    ),
  }),
);
const corpusSchema = z.array(z.object({ title: z.string(), text: z.string() }));

/** Recall at k in per cent. */
export async function scoreMusique(embedder: LocalEmbedder, folder: string): Promise<(k: number) => number> {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, "multihop", name), "utf8"));
  const questions = questionsSchema.parse(read("musique_train.json"));
  const passages = corpusSchema.parse(read("musique_train_corpus.json"));
  const places = new Map(passages.map(({ title, text }, place) => [`${title}\n${text}`, place]));
  const documents = await cachedVectors(
    embedder,
    passages.map(({ title, text }) => `${title}\n${text}`),
  );
  const queries = await cachedVectors(
    embedder,
    questions.map(({ question }) => question),
    { as: "query" },
  );
  const judged = questions.map(({ paragraphs }, i) => {
    const query = queries[i] ?? new Float32Array();
    const supporting = paragraphs
      .filter((one) => one.is_supporting)
      .flatMap((one) => places.get(`${one.title}\n${one.paragraph_text}`) ?? []);
    const ranking = rank(documents.map((document) => dot(query, document)));
    return { relevant: new Set(supporting), ranking };
  });
  return (k) => recallAt(k, judged);
}
