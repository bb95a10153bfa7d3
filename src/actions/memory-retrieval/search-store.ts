/**
 * One planned search, asked of the store. A search by meaning needs a vector: a question in a language that nobody embeds
 * has none, and that is no mistake of the caller. Such a search finds nothing, and is told to whoever notes it.
 */
import type { Vector } from "../../base/vector.ts";
import type { ReadHandle } from "../../pipeline/action.ts";
import type { FoundList } from "../../pipeline/question.ts";
import { toFound } from "../../pipeline/question.ts";
import type { PlannedSearch } from "../../pipeline/searches.ts";
import type { Hints } from "../../services/hints.ts";
import { CONTENT } from "../../services/vector-fields.ts";

export async function searchStore(
  { query, hints, filter }: PlannedSearch,
  store: ReadHandle,
  topK: number | undefined,
): Promise<FoundList> {
  const { text, vectors } = query;
  const asked = hints.strategy === "semantic" ? askable(hints, vectors) : hints;
  if (asked === undefined) return { query, hints, hits: [] };
  const hits = await store.retrieve({ text, vectors, filter, topK, hints: asked });
  return { query, hints, hits: hits.map(toFound) };
}

/** The queries that were to be looked for by meaning and have no vector for it. */
export function withoutVector(lists: readonly FoundList[]): string[] {
  const lacking = lists.filter(
    ({ hints, query }) => hints.strategy === "semantic" && askable(hints, query.vectors) === undefined,
  );
  return lacking.map(({ query }) => query.text);
}

/** The hints with those vector fields alone for which there is a vector; undefined where there is none. */
function askable(hints: Hints, vectors: readonly Vector[]): Hints | undefined {
  const there = vectors.map(({ space }) => fieldOf(space));
  if (hints.fields === undefined) return there.length === 0 ? undefined : hints;
  const fields = hints.fields.filter((field) => there.includes(field));
  return fields.length === 0 ? undefined : { ...hints, fields };
}

/** The vector field that a space is of: "model" is of the content, "model#summary" and "#emotion" say it. */
export function fieldOf(space: string): string {
  const [, field = CONTENT] = space.split("#");
  return field;
}
