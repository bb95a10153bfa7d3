/** By facts about entries alone: everything that a filter lets through, newest happening first, each with score 1. */
import { where } from "../../base/filter.ts";
import type { Hit } from "../../base/hit.ts";
import { ARCHIVED } from "../archive.ts";
import type { Search, SearchBy } from "./search.ts";

/** Entries are read in this many at once. */
const PAGE = 1000;

export const structured: SearchBy = { reads: [], fits: () => true, run: search };

async function search({ scope, collection, query, filter }: Search): Promise<Hit[]> {
  const current = [where.eq("supersededBy", null), where.not(where.eq("tier", ARCHIVED))];
  const wanted = where.and(...current, ...(filter === undefined ? [] : [filter]));
  const hits: Hit[] = [];
  for (let after: Hit["id"] | undefined; ; ) {
    const page = await collection.scan(scope, { filter: wanted, after, limit: PAGE });
    hits.push(...page.map((entry) => ({ ...entry, score: 1, scoreParts: { structured: 1 } })));
    // Kept small: only the best of what was read so far.
    hits.sort((a, b) => b.happenedAt - a.happenedAt || (a.id < b.id ? -1 : 1)).splice(query.topK);
    if (page.length < PAGE) return hits;
    after = page.at(-1)?.id;
  }
}
