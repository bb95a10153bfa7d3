/**
 * Asks the service for every query along every route that the stage before laid out, all at once where they do not need
 * each other, and puts the lists together (S0-13, S0-41; B.0.9, 1 and 3). One list alone is taken as it is. A sequential
 * question asks one query after another, each with the names that the best hits of those before it told.
 */
import { z } from "zod";
import { defineAction, type MemoryRetrievalContext } from "../../pipeline/action.ts";
import { type Found, type Question, UNJUDGED } from "../../pipeline/question.ts";
import { fusionSchema } from "../../policies/fusion.ts";
import { STRATEGIES } from "../../services/hints.ts";
import { askAtOnce, askInTurn } from "./ask.ts";
import { fuseLists, OWN_WAY } from "./fuse-lists.ts";
import { withoutVector } from "./search-store.ts";

const WAYS: readonly string[] = [...STRATEGIES, OWN_WAY];

export const fusionOption = fusionSchema
  .refine(
    (fusion) =>
      Object.keys(("weights" in fusion && fusion.weights) || {}).every((name) => WAYS.includes(name)),
    { path: ["weights"], error: `must name ways of looking: ${WAYS.join(", ")}` },
  )
  .describe(
    `How the lists of several queries or routes become one. Weights are by way of looking ("${OWN_WAY}": the service's own; one that is not named counts 1) and multiply those of the queries.`,
  );

export const retrievalOptions = {
  top_k: z
    .number()
    .int()
    .min(1)
    .nullable()
    .describe(
      "How many hits to ask for and to keep where the question does not say; null: the service's own number for each search, and all that they find.",
    ),
  fusion: fusionOption,
};

export const defaultRetrieval = defineAction({
  stage: "memory_retrieval",
  name: "default",
  summary: "Asks the service for every query along every route, and fuses the lists.",
  options: z.strictObject(retrievalOptions),
  run: lookAlong,
});

export interface LookOptions {
  readonly top_k: number | null;
  readonly fusion: z.infer<typeof fusionOption>;
  /** Queries that are asked at once at most; unsaid: all. */
  readonly parallel_searches?: number | undefined;
}

/** Along every route of every query. */
export async function lookAlong(
  question: Question,
  { store, embed, note }: MemoryRetrievalContext,
  { top_k, fusion, parallel_searches: atOnce }: LookOptions,
): Promise<Found> {
  const asking = { question, store, embed, topK: question.topK ?? top_k ?? undefined, atOnce };
  const lists = question.order === "parallel" ? await askAtOnce(asking) : await askInTurn(asking);
  note(
    "searches",
    lists.map(({ query, hints, hits }) => ({
      query: query.text,
      way: hints.strategy ?? OWN_WAY,
      hits: hits.length,
    })),
  );
  const lacking = withoutVector(lists);
  if (lacking.length > 0) note("not_asked_for_want_of_a_vector", lacking);
  const hits = lists.length === 1 ? (lists[0]?.hits ?? []) : fuseLists(lists, fusion);
  const kept = asking.topK === undefined ? hits : hits.slice(0, asking.topK);
  return { question, lists, hits: kept, ...UNJUDGED, context: null, sections: {} };
}
