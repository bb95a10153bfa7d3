/**
 * By nearness of meaning: the service is asked once more, with the vectors that the question has already and for these hits
 * only, so that hits which words, tags or links brought in are measured like the others. Nothing is embedded here (S0-39).
 * With `fields`, by some of the vectors alone: Emotional RAG (Huang et al., 2024) looks by context and then orders by
 * emotion, or the other way round. Several fields count by the sum of their cosines (its C-A), or by the product of their
 * distances (C-M), where being very near in one field makes up for being far in another.
 */
import { z } from "zod";
import { where } from "../../../base/filter.ts";
import type { Hit } from "../../../base/hit.ts";
import type { Vector } from "../../../base/vector.ts";
import type { Claims, PostRetrievalContext } from "../../../pipeline/action.ts";
import type { Found } from "../../../pipeline/question.ts";
import { CONTENT } from "../../../services/vector-fields.ts";
import { fieldOf } from "../../memory-retrieval/search-store.ts";
import { bestFirst, rescored } from "../found-hits.ts";

export const semanticOptions = z.strictObject({
  rerank_type: z
    .literal("semantic")
    .describe("By the cosine of stored vectors to the question's; nothing is embedded."),
  fields: z
    .array(z.string().min(1))
    .min(1)
    .nullable()
    .describe("The vector fields that count; null: all that the question has a vector for."),
  combine: z
    .enum(["sum", "product"])
    .describe(
      "How several fields become one score: the sum of their cosines, or 1 less the product of their distances (1 - cosine).",
    ),
});
type Options = z.infer<typeof semanticOptions>;

export function semanticClaims({ fields }: Options): Claims {
  return {
    abilities: ["vector"],
    asksQueryVector: true,
    hints: [{ strategy: "semantic", names: fields === null ? [] : ["fields"] }],
    ...(fields === null ? {} : { asksVectorFields: fields.filter((name) => name !== CONTENT) }),
  };
}

export async function rankBySimilarity(
  found: Found,
  { store, note }: PostRetrievalContext,
  { fields, combine }: Options,
): Promise<Found> {
  const { hits, question } = found;
  const asked = question.queries.flatMap(({ vectors, weight }) => {
    const there = fieldsOf(vectors).filter((field) => fields?.includes(field) ?? true);
    return there.length === 0 ? [] : [{ vectors, weight, fields: there }];
  });
  if (hits.length === 0 || asked.length === 0) {
    note("unchanged", hits.length === 0 ? "nothing was found" : "the question has no vector");
    return found;
  }
  const ids = hits.map(({ id }) => id);
  const lists = await Promise.all(
    asked.map(({ vectors, fields: there }) =>
      store.retrieve({
        vectors,
        filter: where.in("id", ids),
        topK: ids.length,
        hints: { strategy: "semantic", ...(fields === null ? {} : { fields: there }) },
      }),
    ),
  );
  // As near as it is to the query it is nearest to; what has no vector is near to nothing.
  const nearness = new Map<string, number>();
  for (const [place, list] of lists.entries()) {
    const { weight = 1, fields: there = [] } = asked[place] ?? {};
    for (const hit of list) {
      const near = weight * (combine === "sum" ? hit.score : byProduct(hit, there));
      nearness.set(hit.id, Math.max(nearness.get(hit.id) ?? Number.NEGATIVE_INFINITY, near));
    }
  }
  const measured = hits.map((hit) => {
    const similarity = nearness.get(hit.id) ?? 0;
    return rescored(hit, similarity, { similarity });
  });
  return { ...found, hits: bestFirst(measured) };
}

function fieldsOf(vectors: readonly Vector[]): string[] {
  return [...new Set(vectors.map(({ space }) => fieldOf(space)))];
}

/** What has no vector in a field is as far in it as what has nothing in common with the question: at 1. */
function byProduct({ score, scoreParts }: Hit, fields: readonly string[]): number {
  const cosines = fields.flatMap((field) => scoreParts[`${field}.cosine`] ?? []);
  if (cosines.length === 0) return score;
  return 1 - cosines.reduce((product, cosine) => product * (1 - cosine), 1);
}
