/**
 * By nearness of meaning: the service is asked once more, with the vectors that the question has already and for these hits
 * only, so that hits which words, tags or links brought in are measured like the others. Nothing is embedded here (S0-39).
 * With `fields`, by some of the vectors alone: Emotional RAG (Huang et al., 2024) looks by context and then orders by
 * emotion, or the other way round.
 */
import { z } from "zod";
import { where } from "../../../base/filter.ts";
import type { Claims, PostRetrievalContext } from "../../../pipeline/action.ts";
import type { Found } from "../../../pipeline/question.ts";
import { CONTENT } from "../../../services/vector-fields.ts";
import { bestFirst, rescored } from "../found-hits.ts";

export const semanticOptions = z.strictObject({
  rerank_type: z
    .literal("semantic")
    .describe("By the cosine of stored vectors to the question's; nothing is embedded."),
  fields: z
    .array(z.string().min(1))
    .min(1)
    .nullable()
    .describe("The vector fields that count; null: all that the service has."),
});
type Options = z.infer<typeof semanticOptions>;

export function semanticClaims({ fields }: Options): Claims {
  return {
    abilities: ["vector"],
    hints: [{ strategy: "semantic", names: fields === null ? [] : ["fields"] }],
    ...(fields === null ? {} : { asksVectorFields: fields.filter((name) => name !== CONTENT) }),
  };
}

export async function rankBySimilarity(
  found: Found,
  { store, note }: PostRetrievalContext,
  { fields }: Options,
): Promise<Found> {
  const { hits, question } = found;
  const asked = question.queries.filter(({ vectors }) => vectors.length > 0);
  if (hits.length === 0 || asked.length === 0) {
    note("unchanged", hits.length === 0 ? "nothing was found" : "the question has no vector");
    return found;
  }
  const ids = hits.map(({ id }) => id);
  const lists = await Promise.all(
    asked.map(({ vectors }) =>
      store.retrieve({
        vectors,
        filter: where.in("id", ids),
        topK: ids.length,
        hints: { strategy: "semantic", ...(fields === null ? {} : { fields }) },
      }),
    ),
  );
  // As near as it is to the query it is nearest to; what has no vector is near to nothing.
  const nearness = new Map<string, number>();
  for (const [place, list] of lists.entries()) {
    const weight = asked[place]?.weight ?? 1;
    for (const { id, score } of list)
      nearness.set(id, Math.max(nearness.get(id) ?? Number.NEGATIVE_INFINITY, weight * score));
  }
  const measured = hits.map((hit) => {
    const similarity = nearness.get(hit.id) ?? 0;
    return rescored(hit, similarity, { similarity });
  });
  return { ...found, hits: bestFirst(measured) };
}
