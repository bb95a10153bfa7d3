/** One embedder for all designs of a run: what one of them had embedded, the next gets at once. */
import type { EmbedderSet, QueryVector } from "../../src/models/local/embedder-set.ts";

type DocumentVector = Awaited<ReturnType<EmbedderSet["embedDocument"]>>;

export function rememberedEmbedder(embedder: EmbedderSet): EmbedderSet {
  const documents = new Map<string, DocumentVector>();
  const queries = new Map<string, QueryVector[]>();
  const embedDocuments: EmbedderSet["embedDocuments"] = async (texts, options) => {
    const fresh = [...new Set(texts)].filter((text) => !documents.has(text));
    const vectors = await embedder.embedDocuments(fresh, options);
    fresh.forEach((text, place) => {
      documents.set(text, vectors[place]);
    });
    return texts.map((text) => documents.get(text));
  };
  return {
    spaces: embedder.spaces,
    embedDocuments,
    embedDocument: async (text, options) => (await embedDocuments([text], options))[0],
    async embedQuery(text, options = {}) {
      const key = JSON.stringify([text, options.spaces]);
      const known = queries.get(key);
      if (known !== undefined) return known;
      const made = await embedder.embedQuery(text, options);
      queries.set(key, made);
      return made;
    },
  };
}
