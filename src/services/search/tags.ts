/**
 * By tags that stand in the question, from the index "tags" (SimpleMemory; S3-19, S3-20): how many of an entry's tags do,
 * then the day it was made on, its strength, the moment it was made. Where none stands in it, nothing is found.
 */
import type { Hit } from "../../base/hit.ts";
import type { Search, SearchBy } from "./search.ts";

export const TAG_INDEX = "tags";

export const byTags: SearchBy = {
  reads: ["key", "keywords"],
  fits: ({ text = "" }, { key, keywords = [] }) =>
    key !== undefined || keywords.length > 0 || text.trim() !== "",
  run: search,
};

async function search({ scope, collection, query, hints, filter, indexOf }: Search): Promise<Hit[]> {
  const told = [...(hints.key === undefined ? [] : [hints.key]), ...(hints.keywords ?? [])];
  const text = told.length > 0 ? told.join("\n") : query.text;
  if (text === undefined || text.trim() === "") return [];
  const { topK, own } = query;
  return collection.retrieve(scope, { index: indexOf(TAG_INDEX), text, topK, filter, own });
}
