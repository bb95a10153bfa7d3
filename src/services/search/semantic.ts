/**
 * By nearness of meaning: every vector of the question asks the index of its space. Lists of several fields are fused by
 * their weights; lists of several spaces of one field (a language each) are put together by cosine.
 */
import { MemoryError } from "../../base/errors.ts";
import type { Hit } from "../../base/hit.ts";
import type { JsonObject } from "../../base/json.ts";
import { validNames } from "../../base/nearest-name.ts";
import type { Vector } from "../../base/vector.ts";
import { fuseByRawScore } from "../../math/fusion.ts";
import type { HintName, Hints } from "../hints.ts";
import { indexNameOf, type VectorField } from "../vector-fields.ts";
import type { Search, SearchBy } from "./search.ts";

export const semantic: SearchBy = byNearness([], () => ({}));

/** `reads`: hints beyond fields and weights, made into params of the vector indexes by `params`. */
export function byNearness(reads: readonly HintName[], params: (hints: Hints) => JsonObject): SearchBy {
  return {
    reads: ["fields", "weights", ...reads],
    fits: ({ vectors = [] }) => vectors.length > 0,
    run: (asked) => search(asked, params(asked.hints)),
  };
}

async function search(asked: Search, params: JsonObject): Promise<Hit[]> {
  const { hints, query } = asked;
  refuseUnknown(asked);
  const lists = [];
  for (const field of asked.fields) {
    if (hints.fields !== undefined && !hints.fields.includes(field.name)) continue;
    const hits = await searchField(asked, field, params);
    if (hits.length > 0) lists.push({ name: field.name, hits, weight: hints.weights?.[field.name] ?? 1 });
  }
  const [only] = lists;
  if (only === undefined) return [];
  if (lists.length === 1) return only.hits.slice(0, query.topK);
  const found = new Map(lists.flatMap(({ hits }) => hits.map((hit) => [hit.id, hit])));
  return fuseByRawScore(lists)
    .slice(0, query.topK)
    .flatMap(({ id, score, parts }) => {
      const hit = found.get(id);
      return hit === undefined ? [] : [{ ...hit, score, scoreParts: { ...hit.scoreParts, ...parts } }];
    });
}

async function searchField(search: Search, field: VectorField, params: JsonObject): Promise<Hit[]> {
  const { scope, collection, query, filter, indexOf } = search;
  const asked = (query.vectors ?? []).filter(({ space }) => field.spaces.some((one) => one.space === space));
  const lists = await Promise.all(
    asked.map((vector: Vector) =>
      collection.retrieve(scope, {
        index: indexOf(indexNameOf(vector.space)),
        vector,
        params,
        topK: query.topK,
        filter,
      }),
    ),
  );
  return lists
    .flat()
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, query.topK);
}

/** Nothing could be found by a vector of nobody's space or in a field that nobody has: that is said, not answered by nothing. */
function refuseUnknown({ query, hints, fields }: Search): void {
  const names = fields.map(({ name }) => name);
  for (const name of [...(hints.fields ?? []), ...Object.keys(hints.weights ?? {})]) {
    if (!names.includes(name))
      throw new MemoryError(
        "input_invalid",
        `There is no vector field "${name}". ${validNames(name, names)}`,
      );
  }
  const spaces = fields.flatMap((field) => field.spaces.map(({ space }) => space));
  const given = (query.vectors ?? []).map(({ space }) => space);
  if (given.some((space) => spaces.includes(space))) return;
  throw new MemoryError(
    "embedder_mismatch",
    `The question has vectors of ${given.join(", ")} only. ${validNames(given[0] ?? "", spaces)}`,
    { details: { given, expected: spaces } },
  );
}
