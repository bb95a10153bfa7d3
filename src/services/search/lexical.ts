/** By words: BM25 over the index "text", for the question or for the keywords that a stage before chose. */
import type { Hit } from "../../base/hit.ts";
import type { Search, SearchBy } from "./search.ts";

export const TEXT_INDEX = "text";

export const lexical: SearchBy = {
  reads: ["keywords"],
  fits: ({ text = "" }, { keywords = [] }) => text.trim() !== "" || keywords.length > 0,
  run: search,
};

async function search({ scope, collection, query, hints, filter }: Search): Promise<Hit[]> {
  const text = hints.keywords === undefined ? query.text : hints.keywords.join(" ");
  if (text === undefined || text.trim() === "") return [];
  const { topK, own } = query;
  return collection.retrieve(scope, { index: TEXT_INDEX, text, topK, filter, own });
}
