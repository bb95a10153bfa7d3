/**
 * Mem0's third version: memories near to the question are candidates, and only they; what they share with it in words and in
 * names is added to their nearness, and the sum is divided by what it could have been at most.
 */
import { z } from "zod";
import { where } from "../../base/filter.ts";
import type { EntryId } from "../../base/ids.ts";
import { defineAction, type ReadHandle } from "../../pipeline/action.ts";
import type { Question, SubQuery } from "../../pipeline/question.ts";
import { toFound, UNJUDGED } from "../../pipeline/question.ts";
import { hybridScores, keywordCurve, keywordScore } from "../../policies/hybrid-score.ts";
import type { ServiceQuery } from "../../services/service.ts";
import { tokenize } from "../../text/tokenize.ts";

const options = z.strictObject({
  top_k: z.int().min(1).describe("How many hits to keep where the question does not say."),
  pool_factor: z.int().min(1).describe("So many times more memories near to the question are candidates."),
  min_pool: z.int().min(1).describe("And at least so many."),
  threshold: z.number().min(-1).max(1).describe("Least cosine of a candidate."),
  keyword_curve: keywordCurve.describe(
    "How a BM25 score becomes a part of one, by the number of words asked.",
  ),
  keyword_total: z.number().min(0).describe("What words count in the most that a score could be."),
  name_total: z.number().min(0).describe("What names count in it."),
});
type Options = z.infer<typeof options>;

export const hybridScore = defineAction({
  stage: "memory_retrieval",
  name: "hybrid_score",
  summary:
    "Scores the memories near to a question by nearness, words and names together (Mem0's third version).",
  options,
  claims: () => ({
    abilities: ["vector", "text", "graph"],
    asksQueryVector: true,
    ignores: ["order"],
    hints: [
      { strategy: "semantic", names: [] },
      { strategy: "lexical", names: [] },
      { strategy: "graph", names: ["entities"] },
    ],
  }),
  async run(question, { store, note }, given) {
    const topK = question.topK ?? given.top_k;
    const lists = await Promise.all(
      question.queries.map((query) => candidatesOf(query, question, topK, { store, given })),
    );
    const pool = [...new Map(lists.flatMap(({ hits }) => hits.map((hit) => [hit.id, hit]))).values()];
    if (pool.length === 0) note("found", "nothing is near to the question");
    const scored = await withScores(pool, question, { store, given });
    const hits = scored.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, topK);
    note("candidates", pool.length);
    return { question, lists, hits, ...UNJUDGED, context: null, sections: {} };
  },
});

interface Looking {
  readonly store: ReadHandle;
  readonly given: Options;
}

async function candidatesOf(query: SubQuery, { filter }: Question, topK: number, { store, given }: Looking) {
  const hints = { strategy: "semantic" } as const;
  const wanted = [filter, query.filter].flatMap((one) => one ?? []);
  const near =
    query.vectors.length === 0
      ? []
      : await store.retrieve({
          vectors: query.vectors,
          topK: Math.max(given.pool_factor * topK, given.min_pool),
          ...(wanted.length === 0 ? {} : { filter: where.and(...wanted) }),
          hints,
        });
  return { query, hints, hits: near.filter(({ score }) => score >= given.threshold).map(toFound) };
}

async function withScores<Hit extends { readonly id: EntryId; readonly score: number }>(
  pool: readonly Hit[],
  { text, entities }: Question,
  { store, given }: Looking,
): Promise<(Hit & { readonly scoreParts: Record<string, number> })[]> {
  if (pool.length === 0) return [];
  const ids = pool.map(({ id }) => id);
  const among = { text, filter: where.in("id", ids), topK: ids.length };
  const words = await scoresBy(store, { ...among, hints: { strategy: "lexical" } });
  const named = entities.length === 0 ? {} : { entities };
  const names = await scoresBy(store, { ...among, hints: { strategy: "graph", ...named } });
  const terms = tokenize(text).length;
  const parts = pool.map(({ id, score }) => {
    const raw = words.get(id);
    const keyword = raw === undefined ? 0 : keywordScore(raw, terms, given.keyword_curve);
    return { semantic: score, keyword, boost: names.get(id) ?? 0 };
  });
  const totals = { keyword: given.keyword_total, boost: given.name_total };
  const scores = hybridScores(parts, totals);
  return pool.map((hit, place) => ({ ...hit, score: scores[place] ?? 0, scoreParts: { ...parts[place] } }));
}

async function scoresBy(store: ReadHandle, query: ServiceQuery): Promise<ReadonlyMap<EntryId, number>> {
  return new Map((await store.retrieve(query)).map(({ id, score }) => [id, score]));
}
