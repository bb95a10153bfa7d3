/**
 * Which keys does a text name? Found without a model, and the same way in an entry and in a question: keys of two makers
 * would seldom meet. Whoever wants a model's keys gives them with the entry.
 */
import type { MaybePromise } from "../base/promise.ts";
import { findEntities } from "../text/entities.ts";
import { extractKeywords } from "../text/keywords.ts";

export const KEY_EXTRACTORS = ["entity", "keyword", "none"] as const;
export type KeyExtractor = (typeof KEY_EXTRACTORS)[number];

export interface KeysOf {
  /** Of an entry that came without a key. */
  entry(content: string): MaybePromise<readonly string[]>;
  /** Of a question that came without one. */
  question(text: string): MaybePromise<readonly string[]>;
}

/** `most`: null where nothing is extracted. */
export function keysBy(extractor: KeyExtractor, most: number | null): KeysOf {
  const limit = most ?? 0;
  switch (extractor) {
    case "entity": {
      const names = async (text: string): Promise<string[]> =>
        (await findEntities(text)).slice(0, limit).map((entity) => entity.text);
      return { entry: names, question: names };
    }
    case "keyword": {
      const words = (text: string): string[] =>
        extractKeywords(text, { limit }).map((keyword) => keyword.text);
      return { entry: words, question: words };
    }
    case "none":
      // Nobody reads keys out of texts: a question is the key it asks for.
      return { entry: () => [], question: (text) => (text.trim() === "" ? [] : [text.trim()]) };
  }
}
