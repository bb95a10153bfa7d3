/**
 * The recognition memory of HippoRAG 2 (Gutiérrez et al., 2025): the facts nearest to a question come to mind, those that
 * bear on it are recognised, and a walk over the graph begins at what they speak of. Where none is recognised, nearness of
 * memories decides alone. A query that an action before gave a way of its own is looked for that way.
 */
import { z } from "zod";
import type { Hit } from "../../base/hit.ts";
import { defineAction, type MemoryRetrievalContext } from "../../pipeline/action.ts";
import { type FoundList, UNJUDGED } from "../../pipeline/question.ts";
import { type PlannedSearch, searchesOf } from "../../pipeline/searches.ts";
import { fusionSchema } from "../../policies/fusion.ts";
import type { Hints } from "../../services/hints.ts";
import { filterFacts } from "../../tasks/filter-facts.ts";
import { fuseLists } from "./fuse-lists.ts";
import { searchStore } from "./search-store.ts";

const options = z.strictObject({
  max_facts: z.int().min(1).describe("How many facts, the nearest first, are held against the question."),
  min_nearness: z
    .number()
    .min(0)
    .max(1)
    .describe(
      "Without a model: how near a fact must be to be recognised, where the nearest of all facts has 1 and the farthest 0.",
    ),
  filter_prompt: z.string().min(1).describe('The prompt for the task "filter_facts".'),
  fusion: fusionSchema.describe("How the lists of several queries become one."),
});
type Options = z.infer<typeof options>;

export const recognition = defineAction({
  stage: "memory_retrieval",
  name: "recognition",
  summary: "Recognises the facts that bear on the question, and walks the graph from them (HippoRAG 2).",
  options,
  claims: ({ filter_prompt: prompt }) => ({
    abilities: ["vector", "graph"],
    hints: [
      { strategy: "fact", names: [] },
      { strategy: "graph", names: ["facts"] },
    ],
    asksQueryVector: true,
    ignores: ["order"],
    prompts: [{ task: filterFacts, prompt }],
  }),
  async run(question, context, given) {
    const { fusion } = given;
    const searches = question.queries.flatMap((query) => searchesOf(query, question));
    const lists: FoundList[] = [];
    for (const search of searches) {
      const hints = isFree(search) ? await recognised(search, context, given) : search.hints;
      lists.push(await searchStore({ ...search, hints }, context.store, search.query.topK ?? question.topK));
    }
    const [only] = lists;
    const hits = only !== undefined && lists.length === 1 ? only.hits : fuseLists(lists, fusion);
    const kept = question.topK === undefined ? hits : hits.slice(0, question.topK);
    return { question, lists, hits: kept, ...UNJUDGED, context: null, sections: {} };
  },
});

/** Not told where to look, and with a vector to find facts by. */
function isFree({ query, hints }: PlannedSearch): boolean {
  return Object.keys(hints).length === 0 && query.vectors.length > 0;
}

async function recognised(
  { query }: PlannedSearch,
  { store, think, note }: MemoryRetrievalContext,
  { max_facts, min_nearness, filter_prompt }: Options,
): Promise<Hints> {
  const { text, vectors } = query;
  const facts = await store.retrieve({ vectors, topK: max_facts, hints: { strategy: "fact" } });
  const given = { question: text, facts: facts.map(tripleOf), least: min_nearness };
  const { keep } = await think(filterFacts, given, filter_prompt);
  const kept = facts.filter((_, place) => keep.includes(place));
  note("facts", { shown: facts.map(({ content }) => content), kept: kept.map(({ content }) => content) });
  if (kept.length === 0) return { strategy: "semantic" };
  return { strategy: "graph", facts: Object.fromEntries(kept.map(({ id, score }) => [id, score])) };
}

function tripleOf({ metadata, score: near }: Hit) {
  const [subject, relation, object] = [metadata.subject, metadata.relation, metadata.object].map(String);
  return { subject: subject ?? "", relation: relation ?? "", object: object ?? "", near };
}
