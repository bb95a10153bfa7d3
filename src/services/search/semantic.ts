/**
 * By nearness of meaning: every vector of the question asks the index of its space. A field with several spaces (a
 * language each) has the best cosine of them; several fields have the weighted sum of their cosines, each counted for
 * every entry that any of them proposed.
 */
import { MemoryError } from "../../base/errors.ts";
import type { Hit } from "../../base/hit.ts";
import type { JsonObject } from "../../base/json.ts";
import { validNames } from "../../base/nearest-name.ts";
import type { Vector } from "../../base/vector.ts";
import type { HintName, Hints } from "../hints.ts";
import { indexNameOf } from "../vector-fields.ts";
import { type AskedField, fuseFields } from "./fuse-fields.ts";
import type { Search, SearchBy } from "./search.ts";

export const semantic: SearchBy = byNearness([], () => ({}));

/**
 * `reads`: hints beyond fields and weights, made into params of the vector indexes by `params`. `least`: the weighted mean
 * of an entry's cosines from which it is near.
 */
export function byNearness(
  reads: readonly HintName[],
  params: (hints: Hints) => JsonObject,
  least = Number.NEGATIVE_INFINITY,
): SearchBy {
  return {
    reads: ["fields", "weights", ...reads],
    fits: ({ vectors = [] }) => vectors.length > 0,
    run: (asked) => search(asked, params(asked.hints), least),
  };
}

async function search(asked: Search, params: JsonObject, least: number): Promise<Hit[]> {
  const { topK } = asked.query;
  const fields = askedFields(asked);
  const [only] = fields;
  if (only === undefined || topK === 0) return [];
  const ask = (field: AskedField, depth: number): Promise<Hit[]> => searchField(asked, field, params, depth);
  // Hits come best first, so that what falls out here would have fallen out before the cut, too.
  if (fields.length === 1) return (await ask(only, topK)).filter(({ score }) => score >= least);
  const weight = fields.reduce((sum, field) => sum + field.weight, 0);
  const hits = await fuseFields(asked, fields, ask);
  return hits.filter(({ score }) => (weight === 0 ? 0 : score / weight) >= least);
}

async function searchField(
  { scope, collection, query: { own, rough }, filter, indexOf }: Search,
  { vectors }: AskedField,
  params: JsonObject,
  topK: number,
): Promise<Hit[]> {
  const lists = await Promise.all(
    vectors.map((vector: Vector) =>
      collection.retrieve(scope, {
        index: indexOf(indexNameOf(vector.space)),
        vector,
        params,
        topK,
        rough,
        filter,
        own,
      }),
    ),
  );
  const [only] = lists;
  if (only !== undefined && lists.length === 1) return only;
  const best = new Map<Hit["id"], Hit>();
  for (const hit of lists.flat()) if (hit.score > (best.get(hit.id)?.score ?? -2)) best.set(hit.id, hit);
  return [...best.values()].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, topK);
}

/**
 * The fields of which the question has a vector. Nothing could be found by a vector of nobody's space, in a field that
 * nobody has, or in one that is hinted without a vector for it: that is said, not answered by nothing.
 */
function askedFields({ query, hints, fields }: Search): readonly AskedField[] {
  const names = fields.map(({ name }) => name);
  for (const name of [...(hints.fields ?? []), ...Object.keys(hints.weights ?? {})]) {
    if (!names.includes(name))
      throw new MemoryError(
        "input_invalid",
        `There is no vector field "${name}". ${validNames(name, names)}`,
      );
  }
  const given = query.vectors ?? [];
  const spaces = fields.flatMap((field) => field.spaces.map(({ space }) => space));
  if (!given.some(({ space }) => spaces.includes(space))) {
    const foreign = given.map(({ space }) => space);
    throw new MemoryError(
      "embedder_mismatch",
      `The question has vectors of ${foreign.join(", ")} only. ${validNames(foreign[0] ?? "", spaces)}`,
      { details: { given: foreign, expected: spaces } },
    );
  }
  const asked = fields.map(({ name, spaces: own }) => ({
    name,
    weight: hints.weights?.[name] ?? 1,
    vectors: given.filter(({ space }) => own.some((one) => one.space === space)),
  }));
  const withVectors = asked.filter(({ vectors }) => vectors.length > 0);
  const lacking = hints.fields?.find((name) => !withVectors.some((field) => field.name === name));
  if (lacking !== undefined) {
    throw new MemoryError(
      "input_invalid",
      `The question is to be looked for in the vector field "${lacking}", but has no vector for it. ${validNames(
        lacking,
        withVectors.map(({ name }) => name),
      )}`,
    );
  }
  return withVectors.filter(({ name }) => hints.fields?.includes(name) ?? true);
}
