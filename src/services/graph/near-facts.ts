/**
 * Which facts are nearest to a question? By their vectors; only those that a memory in use states. A fact's score is its
 * cosine scaled so that the nearest of all facts has 1 and the farthest 0 (HippoRAG 2), with the cosine as a part.
 */
import type { Filter } from "../../base/filter.ts";
import type { Hit } from "../../base/hit.ts";
import type { Scope } from "../../base/scope.ts";
import type { Vector } from "../../base/vector.ts";
import type { Collection } from "../../collection/collection.ts";
import { indexNameOf } from "../vector-fields.ts";
import { EDGE } from "./entity.ts";
import { asFactVector } from "./fact.ts";

/** Some of the nearest may be stated only by memories out of use. */
const OVERFETCH = 2;

export interface FactRequest {
  /** Of the question, as memories are embedded. */
  readonly vectors: readonly Vector[];
  readonly topK: number;
  readonly filter?: Filter | undefined;
  readonly own?: boolean | undefined;
}

export async function nearFacts(
  store: Collection,
  scope: Scope,
  { vectors, topK, filter, own }: FactRequest,
): Promise<Hit[]> {
  const best = new Map<Hit["id"], Hit>();
  for (const vector of vectors.map(asFactVector)) {
    const index = indexNameOf(vector.space);
    for (const hit of await store.retrieve(scope, { index, vector, topK: OVERFETCH * topK, filter, own }))
      if (hit.score > (best.get(hit.id)?.score ?? -2)) best.set(hit.id, hit);
  }
  const ranked = [...best.values()].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  const speakers = await store.countReaching(
    scope,
    ranked.map(({ id }) => id),
    EDGE.states,
  );
  const stated = ranked.filter((_, place) => (speakers[place]?.current ?? 0) > 0).slice(0, topK);
  const scale = scaleOf(stated[0]?.score, await farthest(store, scope, vectors.map(asFactVector)));
  return stated.map((hit) => ({
    ...hit,
    score: scale(hit.score),
    scoreParts: { ...hit.scoreParts, cosine: hit.score },
  }));
}

/** Min-max between two known ends; where all are alike, all are the best. */
export function scaleOf(best = 0, worst = best): (score: number) => number {
  return (score) => (best > worst ? Math.max(0, (score - worst) / (best - worst)) : 1);
}

/** The least cosine of all that the indexes of these vectors hold: that of the nearest to the opposite direction. */
export async function farthest(
  store: Collection,
  scope: Scope,
  vectors: readonly Vector[],
): Promise<number | undefined> {
  const least: number[] = [];
  for (const { space, values } of vectors) {
    const vector = { space, values: values.map((value) => -value) };
    const [hit] = await store.retrieve(scope, { index: indexNameOf(space), vector, topK: 1 });
    if (hit !== undefined) least.push(-hit.score);
  }
  return least.length === 0 ? undefined : Math.min(...least);
}
