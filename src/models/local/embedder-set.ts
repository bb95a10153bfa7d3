/**
 * Into which vector space does a text go? An embedder set hides how many there are: a document gets its one vector, a
 * query one vector per space, and vectors of two spaces never meet (C-22).
 */
import type { Vector } from "../../base/vector.ts";
import type { Language } from "../../text/language.ts";
import { embedMany } from "../embed-many.ts";
import type { CallOptions, Embedder } from "../model.ts";
import { isReadable } from "./readable.ts";

export interface EmbedderSpace {
  readonly space: string;
  readonly dimension: number;
  /** The language it was made for; "any" for a model that reads them all. */
  readonly language: Language | "any";
}

export interface QueryVector extends Vector {
  /** Whether the query is in the space's own language; where not, its nearness says little. */
  readonly native: boolean;
}

export interface SetOptions extends CallOptions {
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Ids of spaces, or "native": whoever does not know the word may embed into all, but not into none. */
export type QuerySpaces = readonly string[] | "native";

export interface QueryOptions extends CallOptions {
  /** Only these spaces, or only those made for the query's language, or all where there is none (default: all). */
  readonly spaces?: QuerySpaces | undefined;
}

export interface EmbedderSet {
  readonly spaces: readonly EmbedderSpace[];
  /**
   * One vector per text, in their order; undefined where no embedder reads the text's language, or where the text holds
   * no visible character, so that one empty text never stops the others.
   */
  embedDocuments(texts: readonly string[], options?: SetOptions): Promise<(Vector | undefined)[]>;
  embedDocument(text: string, options?: CallOptions): Promise<Vector | undefined>;
  /** One vector per space, in the order of `spaces`; none for a text without a visible character. */
  embedQuery(text: string, options?: QueryOptions): Promise<QueryVector[]>;
}

/** The set of an embedder that reads every language, as large multilingual models do. */
export function oneSpace(embedder: Embedder): EmbedderSet {
  const { id: space, dimension } = embedder;
  const embedDocuments = async (
    texts: readonly string[],
    { onProgress, ...options }: SetOptions = {},
  ): Promise<(Vector | undefined)[]> => {
    const out: (Vector | undefined)[] = texts.map(() => undefined);
    const places = texts.flatMap((text, place) => (isReadable(text) ? [place] : []));
    const skipped = texts.length - places.length;
    if (skipped > 0) onProgress?.(skipped, texts.length);
    const vectors = await embedMany(
      embedder,
      places.map((place) => texts[place] ?? ""),
      { ...options, as: "document", onProgress: (done) => onProgress?.(skipped + done, texts.length) },
    );
    vectors.forEach((values, i) => {
      out[places[i] ?? -1] = { space, values };
    });
    return out;
  };
  return {
    spaces: [{ space, dimension, language: "any" }],
    embedDocuments,
    embedDocument: async (text, options) => (await embedDocuments([text], options))[0],
    async embedQuery(text, { spaces, ...options } = {}) {
      const isWanted = spaces === undefined || spaces === "native" || spaces.includes(space);
      if (!isWanted || !isReadable(text)) return [];
      const vectors = await embedMany(embedder, [text], { ...options, as: "query" });
      return vectors.map((values) => ({ space, values, native: true }));
    },
  };
}
