/** Who is near in meaning? Entries around a vector, from the index of its space; each once, most alike first. */
import type { Filter } from "../../base/filter.ts";
import type { EntryId } from "../../base/ids.ts";
import type { Scope } from "../../base/scope.ts";
import type { Vector } from "../../base/vector.ts";
import type { Collection } from "../../collection/collection.ts";
import { indexNameOf } from "../vector-fields.ts";

export interface Near {
  readonly id: EntryId;
  readonly similarity: number;
  readonly scope: Scope;
}

export interface NearestRequest {
  readonly vectors: readonly Vector[];
  readonly k: number;
  /** Least cosine. */
  readonly threshold: number;
  /** The entry that asks, which is not its own neighbour. */
  readonly except?: EntryId | undefined;
  readonly filter?: Filter | undefined;
  /** The indexes that hold vectors of a space: a service with tiers has one per tier. Unsaid: the space's own. */
  readonly indexesOf?: ((space: string) => readonly string[]) | undefined;
}

export async function nearest(
  store: Collection,
  scope: Scope,
  { vectors, k, threshold, except, filter, indexesOf = ownIndex }: NearestRequest,
): Promise<Near[]> {
  const best = new Map<EntryId, Near>();
  const topK = except === undefined ? k : k + 1;
  const asked = vectors.flatMap((vector) => indexesOf(vector.space).map((index) => ({ index, vector })));
  for (const { index, vector } of asked) {
    for (const hit of await store.retrieve(scope, { index, vector, topK, least: threshold, filter })) {
      const known = best.get(hit.id)?.similarity ?? Number.NEGATIVE_INFINITY;
      if (hit.id === except || hit.score <= known) continue;
      best.set(hit.id, { id: hit.id, similarity: similarityOf(hit.score), scope: hit.scope });
    }
  }
  return [...best.values()].sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1)).slice(0, k);
}

function ownIndex(space: string): readonly string[] {
  return [indexNameOf(space)];
}

/** Six digits: more than any threshold asks for, and the same by whatever way it was computed. */
export function similarityOf(cosine: number): number {
  return Number(cosine.toFixed(6));
}
