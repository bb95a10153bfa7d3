/** What is the true cosine? Of the few entries an index has picked, from the full-precision vectors of the truth. */
import type { EntryId } from "../base/ids.ts";
import { checkVector } from "../base/vector.ts";
import { cosine, dot } from "../math/cosine.ts";
import type { IndexDeps } from "./index-contract.ts";
import type { VectorSpace } from "./vector-input.ts";

export interface Rescored {
  /** In the order asked. */
  readonly found: readonly { readonly id: EntryId; readonly cosine: number }[];
  /** Ids the truth has no vector for any more; the index will hear of it with its next events. */
  readonly gone: readonly EntryId[];
}

export async function rescore(
  ids: readonly EntryId[],
  query: Float32Array,
  space: VectorSpace,
  fetchVectors: IndexDeps["fetchVectors"],
): Promise<Rescored> {
  if (ids.length === 0) return { found: [], gone: [] };
  const vectors = await fetchVectors(space.space, ids);
  const squaredNorm = dot(query, query);
  const found: { id: EntryId; cosine: number }[] = [];
  const gone: EntryId[] = [];
  for (const [place, id] of ids.entries()) {
    const values = vectors[place];
    if (values === undefined) {
      gone.push(id);
      continue;
    }
    const nearness = cosine(query, values, squaredNorm);
    // Looked at number by number only where something is wrong with it.
    if (Number.isNaN(nearness) || values.length !== space.dimension)
      checkVector({ space: space.space, values }, space);
    found.push({ id, cosine: nearness });
  }
  return { found, gone };
}

/** Best first, ties in ascending order of id. */
export function byCosine(
  a: { readonly id: EntryId; readonly cosine: number },
  b: { readonly id: EntryId; readonly cosine: number },
): number {
  return b.cosine - a.cosine || (a.id < b.id ? -1 : 1);
}
