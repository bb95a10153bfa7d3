/**
 * What of a draft the service gets: the entry, its vectors and its placement. Its kind is named by whoever made the text; an
 * insert method names one only where nobody did. What actions worked out beside it stays with
 * it in the metadata, whichever of them came last and named the insert method:
 *
 * - `triples`: what the text states, each with subject, relation and object;
 * - `chunk_index`, `total_chunks`: its place among the pieces of a longer text, from 0;
 * - `original_text`: the words it was read out of; shown in its place (B.0.2);
 * - `summary`: the text in short; `segment`: the stretch of talk it belongs to;
 * - `emotion`: the strongest emotion's `category`, and its `intensity` from 0 to 1.
 */
import { MemoryError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Draft, DraftParams } from "../../pipeline/draft.ts";
import type { InsertParams, ServiceInsert } from "../../services/service.ts";

/** `changes` take the place of what the draft says. */
export function toInsert(
  draft: Draft,
  changes: Partial<Pick<ServiceInsert, "kind" | "metadata" | "insertMode" | "insertParams">> = {},
): ServiceInsert {
  const { embedText: _embedText, insertMethod: _method, insertParams, turns: _turns, ...rest } = draft;
  const { judged: _judged, ...entry } = rest;
  return {
    ...entry,
    ...changes,
    metadata: { ...entry.metadata, ...detailsOf(insertParams), ...changes.metadata },
    insertParams: { ...placementOf(insertParams), ...changes.insertParams },
  };
}

/** Refuses a draft without what an insert method is for. */
export function requireDetails(
  { insertParams }: Draft,
  method: string,
  ...names: readonly (keyof DraftParams)[]
): void {
  const missing = names.find((name) => insertParams[name] === undefined);
  if (missing === undefined) return;
  throw new MemoryError(
    "input_invalid",
    `A draft that is stored by ${method} has no "${missing}". Valid: an action before it that gives one, or another insert method.`,
  );
}

function detailsOf(params: DraftParams): JsonObject {
  const { triples, chunkIndex, totalChunks, originalText, summary, segment, emotion } = params;
  return {
    ...(triples === undefined ? {} : { triples: triples.map((triple) => ({ ...triple })) }),
    ...(chunkIndex === undefined ? {} : { chunk_index: chunkIndex }),
    ...(totalChunks === undefined ? {} : { total_chunks: totalChunks }),
    ...(originalText === undefined ? {} : { original_text: originalText }),
    ...(summary === undefined ? {} : { summary }),
    ...(segment === undefined ? {} : { segment }),
    ...(emotion === undefined ? {} : { emotion: { ...emotion } }),
  };
}

function placementOf({ targetTier, targetIndexes, key, priority }: InsertParams): InsertParams {
  return { targetTier, targetIndexes, key, priority };
}
