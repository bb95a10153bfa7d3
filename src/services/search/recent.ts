/** By arrival: the newest that the queue "recent" holds, whatever was asked. */
import type { Hit } from "../../base/hit.ts";
import type { Search, SearchBy } from "./search.ts";

export const RECENT_INDEX = "recent";

export const recent: SearchBy = { reads: [], fits: () => true, run: search };

async function search({ scope, collection, query, filter, indexOf }: Search): Promise<Hit[]> {
  const { topK, own } = query;
  return collection.retrieve(scope, { index: indexOf(RECENT_INDEX), topK, filter, own });
}
