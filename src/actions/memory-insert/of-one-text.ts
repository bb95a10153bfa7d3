/**
 * What tells of one text, and no longer of another that is made of it: a new text that keeps it would show the words of the
 * old one, or claim what it does not say.
 */
import type { JsonObject } from "../../base/json.ts";
import type { DraftParams } from "../../pipeline/draft.ts";

/** By the names it is stored under. */
export const OF_ONE_TEXT: readonly string[] = [
  "original_text",
  "summary",
  "compressed",
  "triples",
  "mentions",
  "chunk_index",
  "total_chunks",
  "embedded_field",
];

export function metadataWithout(metadata: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !names.includes(name)));
}

/** The same of what a draft carries beside its metadata. */
export function paramsOfAnyText(params: DraftParams): DraftParams {
  const { originalText: _original, summary: _summary, triples: _triples, ...others } = params;
  const { chunkIndex: _index, totalChunks: _total, ...kept } = others;
  return kept;
}
