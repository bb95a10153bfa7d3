/**
 * An embedder for tests that needs no weights: a text is the sum of pseudo-random directions of its words, so texts that
 * share words are near and the same text is always the same vector. It knows no meaning; where meaning matters, use the
 * built-in embedder.
 */
import { gaussian, seededRandom } from "../base/random.ts";
import { type EmbedderSet, oneSpace } from "../models/local/embedder-set.ts";
import type { Embedder } from "../models/model.ts";
import { tokenize } from "../text/tokenize.ts";

export const HASH_SPACE = "hash-64";
const DIMENSION = 64;

export function hashEmbedder(): EmbedderSet {
  const directions = new Map<string, Float32Array>();
  const directionOf = (word: string): Float32Array => {
    const known = directions.get(word);
    if (known !== undefined) return known;
    const random = seededRandom(
      [...word].reduce((sum, char) => (sum * 31 + (char.codePointAt(0) ?? 0)) >>> 0, 7),
    );
    const direction = Float32Array.from({ length: DIMENSION }, () => gaussian(random));
    directions.set(word, direction);
    return direction;
  };
  const embedOne = (text: string): Float32Array => {
    const words = tokenize(text);
    const sum = new Float32Array(DIMENSION);
    for (const word of words.length > 0 ? words : [text]) {
      for (const [i, value] of directionOf(word).entries()) sum[i] = (sum[i] ?? 0) + value;
    }
    const norm = Math.hypot(...sum);
    return sum.map((value) => value / norm);
  };
  const embedder: Embedder = {
    id: HASH_SPACE,
    provider: "test",
    dimension: DIMENSION,
    maxBatch: 1000,
    embed: async (texts) => texts.map(embedOne),
  };
  return oneSpace(embedder);
}
