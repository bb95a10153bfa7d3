/** By facts about entries alone: everything that a filter lets through, newest happening first, each with score 1. */

import { ARCHIVED } from "../../base/entry.ts";
import { where } from "../../base/filter.ts";
import type { Hit } from "../../base/hit.ts";
import type { Search, SearchBy } from "./search.ts";

export const structured: SearchBy = { reads: [], fits: () => true, run: search };

async function search({ scope, collection, query, filter }: Search): Promise<Hit[]> {
  const current = [where.eq("supersededBy", null), where.not(where.eq("tier", ARCHIVED))];
  const wanted = where.and(...current, ...(filter === undefined ? [] : [filter]));
  const found = await collection.newest(scope, { filter: wanted, limit: query.topK, own: query.own });
  return found.map((entry) => ({ ...entry, score: 1, scoreParts: { structured: 1 } }));
}
