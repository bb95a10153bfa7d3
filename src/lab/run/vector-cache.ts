/**
 * An embedder that remembers on disk: what was embedded once, by any run, is never embedded again. Vectors lie in one folder for
 * each embedder's id and the hash of what decides its vectors, so that other weights under the same name get none of the old.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Embedder } from "../../models/model.ts";
import { KEY_BYTES, openVectorFolder } from "./vector-folder.ts";

export interface CachedEmbedder extends Embedder {
  close(): void;
}

export function cachedEmbedder(embedder: Embedder, hash: string, cache: string): CachedEmbedder {
  const { id, provider, dimension, maxBatch, maxTokens, settings } = embedder;
  const folder = openVectorFolder(
    join(cache, "vectors", `${id.replace(/[^\w.-]+/g, "-")}-${hash.slice(0, 16)}`),
    dimension,
  );
  return {
    ...{ id, provider, dimension, maxBatch, maxTokens, settings },
    async embed(texts, options = {}) {
      const as = options.as ?? "document";
      const keys = texts.map((text) => keyOf(as, text));
      const found = keys.map((key) => folder.get(key));
      if (found.every((vector) => vector !== undefined)) return found;
      // Another run may have got there first.
      folder.look();
      const missing = new Map<string, Buffer>();
      for (const [place, text] of texts.entries()) {
        const key = keys[place];
        if (key === undefined || found[place] !== undefined) continue;
        found[place] = folder.get(key);
        if (found[place] === undefined) missing.set(text, key);
      }
      const made = missing.size === 0 ? [] : await embedder.embed([...missing.keys()], options);
      folder.put([...missing.values()].flatMap((key, place) => (made[place] ? [[key, made[place]]] : [])));
      const fresh = new Map([...missing.keys()].map((text, place) => [text, made[place]]));
      return texts.map((text, place) => found[place] ?? fresh.get(text) ?? new Float32Array(dimension));
    },
    close: () => folder.close(),
  };
}

function keyOf(as: string, text: string): Buffer {
  return createHash("sha256").update(`${as}\n${text}`).digest().subarray(0, KEY_BYTES);
}
