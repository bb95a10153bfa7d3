/**
 * Emotional RAG (Huang et al., 2024): what was said in a like mood is remembered. The question has a vector for its text and
 * one for its eight emotions (multi_embed); memories are chosen and ordered by both, in one of the five published ways.
 * Nothing is cut before the strategy decides: S-S takes the emotionally nearest of all.
 */
import { z } from "zod";
import type { Hit } from "../../base/hit.ts";
import { defineAction } from "../../pipeline/action.ts";
import { type FoundHit, type FoundList, UNJUDGED } from "../../pipeline/question.ts";
import { searchesOf } from "../../pipeline/searches.ts";
import { CONTENT } from "../../services/vector-fields.ts";
import { type Look, lookBy } from "./emotional/look.ts";
import {
  distanceOf,
  EMOTION_STRATEGIES,
  type EmotionStrategy,
  type Measured,
} from "./emotional/strategies.ts";
import { fieldOf, searchStore } from "./search-store.ts";

export const emotionalRetrieval = defineAction({
  stage: "memory_retrieval",
  name: "emotional",
  summary: "Chooses by nearness of meaning and of mood together (Emotional RAG).",
  options: z.strictObject({
    strategy: z
      .enum(EMOTION_STRATEGIES)
      .describe(
        "original_rag: by meaning alone; c_a: by the sum of both distances; c_m: by their product; s_c: the nearest in meaning, ordered by mood; s_s: the nearest in mood, ordered by meaning.",
      ),
    bound: z.int().min(1).describe("How many the first step of s_c and s_s leaves."),
    emotion_field: z.string().min(1).describe("The vector field of the emotions, as score fills it."),
    top_k: z.int().min(1).describe("How many hits to return where the question does not say."),
  }),
  claims: ({ emotion_field }) => ({
    abilities: ["vector"],
    hints: [{ strategy: "semantic", names: ["fields"] }],
    asksQueryVector: true,
    ignores: ["order"],
    asksVectorFields: [emotion_field],
  }),
  async run(question, { store, note }, { strategy, bound, emotion_field, top_k }) {
    const topK = question.topK ?? top_k;
    const fields = { text: CONTENT, emotion: emotion_field };
    const lists: FoundList[] = [];
    for (const query of question.queries) {
      const search = searchesOf(query, question).find(
        ({ hints }) => (hints.strategy ?? "semantic") === "semantic",
      );
      const spaces = query.vectors.map(({ space }) => fieldOf(space));
      if (search === undefined || !spaces.some((one) => one === fields.text || one === fields.emotion)) {
        // Without a vector there is neither meaning nor mood to go by; the service does what it can.
        lists.push(
          await searchStore({ query, hints: {}, filter: search?.filter ?? question.filter }, store, topK),
        );
        continue;
      }
      const { filter, hints } = search;
      const look: Look = { store, filter, vectors: query.vectors, fields, strategy, bound, topK };
      const found = await lookBy(look);
      lists.push({ query, hints, hits: found.map((one) => scored(one, strategy)) });
    }
    note("strategy", strategy);
    return { question, lists, hits: bestOf(lists).slice(0, topK), ...UNJUDGED, context: null, sections: {} };
  },
});

/** Hits have higher scores the better they are: 1 / (1 + distance). */
function scored({ hit, d_sem, d_emo }: Measured, strategy: EmotionStrategy): FoundHit {
  const distance = distanceOf({ d_sem, d_emo }, strategy);
  return { ...hit, score: 1 / (1 + distance), scoreParts: { d_sem, d_emo, distance } };
}

/** Each memory once, as near as it is to the query it is nearest to; one list keeps its order. */
function bestOf(lists: readonly FoundList[]): FoundHit[] {
  const best = new Map<Hit["id"], FoundHit>();
  for (const hit of lists.flatMap(({ hits }) => hits))
    if (hit.score > (best.get(hit.id)?.score ?? Number.NEGATIVE_INFINITY)) best.set(hit.id, hit);
  return [...best.values()].sort((a, b) => b.score - a.score);
}
