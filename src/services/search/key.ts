/**
 * By key, from the index "key" over `metadata.key`. A hinted key, or hinted words, are looked up as they are. For a question
 * it is every key that stands in it; where none does, keys like those it names, if similar ones count; and where there
 * are none either, its words. Several keys add up, and of two entries under one key the newest comes first.
 */
import type { Hit } from "../../base/hit.ts";
import type { MaybePromise } from "../../base/promise.ts";
import { lexical } from "./lexical.ts";
import type { Search, SearchBy } from "./search.ts";

export const KEY_INDEX = "key";
export const KEY_FIELD = "metadata.key";

export interface KeySearch {
  /** How similar a key must be; at 1 it must be the same. */
  readonly threshold: number;
  /** The keys that a text names. */
  keysOf(text: string): MaybePromise<readonly string[]>;
}

export function byKey(given: KeySearch): SearchBy {
  return {
    reads: ["key", "keywords"],
    fits: ({ text = "" }, { key, keywords = [] }) =>
      key !== undefined || keywords.length > 0 || text.trim() !== "",
    run(search) {
      const { key, keywords } = search.hints;
      const keys = key === undefined ? keywords : [key];
      return keys === undefined ? readFrom(search, given) : lookUp(search, keys, given.threshold);
    },
  };
}

/** What lies under the keys, or under keys like them. */
export async function lookUp(
  { scope, collection, query, filter, indexOf }: Search,
  keys: readonly string[],
  threshold: number,
): Promise<Hit[]> {
  if (keys.length === 0) return [];
  const params = { keys: [...keys], threshold };
  const { topK, own } = query;
  return collection.retrieve(scope, { index: indexOf(KEY_INDEX), params, topK, filter, own });
}

async function readFrom(search: Search, { threshold, keysOf }: KeySearch): Promise<Hit[]> {
  const { scope, collection, query, filter, indexOf } = search;
  const { text = "", topK, own } = query;
  const standing = await collection.retrieve(scope, {
    index: indexOf(KEY_INDEX),
    text,
    topK,
    filter,
    own,
  });
  if (standing.length > 0) return standing;
  const similar = threshold < 1 ? await lookUp(search, await keysOf(text), threshold) : [];
  return similar.length > 0 ? similar : lexical.run(search);
}
