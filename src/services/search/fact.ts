/** By what is stated: the facts nearest to the question, for whoever chooses among them (HippoRAG 2). */
import { nearFacts } from "../graph/near-facts.ts";
import { contentVectors } from "../graph/seeds.ts";
import type { SearchBy } from "./search.ts";

export const factSearch: SearchBy = {
  reads: [],
  fits: ({ vectors = [] }) => vectors.length > 0,
  run(asked) {
    const { scope, collection, filter, query } = asked;
    const { topK, own } = query;
    return nearFacts(collection, scope, { vectors: contentVectors(asked), topK, filter, own });
  },
};
