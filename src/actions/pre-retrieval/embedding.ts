/** Gives every query its vectors (S0-37, S0-94); words that come twice are embedded once. */
import { z } from "zod";
import { MemoryError } from "../../base/errors.ts";
import { validNames } from "../../base/nearest-name.ts";
import type { QueryVector } from "../../models/local/embedder-set.ts";
import { defineAction } from "../../pipeline/action.ts";
import { inSpaces, spacesSchema, wantedSpaces } from "./vector-spaces.ts";

const ANY_MODEL = "default";

export const embedding = defineAction({
  stage: "pre_retrieval",
  name: "embedding",
  summary: "Gives every query the vectors of the pipeline's embedder.",
  options: z.strictObject({
    embedding_model: z
      .string()
      .min(1)
      .describe('Id of the embedder that must have made the vectors; "default" for whichever there is.'),
    spaces: spacesSchema,
  }),
  claims: ({ embedding_model }) => ({
    embedder: true,
    queryVector: true,
    ...(embedding_model === ANY_MODEL ? {} : { embeddingModel: embedding_model }),
  }),
  async run(question, { embed, note }, { embedding_model, spaces }) {
    // What would be thrown away is not made; of a model that is named it must be known whether it is there.
    const wanted = embedding_model === ANY_MODEL ? wantedSpaces(spaces) : undefined;
    const texts = [...new Set(question.queries.map(({ text, embedText = text }) => embedText))];
    const made = new Map(
      await Promise.all(
        texts.map(async (text) => {
          const vectors = madeBy(embedding_model, await embed(text, undefined, wanted));
          return [text, inSpaces(vectors, spaces)] as const;
        }),
      ),
    );
    const queries = question.queries.map((query) => {
      const vectors = made.get(query.embedText ?? query.text) ?? [];
      const others = query.vectors.filter(({ space }) => vectors.every((vector) => vector.space !== space));
      return { ...query, vectors: [...others, ...vectors] };
    });
    note("embedded", texts.length);
    note(
      "without_vector",
      queries.filter(({ vectors }) => vectors.length === 0).map(({ text }) => text),
    );
    return { ...question, queries };
  },
});

function madeBy(model: string, vectors: readonly QueryVector[]): readonly QueryVector[] {
  const wanted = model === ANY_MODEL ? vectors : vectors.filter(({ space }) => space === model);
  if (wanted.length > 0 || vectors.length === 0) return wanted;
  const there = vectors.map(({ space }) => space);
  throw new MemoryError(
    "embedder_mismatch",
    `The question was to be embedded by "${model}", but the pipeline's embedder is another. ${validNames(model, [...there, ANY_MODEL])}`,
    { details: { given: there, expected: [model] } },
  );
}
