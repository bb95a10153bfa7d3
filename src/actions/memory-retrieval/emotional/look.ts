/** Which memories does a strategy choose among? Exactly those of the rule, however many there are, without reading all. */
import { type Filter, where } from "../../../base/filter.ts";
import type { Hit } from "../../../base/hit.ts";
import type { Vector } from "../../../base/vector.ts";
import type { ReadHandle } from "../../../pipeline/action.ts";
import { toFound } from "../../../pipeline/question.ts";
import { fieldOf } from "../search-store.ts";
import {
  distanceOf,
  type EmotionStrategy,
  emotionDistance,
  inOrder,
  type Measured,
  semanticDistance,
} from "./strategies.ts";

export interface Look {
  readonly store: ReadHandle;
  readonly filter: Filter | undefined;
  readonly vectors: readonly Vector[];
  readonly fields: { readonly text: string; readonly emotion: string };
  readonly strategy: EmotionStrategy;
  /** How many the first step of a sequential strategy leaves. */
  readonly bound: number;
  readonly topK: number;
}

/** The best of them, nearest first. */
export async function lookBy(look: Look): Promise<Measured[]> {
  const { strategy, fields, topK, bound } = look;
  switch (strategy) {
    case "original_rag":
      return nearest(look, await ask(look, fields.text, topK));
    case "s_c":
      return nearest(look, await ask(look, fields.text, bound));
    case "s_s":
      return nearest(look, await ask(look, fields.emotion, bound));
    case "c_a":
    case "c_m":
      return combined(look);
  }
}

async function nearest(look: Look, candidates: readonly Hit[]): Promise<Measured[]> {
  return inOrder(await measure(look, candidates), look.strategy).slice(0, look.topK);
}

/**
 * Both lists are asked deeper until nothing that neither holds could be among the best: it is no nearer than the last of
 * each list (the threshold algorithm: Fagin, Lotem & Naor, PODS 2001).
 */
async function combined(look: Look): Promise<Measured[]> {
  const { fields, strategy, topK } = look;
  for (let depth = 2 * topK; ; depth *= 4) {
    const texts = await ask(look, fields.text, depth);
    const moods = await ask(look, fields.emotion, depth);
    const both = new Map([...texts, ...moods].map((hit) => [hit.id, hit]));
    const best = await nearest(look, [...both.values()]);
    if (texts.length < depth && moods.length < depth) return best;
    const unseen = distanceOf(
      { d_sem: semanticDistance(texts.at(-1)?.score ?? 0), d_emo: emotionDistance(moods.at(-1)?.score ?? 0) },
      strategy,
    );
    const last = best[topK - 1];
    if (last !== undefined && distanceOf(last, strategy) <= unseen) return best;
  }
}

/** Both distances; what has no vector in a field has nothing in common with the question there. */
async function measure(look: Look, hits: readonly Hit[]): Promise<Measured[]> {
  if (hits.length === 0) return [];
  const ids = hits.map(({ id }) => id);
  const among = where.in("id", ids);
  const filter = look.filter === undefined ? among : where.and(look.filter, among);
  const [texts, moods] = await Promise.all(
    [look.fields.text, look.fields.emotion].map(async (field) => {
      const scored = await ask({ ...look, filter }, field, ids.length);
      return new Map(scored.map(({ id, score }) => [id, score]));
    }),
  );
  return hits.map((hit) => {
    const d_sem = semanticDistance(texts?.get(hit.id) ?? 0);
    const d_emo = emotionDistance(moods?.get(hit.id) ?? 0);
    return { hit: toFound(hit), d_sem, d_emo };
  });
}

/** By one field; none where the question has no vector for it. */
async function ask(
  { store, vectors, filter }: Pick<Look, "store" | "vectors" | "filter">,
  field: string,
  topK: number,
): Promise<Hit[]> {
  const own = vectors.filter(({ space }) => fieldOf(space) === field);
  if (own.length === 0) return [];
  return store.retrieve({ vectors: own, filter, topK, hints: { strategy: "semantic", fields: [field] } });
}
