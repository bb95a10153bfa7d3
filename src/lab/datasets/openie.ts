/**
 * Names and triples that a model once read out of a corpus, as HippoRAG recorded them: the same for everybody who compares
 * designs, and without a model. A triple that has not three parts says nothing and is left out.
 */
import { z } from "zod";
import { parseInput } from "../../base/parse-input.ts";
import type { RecordedKnowledge } from "../dataset.ts";
import type { LeftOut } from "./left-out.ts";
import type { DataFile } from "./loaded.ts";
import type { Corpus } from "./multihop-corpus.ts";

const schema = z.object({
  docs: z.array(
    z.object({
      passage: z.string(),
      extracted_entities: z.array(z.unknown()),
      extracted_triples: z.array(z.unknown()),
    }),
  ),
});
const tripleSchema = z.tuple([z.string(), z.string(), z.string()]);

export function readRecording(
  { path, value }: DataFile,
  corpus: Corpus,
  leftOut: LeftOut,
): Map<string, RecordedKnowledge> {
  const recorded = new Map<string, RecordedKnowledge>();
  for (const document of parseInput(schema, value, `recording ${path}`).docs) {
    const ref = corpus.refOfWhole(document.passage);
    if (ref === undefined) {
      leftOut.add("recorded passages that are not in the corpus");
      continue;
    }
    const triples = document.extracted_triples
      .map((triple) => tripleSchema.safeParse(triple).data)
      .filter((triple) => triple !== undefined);
    leftOut.add(
      "recorded triples that have not three parts",
      document.extracted_triples.length - triples.length,
    );
    recorded.set(ref, {
      entities: document.extracted_entities.filter((name) => typeof name === "string"),
      triples,
    });
  }
  return recorded;
}
