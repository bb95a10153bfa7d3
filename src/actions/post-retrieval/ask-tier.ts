/** The question once more in one tier, with its own words, vectors, filters and ways of looking. */
import type { ReadHandle } from "../../pipeline/action.ts";
import type { FoundList, Question } from "../../pipeline/question.ts";
import { searchesOf } from "../../pipeline/searches.ts";
import { searchStore } from "../memory-retrieval/search-store.ts";

/** One list for each query and way of looking, in this order. */
export function askTier(
  question: Question,
  store: ReadHandle,
  tier: string,
  topK: number,
): Promise<FoundList[]> {
  const searches = question.queries.flatMap((query) => searchesOf(query, question));
  return Promise.all(
    searches.map(({ hints, ...search }) =>
      searchStore({ ...search, hints: { ...hints, tiers: [tier] } }, store, topK),
    ),
  );
}
