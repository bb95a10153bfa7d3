/**
 * What was embedded a moment ago is often wanted again: a turn counts in the vector of the next one, too. The vectors of the
 * last texts are kept at hand, so that each is made once. A text has the same vector in every scope; another embedder keeps
 * its own.
 */
import type { Vector } from "../../base/vector.ts";
import type { EmbedderSet, SetOptions } from "./embedder-set.ts";

export interface RecentVectors extends EmbedderSet {
  /** Nothing is kept at hand of what was embedded so far. */
  drop(): void;
}

/** Turns of many talks may come in between; with the largest embedders still a megabyte or two. */
const KEPT_TEXTS = 256;

export function withRecentVectors(embedder: EmbedderSet, keptTexts: number = KEPT_TEXTS): RecentVectors {
  // A Map keeps the order of insertion; what is used goes to its end.
  const kept = new Map<string, Vector>();
  const keep = (text: string, vector: Vector | undefined): void => {
    kept.delete(text);
    if (vector !== undefined) kept.set(text, vector);
  };
  const embedDocuments = async (
    texts: readonly string[],
    { onProgress, ...options }: SetOptions = {},
  ): Promise<(Vector | undefined)[]> => {
    const found = new Map<string, Vector | undefined>(texts.map((text) => [text, kept.get(text)]));
    const missing = [...found.keys()].filter((text) => found.get(text) === undefined);
    if (missing.length > 0) {
      const there = texts.length - missing.length;
      const made = await embedder.embedDocuments(missing, {
        ...options,
        onProgress: onProgress && ((done) => onProgress(there + done, texts.length)),
      });
      for (const [place, text] of missing.entries()) found.set(text, made[place]);
    }
    for (const [text, vector] of found) keep(text, vector);
    for (const oldest of kept.keys()) {
      if (kept.size <= keptTexts) break;
      kept.delete(oldest);
    }
    return texts.map((text) => found.get(text));
  };
  return {
    spaces: embedder.spaces,
    embedDocuments,
    embedDocument: async (text, options) => (await embedDocuments([text], options))[0],
    embedQuery: (text, options) => embedder.embedQuery(text, options),
    drop: () => kept.clear(),
  };
}
