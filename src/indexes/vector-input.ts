/** Which vectors may enter a vector index? Those of its own space, with its own dimension and a direction; nothing else. */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import type { EntryId } from "../base/ids.ts";
import { checkVector, SPACE } from "../base/vector.ts";
import type { IndexQuery } from "./index-contract.ts";

export interface VectorSpace {
  /** The embedder's id. */
  readonly space: string;
  readonly dimension: number;
}

/** The options every vector index has. */
export const vectorSpaceOptions = {
  space: z.string().regex(SPACE, "must be 1–256 characters without commas and control characters"),
  dimension: z.number().int().min(1).max(8192),
} as const;

export function itemVector(
  id: EntryId,
  values: Float32Array | undefined,
  expected: VectorSpace,
): Float32Array {
  if (values === undefined) {
    throw new MemoryError(
      "vector_invalid",
      `The entry ${id} has no vector of "${expected.space}". Valid in this index: entries with ${expected.dimension} numbers of that embedder.`,
      { details: { id, expected: expected.space } },
    );
  }
  return checkVector({ space: expected.space, values }, expected).values;
}

export function queryVector(query: IndexQuery, expected: VectorSpace): Float32Array {
  if (query.vector === undefined) {
    throw new MemoryError(
      "input_invalid",
      `A vector index is asked with a vector, and the query has none. Valid: "vector" with ${expected.dimension} numbers of "${expected.space}".`,
      { details: { expected: expected.space } },
    );
  }
  if (query.text !== undefined) {
    throw new MemoryError(
      "input_invalid",
      'A vector index does not read text. Valid: a query without "text"; embed it first.',
    );
  }
  return checkVector(query.vector, expected).values;
}
