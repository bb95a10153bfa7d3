/** By time: what happened between two moments, newest first, from the index "time" over `happenedAt`. */
import type { Hit } from "../../base/hit.ts";
import type { Search, SearchBy } from "./search.ts";

export const TIME_INDEX = "time";

export const temporal: SearchBy = { reads: ["time_range"], fits: () => true, run: search };

async function search({ scope, collection, query, hints, filter, indexOf }: Search): Promise<Hit[]> {
  const { from, to } = hints.time_range ?? {};
  const params = {
    order: "desc",
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
  const { topK, own } = query;
  return collection.retrieve(scope, { index: indexOf(TIME_INDEX), params, topK, filter, own });
}
