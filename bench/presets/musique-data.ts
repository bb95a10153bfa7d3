/** MuSiQue-train with what a model once read out of its passages, and that recording as a model and as an embedder. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type EmbedderSet, oneSpace } from "../../src/models/local/embedder-set.ts";
import type { LocalEmbedder } from "../../src/models/local/local-embedder.ts";
import type { ChatModel } from "../../src/models/model.ts";
import { factText } from "../../src/services/graph/fact.ts";
import { knowledgeOf } from "../../src/services/graph/triples.ts";
import { cachedVectors } from "../models/cached-vectors.ts";

const RECORDING = "openie_musique_train_results_ner_gpt-3.5-turbo-1106_1890.json";

const documentsSchema = z.object({
  docs: z.array(
    z.object({
      title: z.string(),
      passage: z.string(),
      extracted_entities: z.array(z.string()),
      /** Some are no triples. */
      extracted_triples: z.array(z.array(z.string())),
    }),
  ),
});
const questionsSchema = z.array(
  z.object({
    question: z.string(),
    paragraphs: z.array(
      z.object({ title: z.string(), paragraph_text: z.string(), is_supporting: z.boolean() }),
    ),
  }),
);

export type RecordedDocument = z.infer<typeof documentsSchema>["docs"][number];

export interface Musique {
  readonly documents: readonly RecordedDocument[];
  /** Passage → its place. */
  readonly places: ReadonlyMap<string, number>;
  readonly questions: readonly { readonly text: string; readonly relevant: ReadonlySet<number> }[];
}

export function loadMusique(dataFolder: string): Musique {
  // The program that recorded it wrote averages of nothing as NaN, which JSON does not know.
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(join(dataFolder, "multihop", name), "utf8").replaceAll(": NaN", ": null"));
  const { docs: documents } = documentsSchema.parse(read(RECORDING));
  const places = new Map(documents.map(({ passage }, place) => [passage, place]));
  const questions = questionsSchema.parse(read("musique_train.json")).map(({ question, paragraphs }) => ({
    text: question,
    relevant: new Set(
      paragraphs
        .filter((one) => one.is_supporting)
        .flatMap((one) => places.get(`${one.title}\n${one.paragraph_text}`) ?? []),
    ),
  }));
  return { documents, places, questions };
}

/** Answers for one passage after the other: names, then triples, as the presets ask. */
export function recordedModel({ documents }: Musique): ChatModel {
  let place = -1;
  const answer = (task: string | undefined, prompt: string): unknown => {
    if (task === "extract_entities") place++;
    const document = documents[place];
    if (document === undefined || !prompt.includes(document.title.slice(0, 8)))
      throw new Error(`The recording has no answer for ${task} at passage ${place}`);
    if (task === "extract_entities") return { entities: document.extracted_entities };
    if (task === "extract_triples") return { triples: document.extracted_triples };
    throw new Error(`The recording has no answers for ${task}`);
  };
  return {
    id: "gpt-3.5-turbo-1106",
    provider: "recording",
    json: "schema",
    async generate({ messages, shape }) {
      const prompt = JSON.stringify(messages);
      const text = JSON.stringify(answer(shape?.name, prompt));
      return { text, toolCalls: [], finish: "stop", usage: { inputTokens: 0, outputTokens: 0 } };
    },
  };
}

/** The embedder, with what the presets will have embedded made before and kept from run to run. */
export async function recordedEmbedder(
  { documents }: Musique,
  local: LocalEmbedder,
  say: (line: string) => void,
): Promise<EmbedderSet> {
  const texts = new Set<string>();
  for (const { passage, extracted_triples } of documents) {
    const triples = extracted_triples.flatMap(([subject, relation, object, ...more]) =>
      subject === undefined || relation === undefined || object === undefined || more.length > 0
        ? []
        : [{ subject, relation, object }],
    );
    const { names, facts } = knowledgeOf({ triples });
    for (const text of [passage, ...names.values(), ...facts.map(factText)]) texts.add(text);
  }
  const list = [...texts];
  const onProgress = (done: number, total: number): void => {
    if (done % 8192 === 0) say(`${done} of ${total} texts embedded`);
  };
  const vectors = await cachedVectors(local, list, { onProgress });
  const known = new Map(list.map((text, place) => [text, vectors[place]]));
  return oneSpace({
    id: local.id,
    provider: local.provider,
    dimension: local.dimension,
    maxBatch: local.maxBatch,
    async embed(asked, options = {}) {
      const missing = options.as === "query" ? [...asked] : asked.filter((text) => !known.has(text));
      const made = missing.length === 0 ? [] : await local.embed(missing, options);
      const fresh = new Map(missing.map((text, place) => [text, made[place]]));
      return asked.map((text) => fresh.get(text) ?? known.get(text) ?? new Float32Array(local.dimension));
    },
  });
}
