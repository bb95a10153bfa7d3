/**
 * Searches, reflects on what was found, and searches again by meaning for what is missing (SimpleMem; S2-29, S2-30). What
 * the rounds find is put behind, list after list. Where nothing was found at all there is nothing to reflect on.
 */
import { z } from "zod";
import { mapLimited } from "../../models/map-limited.ts";
import { defineAction, type MemoryRetrievalContext } from "../../pipeline/action.ts";
import type { FoundHit, Question, SubQuery } from "../../pipeline/question.ts";
import { lookAlong, retrievalOptions } from "./default.ts";
import { reflectionOptions, reflectionPrompts, reflectOn } from "./reflection.ts";
import { searchStore } from "./search-store.ts";

export const reflective = defineAction({
  stage: "memory_retrieval",
  name: "reflective",
  summary: "Searches, and searches again by meaning for what is missing to answer (SimpleMem).",
  options: z.strictObject({
    ...retrievalOptions,
    ...reflectionOptions,
    reflect_top_k: z.int().min(1).describe("How many hits each search of a round brings."),
    parallel_searches: z.int().min(1).describe("How many queries are searched for at once."),
  }),
  claims: (options) => ({
    abilities: ["vector"],
    hints: [{ strategy: "semantic", names: [] }],
    prompts: reflectionPrompts(options),
    asksQueryVector: true,
  }),
  async run(question, context, { top_k, fusion, reflect_top_k, parallel_searches, ...options }) {
    const found = await lookAlong(question, context, { top_k, fusion, parallel_searches });
    if (found.hits.length === 0) return found;
    const search = (text: string) => searchFor(text, question, context, reflect_top_k);
    const hits = await reflectOn(question, found.hits, context, options, async (queries) =>
      (await mapLimited(queries, parallel_searches, search)).flat(),
    );
    return { ...found, hits };
  },
});

/** In the spaces that the question itself was embedded in: what nobody can embed is not found. */
async function searchFor(
  text: string,
  { queries, filter }: Question,
  { store, embed }: MemoryRetrievalContext,
  topK: number,
): Promise<readonly FoundHit[]> {
  const asked = new Set(queries.flatMap(({ vectors }) => vectors.map(({ space }) => space)));
  const vectors = (await embed(text, undefined, [...asked])).filter(({ space }) => asked.has(space));
  const query: SubQuery = { text, vectors, weight: 1 };
  const { hits } = await searchStore({ query, hints: { strategy: "semantic" }, filter }, store, topK);
  return hits;
}
