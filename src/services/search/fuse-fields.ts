/**
 * One list out of several vector fields: the weighted sum of cosines. What is best in none of the fields may be best in
 * their sum, so every entry that some field proposes is scored in all of them, and the fields are asked deeper until
 * nothing that they did not propose could be among the best (the threshold algorithm: Fagin, Lotem & Naor, PODS 2001).
 */
import type { Hit } from "../../base/hit.ts";
import type { EntryId } from "../../base/ids.ts";
import type { Vector } from "../../base/vector.ts";
import { cosine } from "../../math/cosine.ts";
import { fuseByRawScore } from "../../math/fusion.ts";
import type { Search } from "./search.ts";

/** A field, what it counts, and the question's vectors for it, one per space. */
export interface AskedField {
  readonly name: string;
  readonly weight: number;
  readonly vectors: readonly Vector[];
}

/** Deeper no field is asked: what lies there in all of them is near in none. */
const DEEPEST = 10_000;

/** `ask`: the nearest in one field, best first, so many. */
export async function fuseFields(
  asked: Search,
  fields: readonly AskedField[],
  ask: (field: AskedField, depth: number) => Promise<readonly Hit[]>,
): Promise<Hit[]> {
  const { topK } = asked.query;
  for (let depth = 2 * topK; ; depth *= 4) {
    const lists = await Promise.all(fields.map((field) => ask(field, depth)));
    const fused = await scoreAll(asked, fields, lists);
    // The most that an entry can have that no list holds; one without a vector in a field has 0 there.
    const unseen = fields.reduce((sum, { weight }, place) => {
      const list = lists[place] ?? [];
      return sum + (list.length < depth ? 0 : weight * Math.max(0, list.at(-1)?.score ?? 0));
    }, 0);
    const isExhausted = lists.every((list) => list.length < depth);
    const isSettled = (fused[topK - 1]?.score ?? Number.NEGATIVE_INFINITY) >= unseen;
    if (isExhausted || isSettled || depth >= DEEPEST) return fused.slice(0, topK);
  }
}

/** Everything that a list holds, scored in every field. */
async function scoreAll(
  asked: Search,
  fields: readonly AskedField[],
  lists: readonly (readonly Hit[])[],
): Promise<Hit[]> {
  const hits = new Map(lists.flatMap((list) => list.map((hit) => [hit.id, hit])));
  const parts = new Map<EntryId, Record<string, number>>([...hits.keys()].map((id) => [id, {}]));
  const votes = [];
  for (const [place, { name, weight, vectors }] of fields.entries()) {
    const list = lists[place] ?? [];
    const found = new Set(list.map(({ id }) => id));
    const others = [...hits.keys()].filter((id) => !found.has(id));
    const scored = [...list, ...(await cosinesOf(asked, others, vectors))];
    for (const { id, scoreParts } of scored)
      for (const [part, value] of Object.entries(scoreParts))
        Object.assign(parts.get(id) ?? {}, { [`${name}.${part}`]: value });
    votes.push({ name, weight, hits: scored.sort((a, b) => b.score - a.score) });
  }
  return fuseByRawScore(votes).flatMap(({ id, score, parts: summands }) => {
    const hit = hits.get(id);
    return hit === undefined ? [] : [{ ...hit, score, scoreParts: { ...summands, ...parts.get(id) } }];
  });
}

/** For entries that a field did not propose; those without a vector in it are left out. */
async function cosinesOf(
  { scope, collection }: Search,
  ids: readonly EntryId[],
  vectors: readonly Vector[],
): Promise<Pick<Hit, "id" | "score" | "scoreParts">[]> {
  const best = new Map<EntryId, number>();
  if (ids.length === 0) return [];
  for (const { space, values } of vectors) {
    for (const [place, other] of (await collection.vectors(scope, space, ids)).entries()) {
      const id = ids[place];
      if (id === undefined || other === undefined) continue;
      best.set(id, Math.max(best.get(id) ?? -1, cosine(values, other)));
    }
  }
  return Array.from(best, ([id, score]) => ({ id, score, scoreParts: { cosine: score } }));
}
