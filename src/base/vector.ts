/** A vector and the space it lives in. The space is the embedder's id: vectors of two models never meet (C-22). */
import { MemoryError } from "./errors.ts";

export interface Vector {
  /** The embedder's id, as "bge-small-en-v1.5". */
  readonly space: string;
  readonly values: Float32Array;
}

/** Names of spaces stand in comma-separated lists of what an event changed. */
export const SPACE: RegExp = /^[^,\p{Cc}]{1,256}$/u;

/** Refuses what would poison every later search: wrong length, NaN, infinity, or no direction at all. */
export function checkVector(
  vector: Vector,
  expected?: { readonly space: string; readonly dimension: number },
): Vector {
  const { space, values } = vector;
  if (!SPACE.test(space)) {
    throw new MemoryError(
      "input_invalid",
      "A vector's space must be an embedder's id. Valid: 1–256 characters without commas and control characters.",
    );
  }
  if (!(values instanceof Float32Array)) {
    throw new MemoryError(
      "vector_invalid",
      `The vector of "${space}" is not a Float32Array. Valid: Float32Array.from(numbers).`,
    );
  }
  if (expected !== undefined && space !== expected.space) {
    throw new MemoryError(
      "embedder_mismatch",
      `The vector comes from the embedder "${space}". Valid here: a vector of "${expected.space}"; embed the text again with it.`,
      { details: { given: space, expected: expected.space } },
    );
  }
  if (expected !== undefined && values.length !== expected.dimension) {
    throw new MemoryError(
      "dimension_mismatch",
      `The vector of "${space}" has ${values.length} numbers. Valid: exactly ${expected.dimension}.`,
      { details: { given: values.length, expected: expected.dimension } },
    );
  }
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i] ?? 0) ** 2;
  if (!Number.isFinite(sum) || sum === 0) {
    const problem = sum === 0 ? "is all zeros" : "holds NaN or infinity";
    throw new MemoryError(
      "vector_invalid",
      `The vector of "${space}" ${problem}. Valid: finite numbers, not all zero.`,
    );
  }
  return vector;
}
