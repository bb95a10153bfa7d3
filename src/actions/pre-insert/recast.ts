/**
 * How does a draft become one that says something else? Who, when and from what stay with it; what was embedded of the
 * old words and what tells of them alone goes, and only measures of the whole (its emotions) stay.
 */
import type { Json, JsonObject } from "../../base/json.ts";
import type { Draft } from "../../pipeline/draft.ts";
import { metadataWithout, OF_ONE_TEXT, paramsOfAnyText } from "../memory-insert/of-one-text.ts";

/** Metadata and insert params are added to what stays of the draft's own, everything else takes its place. */
export function recast(draft: Draft, changes: Partial<Draft> & Pick<Draft, "content">): Draft {
  const { embedText: _embedText, ...kept } = draft;
  return {
    ...kept,
    vectors: measuresOf(draft),
    ...changes,
    metadata: { ...metadataWithout(draft.metadata ?? {}, OF_ONE_TEXT), ...changes.metadata },
    insertParams: { ...paramsOfAnyText(draft.insertParams), ...changes.insertParams },
  };
}

/** Vectors that no embedder made of words. */
export function measuresOf({ vectors }: Draft): Draft["vectors"] {
  return vectors.filter(({ space }) => space.startsWith("#"));
}

/** One draft in the place of several; its content is still to be said. */
export function mergeDrafts(first: Draft, others: readonly Draft[]): Draft {
  const all = [first, ...others];
  const importances = all.flatMap(({ importance }) => importance ?? []);
  return {
    ...first,
    tags: [...new Set(all.flatMap(({ tags = [] }) => tags))],
    importance: importances.length === 0 ? undefined : Math.max(...importances),
    metadata: mergeMetadata(all.map(({ metadata = {} }) => metadata)),
  };
}

/** Lists are put together; what differs otherwise is true of no whole, and goes. */
export function mergeMetadata(all: readonly JsonObject[]): JsonObject {
  const names = new Set(all.flatMap((metadata) => Object.keys(metadata)));
  return Object.fromEntries(
    [...names].flatMap((name): [string, Json][] => {
      const values = distinct(all.flatMap((metadata) => metadata[name] ?? []));
      const isList = all.every((metadata) => metadata[name] === undefined || Array.isArray(metadata[name]));
      if (isList) return [[name, values]];
      const [value] = values;
      return value === undefined || values.length > 1 ? [] : [[name, value]];
    }),
  );
}

export function distinct(values: readonly Json[]): Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
